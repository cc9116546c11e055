/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects and archives are read by mapping: of a large object with debugging
 * information the few pages that hold headers and names are touched, no more.
 */
#include "config.h"

#include "ld/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *place_label(const struct object_place *place)
{
	return place->label != NULL ? place->label : place->path;
}

bool mapping_open(struct mapping *mapping, const struct object_place *place, struct diag *diag)
{
	off_t page = sysconf(_SC_PAGESIZE), end;

	*mapping = (struct mapping){ .fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) };
	if (mapping->fd < 0 || fstat(mapping->fd, &mapping->status) != 0)
		goto unreadable;
	if (!S_ISREG(mapping->status.st_mode))
		return true;

	end = place->offset == 0 && place->size == 0 ? mapping->status.st_size
						     : place->offset + place->size;
	if (end > mapping->status.st_size) {
		diag_error(diag, NULL, "'%s': should end at byte %jd of '%s', got %jd bytes",
			   place_label(place), (intmax_t)end, place->path,
			   (intmax_t)mapping->status.st_size);
		close(mapping->fd);
		return false;
	}
	if (end == place->offset)
		return true;

	mapping->size = end - place->offset;
	mapping->page_bytes = mapping->size + place->offset % page;
	mapping->pages = mmap(NULL, mapping->page_bytes, PROT_READ, MAP_PRIVATE, mapping->fd,
			      place->offset - place->offset % page);
	if (mapping->pages == MAP_FAILED)
		goto unreadable;
	mapping->bytes = (unsigned char *)mapping->pages + place->offset % page;
	return true;

unreadable:
	diag_error_class(diag, errno == ENOENT ? DIAG_INPUT : DIAG_ENVIRONMENT, NULL,
			 "cannot read '%s': %s", place->path, strerror(errno));
	if (mapping->fd >= 0)
		close(mapping->fd);
	return false;
}

void mapping_release(struct mapping *mapping)
{
	if (mapping->size > 0)
		munmap(mapping->pages, mapping->page_bytes);
	close(mapping->fd);
}
