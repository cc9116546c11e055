/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often verdicts are wrong, over comparisons made up at random.
 *
 *	stats-errors looks CASES	a sweep that is looked at five times as it grows
 *	stats-errors together CASES	20 metrics judged together
 *	stats-errors spread CASES	what one more comparison of single builds shows
 *	stats-errors labels CASES	the permutation test, where layouts do not matter
 *	stats-errors components CASES	the mean of what is estimated, of drifting sweeps with
 *					many runs missing
 *
 * Verdicts: layouts are lognormal and differ by 5%, runs by 2%; of 10 layouts the other build
 * has 3 drawn anew.  Exits with 1 where an error is more frequent than the 5% that are asked for,
 * by more than three standard errors of so many cases.
 */
#include "config.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stats/components.h"
#include "stats/look.h"
#include "stats/verdict.h"

#define EFFECT 0.01
#define RUNS 3

static double draw_layout(gsl_rng *rng)
{
	return exp(gsl_ran_gaussian(rng, 0.05));
}

static void add_layout(struct sample *sample, int64_t key, double mean, gsl_rng *rng)
{
	sample_layout(sample, key);
	for (unsigned i = 0; i < RUNS; i++) {
		sample_run(sample, i);
		sample_value(sample, mean * exp(gsl_ran_gaussian(rng, 0.02)));
	}
}

/* COUNT layouts more on both sides. */
static void grow(struct sample *a, struct sample *b, size_t count, double factor, gsl_rng *rng)
{
	for (size_t i = 0; i < count; i++) {
		int64_t key = (int64_t)a->layouts.count;
		double layout = draw_layout(rng);

		add_layout(a, key, layout, rng);
		if (gsl_rng_uniform(rng) < 0.3)
			layout = draw_layout(rng);
		add_layout(b, key, factor * layout, rng);
	}
}

static bool is_too_many(unsigned long wrong, unsigned long cases)
{
	return (double)wrong / (double)cases > 0.05 + 3 * sqrt(0.05 * 0.95 / (double)cases);
}

static double percent(unsigned long part, unsigned long whole)
{
	return 100 * (double)part / (double)whole;
}

/* --- Looks ------------------------------------------------------------------ */

#define LOOKS 5
#define STEP 8

static bool is_real(const struct sample *a, const struct sample *b, double effect,
		    double confidence)
{
	const struct verdict_question question = { .effect = effect, .confidence = confidence };
	struct judgement judgement;
	bool real;

	verdict_judge(&judgement, a, b, NAN, &question);
	real = judgement.verdict == VERDICT_REAL;
	judgement_release(&judgement);
	return real;
}

static int count_looks(unsigned long cases, gsl_rng *rng)
{
	static const struct {
		const char *name;
		double effect, factor;
		bool found;		/* rightly */
	} kinds[] = {
		{ "no change, no effect allowed", 0, 1, false },
		{ "a change of the effect's size", EFFECT, 1 + EFFECT, false },
		{ "5% slower", EFFECT, 1.05, true },
	};
	double level[LOOKS + 1];
	int status = 0;

	for (unsigned k = 1; k <= LOOKS; k++)
		level[k] = look_confidence(0.95, k, LOOKS);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		unsigned long spent = 0, careless = 0, looked = 0;

		for (unsigned long j = 0; j < cases; j++) {
			struct sample a, b;
			bool one = false, other = false;

			sample_init(&a);
			sample_init(&b);
			for (unsigned k = 1; k <= LOOKS; k++) {
				grow(&a, &b, STEP, kinds[i].factor, rng);
				looked += !one;
				one = one || is_real(&a, &b, kinds[i].effect, level[k]);
				other = other || is_real(&a, &b, kinds[i].effect, 0.95);
			}
			spent += one;
			careless += other;
			sample_release(&a);
			sample_release(&b);
		}
		printf("%s: real in %.1f%%, of %.1f looks; with 95%% at each look in %.1f%%\n",
		       kinds[i].name, percent(spent, cases), (double)looked / (double)cases,
		       percent(careless, cases));
		status |= kinds[i].found ? percent(spent, cases) < 90 : is_too_many(spent, cases);
		if (kinds[i].effect == 0)
			status |= !is_too_many(careless, cases);
	}
	return status;
}

/* --- Many metrics ----------------------------------------------------------- */

#define METRICS 20
#define CHANGED 5
#define LAYOUTS 20

static int count_together(unsigned long cases, gsl_rng *rng)
{
	const struct verdict_question question = { .effect = EFFECT, .confidence = 0.95 };
	double false_share = 0, missed_share = 0, found = 0;
	unsigned long careless = 0;

	for (unsigned long i = 0; i < cases; i++) {
		struct judgement judgements[METRICS], *list[METRICS];
		unsigned wrong = 0, missed = 0, real = 0, alone = 0;

		for (unsigned j = 0; j < METRICS; j++) {
			struct sample a, b;

			sample_init(&a);
			sample_init(&b);
			grow(&a, &b, LAYOUTS, j < CHANGED ? 1.06 : 1 + EFFECT, rng);
			verdict_judge(&judgements[j], &a, &b, NAN, &question);
			alone += j >= CHANGED && judgements[j].verdict == VERDICT_REAL;
			list[j] = &judgements[j];
			sample_release(&a);
			sample_release(&b);
		}
		verdict_judge_all(list, METRICS, &question);
		for (unsigned j = 0; j < METRICS; j++) {
			double truth = j < CHANGED ? 0.06 : EFFECT;

			if (judgements[j].verdict == VERDICT_REAL) {
				real++;
				wrong += j >= CHANGED;
				found += j < CHANGED;
				missed += truth < judgements[j].change.low ||
					  truth > judgements[j].change.high;
			}
			judgement_release(&judgements[j]);
		}
		careless += alone > 0;
		false_share += real > 0 ? (double)wrong / real : 0;
		missed_share += real > 0 ? (double)missed / real : 0;
	}
	printf("of those called real %.1f%% are not, and %.1f%% of their intervals are wrong; "
	       "of the real ones %.1f%% are found\n",
	       100 * false_share / (double)cases, 100 * missed_share / (double)cases,
	       100 * found / (CHANGED * (double)cases));
	printf("judged one by one, %.1f%% of the comparisons call one real that is not\n",
	       percent(careless, cases));
	return is_too_many((unsigned long)false_share, cases) ||
	       is_too_many((unsigned long)missed_share, cases) || !is_too_many(careless, cases);
}

/* --- Single builds ---------------------------------------------------------- */

static int count_spread(unsigned long cases, gsl_rng *rng)
{
	static const size_t layouts[] = { 8, 15, 30 };
	const struct verdict_question question = { .effect = EFFECT, .confidence = 0.95 };
	int status = 0;

	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
		unsigned long outside = 0;

		for (unsigned long j = 0; j < cases; j++) {
			struct judgement judgement;
			struct sample a, b;
			double seen;

			sample_init(&a);
			sample_init(&b);
			grow(&a, &b, layouts[i] + 1, 1, rng);
			seen = sample_layout_mean(&b, layouts[i]) / sample_layout_mean(&a, 0) - 1;
			/* The builds that are compared are not among the layouts. */
			a.layouts.at++;
			a.layouts.count--;
			b.layouts.count--;
			verdict_judge(&judgement, &a, &b, NAN, &question);
			outside += seen < judgement.spread.low || seen > judgement.spread.high;
			a.layouts.at--;
			judgement_release(&judgement);
			sample_release(&a);
			sample_release(&b);
		}
		printf("%zu layouts: %.1f%% of comparisons are outside of the spread\n", layouts[i],
		       percent(outside, cases));
		status |= is_too_many(outside, cases);
	}
	return status;
}

/* --- Labels ----------------------------------------------------------------- */

static int count_labels(unsigned long cases, gsl_rng *rng)
{
	unsigned long wrong = 0, found = 0;

	for (unsigned long i = 0; i < 2 * cases; i++) {
		struct components components;
		struct sample sample;
		double drift[RUNS];

		sample_init(&sample);
		for (unsigned k = 0; k < RUNS; k++)
			drift[k] = gsl_ran_gaussian(rng, 3);
		for (int64_t j = 0; j < 12; j++) {
			double layout = i < cases ? 0 : gsl_ran_ugaussian(rng);

			sample_layout(&sample, j);
			for (unsigned k = 0; k < RUNS; k++) {
				if (gsl_rng_uniform(rng) < 0.1)
					continue;
				sample_run(&sample, k);
				sample_value(&sample, 10 + layout + drift[k] +
					     gsl_ran_exponential(rng, 1));
			}
		}
		components_estimate(&components, &sample, 0.95, i + 1);
		*(i < cases ? &wrong : &found) += components.p <= 0.05;
		sample_release(&sample);
	}
	printf("layouts that do not matter are said to in %.1f%%, others in %.1f%%\n",
	       percent(wrong, cases), percent(found, cases));
	return is_too_many(wrong, cases) || percent(found, cases) < 50;
}

/* --- Components ------------------------------------------------------------- */

/* Prints a mean, and whether it is more than four standard errors from the TRUTH. */
static bool is_off(const char *name, double sum, double squares, unsigned long cases, double truth)
{
	double n = (double)cases, mean = sum / n, error = sqrt((squares / n - mean * mean) / n);

	printf("%s: %.4f of %g, with a standard error of %.4f\n", name, mean, truth, error);
	return !(fabs(mean - truth) <= 4 * error);
}

/* Adds what is estimated of one sweep, and its square. */
static void add_estimates(double *sum, double *squares, size_t layouts, double spread,
			  double missing, gsl_rng *rng)
{
	struct components components;
	struct sample sample;
	double drift[4], estimate[3];

	sample_init(&sample);
	for (unsigned k = 0; k < 4; k++)
		drift[k] = gsl_ran_gaussian(rng, 5);
	for (size_t j = 0; j < layouts; j++) {
		double layout = spread > 0 ? gsl_ran_exponential(rng, spread) : 0;

		sample_layout(&sample, (int64_t)j);
		for (unsigned k = 0; k < 4; k++) {
			double run = gsl_ran_gaussian(rng, 1);

			/* Of three layouts two have the round, so that drift can be told. */
			if (gsl_rng_uniform(rng) < missing && (j + k) % 3 == 0)
				continue;
			sample_run(&sample, k);
			for (unsigned l = 0; l < 3; l++)
				sample_value(&sample, layout + drift[k] + run +
					     gsl_ran_gaussian(rng, 0.5));
		}
	}
	components_estimate(&components, &sample, 0.95, 1);
	sample_release(&sample);
	estimate[0] = components.layout;
	estimate[1] = components.run;
	estimate[2] = components.iteration;
	for (size_t k = 0; k < 3; k++) {
		sum[k] += estimate[k];
		squares[k] += estimate[k] * estimate[k];
	}
}

static int count_components(unsigned long cases, gsl_rng *rng)
{
	static const struct {
		size_t layouts;
		double spread, missing;
	} kinds[] = { { 10, 2, 0.5 }, { 4, 0, 1 } };
	static const char *const names[] = { "layout", "run", "iteration" };
	int status = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		double truth[] = { kinds[i].spread * kinds[i].spread, 1, 0.25 };
		double sum[3] = { 0 }, squares[3] = { 0 };

		for (unsigned long j = 0; j < cases; j++)
			add_estimates(sum, squares, kinds[i].layouts, kinds[i].spread,
				      kinds[i].missing, rng);
		for (size_t k = 0; k < 3; k++)
			status |= is_off(names[k], sum[k], squares[k], cases, truth[k]);
	}
	return status;
}

int main(int argc, char **argv)
{
	unsigned long cases = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	int status = 2;

	gsl_rng_set(rng, 1);
	if (cases == 0)
		fprintf(stderr, "stats-errors: expected what to count, and a number of cases\n");
	else if (strcmp(argv[1], "looks") == 0)
		status = count_looks(cases, rng);
	else if (strcmp(argv[1], "together") == 0)
		status = count_together(cases, rng);
	else if (strcmp(argv[1], "spread") == 0)
		status = count_spread(cases, rng);
	else if (strcmp(argv[1], "labels") == 0)
		status = count_labels(cases, rng);
	else if (strcmp(argv[1], "components") == 0)
		status = count_components(cases, rng);
	gsl_rng_free(rng);
	return status;
}
