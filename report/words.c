/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each sentence says what was found first, then how sure it is, then what would help.
 */
#include "config.h"

#include "report/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "report/amount.h"

const char words_lesson[] =
	"How fast a program runs depends also on where its code and data happen to lie, on which "
	"cache lines, pages and branch-predictor entries they share; any change of the source "
	"moves "
	"them. One build is one sample of that, however often it is run: so here the same program "
	"was linked in many layouts, and what varies with the layout is told from what does not.";

#define PLURAL(count) ((count) == 1 ? "" : "s")

/* --- Names -------------------------------------------------------------- */

const char *words_build(const struct record *record, size_t build)
{
	const char *name = record->builds.at[build].name;

	if (name != NULL && name[0] != '\0')
		return name;
	return record->builds.count == 1 ? "the build" : build == 0 ? "A" : "B";
}

const char *words_condition(const struct record *record, size_t condition)
{
	const char *name = record->conditions.at[condition].name;

	return name[0] != '\0' ? name : "as usual";
}

const char *words_axis(const char *axis)
{
	return axis[0] != '\0' ? axis : "all";
}

const char *words_run_state(enum run_state state)
{
	static const char *const names[] = {
		[RUN_DONE] = "done",           [RUN_FAILED] = "failed",
		[RUN_TIMED_OUT] = "timed out", [RUN_WRONG] = "wrong output",
		[RUN_NO_METRIC] = "no metric",
	};

	return names[state];
}

static bool has_axes(const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->portraits.count; i++)
		if (analysis->portraits.at[i].axis[0] != '\0')
			return true;
	return false;
}

const char *words_which(struct obstack *arena, const struct analysis *analysis,
			const struct portrait *portrait, bool with_build)
{
	const struct record *record = analysis->record;
	const char *build =
		with_build && record->builds.count > 1 ? words_build(record, portrait->build) : "";
	const char *condition =
		record->conditions.count > 1 ? words_condition(record, portrait->condition) : "";
	const char *axis = has_axes(analysis) ? words_axis(portrait->axis) : "";
	const char *comma = build[0] != '\0' && condition[0] != '\0' ? ", " : "";

	return obstack_format(
		arena, "%s%s%s%s%s", build, comma, condition,
		axis[0] != '\0' && (build[0] != '\0' || condition[0] != '\0') ? ", " : "", axis);
}

/* --- What was measured -------------------------------------------------- */

static size_t count_layouts(const struct record *record, size_t build, bool plain)
{
	size_t count = 0;

	for (size_t i = 0; i < record->layouts.count; i++)
		count += record->layouts.at[i].build == build &&
			 record->layouts.at[i].plain == plain;
	return count;
}

/* Whether build 1 has each layout that build 0 has, and no other. */
static bool are_same(const struct record *record)
{
	size_t found = 0;

	for (size_t i = 0; i < record->layouts.count; i++) {
		const struct swept_layout *a = &record->layouts.at[i];

		for (size_t j = 0; a->build == 0 && !a->plain && j < record->layouts.count; j++) {
			const struct swept_layout *b = &record->layouts.at[j];

			if (b->build == 1 && !b->plain && b->seed == a->seed &&
			    strcmp(b->axis, a->axis) == 0) {
				found++;
				break;
			}
		}
	}
	return found == count_layouts(record, 0, false) && found == count_layouts(record, 1, false);
}

static const char *what_layouts(struct obstack *arena, const struct record *record)
{
	const char *text = "";

	if (record->builds.count == 2 && are_same(record)) {
		size_t count = count_layouts(record, 0, false);

		return obstack_format(arena, "the same %zu layout%s of %s and %s", count,
				      PLURAL(count), words_build(record, 0),
				      words_build(record, 1));
	}
	for (size_t i = 0; i < record->builds.count; i++) {
		size_t count = count_layouts(record, i, false);

		text = obstack_format(arena, "%s%s%zu layout%s of %s", text, i > 0 ? ", " : "",
				      count, PLURAL(count), words_build(record, i));
	}
	return text;
}

const char *words_what(struct obstack *arena, const struct analysis *analysis)
{
	const struct record *record = analysis->record;
	const char *text = what_layouts(arena, record);
	size_t layouts = analysis->failed_layouts, runs = analysis->failed_runs;

	if (has_axes(analysis) && record->axes[0] != '\0')
		text = obstack_format(arena, "%s, one axis at a time (%s)", text, record->axes);
	if (record->conditions.count > 1)
		text = obstack_format(arena, "%s, under %zu conditions", text,
				      record->conditions.count);
	text = obstack_format(arena, "%s; %zu run%s", text, record->runs.count,
			      PLURAL(record->runs.count));
	if (analysis->best_of > 1)
		text = obstack_format(arena, "%s, of %u each the best", text, analysis->best_of);
	if (runs > 0)
		text = obstack_format(arena, "%s, %zu of them without a result", text, runs);
	if (layouts > 0)
		text = obstack_format(arena, "%s; %zu layout%s could not be made", text, layouts,
				      PLURAL(layouts));
	return text;
}

const char *words_runs(struct obstack *arena, const struct analysis *analysis)
{
	return analysis->best_of > 1 ? obstack_format(arena, "the best of each %u runs",
						      analysis->best_of) :
				       "every run";
}

/* --- One build ---------------------------------------------------------- */

static const char *unit_of(const struct analysis *analysis, size_t metric)
{
	return analysis->record->metrics.at[metric].unit;
}

static const char *layout_deviation(struct obstack *arena, const struct analysis *analysis,
				    const struct portrait *portrait)
{
	const struct components *components = &portrait->components;

	if (!isnan(components->sensitivity.estimate))
		return obstack_format(
			arena, "%s of the mean (%s)",
			amount_percent(arena, components->sensitivity.estimate, false),
			amount_percent_range(arena, &components->sensitivity, false));
	return amount_number(arena, sqrt(fmax(components->layout, 0)),
			     unit_of(analysis, portrait->metric));
}

const char *words_portrait(struct obstack *arena, const struct analysis *analysis,
			   const struct portrait *portrait)
{
	const struct components *components = &portrait->components;
	const char *unit = unit_of(analysis, portrait->metric);

	if (portrait->sample.runs.count == 0)
		return "Only the plain layout was run: what is layout cannot be told.";
	if (portrait->sample.layouts.count == 1)
		return "One layout was run: what is layout cannot be told from one.";
	if (portrait->constant)
		return obstack_format(arena, "It never varied: %s in %s.",
				      amount_number(arena, components->mean.estimate, unit),
				      words_runs(arena, analysis));
	if (isnan(components->share.estimate))
		return obstack_format(
			arena,
			"With one run a layout, what is layout cannot be told from "
			"what varies from run to run. The mean over %zu layouts is %s.",
			portrait->sample.layouts.count,
			amount_number(arena, components->mean.estimate, unit));
	if (!portrait->matters)
		return obstack_format(arena,
				      "No sign that layout matters (p = %s): at most %s of the "
				      "variance of a run is layout.",
				      amount_p(arena, components->p),
				      amount_share(arena, components->share.high));
	return obstack_format(arena,
			      "%s of the variance of a run is layout (%s; p %s%s). From layout to "
			      "layout it varies by %s, one s.d.",
			      amount_share(arena, components->share.estimate),
			      amount_share_range(arena, &components->share),
			      components->p < 0.001 ? "" : "= ", amount_p(arena, components->p),
			      layout_deviation(arena, analysis, portrait));
}

const char *words_spending(struct obstack *arena, const struct analysis *analysis,
			   const struct portrait *portrait)
{
	const struct spending *spending = &portrait->spending;
	const char *text;

	if (spending->runs == 0)
		return NULL;
	text = obstack_format(arena,
			      "Best spent with %zu run%s a layout (a layout costs %s, a run %s)",
			      spending->runs, PLURAL(spending->runs),
			      amount_number(arena, portrait->layout_cost, "s"),
			      amount_number(arena, portrait->run_cost, "s"));
	if (spending->layouts == 0)
		return obstack_format(arena, "%s.", text);
	return obstack_format(arena, "%s; %zu layout%s of these give the mean to within %g%%.",
			      text, spending->layouts, PLURAL(spending->layouts),
			      100 * analysis->effect);
}

/* --- Two builds --------------------------------------------------------- */

const char *words_effect(struct obstack *arena, const struct analysis *analysis,
			 const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;

	return judgement->relative ? obstack_format(arena, "%g%%", 100 * analysis->effect)
				   : amount_number(arena, judgement->effect,
						   unit_of(analysis, difference->metric));
}

/* Whether there is something to be explained. */
static bool is_reported(const struct analysis *analysis, const struct judgement *judgement)
{
	double effect = judgement->relative ? analysis->effect : judgement->effect;

	return fabs(judgement->reported) > effect;	/* not of NaN */
}

static const char *quality_of(enum metric_better better, double change)
{
	if (better == BETTER_UNKNOWN)
		return "";
	return (change < 0) == (better == BETTER_LOWER) ? ", which is better" : ", which is worse";
}

static const char *over_layouts(struct obstack *arena, const struct analysis *analysis,
				const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;

	return obstack_format(arena, "%s over the same %zu layouts",
			      amount_change_range(arena, judgement, &judgement->change,
						  unit_of(analysis, difference->metric)),
			      judgement->pairs);
}

static const char *tell_real(struct obstack *arena, const struct analysis *analysis,
			     const struct difference *difference)
{
	const struct record *record = analysis->record;
	double change = difference->judgement.change.estimate;
	const char *amount =
		difference->judgement.relative
			? amount_percent(arena, fabs(change), false)
			: amount_number(arena, fabs(change), unit_of(analysis, difference->metric));

	return obstack_format(arena, "%s is %s %s than %s%s: %s.", words_build(record, 1), amount,
			      change < 0 ? "lower" : "higher", words_build(record, 0),
			      quality_of(record->metrics.at[difference->metric].better, change),
			      over_layouts(arena, analysis, difference));
}

static const char *tell_layout(struct obstack *arena, const struct analysis *analysis,
			       const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;
	const char *unit = unit_of(analysis, difference->metric);
	const char *rest = obstack_format(
		arena,
		"over the same %zu layouts it is %s, and single builds of "
		"unlike layouts differ by %s.",
		judgement->pairs, amount_change_range(arena, judgement, &judgement->change, unit),
		amount_change_range(arena, judgement, &judgement->spread, unit));

	if (judgement->why == WHY_CONSTANT)
		return obstack_format(arena, "No change: %s of %s and %s gave the same.",
				      words_runs(arena, analysis), words_build(analysis->record, 0),
				      words_build(analysis->record, 1));
	if (!is_reported(analysis, judgement))
		return obstack_format(arena, "No change beyond %s: %s",
				      words_effect(arena, analysis, difference), rest);
	return obstack_format(arena, "%s is layout, of which the change is not the cause: %s",
			      amount_change(arena, judgement, judgement->reported, unit), rest);
}

static const char *tell_doubt(struct obstack *arena, const struct analysis *analysis,
			      const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;
	const char *effect = words_effect(arena, analysis, difference);
	const char *help =
		judgement->more_layouts == 0
			? ""
			: obstack_format(arena, " Some %zu layouts in all would probably tell.",
					 judgement->more_layouts);

	switch (judgement->why) {
	case WHY_UNPAIRED:
		return obstack_format(
			arena, "%s and %s have no layout in common that was measured.",
			words_build(analysis->record, 0), words_build(analysis->record, 1));
	case WHY_FEW:
		return obstack_format(arena, "%zu layout%s %s too few for an interval at %g%%.%s",
				      judgement->pairs, PLURAL(judgement->pairs),
				      judgement->pairs == 1 ? "is" : "are",
				      100 * analysis->confidence, help);
	case WHY_UNEXPLAINED:
		return obstack_format(
			arena,
			"The change is within %s (%s), but no layout shows the %s that "
			"was reported: look for another cause, such as the machine.",
			effect, over_layouts(arena, analysis, difference),
			amount_change(arena, judgement, judgement->reported,
				      unit_of(analysis, difference->metric)));
	case WHY_MEANS:
		return obstack_format(
			arena,
			"In most rounds the change is within %s (%s), but that of the means of all "
			"is %s: look at the runs that are unlike the others.",
			effect, over_layouts(arena, analysis, difference),
			amount_change_range(arena, judgement, &judgement->means,
					    unit_of(analysis, difference->metric)));
	default:
		return obstack_format(arena,
				      "The change is %s: that is within %s as well as beyond it.%s",
				      over_layouts(arena, analysis, difference), effect, help);
	}
}

const char *words_verdict(struct obstack *arena, const struct analysis *analysis,
			  const struct difference *difference)
{
	switch (difference->judgement.verdict) {
	case VERDICT_REAL:
		return tell_real(arena, analysis, difference);
	case VERDICT_LAYOUT:
		return tell_layout(arena, analysis, difference);
	default:
		return tell_doubt(arena, analysis, difference);
	}
}

const char *words_single(struct obstack *arena, const struct difference *difference)
{
	if (isnan(difference->plain))
		return NULL;
	return obstack_format(arena,
			      "Of the plain builds alone LKP's rule says \"%s\", and Mann and "
			      "Whitney's test p %s%s.",
			      difference->lkp_changed ? "changed" : "not changed",
			      difference->u_test < 0.001 ? "" : "= ",
			      amount_p(arena, difference->u_test));
}

const char *words_failure(struct obstack *arena, const struct analysis *analysis,
			  const struct failure *failure)
{
	const struct record *record = analysis->record;
	const struct swept_layout *layout = &record->layouts.at[failure->layout];
	const char *name = layout->plain ? "The plain layout"
					 : obstack_format(arena, "Seed %" PRIu64, layout->seed);

	if (record->builds.count > 1)
		name = obstack_format(arena, "%s of %s", name, words_build(record, layout->build));
	if (layout->axis[0] != '\0')
		name = obstack_format(arena, "%s, on %s", name, layout->axis);
	if (!failure->made)
		return obstack_format(arena, "%s could not be made", name);
	if (record->conditions.count > 1)
		name = obstack_format(arena, "%s, %s", name,
				      words_condition(record, failure->condition));
	return obstack_format(arena, "%s: %s in %zu of %zu run%s", name,
			      words_run_state(failure->state), failure->count, failure->all,
			      PLURAL(failure->all));
}

const char *words_reason(struct obstack *arena, const struct failure *failure)
{
	const char *line = failure->why != NULL ? failure->why : "", *last = line;

	/* Of a run the first line tells how it ended; tools end with what went wrong. */
	while (!failure->made && *line != '\0') {
		size_t size = strcspn(line, "\n");

		if (memmem(line, size, "error:", 6) != NULL) {
			last = line;
			break;
		}
		if (size > 0)
			last = line;
		line += size + (line[size] == '\n');
	}
	return obstack_strndup(arena, last, strcspn(last, "\n"));
}

const char *words_noise(struct obstack *arena, const struct noise *noise)
{
	return obstack_format(arena, "%s: %s", noise->name, noise->state);
}
