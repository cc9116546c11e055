/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moments, and what they say of mean and variance.
 */
#include "config.h"

#include "stats/moments.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

void moments_of(struct moments *moments, const double *values, size_t count)
{
	double n = (double)count, sum = 0, second = 0, third = 0, fourth = 0;

	*moments = (struct moments){ .count = count, .mean = NAN, .variance = NAN };
	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	moments->mean = sum / n;
	for (size_t i = 0; i < count; i++) {
		double d = values[i] - moments->mean;

		second += d * d;
		third += d * d * d;
		fourth += d * d * d * d;
	}
	if (count > 1)
		moments->variance = second / (n - 1);
	if (count > 2 && second > 0)
		moments->skewness = third / n / pow(second / n, 1.5) * sqrt(n * (n - 1)) / (n - 2);
	if (count > 3 && second > 0)
		moments->excess = n * fourth / (second * second) - 3;
}

/*
 * Hall's transformation of t / sqrt(n) for a skewness, undone: the root of
 * x + skewness x^2 / 3 + skewness^2 x^3 / 27 + skewness / 6n = t / sqrt(n).
 */
static double unskew(double t, double skewness, double n)
{
	double x = t / sqrt(n) - skewness / (6 * n);

	return fabs(skewness) < 1e-6 ? x : 3 / skewness * (cbrt(1 + skewness * x) - 1);
}

struct interval moments_mean(const struct moments *moments, double confidence)
{
	struct interval interval = { moments->mean, NAN, NAN };
	double n = (double)moments->count, t, s;

	if (moments->count < 2)
		return interval;
	t = gsl_cdf_tdist_Pinv(0.5 + confidence / 2, n - 1);
	s = sqrt(moments->variance);
	interval.low = moments->mean - s * unskew(t, moments->skewness, n);
	interval.high = moments->mean - s * unskew(-t, moments->skewness, n);
	return interval;
}

struct interval moments_variance(const struct moments *moments, double confidence)
{
	struct interval interval = { moments->variance, NAN, NAN };
	double n = (double)moments->count, excess = moments->excess, z, middle, width;

	if (moments->count < 2)
		return interval;
	if (moments->count < 4) {
		interval.low = moments->variance * (n - 1) /
			       gsl_cdf_chisq_Pinv(0.5 + confidence / 2, n - 1);
		interval.high = moments->variance * (n - 1) /
				gsl_cdf_chisq_Pinv(0.5 - confidence / 2, n - 1);
		return interval;
	}
	if (excess > 0)
		excess *= 2;
	excess += 4 * moments->skewness * moments->skewness;
	z = gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2);
	middle = moments->variance * n / (n - 2.75);
	width = z * n / (n - 1.5) * sqrt((excess + 2 + 3 / n) / (n - 1));
	interval.low = fmin(moments->variance, middle * exp(-width));
	interval.high = middle * exp(width);
	return interval;
}
