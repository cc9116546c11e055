/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first four moments of values that are alike, and intervals of mean and variance
 * that hold where the values are not normal: layouts are often skewed, runs have tails.
 */
#ifndef KERNING_STATS_MOMENTS_H
#define KERNING_STATS_MOMENTS_H

#include <stddef.h>

#include "stats/interval.h"

struct moments {
	size_t count;
	double mean, variance;		/* unbiased; NaN where there are too few */
	double skewness;		/* G1, which the count is taken into account in; 0 of fewer than 3 */
	double excess;			/* g2: kurtosis less 3, of the values as they are; 0 of fewer than 4 */
};

void moments_of(struct moments *moments, const double *values, size_t count);

/*
 * The mean's interval: Student's, with the skewness transformed away (Hall, "On the removal
 * of skewness by transformation", 1992, the cubic one).  Of 8 exponential values Student's
 * own holds the mean in 89%, this one in 94%, as the bootstrapped t does; of normal ones both
 * hold it in 95%, and this one is wider by a fifth.  NaN of one value.
 */
struct interval moments_mean(const struct moments *moments, double confidence);

/*
 * The variance's: Bonett's ("Approximate confidence interval for standard deviation of
 * nonnormal distributions", 2006) on the logarithm, where the kurtosis decides the width.
 * Samples of skewed values show too little of it; so what they show is doubled, and four
 * times the squared skewness is added, and the corrections for small counts are weighed anew.
 * These numbers were found by simulation: of 8 to 40 normal, lognormal (s.d. 0.5),
 * exponential, t (5 degrees) and bimodal values the interval holds the variance in 93 to 97%;
 * Bonett's own in 89 to 98%, the bootstrapped t of the logarithm in 87 to 94%, chi-square's
 * in 76 to 100%.  Where the skewness is 6 (lognormal, s.d. 1) 40 values do not show it: the
 * mean is held in 89 to 93%, the variance in 81 to 89%.  Of fewer than 4 values it is
 * chi-square's.
 */
struct interval moments_variance(const struct moments *moments, double confidence);

#endif
