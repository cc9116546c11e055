/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The census of a link: every unit that takes part, in the order in which ld
 * would lay them by itself, and which statement takes it.
 *
 * What takes part is predicted (resolve.h: members by symbols; here: the first
 * COMDAT group of a signature wins) and corrected by what the map of a link
 * said, where one has been read.
 */
#ifndef KERNING_LD_CENSUS_H
#define KERNING_LD_CENSUS_H

#include "layout/policy.h"
#include "ld/inputs.h"
#include "ld/resolve.h"
#include "ld/scripts.h"

/*
 * A section that came in tagged (out of a partial link), and that a statement
 * which is no unit's takes by its own name: it gets that name back.  And the
 * plugin's note that is to stay: it loses the flag that has ld leave it out.
 */
struct restored {
	struct input_object *owner;
	uint32_t shndx;
	const char *name;
	bool reflagged;
	uint64_t flags;
};

/* A section that a table takes. */
struct table_section {
	unsigned statement;
	const struct input_object *owner;
	const char *name;
	uint64_t align;
};

struct census {
	struct obstack arena;
	struct loaded loaded;
	VEC(struct unit) units;		/* grouped by statement, in natural order */
	VEC(const char *) tags;		/* by unit: its tag; NULL: named by its file in the script */
	VEC(struct input_object *) owners; /* by unit */
	bool *movable;			/* by unit */
	VEC(struct restored) restored;
	VEC(struct table_section) tables; /* by statement */
	VEC(const char *) apart;	/* names of sections that a partial link does not merge */
	struct shape *shapes;		/* by statement */
	uint64_t *taken, *sizes;	/* by statement: how many sections it takes, of how many bytes */
	bool *listed;			/* by statement: its sections are units */
};

/*
 * Takes the census of a final link.  CORRECTION may be NULL.  False, reported,
 * on a corrupt input.
 */
bool census_take(struct census *census, struct inputs *inputs, const struct linkline *line,
		 const struct link_scripts *scripts, const struct policy *policy,
		 const struct correction *correction, struct diag *diag);
void census_release(struct census *census);

#endif
