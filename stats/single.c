/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules for one binary a side.
 */
#include "config.h"

#include "stats/single.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

#define EXACT 50

static double *sorted_copy(const double *values, size_t count)
{
	double *copy = xmalloc(count * sizeof *copy);

	memcpy(copy, values, count * sizeof *copy);
	gsl_sort(copy, 1, count);
	return copy;
}

/* --- LKP's rule ------------------------------------------------------------- */

struct summary {
	double min, mean, max;
};

static struct summary summarize(const double *values, size_t count, size_t margin_max)
{
	double *sorted = sorted_copy(values, count);
	size_t margin = count >> 5;
	struct summary summary;

	if (margin > margin_max)
		margin = margin_max;
	summary.min = sorted[margin];
	summary.mean = sorted[margin + (count - 2 * margin) / 2];
	summary.max = sorted[count - 1 - margin];
	free(sorted);
	return summary;
}

static bool apart(const struct summary *low, const struct summary *high)
{
	return high->min > low->mean && high->mean > low->max;
}

bool single_lkp_changed(const double *a, size_t a_count, const double *b, size_t b_count,
			double floor)
{
	struct summary base, head;
	double low, high;

	if (a_count == 0 || b_count == 0 || (a_count < 3 && b_count < 3))
		return false;
	base = summarize(a, a_count, 3);
	head = summarize(b, b_count, a_count <= 3 ? 1 : 3);
	if (!apart(&base, &head) && !apart(&head, &base))
		return false;
	low = fmin(base.mean, head.mean);
	high = fmax(base.mean, head.mean);
	return low <= 0 || high / low > 1 + floor;
}

/* --- Mann & Whitney --------------------------------------------------------- */

/*
 * P(U <= u), where each order of M and N values is as likely as any other.  The number of
 * orders of which U is w, for n values: those in which the largest is of the one side, and
 * outweighs all n of the other, and those in which it is not.
 */
static double exact(size_t m, size_t n, size_t u)
{
	size_t size = m * n + 1;
	double *mass = xcalloc((n + 1) * size, sizeof *mass), sum = 0;

	for (size_t j = 0; j <= n; j++)
		mass[j * size] = 1;
	for (size_t i = 1; i <= m; i++) {
		/* Row j: of i and j values; from j - 1 and, as it was, from i - 1. */
		for (size_t j = 1; j <= n; j++) {
			double *row = mass + j * size, *less = row - size;
			double mine = (double)i / (double)(i + j);

			for (size_t w = size; w-- > 0;)
				row[w] = mine * (w >= j ? row[w - j] : 0) + (1 - mine) * less[w];
		}
	}
	for (size_t w = 0; w <= u; w++)
		sum += mass[n * size + w];
	free(mass);
	return sum;
}

double single_mann_whitney(const double *a, size_t a_count, const double *b, size_t b_count)
{
	double m = (double)a_count, n = (double)b_count, all = m + n;
	double u = 0, ties = 0, variance, *x, *y;

	if (a_count == 0 || b_count == 0)
		return NAN;
	x = sorted_copy(a, a_count);
	y = sorted_copy(b, b_count);
	/* U is the number of pairs in which a's is the larger; a tie is half of one. */
	for (size_t i = 0, j = 0; i < a_count || j < b_count;) {
		double value = j == b_count || (i < a_count && x[i] < y[j]) ? x[i] : y[j];
		size_t first = i, below = j;
		double mine, its, both;

		while (i < a_count && x[i] == value)
			i++;
		while (j < b_count && y[j] == value)
			j++;
		mine = (double)(i - first);
		its = (double)(j - below);
		both = mine + its;
		u += mine * ((double)below + its / 2);
		ties += both * both * both - both;
	}
	free(x);
	free(y);
	u = fmin(u, m * n - u);
	if (ties == 0 && a_count <= EXACT && b_count <= EXACT)
		return fmin(1, 2 * exact(a_count, b_count, (size_t)u));
	variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	if (variance <= 0)
		return 1;
	return fmin(1, 2 * gsl_cdf_ugaussian_P((u + 0.5 - m * n / 2) / sqrt(variance)));
}
