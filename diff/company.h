/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Company: who shares a cache line with whom.  Two pieces of different threads
 * on one line are false sharing; and the prefetcher of adjacent lines fetches
 * the aligned pair of lines as one.
 *
 * The lines of a piece are those of its first and of its last byte: what lies
 * between is its own.  Several names of one address are one.
 */
#ifndef KERNING_DIFF_COMPANY_H
#define KERNING_DIFF_COMPANY_H

#include "diff/change.h"

/* Finds the company of all changes, and marks with CHANGE_COMPANY those whose line's is another. */
void company_find(struct comparison *comparison);

#endif
