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
};

struct plan {
	/* Grouped by statement in the statements' order; within one, in the order to lie in. */
	VEC(struct placement) placements;
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

#endif
