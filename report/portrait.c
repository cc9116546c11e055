/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record is sorted once by layout; each portrait then takes what is its own of that.
 */
#include "config.h"

#include "report/portrait.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* Of permutations and resamples: one record always says the same. */
#define CHANCE 1

struct gathering {
	const struct record *record;
	size_t *runs;			/* the record's, by layout */
	size_t *first;			/* by layout: its first in RUNS; one more as the end */
	VEC(unsigned) rounds;		/* their numbers, sorted, each once */
	VEC(const char *) axes;
};

/* --- The record, sorted ------------------------------------------------- */

static bool is_told(const struct analysis *analysis, const struct swept_run *run)
{
	return run->round / SWEEP_ROUNDS_MAX < analysis->waves;
}

/* By round; of one round in their order. */
static int compare_runs(const void *a, const void *b, void *data)
{
	const struct record *record = data;
	const size_t *x = a, *y = b;
	unsigned x_round = record->runs.at[*x].round, y_round = record->runs.at[*y].round;

	if (x_round != y_round)
		return x_round < y_round ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

/* The runs that are told of, by layout and round: a resumed sweep's order is another. */
static void sort_runs(struct gathering *gathering, const struct analysis *analysis)
{
	const struct record *record = gathering->record;
	size_t layouts = record->layouts.count, *next;

	gathering->first = xcalloc(layouts + 1, sizeof *gathering->first);
	gathering->runs = xcalloc(record->runs.count + 1, sizeof *gathering->runs);
	for (size_t i = 0; i < record->runs.count; i++)
		gathering->first[record->runs.at[i].layout + 1] +=
			is_told(analysis, &record->runs.at[i]);
	for (size_t i = 0; i < layouts; i++)
		gathering->first[i + 1] += gathering->first[i];
	next = xcalloc(layouts + 1, sizeof *next);
	memcpy(next, gathering->first, layouts * sizeof *next);
	for (size_t i = 0; i < record->runs.count; i++)
		if (is_told(analysis, &record->runs.at[i]))
			gathering->runs[next[record->runs.at[i].layout]++] = i;
	free(next);
	for (size_t i = 0; i < layouts; i++)
		qsort_r(gathering->runs + gathering->first[i],
			gathering->first[i + 1] - gathering->first[i], sizeof *gathering->runs,
			compare_runs, (void *)record);
}

static int compare_rounds(const void *a, const void *b)
{
	const unsigned *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void number_rounds(struct gathering *gathering)
{
	const struct record *record = gathering->record;
	size_t kept = 0;

	for (size_t i = 0; i < record->runs.count; i++)
		*vec_push(&gathering->rounds) = record->runs.at[i].round;
	if (gathering->rounds.count > 0)
		qsort(gathering->rounds.at, gathering->rounds.count, sizeof *gathering->rounds.at,
		      compare_rounds);
	for (size_t i = 0; i < gathering->rounds.count; i++)
		if (kept == 0 || gathering->rounds.at[i] != gathering->rounds.at[kept - 1])
			gathering->rounds.at[kept++] = gathering->rounds.at[i];
	gathering->rounds.count = kept;
}

static void find_axes(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->record->layouts.count; i++) {
		const struct swept_layout *layout = &gathering->record->layouts.at[i];
		size_t j;

		if (layout->plain)
			continue;
		for (j = 0; j < gathering->axes.count; j++)
			if (strcmp(gathering->axes.at[j], layout->axis) == 0)
				break;
		if (j == gathering->axes.count)
			*vec_push(&gathering->axes) = layout->axis;
	}
	if (gathering->axes.count == 0)
		*vec_push(&gathering->axes) = "";
}

/* --- One portrait ------------------------------------------------------- */

static bool is_of(const struct swept_value *value, size_t metric)
{
	return value->metric == metric && isfinite(value->value);
}

/* The mean of METRIC in RUN; NaN: it ended badly, or has none. */
static double mean_of(const struct record *record, const struct swept_run *run, size_t metric)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = run->first; run->state == RUN_DONE && i < run->first + run->count; i++)
		if (is_of(&record->values.at[i], metric)) {
			sum += record->values.at[i].value;
			count++;
		}
	return count > 0 ? sum / (double)count : NAN;
}

/* The first of the rounds that are one with ROUND. */
static unsigned first_round(unsigned round, unsigned best_of)
{
	return round - round % SWEEP_ROUNDS_MAX % best_of;
}

/*
 * The next run that counts, of those of a layout in gathering->runs from *AT to END: of
 * the runs under PORTRAIT's condition in BEST_OF rounds the best, where each ended well.
 * *AT is then behind them.  SIZE_MAX: there is none.
 */
static size_t next_run(const struct gathering *gathering, const struct portrait *portrait,
		       unsigned best_of, size_t *at, size_t end)
{
	const struct record *record = gathering->record;
	enum metric_better better = record->metrics.at[portrait->metric].better;

	while (*at < end) {
		unsigned first = first_round(record->runs.at[gathering->runs[*at]].round, best_of);
		unsigned count = 0;
		size_t best = SIZE_MAX;
		double best_mean = NAN;

		for (; *at < end; (*at)++) {
			const struct swept_run *run = &record->runs.at[gathering->runs[*at]];
			double mean = mean_of(record, run, portrait->metric);

			if (first_round(run->round, best_of) != first)
				break;
			if (run->condition != portrait->condition || isnan(mean))
				continue;
			if (count++ == 0 ||
			    (better == BETTER_HIGHER ? mean > best_mean : mean < best_mean)) {
				best = gathering->runs[*at];
				best_mean = mean;
			}
		}
		if (count == best_of)
			return best;
	}
	return SIZE_MAX;
}

/* Adds the runs of LAYOUT that are PORTRAIT's to SAMPLE, and their numbers to RUNS. */
static bool add_layout(const struct gathering *gathering, const struct portrait *portrait,
		       unsigned best_of, size_t layout, struct sample *sample, size_t *runs,
		       size_t *count)
{
	const struct record *record = gathering->record;
	size_t at = gathering->first[layout], end = gathering->first[layout + 1], index;
	bool any = false;

	for (; (index = next_run(gathering, portrait, best_of, &at, end)) != SIZE_MAX; any = true) {
		const struct swept_run *run = &record->runs.at[index];

		if (!any)
			sample_layout(sample, (int64_t)record->layouts.at[layout].seed);
		sample_run(sample, first_round(run->round, best_of));
		runs[(*count)++] = index;
		for (size_t i = run->first; i < run->first + run->count; i++)
			if (is_of(&record->values.at[i], portrait->metric))
				sample_value(sample, record->values.at[i].value);
	}
	return any;
}

/* What runs cost, and how many failed; whatever was measured. */
static void add_costs(const struct gathering *gathering, struct portrait *portrait, size_t layout,
		      size_t *made, size_t *done)
{
	const struct record *record = gathering->record;

	if (record->layouts.at[layout].state == LAYOUT_MADE) {
		portrait->layout_cost += record->layouts.at[layout].seconds;
		(*made)++;
	}
	for (size_t i = gathering->first[layout]; i < gathering->first[layout + 1]; i++) {
		const struct swept_run *run = &record->runs.at[gathering->runs[i]];

		if (run->condition != portrait->condition)
			continue;
		if (run->state != RUN_DONE) {
			portrait->failed++;
			continue;
		}
		portrait->run_cost += run->seconds;
		(*done)++;
	}
}

static void gather(const struct gathering *gathering, unsigned best_of, struct portrait *portrait)
{
	const struct record *record = gathering->record;
	size_t *runs = xcalloc(record->runs.count + 1, sizeof *runs);
	size_t *plain_runs = xcalloc(record->runs.count + 1, sizeof *plain_runs);
	size_t count = 0, plain_count = 0, made = 0, done = 0;

	sample_init(&portrait->sample);
	sample_init(&portrait->plain_sample);
	for (size_t i = 0; i < record->layouts.count; i++) {
		const struct swept_layout *layout = &record->layouts.at[i];

		if (layout->build != portrait->build)
			continue;
		if (layout->plain) {
			add_layout(gathering, portrait, best_of, i, &portrait->plain_sample,
				   plain_runs, &plain_count);
		} else if (strcmp(layout->axis, portrait->axis) == 0) {
			add_costs(gathering, portrait, i, &made, &done);
			if (add_layout(gathering, portrait, best_of, i, &portrait->sample, runs,
				       &count))
				*vec_push(&portrait->layouts) = i;
		}
	}
	for (size_t i = 0; i < count; i++)
		*vec_push(&portrait->runs) = runs[i];
	for (size_t i = 0; i < plain_count; i++)
		*vec_push(&portrait->plain_runs) = plain_runs[i];
	portrait->layout_cost = made > 0 ? portrait->layout_cost / (double)made : NAN;
	portrait->run_cost = done > 0 ? best_of * portrait->run_cost / (double)done : NAN;
	free(plain_runs);
	free(runs);
}

struct median {
	size_t layout;
	double value;
};

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int compare_medians(const void *a, const void *b)
{
	const struct median *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->layout > y->layout) - (x->layout < y->layout);
}

/* The median of the means of LAYOUT's runs; MEANS has room for all of the sample's. */
static double median_of(const struct sample *sample, size_t layout, double *means)
{
	const struct sample_layout *own = &sample->layouts.at[layout];

	for (size_t i = 0; i < own->count; i++)
		means[i] = sample_run_mean(sample, own->first + i);
	qsort(means, own->count, sizeof *means, compare_doubles);
	return (means[(own->count - 1) / 2] + means[own->count / 2]) / 2;
}

static void sort_layouts(struct portrait *portrait)
{
	const struct sample *sample = &portrait->sample, *plain = &portrait->plain_sample;
	struct median *medians = xcalloc(sample->layouts.count + 1, sizeof *medians);
	double *means = xcalloc(sample->runs.count + plain->runs.count + 1, sizeof *means);
	double plain_median = plain->runs.count > 0 ? median_of(plain, 0, means) : NAN;

	for (size_t i = 0; i < sample->layouts.count; i++)
		medians[i] = (struct median){ .layout = i, .value = median_of(sample, i, means) };
	qsort(medians, sample->layouts.count, sizeof *medians, compare_medians);
	for (size_t i = 0; i < sample->layouts.count; i++) {
		*vec_push(&portrait->sorted) = medians[i].layout;
		*vec_push(&portrait->medians) = medians[i].value;
		portrait->plain_rank += medians[i].value < plain_median;
	}
	free(means);
	free(medians);
}

static void find_rounds(const struct gathering *gathering, struct portrait *portrait)
{
	const struct sample *sample = &portrait->sample;
	size_t rounds = gathering->rounds.count;
	struct told_round *told = xcalloc(rounds + 1, sizeof *told);
	size_t *counts = xcalloc(rounds + 1, sizeof *counts);

	for (size_t i = 0; i < sample->layouts.count; i++) {
		const struct sample_layout *layout = &sample->layouts.at[i];
		double mean = sample_layout_mean(sample, i);

		for (size_t j = layout->first;
		     layout->count > 1 && j < layout->first + layout->count; j++) {
			const unsigned *number = bsearch(&sample->runs.at[j].round, gathering->rounds.at,
							 rounds, sizeof *number, compare_rounds);
			size_t round = (size_t)(number - gathering->rounds.at);
			unsigned order = gathering->record->runs.at[portrait->runs.at[j]].order;
			struct told_round *at = &told[round];

			at->first = counts[round] == 0 || order < at->first ? order : at->first;
			at->last = order > at->last ? order : at->last;
			at->distance += sample_run_mean(sample, j) - mean;
			counts[round]++;
		}
	}
	for (size_t i = 0; i < rounds; i++) {
		if (counts[i] == 0)
			continue;
		told[i].distance /= (double)counts[i];
		*vec_push(&portrait->rounds) = told[i];
	}
	free(counts);
	free(told);
}

static void look_at_plain(struct portrait *portrait)
{
	const struct sample *sample = &portrait->plain_sample;
	double squares = 0;

	portrait->plain = sample_mean(sample);
	portrait->plain_deviation = NAN;
	if (sample->runs.count < 2)
		return;
	for (size_t i = 0; i < sample->runs.count; i++) {
		double distance = sample_run_mean(sample, i) - portrait->plain;

		squares += distance * distance;
	}
	portrait->plain_deviation = sqrt(squares / (double)(sample->runs.count - 1));
}

/* As the share is meant: what chance there is within a run counts by how often that was drawn. */
static void part_variance(struct portrait *portrait)
{
	const struct components *components = &portrait->components;
	double run = fmax(components->run, 0);
	double iteration = isnan(components->iteration)
				   ? 0
				   : fmax(components->iteration, 0) / components->values_mean;
	double rest = 1 - components->share.estimate;

	portrait->parts.layout = components->share.estimate;
	portrait->parts.run = run + iteration > 0 ? rest * run / (run + iteration) : rest;
	portrait->parts.iteration = rest - portrait->parts.run;
}

static bool is_constant(const struct sample *sample)
{
	for (size_t i = 1; i < sample->values.count; i++)
		if (sample->values.at[i] != sample->values.at[0])
			return false;
	return true;
}

static void add_portrait(struct analysis *analysis, const struct gathering *gathering,
			 struct portrait portrait)
{
	unsigned best_of = analysis->best_of;

	/* Where none is better all count. */
	if (analysis->record->metrics.at[portrait.metric].better == BETTER_UNKNOWN)
		best_of = 1;
	gather(gathering, best_of, &portrait);
	if (portrait.sample.runs.count + portrait.plain_sample.runs.count == 0) {
		portrait_release(&portrait);
		return;
	}
	sort_layouts(&portrait);
	find_rounds(gathering, &portrait);
	look_at_plain(&portrait);
	components_estimate(&portrait.components, &portrait.sample, analysis->confidence, CHANCE);
	part_variance(&portrait);
	portrait.constant = is_constant(&portrait.sample);
	portrait.spending =
		components_spend(&portrait.components, portrait.layout_cost, portrait.run_cost,
				 analysis->effect, analysis->confidence);
	*vec_push(&analysis->portraits) = portrait;
}

void portrait_release(struct portrait *portrait)
{
	sample_release(&portrait->sample);
	sample_release(&portrait->plain_sample);
	vec_release(&portrait->layouts);
	vec_release(&portrait->runs);
	vec_release(&portrait->sorted);
	vec_release(&portrait->medians);
	vec_release(&portrait->rounds);
	vec_release(&portrait->plain_runs);
}

void portraits_make(struct analysis *analysis, const bool *metrics)
{
	const struct record *record = analysis->record;
	struct gathering gathering = { .record = record };

	sort_runs(&gathering, analysis);
	number_rounds(&gathering);
	find_axes(&gathering);
	/* Primary metrics first. */
	for (size_t i = 0; i < 2 * record->metrics.count; i++) {
		size_t metric = i % record->metrics.count;

		if (!metrics[metric] ||
		    record->metrics.at[metric].primary != (i < record->metrics.count))
			continue;
		for (size_t condition = 0; condition < record->conditions.count; condition++)
			for (size_t build = 0; build < record->builds.count; build++)
				for (size_t axis = 0; axis < gathering.axes.count; axis++)
					add_portrait(analysis, &gathering,
						     (struct portrait){
							     .metric = metric,
							     .condition = condition,
							     .build = build,
							     .axis = gathering.axes.at[axis],
						     });
	}
	vec_release(&gathering.axes);
	vec_release(&gathering.rounds);
	free(gathering.first);
	free(gathering.runs);
}
