/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ld's map, read: where each input section came to lie, what was discarded,
 * and which archive members were loaded.
 */
#ifndef KERNING_LD_MAP_H
#define KERNING_LD_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/diag.h"
#include "lib/source.h"
#include "lib/vec.h"

struct map_section {
	const char *name;
	const char *output;	/* output section; NULL: discarded */
	const char *file;	/* as ld names it: "lib.a(x.o)" for a member */
	uint64_t address, size;
	uint32_t statement;	/* number of the statement's line in the map, from 1; 0: none above it */
};

struct map {
	struct source *source;			/* every string points into it */
	VEC(struct map_section) sections;	/* in the map's order, discarded ones first */
	VEC(const char *) members;		/* loaded because of a symbol, in order */
};

/* Reads the map at PATH.  False, reported, where it cannot be read. */
bool map_read(struct map *map, const char *path, struct diag *diag);
void map_release(struct map *map);

#endif
