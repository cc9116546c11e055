/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which objects a link loads, and in what order: archive members come in where
 * they define what is undefined by then, as ld decides it.
 *
 * This is a prediction.  It knows symbols, groups and shared libraries, but not
 * every reason that ld has (--wrap, versions, PROVIDE, plugins); the link's map
 * tells afterwards what was loaded, and where that differs the link is planned
 * again from what the map said (census.h).
 */
#ifndef KERNING_LD_RESOLVE_H
#define KERNING_LD_RESOLVE_H

#include "ld/inputs.h"

/* What the map of a link said, against the prediction. */
struct correction {
	VEC(struct input_object *) loaded; /* archive members, in load order */
	VEC(const char *) absent;	/* identities of units that ld dropped; sorted */
};

struct loaded { VEC(struct input_object *) objects; };

/*
 * Appends to LOADED every object of INPUTS that the link loads, in load order.
 * EXTRA: symbols that are undefined from the start (ENTRY, EXTERN of the
 * scripts), NULL-terminated.  CORRECTION (or NULL) says which members are
 * loaded, instead of the symbols.  False, reported, where an object is corrupt.
 */
bool resolve_loaded(struct inputs *inputs, const struct linkline *line,
		    const char *const *extra, const struct correction *correction,
		    struct loaded *loaded, struct diag *diag);

#endif
