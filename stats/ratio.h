/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ratio of two means whose samples are not paired.
 */
#ifndef KERNING_STATS_RATIO_H
#define KERNING_STATS_RATIO_H

#include "stats/interval.h"
#include "stats/sample.h"

/*
 * mean(B) / mean(A) with Fieller's interval over the layouts' means, as Kalibera & Jones
 * give it, but for the degrees of freedom: they take those of one side, which holds the ratio
 * too often; here they are Satterthwaite's at the estimated ratio (Tamhane & Logan, "Finding
 * the maximum safe dose level for heteroscedastic data", 2004).  Unbounded where A's mean
 * may be 0 at that confidence; NaN of fewer than two layouts a side.
 */
struct interval ratio_fieller(const struct sample *a, const struct sample *b, double confidence);

/*
 * The same by the hierarchical bootstrap: layouts drawn with replacement, in each its runs,
 * in each its values; percentiles of RESAMPLES ratios.  NaN where a run has no value.  Of few
 * layouts it is too narrow: it holds the ratio of 8 in 91%.
 */
struct interval ratio_bootstrap(const struct sample *a, const struct sample *b,
				double confidence, size_t resamples, unsigned long seed);

#endif
