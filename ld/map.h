/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ld's map, read: where each input section came to lie, what was discarded,
 * what the script assigned, and which archive members were loaded.
 */
#ifndef KERNING_LD_MAP_H
#define KERNING_LD_MAP_H

#include <obstack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/vec.h"

struct map_section {
	const char *name;
	const char *output;	/* output section; NULL: discarded */
	const char *file;	/* as ld names it: "lib.a(x.o)" for a member */
	uint64_t address, size;
	uint32_t statement;	/* number of the statement's line in the map, from 1; 0: none above it */
};

/* A symbol that the script assigned the location counter to, or a seam that was held open. */
struct map_assignment {
	const char *symbol;	/* NULL: a seam */
	unsigned seam;		/* its number */
	const char *output;	/* the output section that it stands in, or behind */
	uint64_t value;		/* of a seam: where it ends */
	size_t sections;	/* how many of the map's sections stand before it */
};

/* What a map is read with: a line at a time, as ld writes them. */
struct map_reader {
	enum { MAP_BEFORE, MAP_MEMBERS, MAP_DISCARDED, MAP_PLACED } part;
	const char *output;			/* the output section at hand */
	uint32_t statement, statements;
	bool begun;				/* MEMBERS: behind the empty line above them */
	char *pending;				/* a name whose numbers come on the next line; NULL: none */
};

struct map {
	struct obstack arena;			/* the lines that the strings are of */
	VEC(struct map_section) sections;	/* in the map's order, discarded ones first */
	VEC(struct map_assignment) assignments; /* in order */
	VEC(const char *) members;		/* loaded because of a symbol, in order */
	struct map_reader reader;
};

/* map_release() undoes it. */
void map_begin(struct map *map);
/* Reads SIZE more bytes of the map, which may end anywhere; map_end() behind the last of them. */
void map_take(struct map *map, const char *bytes, size_t size);
void map_end(struct map *map);
void map_release(struct map *map);

#endif
