/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of an object or archive, mapped to be read.
 */
#ifndef KERNING_LD_MAPPING_H
#define KERNING_LD_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/diag.h"
#include "ld/object.h"

struct mapping {
	const unsigned char *bytes;	/* of the place; NULL where size is 0 */
	size_t size;
	int fd;				/* of the whole file */
	struct stat status;
	void *pages;			/* what was mapped, for munmap(2) */
	size_t page_bytes;
};

/*
 * Maps PLACE; mapping_release() it on true.  What is no regular file (a pipe, a
 * folder) counts as empty.  False, reported, where the file cannot be read or
 * ends before the place does.
 */
bool mapping_open(struct mapping *mapping, const struct object_place *place, struct diag *diag);
void mapping_release(struct mapping *mapping);

/* As messages name it. */
const char *place_label(const struct object_place *place);

#endif
