/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of a metric's variance is layout's, how much is from run to run, how much
 * within a run: variance components, by Kalibera & Jones's unbiased estimators, with
 * what a round's runs have in common (drift of the machine, see drift.h) taken out.
 *
 *	S_1^2	of values in a run, T_1^2 = S_1^2
 *	S_2^2	of runs' means in a layout, drift taken out, T_2^2 = S_2^2 - T_1^2 / values
 *	S_3^2	of layouts' means, drift taken out, T_3^2 = S_3^2 - S_2^2 / runs
 *
 * Where runs have unlike numbers of values, or layouts of runs, every run counts the same
 * in its layout, and every layout in the whole, and the numbers that are divided by are
 * harmonic means: "unweighted means" (Thomas & Hultquist, "Interval estimation for the
 * unbalanced case of the one-way random effects model", 1978).
 */
#ifndef KERNING_STATS_COMPONENTS_H
#define KERNING_STATS_COMPONENTS_H

#include <stdbool.h>

#include "stats/interval.h"
#include "stats/sample.h"

struct components {
	size_t layouts, runs, values;	/* how many there were in all */
	double runs_mean, values_mean;	/* harmonic mean number of runs a layout, of values a run */
	bool drift;			/* rounds were told apart, and taken out */
	struct interval mean;		/* of the metric, over layouts; see moments_mean() */
	double layout, run, iteration;	/* T_3^2, T_2^2, T_1^2: variances; may be below 0 by chance */
	double noise;			/* what chance leaves in a layout's mean: its variance */
	struct interval share;		/* layout's part of one run's variance: 0..1 */
	struct interval sensitivity;	/* layout s.d. / |mean|; NaN where the mean is 0 */
	double p;			/* of the permutation test that layout does not matter; NaN: not told */
};

/*
 * Estimates them at CONFIDENCE (0.95).  SEED decides the permutations.  The order of layouts
 * and of a layout's runs does not matter.  With one layout, or one run a layout, what cannot
 * be told is NaN; where no run has two values, ITERATION is, and RUN is both.
 *
 * The sensitivity's interval is that of moments_variance() for the layouts' means, less the
 * noise: the squared distances of both intervals' ends add up (MLS; Burdick & Graybill,
 * "Confidence Intervals on Variance Components", 1992).  It has no upper end where the mean's
 * own interval holds 0.  The share's is that of the ratio of the same two, on the logarithm.
 */
void components_estimate(struct components *components, const struct sample *sample,
			 double confidence, unsigned long seed);

/*
 * How a sweep is best spent: the number of runs a layout for which the mean is told best in
 * a given time, K&J's r = ceil(sqrt(c_layout / c_run * T_run^2 / T_layout^2)), where a layout
 * costs LAYOUT_COST seconds and a run RUN_COST; and how many layouts of so many runs it takes
 * until the mean's interval has half the width HALFWIDTH (relative to the mean).  T_run^2 is
 * that of a run's mean, of as many values as there were.  0 where that cannot be told, or
 * where layouts do not differ at all: then there is no best.
 */
struct spending {
	size_t layouts, runs;
};
struct spending components_spend(const struct components *components, double layout_cost,
				 double run_cost, double halfwidth, double confidence);

#endif
