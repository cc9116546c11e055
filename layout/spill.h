/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spilling: places, in what a run has free, for the units that a lock cannot hold
 * where they were.
 *
 * Each lies at its residue modulo LOCK_MODULUS, else modulo LOCK_LEAST, else at its
 * alignment, in the run's room.  Where that does not have them all, the slots that they
 * left are filled too, then the room, each with the largest that fits; and what is
 * over lies behind.
 */
#ifndef KERNING_LAYOUT_SPILL_H
#define KERNING_LAYOUT_SPILL_H

#include <stddef.h>

#include "layout/gap.h"
#include "layout/record.h"
#include "layout/unit.h"

/* A unit that does not stay. */
struct spilled {
	size_t placement;		/* the caller's */
	const struct unit *unit;
	const struct layout_unit *old;	/* where the reference had it; NULL: it had not */
	uint64_t slot_end;		/* of the slot that it left at OLD; 0: that is not free */
	uint64_t address;		/* where it shall lie */
};

/* The caller releases list. */
struct spills { VEC(struct spilled) list; };

/*
 * Sets the addresses, and may change the order.  GAPS, at least one, are the room, which
 * lies behind all slots; what is left of them is not said.
 */
void spills_place(struct spills *spills, struct gaps *gaps);

#endif
