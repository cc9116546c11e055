/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Verdicts.  All is computed on differences, which are logarithms where that can be; what
 * is told is turned back into ratios.
 */
#include "config.h"

#include "stats/verdict.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "stats/discovery.h"
#include "stats/moments.h"
#include "stats/paired.h"

#define POWER 0.8
/* More than so many times the present layouts: the change seems to be the effect. */
#define HOPELESS 100

/* --- Sides ------------------------------------------------------------------ */

struct keyed {
	int64_t key;
	double mean;
	size_t index;			/* of the layout, or the run, in its sample */
};

struct side {
	const struct sample *sample;
	VEC(struct keyed) list;		/* layouts that have a mean, by key */
};

static int compare(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->mean < y->mean ? -1 : x->mean > y->mean;
}

static void side_init(struct side *side, const struct sample *sample)
{
	*side = (struct side){ .sample = sample };
	for (size_t i = 0; i < sample->layouts.count; i++) {
		double mean = sample_layout_mean(sample, i);

		if (!isnan(mean))
			*vec_push(&side->list) =
				(struct keyed){ sample->layouts.at[i].key, mean, i };
	}
	if (side->list.count > 0)
		qsort(side->list.at, side->list.count, sizeof *side->list.at, compare);
}

static bool is_positive(const struct side *side)
{
	for (size_t i = 0; i < side->list.count; i++) {
		if (side->list.at[i].mean <= 0)
			return false;
	}
	return true;
}

/* True where each run has a logarithm. */
static bool is_positive_in_runs(const struct side *side)
{
	for (size_t i = 0; i < side->sample->runs.count; i++) {
		if (sample_run_mean(side->sample, i) <= 0)
			return false;
	}
	return true;
}

static void take_logarithms(struct side *side)
{
	for (size_t i = 0; i < side->list.count; i++)
		side->list.at[i].mean = log(side->list.at[i].mean);
}

static struct moments side_moments(const struct side *side)
{
	double *means = xmalloc(side->list.count * sizeof *means + 1);
	struct moments moments;

	for (size_t i = 0; i < side->list.count; i++)
		means[i] = side->list.at[i].mean;
	moments_of(&moments, means, side->list.count);
	free(means);
	return moments;
}

/* Every value of both is one. */
static bool is_constant(const struct sample *a, const struct sample *b)
{
	for (size_t i = 0; i < a->values.count; i++) {
		if (a->values.at[i] != a->values.at[0])
			return false;
	}
	for (size_t i = 0; i < b->values.count; i++) {
		if (b->values.at[i] != a->values.at[0])
			return false;
	}
	return true;
}

/* --- What is measured by ---------------------------------------------------- */

/* What an effect of 1 is, where differences are not logarithms. */
static double unit(const struct side *a, const struct side *b)
{
	double mean = fabs(side_moments(a).mean), sum = 0;

	if (mean > 0)
		return mean;
	for (size_t i = 0; i < a->list.count; i++)
		sum += fabs(a->list.at[i].mean);
	for (size_t i = 0; i < b->list.count; i++)
		sum += fabs(b->list.at[i].mean);
	return sum / (double)(a->list.count + b->list.count);
}

static double told(const struct judgement *judgement, double difference)
{
	return judgement->relative ? expm1(difference) : difference;
}

static struct interval told_interval(const struct judgement *judgement, struct interval interval)
{
	return (struct interval){
		told(judgement, interval.estimate),
		told(judgement, interval.low),
		told(judgement, interval.high),
	};
}

/* --- Pairs and spread ------------------------------------------------------- */

/* LAYOUT's runs, by round; what is got is to be freed. */
static struct keyed *list_runs(const struct sample *sample, size_t layout)
{
	const struct sample_layout *own = &sample->layouts.at[layout];
	struct keyed *runs = xcalloc(own->count + 1, sizeof *runs);

	for (size_t i = 0; i < own->count; i++) {
		size_t run = own->first + i;

		runs[i] = (struct keyed){ sample->runs.at[run].round,
					  sample_run_mean(sample, run), run };
	}
	qsort(runs, own->count, sizeof *runs, compare);
	return runs;
}

/* The median over the rounds that both layouts X and Y ran in; NaN: there is none. */
static double median_by_round(const struct sample *a, const struct keyed *x,
			      const struct sample *b, const struct keyed *y, bool relative)
{
	size_t x_count = a->layouts.at[x->index].count, y_count = b->layouts.at[y->index].count;
	struct keyed *x_runs = list_runs(a, x->index), *y_runs = list_runs(b, y->index);
	VEC(double) differences = VEC_INIT;
	double median = NAN;

	for (size_t i = 0, j = 0; i < x_count && j < y_count;) {
		int64_t x_round = x_runs[i].key, y_round = y_runs[j].key;
		double from = x_runs[i].mean, to = y_runs[j].mean;

		if (x_round == y_round && !isnan(from) && !isnan(to))
			*vec_push(&differences) = relative ? log(to) - log(from) : to - from;
		i += x_round <= y_round;
		j += y_round <= x_round;
	}
	if (differences.count > 0)
		median = gsl_stats_median(differences.at, 1, differences.count);
	vec_release(&differences);
	free(x_runs);
	free(y_runs);
	return median;
}

/* The differences by rounds, and the interval of those by means. */
static void pair(struct judgement *judgement, const struct side *a, const struct side *b,
		 bool apart)
{
	VEC(double) by_mean = VEC_INIT;
	bool by_round = !apart && (!judgement->relative ||
				   (is_positive_in_runs(a) && is_positive_in_runs(b)));

	for (size_t i = 0, j = 0; i < a->list.count && j < b->list.count;) {
		const struct keyed *x = &a->list.at[i], *y = &b->list.at[j];

		if (x->key == y->key) {
			double median = by_round ? median_by_round(a->sample, x, b->sample, y,
								   judgement->relative) :
						   NAN;

			*vec_push(&by_mean) = y->mean - x->mean;
			*vec_push(&judgement->differences) =
				isnan(median) ? y->mean - x->mean : median;
		}
		i += x->key <= y->key;
		j += y->key <= x->key;
	}
	judgement->pairs = judgement->differences.count;
	if (judgement->pairs > 0)
		judgement->means = told_interval(judgement,
						 paired_interval(by_mean.at, by_mean.count,
								 judgement->confidence));
	vec_release(&by_mean);
}

/* What comparisons of single builds show: all there are, and one more. */
static void find_spread(struct judgement *judgement, const struct side *a, const struct side *b)
{
	struct moments x = side_moments(a), y = side_moments(b);
	double vx = x.variance, vy = y.variance, nx = (double)x.count, ny = (double)y.count;
	double center = y.mean - x.mean, width = 0, freedom, low, high;
	VEC(double) seen = VEC_INIT;

	if (x.count < 2 || y.count < 2)
		return;
	for (size_t i = 0; i < a->list.count; i++) {
		for (size_t j = 0; j < b->list.count; j++) {
			if (a->list.at[i].key != b->list.at[j].key)
				*vec_push(&seen) = b->list.at[j].mean - a->list.at[i].mean;
		}
	}
	if (vx + vy > 0) {
		freedom = (vx + vy) * (vx + vy) / (vx * vx / (nx - 1) + vy * vy / (ny - 1));
		width = gsl_cdf_tdist_Pinv(0.975, freedom) *
			sqrt(vx * (1 + 1 / nx) + vy * (1 + 1 / ny));
	}
	low = center - width;
	high = center + width;
	if (seen.count > 0) {
		size_t cut = (seen.count - 1) / 40;

		low = fmin(low, gsl_stats_select(seen.at, 1, seen.count, cut));
		high = fmax(high, gsl_stats_select(seen.at, 1, seen.count, seen.count - 1 - cut));
	}
	judgement->spread =
		told_interval(judgement, (struct interval){ sqrt(vx + vy), low, high });
	vec_release(&seen);
}

/* --- Deciding --------------------------------------------------------------- */

static void find_p(struct judgement *judgement)
{
	const double *d = judgement->differences.at;
	size_t count = judgement->pairs;
	double effect = judgement->effect;

	judgement->p_real = fmin(1, 2 * fmin(paired_above(d, count, effect),
					     paired_below(d, count, -effect)));
	judgement->p_within = fmin(1, 2 * fmax(paired_above(d, count, -effect),
					       paired_below(d, count, effect)));
}

static size_t find_more(const struct judgement *judgement, const struct interval *change)
{
	double n = (double)judgement->pairs, error = 1 - judgement->confidence;
	double z = gsl_cdf_ugaussian_Pinv(1 - error / 2);
	double least = ceil(1 - log2(error));	/* from which any interval has bounds */
	double distance = fabs(fabs(change->estimate) - judgement->effect), deviation, wanted;

	if (isfinite(change->low))
		deviation = (change->high - change->low) / 2 * sqrt(n) / z;
	else if (judgement->pairs > 1)
		deviation = gsl_stats_sd(judgement->differences.at, 1, judgement->pairs);
	else
		return 0;
	if (distance == 0)
		return 0;
	wanted = ceil(pow(deviation * (z + gsl_cdf_ugaussian_Pinv(POWER)) / distance, 2));
	if (wanted > HOPELESS * n)
		return 0;
	return (size_t)fmax(fmax(wanted, least), n + 1);
}

/* The verdict where what is found has q <= ERROR; the interval is at the level set. */
static void decide(struct judgement *judgement, double error)
{
	struct interval change = paired_interval(judgement->differences.at, judgement->pairs,
						 judgement->confidence);
	double reported = judgement->reported;

	judgement->change = told_interval(judgement, change);
	judgement->verdict = VERDICT_CANNOT_TELL;
	judgement->more_layouts = 0;
	if (judgement->q_real <= error) {
		judgement->verdict = VERDICT_REAL;
		judgement->why = WHY_BEYOND;
	} else if (judgement->q_within <= error &&
		   (judgement->means.low > told(judgement, judgement->effect) ||
		    judgement->means.high < told(judgement, -judgement->effect))) {
		judgement->why = WHY_MEANS;
	} else if (judgement->q_within <= error) {
		judgement->why = WHY_UNEXPLAINED;
		if (isnan(reported) || (reported >= judgement->spread.low &&
					reported <= judgement->spread.high)) {
			judgement->verdict = VERDICT_LAYOUT;
			judgement->why = WHY_WITHIN;
		}
	} else {
		judgement->why = isfinite(change.low) ? WHY_WIDE : WHY_FEW;
		judgement->more_layouts = find_more(judgement, &change);
	}
}

static void judge_pairs(struct judgement *judgement, const struct sample *a,
			const struct sample *b, double error)
{
	if (judgement->pairs == 0) {
		judgement->why = WHY_UNPAIRED;
	} else if (judgement->pairs > 1 && is_constant(a, b)) {
		judgement->verdict = VERDICT_LAYOUT;
		judgement->why = WHY_CONSTANT;
		judgement->change = (struct interval){ 0, 0, 0 };
	} else {
		find_p(judgement);
		judgement->q_real = judgement->p_real;
		judgement->q_within = judgement->p_within;
		decide(judgement, error);
	}
}

void verdict_judge(struct judgement *judgement, const struct sample *a, const struct sample *b,
		   double reported, const struct verdict_question *question)
{
	const struct interval none = { NAN, NAN, NAN };
	struct side x, y;

	side_init(&x, a);
	side_init(&y, b);
	*judgement = (struct judgement){
		.verdict = VERDICT_CANNOT_TELL, .confidence = question->confidence,
		.change = none, .means = none, .spread = none, .reported = reported,
		.p_real = NAN, .p_within = NAN, .q_real = NAN, .q_within = NAN,
		.differences = VEC_INIT,
	};
	judgement->relative = is_positive(&x) && is_positive(&y);
	if (judgement->relative) {
		judgement->effect = log1p(question->effect);
		take_logarithms(&x);
		take_logarithms(&y);
	} else {
		double mean = side_moments(&x).mean;

		judgement->effect = question->effect * unit(&x, &y);
		judgement->reported = mean == 0 ? NAN : reported * mean;
	}
	pair(judgement, &x, &y, question->apart);
	find_spread(judgement, &x, &y);
	judge_pairs(judgement, a, b, 1 - question->confidence);
	vec_release(&x.list);
	vec_release(&y.list);
}

void judgement_release(struct judgement *judgement)
{
	vec_release(&judgement->differences);
}

/* --- Together --------------------------------------------------------------- */

static size_t found(const double *q, size_t count, double error)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += q[i] <= error;
	return found;
}

void verdict_judge_all(struct judgement *const *judgements, size_t count,
		       const struct verdict_question *question)
{
	double *real = xmalloc(count * sizeof *real + 1);
	double *within = xmalloc(count * sizeof *within + 1);
	double error = 1 - question->confidence, asked = 0, few;
	size_t reals, withins;

	for (size_t i = 0; i < count; i++) {
		real[i] = judgements[i]->p_real;
		within[i] = judgements[i]->p_within;
		asked += !isnan(real[i]);
	}
	discovery_adjust(real, count);
	discovery_adjust(within, count);
	reals = found(real, count, error);
	withins = found(within, count, error);
	few = fmax(1, fmin((double)reals, (double)withins));
	for (size_t i = 0; i < count; i++) {
		struct judgement *judgement = judgements[i];

		if (isnan(judgement->p_real))
			continue;
		judgement->q_real = real[i];
		judgement->q_within = within[i];
		judgement->confidence = 1 - error / asked *
			(real[i] <= error ? (double)reals :
			 within[i] <= error ? (double)withins : few);
		decide(judgement, error);
	}
	free(real);
	free(within);
}

const char *verdict_name(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_REAL: return "real";
	case VERDICT_LAYOUT: return "layout";
	case VERDICT_CANNOT_TELL: return "cannot tell";
	}
	abort();
}
