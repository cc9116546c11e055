/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ld says of copies, tags and work files, retold with the names that the
 * user knows: its messages, its map, the dependencies that it writes.
 */
#ifndef KERNING_LD_RETELL_H
#define KERNING_LD_RETELL_H

#include <stdio.h>

#include "ld/inputs.h"
#include "ld/scripts.h"

struct retelling {
	const struct linkline *line;
	const struct inputs *inputs;	/* whose copies are retold */
	const char *tags, *scratch, *work; /* folders of the cache */
	const char *output, *target;	/* what ld writes, and what the user calls it */
	const char *map, *dependencies;	/* files that ld writes, in work */
	const struct link_scripts *scripts;
	struct obstack *arena;
	struct diag *diag;
	bool about_place;		/* ld complained of what placing units can lead to */
	struct htab *copies;		/* the inputs' copies by their paths; NULL: nobody asked yet */
};

/* Forgets the copies, where the inputs are about to get others. */
void retell_forget(struct retelling *retelling);

/* Writes LINE of ld's, and a newline, to STREAM.  DATA is a struct retelling (a run_line). */
void retell_line(const char *line, FILE *stream, void *data);

/* Writes the map that the link line asks for, if any.  False, reported, on failure. */
bool retell_map(struct retelling *retelling);
/* The same for --dependency-file: without fragments, which no later build has. */
bool retell_dependencies(struct retelling *retelling);

#endif
