/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The signed-rank test by Walsh averages: the mean of each two differences, and of each
 * with itself.  W, the sum of the ranks of what lies above a bound, is the number of
 * Walsh averages above it, and the interval is between two of them in order; so test and
 * interval always say the same (Hollander & Wolfe, "Nonparametric Statistical Methods",
 * chapter 3).
 *
 * A Walsh average on the bound counts as not above it.  That is the case of ties and
 * zeros, and errs on the safe side: had they been parted by a hair at random, W would
 * have its distribution without ties, and be no smaller.
 */
#include "config.h"

#include "stats/paired.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

#define EXACT 50

static size_t walsh_count(size_t count)
{
	return count * (count + 1) / 2;
}

/* --- W where each sign is as likely as the other ---------------------------- */

/* P(W = w) for w = 0 .. COUNT (COUNT + 1) / 2: each rank is in it or not.  The caller frees it. */
static double *signed_rank(size_t count)
{
	double *mass = xcalloc(walsh_count(count) + 1, sizeof *mass);

	mass[0] = 1;
	for (size_t rank = 1; rank <= count; rank++) {
		for (size_t w = walsh_count(rank) + 1; w-- > 0;)
			mass[w] = (mass[w] + (w >= rank ? mass[w - rank] : 0)) / 2;
	}
	return mass;
}

static double middle(size_t count)
{
	return (double)walsh_count(count) / 2;
}

static double deviation(size_t count)
{
	return sqrt((double)count * ((double)count + 1) * (2 * (double)count + 1) / 24);
}

/* P(W >= w) */
static double tail(size_t count, size_t w)
{
	double *mass, sum = 0;

	if (count > EXACT)
		return gsl_cdf_ugaussian_Q(((double)w - 0.5 - middle(count)) / deviation(count));
	mass = signed_rank(count);
	for (size_t i = walsh_count(count) + 1; i-- > w;)
		sum += mass[i];
	free(mass);
	return fmin(sum, 1);
}

/* The largest k with P(W <= k - 1) <= ERROR. */
static size_t cut(size_t count, double error)
{
	double *mass, sum = 0, k;
	size_t cut = 0;

	if (count > EXACT) {
		k = floor(middle(count) + 0.5 + gsl_cdf_ugaussian_Pinv(error) * deviation(count));
		return k > 0 ? (size_t)k : 0;
	}
	mass = signed_rank(count);
	while (cut < walsh_count(count) && (sum += mass[cut]) <= error)
		cut++;
	free(mass);
	return cut;
}

/* --- What is asked ---------------------------------------------------------- */

struct interval paired_interval(const double *differences, size_t count, double confidence)
{
	size_t total = walsh_count(count), k, filled = 0;
	struct interval interval = { NAN, -INFINITY, INFINITY };
	double *averages;

	if (count == 0)
		return interval;
	averages = xmalloc(total * sizeof *averages);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j <= i; j++)
			averages[filled++] = (differences[i] + differences[j]) / 2;
	}
	interval.estimate = (gsl_stats_select(averages, 1, total, (total - 1) / 2) +
			     gsl_stats_select(averages, 1, total, total / 2)) / 2;
	k = cut(count, (1 - confidence) / 2);
	if (k > 0) {
		interval.low = gsl_stats_select(averages, 1, total, k - 1);
		interval.high = gsl_stats_select(averages, 1, total, total - k);
	}
	free(averages);
	return interval;
}

/* How many Walsh averages of SORTED lie above BOUND. */
static size_t above(const double *sorted, size_t count, double bound)
{
	size_t number = 0;

	/* J: the first that brings I above; the smaller I, the larger it must be. */
	for (size_t i = count, j = 0; i-- > 0;) {
		while (j <= i && (sorted[i] + sorted[j]) / 2 <= bound)
			j++;
		if (j > i)
			break;
		number += i - j + 1;
	}
	return number;
}

double paired_above(const double *differences, size_t count, double bound)
{
	double *sorted, p;

	if (count == 0)
		return 1;
	sorted = xmalloc(count * sizeof *sorted);
	memcpy(sorted, differences, count * sizeof *sorted);
	gsl_sort(sorted, 1, count);
	p = tail(count, above(sorted, count, bound));
	free(sorted);
	return p;
}

double paired_below(const double *differences, size_t count, double bound)
{
	double *mirrored = xmalloc(count * sizeof *mirrored + 1), p;

	for (size_t i = 0; i < count; i++)
		mirrored[i] = -differences[i];
	p = paired_above(mirrored, count, -bound);
	free(mirrored);
	return p;
}
