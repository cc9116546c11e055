/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Benjamini and Hochberg's step up: of M p-values in order, the i-th becomes the least of
 * p_j M / j over j >= i.
 */
#include "config.h"

#include "stats/discovery.h"

#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"

static int compare(const void *a, const void *b)
{
	double x = **(double *const *)a, y = **(double *const *)b;

	return x < y ? -1 : x > y;
}

void discovery_adjust(double *values, size_t count)
{
	double **order = xmalloc(count * sizeof *order + 1);
	size_t told = 0;
	double least = 1;

	for (size_t i = 0; i < count; i++) {
		if (!isnan(values[i]))
			order[told++] = &values[i];
	}
	qsort(order, told, sizeof *order, compare);
	for (size_t i = told; i-- > 0;) {
		least = fmin(least, *order[i] * (double)told / (double)(i + 1));
		*order[i] = least;
	}
	free(order);
}
