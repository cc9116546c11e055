/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Seams: the places of a script where a gap in the output breaks nothing, so
 * that room can be left there for what grows, and an address can be held.
 *
 *	.text : {
 *		*(.text.unlikely .text.unlikely.*)
 *		*(.text .text.*)
 *							<- behind a run of movable statements
 *		_etext = .;
 *		__start_x = .;
 *		KEEP(*(x))
 *		__stop_x = .;
 *							<- behind a table
 *		*(.fixup)
 *	}
 *							<- behind an output section
 *	. = ALIGN(4096);
 *
 * Behind a run: statements that may be moved follow on each other, and what
 * takes nothing in this link does not part them.  A symbol, a table, COMMON or an
 * assignment to "." does.
 *
 * Behind a table: where two marks say by their names that they enclose it (start and
 * stop or end, begin and end, x and x_end), and no other two of the output section
 * enclose them; and what follows is no mark, but one that begins what a later one ends.
 *
 * Behind an output section: where another one follows at once, or an assignment to
 * "." that looks at nothing but "."; symbols before that assignment stay with
 * the section.  Where only symbols stand between, they may belong to either,
 * and there is no seam.
 *
 * A seam's number depends on the script alone, so it is the same in the next
 * link, whatever that takes.
 */
#ifndef KERNING_LDSCRIPTS_SEAM_H
#define KERNING_LDSCRIPTS_SEAM_H

#include "ldscripts/match.h"
#include "lib/vec.h"

struct seam {
	unsigned number;	/* from 1 */
	const char *output;	/* the output section that it lies in, or behind */
	bool inside;
	bool table;		/* inside: behind a table, of which first and last are the last statement */
	bool made;		/* behind: it takes nothing; but ld may make what lies in it */
	bool pooled;		/* ... and the same goes for the next, which follows at once */
	const struct stmt *stmt; /* that output section */
	unsigned first, last;	/* inside: the run's statements, [first, last], by index */
	const struct script *script; /* where the text of the gap goes: into this one, */
	uint32_t offset;	/* ... before this byte */
};

/* What the link knows of a statement (by its index). */
struct seam_content {
	bool movable;		/* its units are placed one by one */
	bool empty;		/* it takes nothing */
};

struct seams { VEC(struct seam) list; };

/*
 * Finds the seams of the scripts, in the order of the output; CONTENT[i] is of
 * statement i.  The caller releases seams->list.
 */
void seams_find(struct seams *seams, const struct matcher *matcher,
		const struct seam_content *content);

#endif
