/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outline of a link's layout: all that is no unit.  Its output sections are
 * the linked's; the symbols that the script assigned and the seams are the map's.
 */
#ifndef KERNING_LD_OUTLINE_H
#define KERNING_LD_OUTLINE_H

#include "layout/plan.h"
#include "layout/record.h"
#include "ld/linked.h"
#include "ld/map.h"

/* Adds the outline to LAYOUT; IMAGE, MAP and PLAN have to stay as long as it does. */
void outline_record(struct layout *layout, const struct linked *linked, const struct map *map,
		    const struct plan *plan);

#endif
