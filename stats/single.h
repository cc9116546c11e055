/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What others say who have one binary a side, of the runs of each: to stand beside the
 * verdict.
 */
#ifndef KERNING_STATS_SINGLE_H
#define KERNING_STATS_SINGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * LKP's rule (lkp-tests, lib/stats.rb and lib/changed_stat.rb) for A, the base, and B: a
 * change where min(b) > mean(a) and mean(b) > max(a), or mirrored, "mean" being the middle
 * of the sorted values, the upper one of an even number; of 32 runs and more a margin of
 * one in 32, at most three, is left out at both ends.  And the larger "mean" is more than
 * 1 + FLOOR times the smaller (0.05 there, 0.01 for what it takes for performance), or the
 * smaller is not above 0.  Never where both sides have fewer than three runs.
 */
bool single_lkp_changed(const double *a, size_t a_count, const double *b, size_t b_count,
			double floor);

/*
 * Mann & Whitney's U test, two-sided, which benchstat uses: exact for up to 50 values a side
 * without ties; else by the normal approximation, corrected for ties and continuity.  1
 * where all values are one; NaN where a side has none.
 */
double single_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count);

#endif
