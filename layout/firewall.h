/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where walls are put (ripple.h says what one is): before those units with which the
 * changes of all units, weighed by how often they come, move least, for so many
 * bytes of walls over all output sections together.
 *
 * Between two walls lie the units of a stretch, and a change of one moves
 * those behind it in its stretch alone.  So the sum over all changes is a sum over
 * stretches; and with a price of so much per byte of wall, the best walls are a
 * shortest path from wall to wall.  What a stretch from wall j to wall k moves is
 * linear in the value before k, with a slope and an intercept that hang on j alone, so
 * the best j is found on a lower envelope of lines, in the logarithm of their number.
 * One bisection finds the price with which the walls of all sections cost the
 * budget.  (The wall's cost hangs on the largest alignment in its stretch: lines are
 * kept in as many envelopes as there are such alignments.)
 *
 * This is exact where the growth is a multiple of every alignment and none is above
 * WALL_LINE: a change then moves all of its stretch, walls move nothing but by whole
 * lines, and the gaps before other units stay as they are.  Else a gap on the way may
 * swallow a change, which choosing does not count on; and a page's alignment may
 * swallow, or make more, of what walls have added before it.  What is chosen is measured as it
 * comes out, and never above the budget.
 *
 * The price per byte is Everett's multiplier (H. Everett, Operations Research 11,
 * 1963): what is best at a price is best of all that costs no more.
 */
#ifndef KERNING_LAYOUT_FIREWALL_H
#define KERNING_LAYOUT_FIREWALL_H

#include "layout/ripple.h"

struct firewall_section {
	struct ripple ripple;
	struct walls walls;
	uint64_t bytes;			/* that the walls add */
};

struct firewall_options {
	uint64_t growth;		/* a unit grows or shrinks by at most so many bytes; >= 1 */
	uint64_t modulus;		/* of a wall, at least; a power of two */
	uint64_t budget;		/* bytes */
};

/* Chooses the walls of all SECTIONS, whose ripple is set and whose walls are empty. */
void firewall_choose(struct firewall_section *sections, size_t count,
		     const struct firewall_options *options);

#endif
