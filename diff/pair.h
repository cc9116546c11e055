/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which piece of one image is which of the other.
 *
 * Names decide.  Local symbols may share a name: then their object, or their
 * source, and, where both images have as many of them, their order.  The numbers
 * that GCC gives ("count.3", "f.constprop.0") mean only an order.  What is left
 * may still be the one of its size, or the one of its base ("f" that became
 * "f.isra.0").  What then has a namesake on the other side is ambiguous: it may
 * have moved, or be gone and another one new.
 */
#ifndef KERNING_DIFF_PAIR_H
#define KERNING_DIFF_PAIR_H

#include "diff/image.h"

struct pair {
	const struct piece *a, *b;	/* of the two images; one may be NULL */
};

struct pairing {
	VEC(struct pair) pairs;		/* both are there, by address in B; then what is in one */
	VEC(const struct piece *) ambiguous_a, ambiguous_b;
	size_t both;			/* of pairs: how many have both */
	size_t by_order;		/* of these: several of one name, in order */
	size_t renamed;			/* of these: under another name of the compiler's */
};

/* The pieces belong to A and B, which must outlive PAIRING. */
void pairing_make(struct pairing *pairing, const struct image *a, const struct image *b);
void pairing_release(struct pairing *pairing);

#endif
