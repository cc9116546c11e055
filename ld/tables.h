/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables (see ldscripts/shape.h) are arrays to the program: what was linked is
 * held against what they were without kerning.
 */
#ifndef KERNING_LD_TABLES_H
#define KERNING_LD_TABLES_H

#include "ld/census.h"
#include "ld/map.h"

/*
 * Checks in MAP that between the parts of each table lies no gap but what
 * their own alignments make, and none is lost.  False, each fault reported.
 */
bool tables_verify(const struct census *census, const struct link_scripts *scripts,
		   const struct map *map, struct diag *diag);

#endif
