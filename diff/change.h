/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What changed of each piece between two images.
 */
#ifndef KERNING_DIFF_CHANGE_H
#define KERNING_DIFF_CHANGE_H

#include "diff/pair.h"

enum {
	CHANGE_ADDRESS = 1 << 0,
	CHANGE_RESIDUE = 1 << 1,	/* address modulo the modulus */
	CHANGE_SIZE = 1 << 2,
	CHANGE_COMPANY = 1 << 3,	/* another one shares a line with it, or no longer does */
	CHANGE_PAGE = 1 << 4,		/* address / 4096 */
	CHANGE_NEW = 1 << 5,		/* in B alone */
	CHANGE_GONE = 1 << 6,		/* in A alone */
};

#define CHANGE_PAGE_SIZE 4096

/* What else lies on the lines of a piece's first and last byte, as indices of changes. */
struct company {
	size_t at;			/* the first in comparison->companions */
	uint32_t joined, left;		/* how many share a line in B alone; in A alone */
	uint32_t near, far;		/* and how many the aligned pair of lines, but no line */
};

struct change {
	const struct piece *a, *b;	/* NULL: new; gone */
	const char *section;		/* its name, by the image that knows names */
	int64_t shift;			/* bytes; 0 where it is in one image alone */
	double heat;			/* its part of all samples, 0 to 1 */
	unsigned what;			/* CHANGE_... */
	struct company company;
	bool writable, code;
	bool shown;			/* no filter leaves it out; true at first */
};

struct comparison {
	const struct image *a, *b;
	struct pairing pairing;
	VEC(struct change) changes;	/* in both, by address in B; new ones; gone ones */
	size_t both;			/* of changes: how many are in both */
	VEC(uint32_t) companions;	/* of each: joined, left, near, far */
	size_t empty;			/* pairs, or in one image alone: objects without a byte */
	size_t unknown_a, unknown_b;	/* in one image alone, and the other one need not have it */
	uint64_t modulus, line;
	bool sizes;			/* are of one kind, and so compared */
};

/*
 * Compares the images, which must outlive COMPARISON.  MODULUS and LINE are
 * powers of two.  comparison_release() it.
 */
void comparison_make(struct comparison *comparison, const struct image *a, const struct image *b,
		     uint64_t modulus, uint64_t line);
void comparison_release(struct comparison *comparison);

/* The piece in B; in A where it is gone. */
static inline const struct piece *change_piece(const struct change *change)
{
	return change->b != NULL ? change->b : change->a;
}

/* Bytes that it grew by; negative: shrank; 0 where that is not known. */
int64_t change_growth(const struct comparison *comparison, const struct change *change);

/*
 * Likely harm, worst first: hot; then a new neighbour on a line, where it can be
 * written to above all; then another residue; then what is new, gone or of
 * another size; then what only moved.
 */
enum harm { HARM_HOT, HARM_COMPANY, HARM_RESIDUE, HARM_SIZE, HARM_ADDRESS, HARM_NONE };
enum harm change_harm(const struct change *change);
/* Orders by harm; within it by heat, by neighbours, by size, by address. */
int change_compare_harm(const struct change *x, const struct change *y);

#endif
