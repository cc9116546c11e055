/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold for whatever sample: the order of layouts, runs and values does not matter;
 * another unit or another zero changes what it should and nothing else; a drift of the
 * machine leaves no trace; swapping the sides inverts a change and leaves the verdict; the
 * verdict says what its interval says.  And ranks are counted as by trying every case.
 *
 *	stats-properties CASES
 *
 * Says what failed, by case number, and exits with 1.
 */
#include "config.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stats/components.h"
#include "stats/paired.h"
#include "stats/ratio.h"
#include "stats/single.h"
#include "stats/verdict.h"

static unsigned long faults;
static unsigned long current;

static void check(bool met, const char *what)
{
	if (!met) {
		printf("case %lu: %s\n", current, what);
		faults++;
	}
}

/* The same, or both not told. */
static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-7 * (fabs(a) + fabs(b)) + 1e-10;
}

static bool same_interval(const struct interval *a, const struct interval *b, double factor)
{
	return same(a->estimate * factor, b->estimate) && same(a->low * factor, b->low) &&
	       same(a->high * factor, b->high);
}

/* --- Samples ---------------------------------------------------------------- */

/* One round's runs of one layout, at most one; its values. */
struct table {
	size_t layouts, rounds;
	size_t count[20][8];
	double value[20][8][4];
};

static void make_table(struct table *table, gsl_rng *rng)
{
	bool many = gsl_rng_uniform(rng) < 0.5;

	memset(table, 0, sizeof *table);
	table->layouts = 1 + gsl_rng_uniform_int(rng, 20);
	table->rounds = 1 + gsl_rng_uniform_int(rng, 8);
	for (size_t i = 0; i < table->layouts; i++) {
		double layout = gsl_ran_gaussian(rng, 2);

		for (size_t j = 0; j < table->rounds; j++) {
			double run = gsl_ran_gaussian(rng, 1);

			if (j > 0 && gsl_rng_uniform(rng) < 0.15)
				continue;
			table->count[i][j] = many ? 1 + gsl_rng_uniform_int(rng, 4) : 1;
			for (size_t k = 0; k < table->count[i][j]; k++)
				table->value[i][j][k] = 20 + layout + run +
							gsl_ran_gaussian(rng, 0.5);
		}
	}
}

/* What is done to a table's values, and in which order they come. */
struct change {
	double factor, shift;
	const double *drift;
	gsl_rng *shuffle;
};

static void make_sample(struct sample *sample, const struct table *table,
			const struct change *change)
{
	size_t layouts[20], rounds[8];

	for (size_t i = 0; i < 20; i++)
		layouts[i] = i;
	for (size_t i = 0; i < 8; i++)
		rounds[i] = i;
	sample_init(sample);
	if (change->shuffle != NULL)
		gsl_ran_shuffle(change->shuffle, layouts, table->layouts, sizeof layouts[0]);
	for (size_t i = 0; i < table->layouts; i++) {
		sample_layout(sample, (int64_t)layouts[i]);
		if (change->shuffle != NULL)
			gsl_ran_shuffle(change->shuffle, rounds, table->rounds, sizeof rounds[0]);
		for (size_t j = 0; j < table->rounds; j++) {
			size_t count = table->count[layouts[i]][rounds[j]];

			if (count == 0)
				continue;
			sample_run(sample, (unsigned)rounds[j] + 3);
			for (size_t k = 0; k < count; k++) {
				size_t at = change->shuffle == NULL ? k : count - 1 - k;

				sample_value(sample, change->shift +
					     (change->drift == NULL ? 0 : change->drift[rounds[j]]) +
					     change->factor *
					     table->value[layouts[i]][rounds[j]][at]);
			}
		}
	}
}

static void estimate(struct components *components, const struct table *table,
		     const struct change *change)
{
	struct sample sample;

	make_sample(&sample, table, change);
	components_estimate(components, &sample, 0.95, 7);
	sample_release(&sample);
}

/* --- Components ------------------------------------------------------------- */

static bool same_variances(const struct components *a, const struct components *b, double factor)
{
	return same(a->layout * factor, b->layout) && same(a->run * factor, b->run) &&
	       same(a->iteration * factor, b->iteration) && same(a->noise * factor, b->noise);
}

static bool same_told(const struct components *a, const struct components *b)
{
	return same_interval(&a->share, &b->share, 1) && same(a->p, b->p) && a->drift == b->drift;
}

static void check_components(const struct table *table, gsl_rng *rng)
{
	struct components as_it_is, other;
	double drift[8];

	for (size_t i = 0; i < 8; i++)
		drift[i] = gsl_ran_gaussian(rng, 5);
	estimate(&as_it_is, table, &(struct change){ .factor = 1 });
	estimate(&other, table, &(struct change){ .factor = 1, .shuffle = rng });
	check(same_variances(&as_it_is, &other, 1) && same_told(&as_it_is, &other) &&
	      same_interval(&as_it_is.mean, &other.mean, 1) &&
	      same_interval(&as_it_is.sensitivity, &other.sensitivity, 1),
	      "components hang on the order");
	estimate(&other, table, &(struct change){ .factor = 1000 });
	check(same_variances(&as_it_is, &other, 1e6) && same_told(&as_it_is, &other) &&
	      same_interval(&as_it_is.mean, &other.mean, 1000) &&
	      same_interval(&as_it_is.sensitivity, &other.sensitivity, 1),
	      "components hang on the unit");
	estimate(&other, table, &(struct change){ .factor = -1 });
	check(same_variances(&as_it_is, &other, 1) && same_told(&as_it_is, &other) &&
	      same(as_it_is.mean.low, -other.mean.high) &&
	      same_interval(&as_it_is.sensitivity, &other.sensitivity, 1),
	      "components hang on the sign");
	estimate(&other, table, &(struct change){ .factor = 1, .shift = 50 });
	check(same_variances(&as_it_is, &other, 1) && same_told(&as_it_is, &other) &&
	      same(as_it_is.mean.low + 50, other.mean.low), "components hang on the zero");
	estimate(&other, table, &(struct change){ .factor = 1, .drift = drift });
	check(!as_it_is.drift || (same_variances(&as_it_is, &other, 1) &&
				  same_told(&as_it_is, &other)), "drift leaves a trace");
	check(isnan(as_it_is.p) || (as_it_is.p > 0 && as_it_is.p <= 1), "p is no probability");
	check(isnan(as_it_is.share.low) ||
	      (as_it_is.share.low <= as_it_is.share.estimate &&
	       as_it_is.share.estimate <= as_it_is.share.high), "the share is not in its interval");
	check(isnan(as_it_is.sensitivity.low) ||
	      (as_it_is.sensitivity.low <= as_it_is.sensitivity.estimate &&
	       as_it_is.sensitivity.estimate <= as_it_is.sensitivity.high),
	      "the sensitivity is not in its interval");
}

/* --- Two sides -------------------------------------------------------------- */

static double inverse(double change)
{
	return change == -1 ? INFINITY : isinf(change) ? -1 : 1 / (1 + change) - 1;
}

static void check_sides(const struct table *x, const struct table *y, gsl_rng *rng)
{
	const struct verdict_question question = { .effect = 0.05, .confidence = 0.95 };
	const struct change plain = { .factor = 1 }, large = { .factor = 8 };
	struct judgement forth, back, other;
	struct interval ratio, turned;
	struct sample a, b, c, d;

	make_sample(&a, x, &plain);
	make_sample(&b, y, &plain);
	verdict_judge(&forth, &a, &b, 0.02, &question);
	verdict_judge(&back, &b, &a, 1 / 1.02 - 1, &question);
	check(forth.verdict == back.verdict && forth.why == back.why &&
	      same(forth.p_real, back.p_real) && same(forth.p_within, back.p_within) &&
	      same(inverse(forth.change.estimate), back.change.estimate) &&
	      same(inverse(forth.change.low), back.change.high) &&
	      same(inverse(forth.change.high), back.change.low) &&
	      same(inverse(forth.spread.low), back.spread.high) &&
	      forth.more_layouts == back.more_layouts, "swapping the sides does not invert");
	make_sample(&c, x, &(struct change){ .factor = 8, .shuffle = rng });
	make_sample(&d, y, &large);
	verdict_judge(&other, &c, &d, 0.02, &question);
	check(forth.verdict == other.verdict && forth.why == other.why &&
	      same_interval(&forth.change, &other.change, 1) &&
	      same_interval(&forth.spread, &other.spread, 1), "a verdict hangs on unit or order");
	if (!isnan(forth.p_real)) {
		double low = log1p(forth.change.low), high = log1p(forth.change.high);

		check((forth.p_real <= 0.05) == (low > forth.effect || high < -forth.effect),
		      "the interval does not say what p_real says");
		check((forth.p_within <= 0.05) == (low > -forth.effect && high < forth.effect),
		      "the interval does not say what p_within says");
		check(!(forth.p_real <= 0.05 && forth.p_within <= 0.05), "both beyond and within");
	}
	ratio = ratio_fieller(&a, &b, 0.95);
	turned = ratio_fieller(&b, &a, 0.95);
	check(isnan(ratio.low) || isinf(ratio.low) || isinf(turned.low) ||
	      (same(1 / ratio.estimate, turned.estimate) && same(1 / ratio.low, turned.high) &&
	       same(1 / ratio.high, turned.low)), "Fieller's ratio does not invert");
	judgement_release(&forth);
	judgement_release(&back);
	judgement_release(&other);
	sample_release(&a);
	sample_release(&b);
	sample_release(&c);
	sample_release(&d);
}

/* --- Ranks, by trying every case -------------------------------------------- */

/* Of all 2^COUNT signs, the part in which the sum of ranks above 0 is as large, without ties. */
static double try_signs(const double *differences, size_t count)
{
	unsigned long rank[12], sum = 0, as_large = 0;

	for (size_t i = 0; i < count; i++) {
		rank[i] = 1;
		for (size_t j = 0; j < count; j++)
			rank[i] += fabs(differences[j]) < fabs(differences[i]);
		sum += differences[i] > 0 ? rank[i] : 0;
	}
	for (unsigned long signs = 0; signs < 1ul << count; signs++) {
		unsigned long other = 0;

		for (size_t i = 0; i < count; i++)
			other += signs >> i & 1 ? rank[i] : 0;
		as_large += other >= sum;
	}
	return (double)as_large / (double)(1ul << count);
}

/* Of more: the part in which the sum of ranks is at least W, by counting sums. */
static double count_signs(size_t count, size_t w)
{
	static long double ways[20000];
	long double all = 0, as_large = 0;
	size_t most = count * (count + 1) / 2;

	memset(ways, 0, sizeof ways);
	ways[0] = 1;
	for (size_t rank = 1; rank <= count; rank++) {
		for (size_t i = most; i >= rank; i--)
			ways[i] += ways[i - rank];
	}
	for (size_t i = 0; i <= most; i++) {
		all += ways[i];
		as_large += i >= w ? ways[i] : 0;
	}
	return (double)(as_large / all);
}

static unsigned long pairs_won(const double *all, size_t count, unsigned long mine)
{
	unsigned long won = 0;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++)
			won += (mine >> i & 1) && !(mine >> j & 1) && all[i] > all[j];
	}
	return won;
}

/* The same of all ways to give A_COUNT of the values to one side. */
static double try_sides(const double *all, size_t count, size_t a_count)
{
	unsigned long own = pairs_won(all, count, (1ul << a_count) - 1), ways = 0, as_far = 0;
	unsigned long most = a_count * (count - a_count);
	double far = fabs((double)own - (double)most / 2);

	for (unsigned long mine = 0; mine < 1ul << count; mine++) {
		if ((size_t)__builtin_popcountl(mine) != a_count)
			continue;
		ways++;
		as_far += fabs((double)pairs_won(all, count, mine) - (double)most / 2) >= far;
	}
	return (double)as_far / (double)ways;
}

static void check_ranks(gsl_rng *rng)
{
	size_t count = 1 + gsl_rng_uniform_int(rng, 10), a_count;
	struct interval interval;
	double values[12], tied[12], bound;

	for (size_t i = 0; i < count; i++) {
		values[i] = gsl_ran_gaussian(rng, 1) + 0.3;
		tied[i] = floor(2 * values[i]) / 2;
	}
	check(same(paired_above(values, count, 0), try_signs(values, count)),
	      "the signed-rank test is not exact");
	bound = floor(4 * gsl_ran_ugaussian(rng)) / 4;
	interval = paired_interval(tied, count, 0.9);
	check((paired_above(tied, count, bound) <= 0.05) == (interval.low > bound) &&
	      (paired_below(tied, count, bound) <= 0.05) == (interval.high < bound),
	      "ties part test and interval");
	check(paired_above(tied, count, bound) + paired_below(tied, count, bound) >= 1,
	      "ties count for both sides");
	if (count > 1) {
		a_count = 1 + gsl_rng_uniform_int(rng, count - 1);
		check(same(single_mann_whitney(values, a_count, values + a_count,
					       count - a_count), try_sides(values, count, a_count)),
		      "the U test is not exact");
	}
}

/* Beyond what is counted exactly: near to it, and the interval still says the same. */
static void check_many_ranks(gsl_rng *rng)
{
	size_t count = 45 + gsl_rng_uniform_int(rng, 80), w = 0;
	struct interval interval;
	double values[125], p;

	for (size_t i = 0; i < count; i++)
		values[i] = gsl_ran_gaussian(rng, 1) + 0.2;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j <= i; j++)
			w += values[i] + values[j] > 0;
	}
	p = paired_above(values, count, 0);
	check(fabs(p - count_signs(count, w)) < 0.002, "the signed-rank test is far from exact");
	interval = paired_interval(values, count, 0.95);
	check((p <= 0.025) == (interval.low > 0), "many differences part test and interval");
}

int main(int argc, char **argv)
{
	unsigned long cases = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);

	gsl_rng_set(rng, 1);
	for (current = 0; current < cases; current++) {
		struct table x, y;

		make_table(&x, rng);
		make_table(&y, rng);
		check_components(&x, rng);
		check_sides(&x, &y, rng);
		check_ranks(rng);
		check_many_ranks(rng);
	}
	gsl_rng_free(rng);
	printf("%lu cases, %lu faults\n", cases, faults);
	return cases == 0 || faults > 0;
}
