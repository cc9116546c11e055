/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rooms of a link: its scripts' seams (ldscripts/seam.h), with what the link
 * puts before each.
 */
#ifndef KERNING_LD_ROOMS_H
#define KERNING_LD_ROOMS_H

#include "layout/plan.h"
#include "ld/census.h"
#include "ldscripts/seam.h"

/*
 * Finds the seams, and adds a room to PLAN for each, in their order.  The caller
 * releases seams->list.
 */
void rooms_find(struct seams *seams, struct plan *plan, const struct census *census,
		const struct link_scripts *scripts);

#endif
