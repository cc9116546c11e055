/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ratios of means.
 */
#include "config.h"

#include "stats/ratio.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "stats/moments.h"

/* --- Fieller ---------------------------------------------------------------- */

static struct moments layout_moments(const struct sample *sample)
{
	VEC(double) means = VEC_INIT;
	struct moments moments;

	for (size_t i = 0; i < sample->layouts.count; i++) {
		double mean = sample_layout_mean(sample, i);

		if (!isnan(mean))
			*vec_push(&means) = mean;
	}
	moments_of(&moments, means.at, means.count);
	vec_release(&means);
	return moments;
}

struct interval ratio_fieller(const struct sample *a, const struct sample *b, double confidence)
{
	struct moments x = layout_moments(a), y = layout_moments(b);
	struct interval ratio = { y.mean / x.mean, NAN, NAN };
	double vx = x.variance / (double)x.count, vy = y.variance / (double)y.count;
	double wx = ratio.estimate * ratio.estimate * vx;
	double freedom, t2, denominator, root;

	if (x.count < 2 || y.count < 2)
		return ratio;
	if (x.mean == 0) {
		ratio.estimate = NAN;
		ratio.low = -INFINITY;
		ratio.high = INFINITY;
		return ratio;
	}
	/* Of y - ratio x; where that does not vary any will do. */
	freedom = wx + vy == 0 ? (double)x.count - 1 :
		  (wx + vy) * (wx + vy) / (wx * wx / ((double)x.count - 1) +
					   vy * vy / ((double)y.count - 1));
	t2 = pow(gsl_cdf_tdist_Pinv(0.5 + confidence / 2, freedom), 2);
	denominator = x.mean * x.mean - t2 * vx;
	if (denominator <= 0) {
		ratio.low = -INFINITY;
		ratio.high = INFINITY;
		return ratio;
	}
	root = sqrt(t2 * (vx * y.mean * y.mean + vy * denominator));
	ratio.low = (x.mean * y.mean - root) / denominator;
	ratio.high = (x.mean * y.mean + root) / denominator;
	return ratio;
}

/* --- Bootstrap -------------------------------------------------------------- */

static size_t draw(gsl_rng *rng, size_t count)
{
	return (size_t)gsl_rng_uniform_int(rng, count);
}

/* The mean of a sample drawn from SAMPLE, level by level. */
static double resampled_mean(const struct sample *sample, gsl_rng *rng)
{
	double total = 0;

	for (size_t i = 0; i < sample->layouts.count; i++) {
		const struct sample_layout *layout =
			&sample->layouts.at[draw(rng, sample->layouts.count)];
		double sum = 0;

		for (size_t j = 0; j < layout->count; j++) {
			const struct sample_run *run =
				&sample->runs.at[layout->first + draw(rng, layout->count)];
			double part = 0;

			for (size_t k = 0; k < run->count; k++)
				part += sample->values.at[run->first + draw(rng, run->count)];
			sum += part / (double)run->count;
		}
		total += sum / (double)layout->count;
	}
	return total / (double)sample->layouts.count;
}

static bool is_whole(const struct sample *sample)
{
	for (size_t i = 0; i < sample->layouts.count; i++) {
		if (sample->layouts.at[i].count == 0)
			return false;
	}
	for (size_t i = 0; i < sample->runs.count; i++) {
		if (sample->runs.at[i].count == 0)
			return false;
	}
	return sample->layouts.count > 0;
}

struct interval ratio_bootstrap(const struct sample *a, const struct sample *b,
				double confidence, size_t resamples, unsigned long seed)
{
	struct interval ratio = { sample_mean(b) / sample_mean(a), NAN, NAN };
	double *ratios;
	gsl_rng *rng;

	if (!is_whole(a) || !is_whole(b) || resamples == 0)
		return ratio;
	ratios = xmalloc(resamples * sizeof *ratios);
	rng = gsl_rng_alloc(gsl_rng_taus2);
	gsl_rng_set(rng, seed);
	for (size_t i = 0; i < resamples; i++)
		ratios[i] = resampled_mean(b, rng) / resampled_mean(a, rng);
	gsl_rng_free(rng);
	gsl_sort(ratios, 1, resamples);
	ratio.low = gsl_stats_quantile_from_sorted_data(ratios, 1, resamples,
							(1 - confidence) / 2);
	ratio.high = gsl_stats_quantile_from_sorted_data(ratios, 1, resamples,
							 (1 + confidence) / 2);
	free(ratios);
	return ratio;
}
