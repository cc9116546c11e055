/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gaps: the stretches of bytes that a run has free, and the places taken in them.
 */
#ifndef KERNING_LAYOUT_GAP_H
#define KERNING_LAYOUT_GAP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

/* A stretch of free bytes. */
struct gap {
	uint64_t begin, end;
};

/* The caller releases list. */
struct gaps { VEC(struct gap) list; };

/* Sorts them by address, and joins those that touch or overlap. */
void gaps_join(struct gaps *gaps);

/*
 * Takes SIZE bytes, from the first gap that has them at an address which is RESIDUE
 * mod MODULUS, a power of two.  False where none has.
 */
bool gaps_take(struct gaps *gaps, uint64_t size, uint64_t residue, uint64_t modulus,
	       uint64_t *address);

/*
 * Where none has: lengthens the last in address, and takes the bytes from its end.
 * There must be a gap.  Returns the address.
 */
uint64_t gaps_append(struct gaps *gaps, uint64_t size, uint64_t align);

#endif
