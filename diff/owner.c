/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Symbols and units are both in order of address: one walk gives each symbol
 * its unit.
 */
#include "config.h"

#include "diff/owner.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout/record.h"
#include "ld/linked.h"
#include "lib/memory.h"

/* The header lines are enough to know the build by, but a layout is read whole: it is small. */
static bool same_build(const char *path, const char *program, struct diag *diag)
{
	struct layout layout;
	struct linked linked;
	bool same = false;

	linked_read(&linked, program);
	layout_init(&layout);
	if (layout_read(&layout, path, diag)) {
		same = strcmp(linked.build_id != NULL ? linked.build_id : "",
			      layout.build_id != NULL ? layout.build_id : "") == 0;
		if (!same)
			diag_error(diag, NULL,
				   "\"%s\" is the layout of another build than \"%s\": build-id "
				   "%s, expected %s",
				   path, program,
				   layout.build_id != NULL ? layout.build_id : "none",
				   linked.build_id != NULL ? linked.build_id : "none");
	}
	layout_release(&layout);
	linked_release(&linked);
	return same;
}

char *owner_find(const struct image *image, const char *path, struct diag *diag)
{
	char *found = path != NULL ? xstrdup(path) : xasprintf("%s.layout", image->path);
	struct diag silent = { .stream = NULL };

	if ((path == NULL && access(found, R_OK) != 0) ||
	    !same_build(found, image->path, path != NULL ? diag : &silent)) {
		free(found);
		return NULL;
	}
	return found;
}

static void give(struct image *image, const struct layout *layout)
{
	size_t at = 0;
	const char *object = NULL;

	/* Of units that lie in each other, which ld does not make, the first counts. */
	for (size_t i = 0; i < image->pieces.count; i++) {
		struct piece *piece = &image->pieces.at[i];
		const struct layout_unit *unit;

		while (at < layout->units.count &&
		       layout->units.at[at].address + layout->units.at[at].size <= piece->address) {
			at++;
			object = NULL;
		}
		if (at == layout->units.count)
			break;
		unit = &layout->units.at[at];
		if (unit->address > piece->address)
			continue;
		if (object == NULL)
			object = obstack_strdup(&image->arena, unit->identity.file);
		piece->object = object;
	}
}

bool owner_read(struct image *image, char *path, struct diag *diag)
{
	struct layout layout;
	bool good;

	layout_init(&layout);
	good = layout_read(&layout, path, diag);
	if (good) {
		layout_sort(&layout);
		give(image, &layout);
	}
	layout_release(&layout);
	image->layout = path;
	return good;
}
