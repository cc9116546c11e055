/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often 95% intervals hold what they should, over sweeps made up at random.
 *
 *	stats-coverage SWEEPS [LAYOUTS RUNS]
 *	stats-coverage values SAMPLES
 *
 * With "values" only those of the mean and the variance of values that are alike, of which
 * many more can be tried.  Else one table: for each kind of layouts and of runs, and each size of sweep, how many in 100
 * of SWEEPS sweeps held the mean, the sensitivity, layout's share, the paired change and the
 * ratio of two builds; and the same of all sizes.  Says at the end how many of these are
 * below 93 or above 97, by more than four standard errors of so many sweeps, where they must
 * not be; exits with 1 if any.
 *
 * Layouts differ by 10% of the mean, runs by 5% (a layout's share is 80%), and rounds drift.
 * The changed build is 3% slower, and three layouts in ten are drawn anew for it.
 */
#include "config.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "stats/components.h"
#include "stats/moments.h"
#include "stats/paired.h"
#include "stats/ratio.h"
#include "stats/verdict.h"

#define MEAN 40.0
#define LAYOUT 0.1
#define RUN 0.05
#define CHANGE 0.03
#define ANEW 0.3

/* --- Distributions, of mean 0 and variance 1 -------------------------------- */

static double normal(gsl_rng *rng)
{
	return gsl_ran_ugaussian(rng);
}

static double lognormal(gsl_rng *rng)
{
	double s = 0.5;

	return (gsl_ran_lognormal(rng, 0, s) - exp(s * s / 2)) /
	       (exp(s * s / 2) * sqrt(expm1(s * s)));
}

static double exponential(gsl_rng *rng)
{
	return gsl_ran_exponential(rng, 1) - 1;
}

static double t3(gsl_rng *rng)
{
	return gsl_ran_tdist(rng, 3) / sqrt(3);
}

static double t4(gsl_rng *rng)
{
	return gsl_ran_tdist(rng, 4) / sqrt(2);
}

/* One run in 20 is interrupted, by eight standard deviations of the others. */
static double spiky(gsl_rng *rng)
{
	double part = 0.05, spike = 8;

	return (normal(rng) + (gsl_rng_uniform(rng) < part ? spike : 0) - part * spike) /
	       sqrt(1 + part * (1 - part) * spike * spike);
}

/* Half of the layouts have it, half have not. */
static double bimodal(gsl_rng *rng)
{
	return (gsl_rng_uniform(rng) < 0.5 ? -0.95 : 0.95) + sqrt(1 - 0.95 * 0.95) * normal(rng);
}

static double t5(gsl_rng *rng)
{
	return gsl_ran_tdist(rng, 5) / sqrt(5.0 / 3);
}

/* As lognormal, with a skewness of 6.2: beyond what 40 layouts can tell. */
static double wild(gsl_rng *rng)
{
	return (gsl_ran_lognormal(rng, 0, 1) - exp(0.5)) / (exp(0.5) * sqrt(expm1(1)));
}

static const struct scenario {
	const char *name;
	double (*layout)(gsl_rng *), (*run)(gsl_rng *);
	bool must;		/* its intervals must be right */
} scenarios[] = {
	{ "normal, normal", normal, normal, true },
	{ "lognormal, normal", lognormal, normal, true },
	{ "exponential, normal", exponential, normal, true },
	{ "normal, t 3", normal, t3, true },
	{ "normal, t 4", normal, t4, true },
	{ "normal, spiky", normal, spiky, true },
	{ "lognormal, t 3", lognormal, t3, true },
	{ "exponential, spiky", exponential, spiky, true },
	{ "bimodal, normal", bimodal, normal, false },
	{ "lognormal 1, normal", wild, normal, false },
};

static const struct {
	size_t layouts, runs;
} sizes[] = { { 8, 2 }, { 8, 10 }, { 15, 5 }, { 30, 2 }, { 30, 5 }, { 40, 10 } };

/* --- One sweep of two builds ------------------------------------------------ */

static void add(struct sample *sample, int64_t key, double layout, double factor,
		const double *drift, const struct scenario *scenario, size_t runs, gsl_rng *rng)
{
	sample_layout(sample, key);
	for (size_t i = 0; i < runs; i++) {
		sample_run(sample, (unsigned)i);
		sample_value(sample, factor * MEAN *
			     (1 + LAYOUT * layout + drift[i] + RUN * scenario->run(rng)));
	}
}

/* A, B with the same layouts, and C with its own. */
static void make(struct sample *a, struct sample *b, struct sample *c,
		 const struct scenario *scenario, size_t layouts, size_t runs, gsl_rng *rng)
{
	double drift[64], sum = 0;

	for (size_t i = 0; i < runs; i++)
		sum += drift[i] = RUN * normal(rng);
	for (size_t i = 0; i < runs; i++)
		drift[i] -= sum / (double)runs;
	for (size_t i = 0; i < layouts; i++) {
		double layout = scenario->layout(rng);

		add(a, (int64_t)i, layout, 1, drift, scenario, runs, rng);
		if (gsl_rng_uniform(rng) < ANEW)
			layout = scenario->layout(rng);
		add(b, (int64_t)i, layout, 1 + CHANGE, drift, scenario, runs, rng);
		layout = scenario->layout(rng);
		add(c, (int64_t)i, layout, 1 + CHANGE, drift, scenario, runs, rng);
	}
}

/* --- Counting --------------------------------------------------------------- */

enum told { TOLD_MEAN, TOLD_SENSITIVITY, TOLD_SHARE, TOLD_CHANGE, TOLD_RATIO, TOLD };

static bool holds(const struct interval *interval, double truth)
{
	return interval->low <= truth && truth <= interval->high;
}

static void count(unsigned long *held, const struct scenario *scenario, size_t layouts,
		  size_t runs, gsl_rng *rng)
{
	const struct verdict_question question = { .effect = 0.01, .confidence = 0.95 };
	struct components components;
	struct judgement judgement;
	struct interval ratio;
	struct sample a, b, c;

	sample_init(&a);
	sample_init(&b);
	sample_init(&c);
	make(&a, &b, &c, scenario, layouts, runs, rng);
	components_estimate(&components, &a, 0.95, 1);
	verdict_judge(&judgement, &a, &b, NAN, &question);
	ratio = ratio_fieller(&a, &c, 0.95);
	held[TOLD_MEAN] += holds(&components.mean, MEAN);
	held[TOLD_SENSITIVITY] += holds(&components.sensitivity, LAYOUT);
	held[TOLD_SHARE] += holds(&components.share,
				  LAYOUT * LAYOUT / (LAYOUT * LAYOUT + RUN * RUN));
	held[TOLD_CHANGE] += holds(&judgement.change, CHANGE);
	held[TOLD_RATIO] += holds(&ratio, 1 + CHANGE);
	judgement_release(&judgement);
	sample_release(&a);
	sample_release(&b);
	sample_release(&c);
}

/* Whether HELD of TRIED is below 93% or above 97% by more than chance may have it. */
static bool is_wrong(unsigned long held, unsigned long tried)
{
	double part = (double)held / (double)tried;
	double chance = 4 * sqrt(0.05 * 0.95 / (double)tried);

	return part < 0.93 - chance || part > 0.97 + chance;
}

/* --- Values ----------------------------------------------------------------- */

static size_t count_values(unsigned long samples, gsl_rng *rng)
{
	static const struct {
		const char *name;
		double (*draw)(gsl_rng *);
	} kinds[] = {
		{ "normal", normal }, { "lognormal", lognormal }, { "exponential", exponential },
		{ "t 5", t5 },
	};
	static const size_t counts[] = { 8, 15, 30, 40 };
	size_t wrong = 0;

	printf("%-14s%8s%8s%10s\n", "values", "count", "mean", "variance");
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
			unsigned long means = 0, variances = 0;

			for (unsigned long k = 0; k < samples; k++) {
				double values[40];
				struct moments moments;
				struct interval mean, variance;

				for (size_t l = 0; l < counts[j]; l++)
					values[l] = kinds[i].draw(rng);
				moments_of(&moments, values, counts[j]);
				mean = moments_mean(&moments, 0.95);
				variance = moments_variance(&moments, 0.95);
				means += holds(&mean, 0);
				variances += holds(&variance, 1);
			}
			printf("%-14s%8zu%8.1f%10.1f\n", kinds[i].name, counts[j],
			       100 * (double)means / (double)samples,
			       100 * (double)variances / (double)samples);
			wrong += is_wrong(means, samples) + is_wrong(variances, samples);
		}
	}
	return wrong;
}

/* --- Sweeps ----------------------------------------------------------------- */

/* Prints one line; the number of those that are wrong. */
static size_t judge(const unsigned long *held, unsigned long sweeps, bool must)
{
	size_t wrong = 0;

	for (size_t i = 0; i < TOLD; i++) {
		printf("%8.1f", 100 * (double)held[i] / (double)sweeps);
		wrong += must && i != TOLD_SHARE && is_wrong(held[i], sweeps);
	}
	putchar('\n');
	return wrong;
}

static size_t count_sweeps(unsigned long sweeps, size_t layouts, size_t runs, gsl_rng *rng)
{
	size_t kinds = layouts > 0 ? 1 : sizeof sizes / sizeof sizes[0], wrong = 0;

	printf("%-22s%8s%6s%8s%8s%8s%8s%8s\n", "layouts, runs", "layouts", "runs", "mean",
	       "sens.", "share", "change", "ratio");
	for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
		unsigned long all[TOLD] = { 0 };

		for (size_t j = 0; j < kinds; j++) {
			size_t n = layouts > 0 ? layouts : sizes[j].layouts;
			size_t r = layouts > 0 ? runs : sizes[j].runs;
			unsigned long held[TOLD] = { 0 };

			for (unsigned long k = 0; k < sweeps; k++)
				count(held, &scenarios[i], n, r, rng);
			for (size_t k = 0; k < TOLD; k++)
				all[k] += held[k];
			printf("%-22s%8zu%6zu", scenarios[i].name, n, r);
			wrong += judge(held, sweeps, scenarios[i].must);
			fflush(stdout);
		}
		printf("%-36s", scenarios[i].name);
		wrong += judge(all, sweeps * kinds, scenarios[i].must);
	}
	return wrong;
}

int main(int argc, char **argv)
{
	bool values = argc > 2 && strcmp(argv[1], "values") == 0;
	unsigned long number = argc > 1 ? strtoul(argv[values ? 2 : 1], NULL, 10) : 0;
	size_t layouts = argc > 3 ? strtoul(argv[2], NULL, 10) : 0;
	size_t runs = argc > 3 ? strtoul(argv[3], NULL, 10) : 0, wrong;
	gsl_rng *rng;

	if (number == 0 || runs > 64) {
		fprintf(stderr, "stats-coverage: expected a number of sweeps\n");
		return 2;
	}
	rng = gsl_rng_alloc(gsl_rng_taus2);
	gsl_rng_set(rng, 1);
	wrong = values ? count_values(number, rng) : count_sweeps(number, layouts, runs, rng);
	gsl_rng_free(rng);
	printf("%zu wrong\n", wrong);
	return wrong > 0;
}
