/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What moves when one unit changes its size: the model that walls are chosen by.
 *
 * The units of an output section lie one behind the other, each at the next
 * multiple of its alignment.  When one grows or shrinks, what is behind it is
 * pushed along, unit by unit, until an alignment swallows the rest of the push:
 * a unit of alignment N has a gap of 0 to N - 1 bytes before it, which takes up
 * as much.  Where it does not, it makes of a push of 8 bytes one of N.
 *
 * A wall is a unit that the policy keeps at a residue R modulo M of its address
 * (offset=UNIT:R/M), chosen so that the gap before it has at least so many bytes
 * as can be pushed at it, and M - 1 less these many.  Then neither growth nor
 * shrinking reaches it or what is behind.  A larger push moves all behind it by a
 * multiple of M, so that residues modulo M stay.
 *
 * What a wall costs does not hang on M, as it would with align=UNIT:M, which
 * costs M / 2 in the mean: the residue is the one that costs least.  It is chosen
 * so that whatever walls stand before it, a unit keeps its place within a line
 * of WALL_LINE bytes: walls move things by whole lines.
 *
 * Gaps that no alignment of a unit explains may come from an alignment in the
 * script, taken for one where the address is a multiple of a power of two above the
 * gap; or from what the layout does not list, which swallows nothing then.
 */
#ifndef KERNING_LAYOUT_RIPPLE_H
#define KERNING_LAYOUT_RIPPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/vec.h"

#define WALL_LINE 64

/* One unit of an output section; those of one section stand together, by address. */
struct ripple_unit {
	uint64_t address, size, align;
	double chance;		/* how often it changes, in any measure */
	double value;		/* what it counts when it moves: its size, or 0 */
	bool wallable;		/* a rule may name it, and moves it */
};

/* What is before a unit. */
struct ripple_gap {
	uint64_t bytes;
	uint64_t round;		/* the alignment that the unit follows */
	bool known;		/* ROUND explains BYTES */
};

struct ripple {
	const struct ripple_unit *units;
	size_t count;
	struct ripple_gap *gaps;
};

struct wall {
	size_t unit;
	uint64_t address;	/* of the unit once all walls stand */
	uint64_t residue, modulus; /* what the rule asks for */
	uint64_t bytes;		/* by which it moves on what is behind it */
};

struct walls {			/* a VEC, ascending */
	struct wall *at;
	size_t count, capacity;
};

/* What the changes of all units of a section do. */
struct ripple_effect {
	double chance;		/* of them all, summed */
	double moved;		/* chance times value moved, summed */
	double worst;		/* the most value that one change moves */
};

/* UNITS must outlive it. */
void ripple_init(struct ripple *ripple, const struct ripple_unit *units, size_t count);
void ripple_release(struct ripple *ripple);

/*
 * The most that a change of GROWTH bytes pushes at what is behind units whose
 * largest alignment is ALIGN.
 */
uint64_t ripple_push(uint64_t growth, uint64_t align);

/*
 * The least number of bytes that a wall before UNIT adds where PUSH may come,
 * when walls before it have added whole lines.
 */
uint64_t ripple_price(const struct ripple *ripple, size_t unit, uint64_t push);
/* True if UNIT's own alignment keeps PUSH off both ways: a wall without a rule. */
bool ripple_is_wall(const struct ripple *ripple, size_t unit, uint64_t push);

/*
 * Puts a wall before each of the units CHOSEN (ascending), of moduli of at least
 * MODULUS; none where its own alignment is one by then.  Returns the
 * bytes by which the section grows.
 */
uint64_t ripple_build(const struct ripple *ripple, const size_t *chosen, size_t count,
		      uint64_t growth, uint64_t modulus, struct walls *walls);

/*
 * What a change of one unit by up to GROWTH bytes, either way, moves behind
 * WALLS: a unit counts as moved if any such change moves it.
 */
struct ripple_effect ripple_measure(const struct ripple *ripple, const struct walls *walls,
				    uint64_t growth);

#endif
