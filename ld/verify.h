/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ld did, held against the plan.
 */
#ifndef KERNING_LD_VERIFY_H
#define KERNING_LD_VERIFY_H

#include "layout/plan.h"
#include "layout/record.h"
#include "ld/census.h"
#include "ld/map.h"

/*
 * By placement: the line of MAP that its unit has; NULL: none.  The caller frees
 * the array; what it points to is the map's.
 */
const struct map_section **locate_units(const struct census *census, const struct plan *plan,
					const struct map *map);

/*
 * Where the map shows that other members were loaded than CENSUS has, or that
 * units with something before them were dropped, fills CORRECTION (whose
 * strings go to ARENA) and returns true: the link is to be planned again.
 */
bool census_differs(const struct census *census, const struct inputs *inputs,
		    const struct plan *plan, const struct map *map,
		    const struct map_section *const *places, struct correction *correction,
		    struct obstack *arena);

/*
 * Checks every unit of the plan: in its output section, at an address that its
 * placement and its own alignment allow, and behind its predecessor by just
 * that.  False, each violation reported (but no more than some).
 */
bool verify_link(const struct census *census, const struct link_scripts *scripts,
		 const struct plan *plan, const struct map_section *const *places,
		 struct diag *diag);

/* Adds every unit of the link to LAYOUT, where the map says it lies. */
void record_units(struct layout *layout, const struct census *census, const struct plan *plan,
		  const struct map_section *const *places);

#endif
