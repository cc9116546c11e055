/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan: for each unit of a link, in the order in which they will lie, what
 * stands before it.  Pure: units, shapes and a policy in, a plan out.
 *
 * Every choice comes from hash(seed, identity) alone, so that an object more
 * or less changes no other unit's choice.
 */
#ifndef KERNING_LAYOUT_PLAN_H
#define KERNING_LAYOUT_PLAN_H

#include "layout/policy.h"
#include "layout/seed.h"
#include "layout/unit.h"

/*
 * One unit's placement: the location counter first advances by pad bytes, then
 * to the next address that is residue mod modulus, then to the unit's own
 * alignment (which residue, modulus and pad never contradict).
 */
struct placement {
	uint32_t unit;		/* index into the units */
	uint64_t pad;		/* bytes; 0: none */
	uint64_t residue, modulus; /* modulus 1: any address; else at least the own alignment */
	bool movable;		/* false: natural place, nothing before it */
	uint64_t behind;	/* bytes to leave behind it */
	uint32_t room;		/* index + 1 of the room of its run, which is laid as a whole; 0: by statement */
	bool held;		/* it lies at this address, and the above says nothing */
	uint64_t address;
};

/*
 * A room: what is left free, for later links, before a seam of the script, and
 * the address at which a lock holds the seam.  One inside an output section is at the
 * end of a run of statements.
 */
struct room {
	unsigned number;	/* the seam's */
	const char *section;	/* output section that it lies in, or behind */
	bool inside;
	unsigned first, last;	/* inside: the run's statements */
	uint64_t content;	/* bytes that the link puts into the run, or into the section behind its last run */
	uint64_t before;	/* inside: bytes of tables and the like between this run and the one before */
	uint64_t size;		/* bytes to leave free */
	bool made;		/* behind a section that ld makes, or that is not there */
	bool pooled;		/* ... and one more follows, behind which the room of both is */
	uint64_t share;		/* made: hundredths of a percent of it to leave free as well */
	uint64_t lead;		/* inside: the same before the run */
	bool held;		/* it ends at this address, and nothing is left */
	uint64_t end;
};

struct plan {
	/*
	 * Grouped by statement in the statements' order; within one, in the order to
	 * lie in.  Behind them the runs that are laid as a whole, room by room.
	 */
	VEC(struct placement) placements;
	VEC(struct room) rooms;	/* in the order of the output */
};

/*
 * UNITS in natural order (statement by statement: link order, then the order
 * within the object).  MOVABLE[i] says whether the script's shape lets unit i
 * move; fix= and move= rules overrule it, but a merged unit never moves.
 *
 * Of a unit of own alignment A, h being its hash for the rule's name:
 *
 *	align:N		0 mod max(A, N)
 *	offset:R/M	R mod max(A, M); an error unless R is a multiple of min(A, M)
 *	jitter:M/STEP	h'th of the multiples below M of STEP (rounded up to one of A),
 *			mod M; nothing where A >= M
 *	pad:LO..HI/STEP	LO + STEP * (h mod ((HI - LO) / STEP + 1)) bytes
 *	shuffle		the units that one rule chose within one statement change
 *			places among themselves: by hash, equal ones by identity
 *
 * False, reported, where a rule contradicts a unit's own alignment, or names
 * no unit (an error that gives near misses; for fix= and move= the warning
 * [unmatched-rule], for a preset's rule nothing).  A rule all of whose units
 * must not move gets the warning [unmovable].  With policy->null no rule
 * applies, and none is checked.
 */
bool plan_make(struct plan *plan, const struct unit *units, size_t count, const bool *movable,
	       const struct policy *policy, struct diag *diag);
void plan_release(struct plan *plan);

/*
 * Brings the placements into their order when some are of runs that are laid as a
 * whole, or have been given addresses (which then all of a run have to have).
 */
void plan_sort(struct plan *plan, const struct unit *units);

#endif
