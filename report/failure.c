/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Failed runs are sorted by layout, condition and how they ended, and those that are alike
 * counted.
 */
#include "config.h"

#include "report/failure.h"

#include <stdlib.h>

#include "lib/memory.h"

static int compare(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_failures(const void *a, const void *b)
{
	const struct failure *x = a, *y = b;
	int order = compare(x->layout, y->layout);

	if (order == 0)
		order = compare(x->condition, y->condition);
	if (order == 0)
		order = compare(x->state, y->state);
	return order != 0 ? order : compare(x->run, y->run);
}

static bool is_alike(const struct failure *a, const struct failure *b)
{
	return a->layout == b->layout && a->condition == b->condition && a->state == b->state;
}

static void find_layouts(struct analysis *analysis)
{
	const struct record *record = analysis->record;

	for (size_t i = 0; i < record->layouts.count; i++) {
		const struct swept_layout *layout = &record->layouts.at[i];

		if (layout->state == LAYOUT_FAILED)
			*vec_push(&analysis->failures) =
				(struct failure){ .layout = i, .why = layout->why };
	}
	analysis->failed_layouts = analysis->failures.count;
}

void failures_find(struct analysis *analysis)
{
	const struct record *record = analysis->record;
	size_t conditions = record->conditions.count, kept, first;
	size_t *all = xcalloc(record->layouts.count * conditions + 1, sizeof *all);

	find_layouts(analysis);
	first = kept = analysis->failures.count;
	for (size_t i = 0; i < record->runs.count; i++) {
		const struct swept_run *run = &record->runs.at[i];

		all[run->layout * conditions + run->condition]++;
		if (run->state == RUN_DONE)
			continue;
		*vec_push(&analysis->failures) = (struct failure){
			.layout = run->layout,
			.made = true,
			.condition = run->condition,
			.run = i,
			.state = run->state,
			.why = run->why,
			.count = 1,
		};
		analysis->failed_runs++;
	}
	if (analysis->failed_runs > 0)
		qsort(analysis->failures.at + first, analysis->failed_runs,
		      sizeof *analysis->failures.at, compare_failures);
	for (size_t i = first; i < analysis->failures.count; i++) {
		struct failure failure = analysis->failures.at[i];

		failure.all = all[failure.layout * conditions + failure.condition];
		if (kept > first && is_alike(&analysis->failures.at[kept - 1], &failure))
			analysis->failures.at[kept - 1].count++;
		else
			analysis->failures.at[kept++] = failure;
	}
	analysis->failures.count = kept;
	free(all);
}
