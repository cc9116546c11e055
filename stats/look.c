/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at data while they grow: what each look may spend of the error, and the bounds
 * that spend just that.
 *
 * At look k of equal steps the sum S_k of what was measured is normal with variance k, and
 * its steps are independent.  The density of S_k, where no look has crossed its bound yet,
 * is that of S_(k-1) between the bounds, smeared by one step (Armitage, McPherson & Rowe,
 * "Repeated significance tests on accumulating data", 1969).
 */
#include "config.h"

#include "stats/look.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"

/* What has not crossed: the density at COUNT (odd) points from -EDGE to EDGE. */
struct going {
	double edge;
	size_t count;
	double *density;
};

static double point(const struct going *going, size_t i)
{
	return going->edge * (2 * (double)i / (double)(going->count - 1) - 1);
}

/* Simpson's weights. */
static double weight(const struct going *going, size_t i)
{
	double step = 2 * going->edge / (double)(going->count - 1);

	return step / 3 * (i == 0 || i == going->count - 1 ? 1 : i % 2 == 1 ? 4 : 2);
}

/* The probability that the next look finds the sum beyond EDGE. */
static double crossing(const struct going *going, double edge)
{
	double sum = 0;

	if (going->density == NULL)
		return 2 * gsl_cdf_ugaussian_Q(edge);
	for (size_t i = 0; i < going->count; i++) {
		double x = point(going, i);

		sum += weight(going, i) * going->density[i] *
		       (gsl_cdf_ugaussian_Q(edge - x) + gsl_cdf_ugaussian_P(-edge - x));
	}
	return sum;
}

static void go_on(struct going *going, double edge)
{
	struct going next = { .edge = edge };

	next.count = 2 * (size_t)ceil(fmin(1000, edge / 0.1)) + 1;
	next.density = xmalloc(next.count * sizeof *next.density);
	for (size_t i = 0; i < next.count; i++) {
		double x = point(&next, i), sum = 0;

		if (going->density == NULL)
			sum = gsl_ran_ugaussian_pdf(x);
		for (size_t j = 0; going->density != NULL && j < going->count; j++)
			sum += weight(going, j) * going->density[j] *
			       gsl_ran_ugaussian_pdf(x - point(going, j));
		next.density[i] = sum;
	}
	free(going->density);
	*going = next;
}

void look_bounds(double *bounds, const double *spent, unsigned looks)
{
	struct going going = { .density = NULL };

	for (unsigned k = 0; k < looks; k++) {
		double step = spent[k] - (k > 0 ? spent[k - 1] : 0), root = sqrt(k + 1);
		double low = 0, high = 40;

		for (unsigned i = 0; i < 60; i++) {
			double bound = (low + high) / 2;

			*(crossing(&going, bound * root) > step ? &low : &high) = bound;
		}
		bounds[k] = high;
		if (k + 1 < looks)
			go_on(&going, high * root);
	}
	free(going.density);
}

double look_confidence(double confidence, unsigned look, unsigned looks)
{
	double *spent = xmalloc(look * sizeof *spent), *bounds = xmalloc(look * sizeof *bounds);
	double level;

	for (unsigned k = 0; k < look; k++) {
		double part = (double)(k + 1) / looks;

		spent[k] = (1 - confidence) * part * part;
	}
	look_bounds(bounds, spent, look);
	level = 1 - 2 * gsl_cdf_ugaussian_Q(bounds[look - 1]);
	free(spent);
	free(bounds);
	return level;
}
