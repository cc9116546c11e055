/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reserving: what a reference leaves free, so that later links can be held to
 * its addresses (lock.h).
 *
 * A unit that grows need not stay where it is: it can lie in its run's room, and
 * nothing else moves.  So room is left behind runs and behind tables, and behind
 * a unit only where a rule asks for it.
 *
 *	reserve				the usual measure: RESERVE_SHARE of what stands before; behind a
 *					run also what its largest unit takes and a quarter more, of
 *					those of at most RESERVE_LARGE of the run, or
 *					RESERVE_LARGE_BYTES; and never below RESERVE_LEAST, behind a run of several
 *					RESERVE_LEAST_RUN
 *	reserve-end=SECTIONS:ROOM	another one for these output sections
 *	reserve=UNITS:ROOM		room behind each of these units as well
 *
 * Of what ld makes itself (.plt, .dynsym) no size is known before: the script computes
 * the share of it, and RESERVE_LEAST more.
 *
 * An output section moves when it is aligned to more than before.  So each gap between
 * output sections ends at a multiple of RESERVE_ALIGN: for what is aligned to no more,
 * a later link has the place that the reference had.
 *
 * What ld merges changes its size with each string.  So sections that merge with
 * each other are laid together, before all else of their run, with room behind them.
 */
#ifndef KERNING_LAYOUT_RESERVE_H
#define KERNING_LAYOUT_RESERVE_H

#include "layout/plan.h"

#define RESERVE_SHARE 200	/* hundredths of a percent */
#define RESERVE_LARGE 2500
#define RESERVE_LARGE_BYTES 32768
#define RESERVE_LEAST 256	/* bytes */
#define RESERVE_LEAST_RUN 1024
#define RESERVE_ALIGN 64	/* bytes */
#define RESERVE_UNIT 64		/* room comes in multiples of it, in bytes */

/* True if POLICY asks for room at all. */
bool reserve_wanted(const struct policy *policy);

/*
 * Sets the sizes of PLAN's rooms, and puts the units of runs into them.  A reserve-end= rule
 * that names no output section of a room gets the warning [unmatched-rule].
 */
void reserve_apply(struct plan *plan, const struct unit *units, const struct policy *policy,
		   struct diag *diag);

/* The room in whose run STATEMENT is: its index + 1; 0: none. */
uint32_t room_of(const struct plan *plan, unsigned statement);

#endif
