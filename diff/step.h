/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step: a run of neighbouring pieces that moved by the same number of bytes,
 * and what made that number another than that of the pieces before them.
 *
 *	shift = shift of the run before + growth + added - removed + gap
 */
#ifndef KERNING_DIFF_STEP_H
#define KERNING_DIFF_STEP_H

#include "diff/change.h"

enum cause {
	CAUSE_GREW,		/* BEHIND is of another size: AMOUNT */
	CAUSE_ADDED,		/* BEHIND, the largest of COUNT, AMOUNT bytes, is new */
	CAUSE_REMOVED,		/* BEHIND, the largest of COUNT, AMOUNT bytes, is gone */
	CAUSE_ORDER,		/* BEHIND was not in front of it: another order */
	CAUSE_SECTION,		/* the section begins elsewhere: AMOUNT */
	CAUSE_UNKNOWN,		/* COUNT pieces between that could not be paired */
	CAUSE_GAP,		/* the gap behind BEHIND is another: an alignment, a pad */
};

struct step {
	const char *section;
	int64_t shift, delta;		/* bytes; DELTA: against the run before */
	const struct change *first, *last; /* by address in B */
	size_t pieces;			/* that are shown */
	uint64_t bytes;			/* of these */
	enum cause cause;
	const struct change *behind;	/* NULL: nothing is before it */
	int64_t amount;			/* bytes, with its sign in DELTA */
	int64_t rest;			/* DELTA (SHIFT of a section) - AMOUNT: alignment, others */
	size_t count;
};

struct steps {
	VEC(struct step) runs;		/* all, by address in B: shift 0 too */
	VEC(const struct step *) moved;	/* with shown pieces and a shift; most pieces first */
};

void steps_find(struct steps *steps, const struct comparison *comparison);
void steps_release(struct steps *steps);

/*
 * "behind mce_banks (grew by 8, drivers/foo.o)", "behind foo (new, 64)",
 * "section .data begins +4096".  The caller frees it.
 */
char *step_cause(const struct step *step, const struct comparison *comparison);

#endif
