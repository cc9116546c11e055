/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a sample to its components: runs become cells of layout x round, sorted, so that
 * what is computed does not hang on the order in which they came; the rest is sums.
 */
#include "config.h"

#include "stats/components.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "stats/drift.h"
#include "stats/moments.h"
#include "stats/shuffle.h"

/* --- Cells ------------------------------------------------------------------ */

struct order {
	int64_t key;
	double mean;
	size_t layout;
};

static int compare_layouts(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->mean != y->mean)
		return x->mean < y->mean ? -1 : 1;
	return x->layout < y->layout ? -1 : x->layout > y->layout;
}

static int compare_cells(const void *a, const void *b)
{
	const struct drift_cell *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->mean < y->mean ? -1 : x->mean > y->mean;
}

static int compare_rounds(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct cells {
	VEC(struct drift_cell) list;
	VEC(unsigned) rounds;		/* their numbers, sorted, each once */
	size_t layouts, values;
	double runs_mean, values_mean;
	double within;			/* the sum of squares of values in their runs */
};

/* Round numbers become places in a list. */
static void number_rounds(struct cells *cells)
{
	size_t kept = 0;

	qsort(cells->rounds.at, cells->rounds.count, sizeof *cells->rounds.at, compare_rounds);
	for (size_t i = 0; i < cells->rounds.count; i++) {
		if (kept == 0 || cells->rounds.at[i] != cells->rounds.at[kept - 1])
			cells->rounds.at[kept++] = cells->rounds.at[i];
	}
	cells->rounds.count = kept;
	for (size_t i = 0; i < cells->list.count; i++) {
		unsigned number = (unsigned)cells->list.at[i].round;
		unsigned *at = bsearch(&number, cells->rounds.at, kept, sizeof number,
				       compare_rounds);

		cells->list.at[i].round = (size_t)(at - cells->rounds.at);
	}
}

static void add_run(struct cells *cells, const struct sample *sample, size_t index)
{
	const struct sample_run *run = &sample->runs.at[index];
	double mean = sample_run_mean(sample, index);

	*vec_push(&cells->list) = (struct drift_cell){ cells->layouts, run->round, mean };
	*vec_push(&cells->rounds) = run->round;
	cells->values += run->count;
	cells->values_mean += 1 / (double)run->count;
	for (size_t i = 0; i < run->count; i++)
		cells->within += pow(sample->values.at[run->first + i] - mean, 2);
}

static void cells_init(struct cells *cells, const struct sample *sample)
{
	VEC(struct order) order = VEC_INIT;

	*cells = (struct cells){ .list = VEC_INIT };
	for (size_t i = 0; i < sample->layouts.count; i++) {
		double mean = sample_layout_mean(sample, i);

		if (!isnan(mean))
			*vec_push(&order) =
				(struct order){ sample->layouts.at[i].key, mean, i };
	}
	if (order.count > 0)
		qsort(order.at, order.count, sizeof *order.at, compare_layouts);
	for (size_t i = 0; i < order.count; i++) {
		const struct sample_layout *layout = &sample->layouts.at[order.at[i].layout];
		size_t first = cells->list.count, runs;

		for (size_t j = layout->first; j < layout->first + layout->count; j++) {
			if (sample->runs.at[j].count > 0)
				add_run(cells, sample, j);
		}
		runs = cells->list.count - first;
		qsort(cells->list.at + first, runs, sizeof *cells->list.at, compare_cells);
		cells->runs_mean += 1 / (double)runs;
		cells->layouts++;
	}
	cells->runs_mean = (double)cells->layouts / cells->runs_mean;
	cells->values_mean = (double)cells->list.count / cells->values_mean;
	if (cells->list.count > 0)
		number_rounds(cells);
	vec_release(&order);
}

static void cells_release(struct cells *cells)
{
	vec_release(&cells->list);
	vec_release(&cells->rounds);
}

/* --- Intervals -------------------------------------------------------------- */

/*
 * What is left of runs, as if it were as many values as it has degrees of freedom, and one
 * more.
 */
static struct moments rest_moments(const struct drift *drift, size_t count)
{
	struct moments moments;
	double sum = 0;

	moments_of(&moments, drift->rest, count);
	for (size_t i = 0; i < count; i++)
		sum += drift->rest[i] * drift->rest[i];
	moments.variance = sum / drift->freedom;
	moments.count = (size_t)drift->freedom + 1;
	return moments;
}

static double clamp(double x)
{
	return fmin(1, fmax(0, x));
}

static void tell_sensitivity(struct components *components, const struct interval *between,
			     const struct interval *noise)
{
	double mean = fabs(components->mean.estimate);
	double low = components->layout - hypot(between->estimate - between->low,
						noise->high - noise->estimate);
	double high = components->layout + hypot(between->high - between->estimate,
						 noise->estimate - noise->low);

	if (mean == 0)
		return;
	components->sensitivity = (struct interval){
		sqrt(fmax(0, components->layout)) / mean,
		sqrt(fmax(0, low)) / mean,
		components->mean.low <= 0 && components->mean.high >= 0 ? INFINITY :
		sqrt(fmax(0, high)) / mean,
	};
}

/* Of layout and one run, where the layouts' variance is RATIO times what noise explains. */
static double share_of(double ratio, double part)
{
	double layout = (ratio - 1) * part;

	return clamp(layout / (layout + 1));
}

static void tell_share(struct components *components, const struct interval *between,
		       const struct interval *noise, double part)
{
	double ratio = between->estimate / noise->estimate;

	if (between->estimate == 0 && noise->estimate == 0)
		return;
	if (noise->estimate == 0) {
		components->share = (struct interval){ 1, 1, 1 };
		return;
	}
	if (between->estimate == 0) {
		components->share = (struct interval){ 0, 0, 0 };
		return;
	}
	components->share = (struct interval){
		share_of(ratio, part),
		share_of(ratio * exp(-hypot(log(between->estimate / between->low),
					    log(noise->high / noise->estimate))), part),
		share_of(ratio * exp(hypot(log(between->high / between->estimate),
					   log(noise->estimate / noise->low))), part),
	};
}

/* --- The whole -------------------------------------------------------------- */

static void scale(struct interval *interval, double factor)
{
	interval->estimate *= factor;
	interval->low *= factor;
	interval->high *= factor;
}

/* What is no more than the last bits of the values is no variance. */
static void round_off(struct moments *moments, const struct cells *cells)
{
	double size = 0;

	for (size_t i = 0; i < cells->list.count; i++)
		size = fmax(size, fabs(cells->list.at[i].mean));
	if (moments->variance <= pow(1e-13 * size, 2))
		moments->variance = 0;
}

static void tell(struct components *components, const struct cells *cells,
		 const struct drift *drift, double confidence)
{
	struct moments layouts, rest;
	struct interval between, noise;

	moments_of(&layouts, drift->means, cells->layouts);
	round_off(&layouts, cells);
	components->mean = moments_mean(&layouts, confidence);
	if (cells->values > cells->list.count)
		components->iteration =
			cells->within / (double)(cells->values - cells->list.count);
	if (drift->freedom == 0)
		return;
	rest = rest_moments(drift, cells->list.count);
	round_off(&rest, cells);
	components->run = rest.variance;
	if (!isnan(components->iteration))
		components->run -= components->iteration / cells->values_mean;
	components->noise = rest.variance * drift->share;
	if (cells->layouts < 2)
		return;
	components->layout = layouts.variance - components->noise;
	between = moments_variance(&layouts, confidence);
	noise = moments_variance(&rest, confidence);
	scale(&noise, drift->share);
	tell_sensitivity(components, &between, &noise);
	tell_share(components, &between, &noise, drift->share);
}

void components_estimate(struct components *components, const struct sample *sample,
			 double confidence, unsigned long seed)
{
	const struct interval none = { NAN, NAN, NAN };
	struct cells cells;
	struct drift drift;

	cells_init(&cells, sample);
	*components = (struct components){
		.layouts = cells.layouts, .runs = cells.list.count, .values = cells.values,
		.runs_mean = cells.runs_mean, .values_mean = cells.values_mean,
		.mean = none, .layout = NAN, .run = NAN, .iteration = NAN, .noise = NAN,
		.share = none, .sensitivity = none, .p = NAN,
	};
	if (cells.layouts > 0) {
		drift_remove(&drift, cells.list.at, cells.list.count, cells.layouts,
			     cells.rounds.count);
		components->drift = drift.removed;
		tell(components, &cells, &drift, confidence);
		if (cells.layouts > 1 && drift.freedom > 0)
			components->p = components->layout == 0 && components->noise == 0 ? 1 :
				shuffle_test(cells.list.at, cells.list.count, cells.layouts,
					     cells.rounds.count, drift.removed, seed);
		drift_release(&drift);
	}
	cells_release(&cells);
}

/* --- Spending --------------------------------------------------------------- */

struct spending components_spend(const struct components *components, double layout_cost,
				 double run_cost, double halfwidth, double confidence)
{
	struct spending spending = { 0, 0 };
	double run = components->run, variance, wanted, n;

	if (!isnan(components->iteration))
		run += components->iteration / components->values_mean;
	if (!(components->layout > 0) || !(run >= 0) || !(layout_cost > 0) || !(run_cost > 0))
		return spending;
	n = ceil(sqrt(layout_cost / run_cost * run / components->layout));
	if (n > 1e6)
		return spending;
	spending.runs = n < 1 ? 1 : (size_t)n;
	variance = components->layout + run / (double)spending.runs;
	wanted = halfwidth * fabs(components->mean.estimate);
	if (!(wanted > 0))
		return spending;
	/* Student's t is larger than the normal's: what that takes is where to begin. */
	n = fmax(2, ceil(variance * pow(gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2) / wanted, 2)));
	if (n > 1e6)
		return spending;
	while (gsl_cdf_tdist_Pinv(0.5 + confidence / 2, n - 1) * sqrt(variance / n) > wanted)
		n++;
	spending.layouts = (size_t)n;
	return spending;
}
