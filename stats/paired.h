/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two builds compared over the same layouts: for each seed the difference of the two
 * sides, and of these the pseudomedian (Hodges & Lehmann) with Wilcoxon's signed-rank
 * interval: exact whatever the distribution's tails are, where differences are as likely
 * above as below; a few wild layouts do not move it.
 */
#ifndef KERNING_STATS_PAIRED_H
#define KERNING_STATS_PAIRED_H

#include <stddef.h>

#include "stats/interval.h"

/*
 * The interval of the pseudomedian of COUNT differences at CONFIDENCE; unbounded where so
 * few cannot tell at that level.
 */
struct interval paired_interval(const double *differences, size_t count, double confidence);

/*
 * The p-value, one-sided, against "the pseudomedian is at most BOUND" (paired_above) or
 * "at least BOUND" (paired_below).  Exact for up to 50 differences without ties, by the
 * normal approximation with correction above.  1 where there is none.
 */
double paired_above(const double *differences, size_t count, double bound);
double paired_below(const double *differences, size_t count, double bound);

#endif
