/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The symbols that the compiler's plugin placed, in a link.
 */
#ifndef KERNING_LD_SYMBOLS_H
#define KERNING_LD_SYMBOLS_H

#include "layout/plan.h"
#include "layout/record.h"
#include "ld/census.h"
#include "ld/map.h"

/*
 * Reads the notes of all objects of the link: adds to LAYOUT the symbols that
 * were placed within units, and warns of directives that named nothing in any
 * object.
 */
void symbols_record(struct layout *layout, const struct census *census, const struct plan *plan,
		    const struct map_section *const *places, struct diag *diag);

#endif
