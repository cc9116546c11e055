/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Portraits first; of two builds then each pair of portraits is judged, all that are to be
 * judged together, and only then is left out what was not asked for: what is shown shall
 * not change what is true.
 */
#include "config.h"

#include "report/analysis.h"

#include <fnmatch.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report/failure.h"
#include "report/portrait.h"
#include "stats/discovery.h"
#include "stats/look.h"
#include "stats/ratio.h"
#include "stats/single.h"

/* LKP's floors: of what is to tell how fast something is, and of all else. */
#define LKP_FLOOR_PERFORMANCE 0.01
#define LKP_FLOOR 0.05

struct analysis_question analysis_question_default(void)
{
	return (struct analysis_question){ .confidence = NAN, .effect = NAN, .reported = NAN };
}

/* QUESTION with what it leaves open, at the confidence that its look has. */
static struct analysis_question complete(const struct analysis_question *question,
					 const struct record *record)
{
	struct analysis_question whole = *question;
	unsigned look;

	if (isnan(whole.confidence))
		whole.confidence = isnan(record->confidence) ? 0.95 : record->confidence;
	if (isnan(whole.effect))
		whole.effect = isnan(record->effect) ? 0.01 : record->effect;
	if (whole.best_of == 0)
		whole.best_of = record->best_of > 0 ? record->best_of : 1;
	if (whole.waves == 0)
		whole.waves = record->looks > 0 ? record->waves : SIZE_MAX;
	look = whole.waves == 0 || whole.waves > record->looks ? record->looks : (unsigned)whole.waves;
	if (record->looks > 1)
		whole.confidence = look_confidence(whole.confidence, look, record->looks);
	return whole;
}

static bool is_asked_for(const struct record *record, const struct analysis_question *question,
			 size_t metric)
{
	return question->metrics == NULL ||
	       fnmatch(question->metrics, record->metrics.at[metric].name, 0) == 0;
}

/* --- Two builds --------------------------------------------------------- */

static bool is_positive(const struct sample *sample)
{
	for (size_t i = 0; i < sample->values.count; i++)
		if (sample->values.at[i] <= 0)
			return false;
	return true;
}

/* What the plain builds alone show, as verdict_judge() wants it; NaN: nothing. */
static double plain_change(const struct portrait *a, const struct portrait *b)
{
	if (is_positive(&a->sample) && is_positive(&b->sample))
		return a->plain > 0 ? b->plain / a->plain - 1 : NAN;
	return (b->plain - a->plain) / sample_mean(&a->sample);
}

/* What is said elsewhere of one binary a side. */
static void judge_plain(struct difference *difference, const struct portrait *a,
			const struct portrait *b)
{
	size_t a_count = a->plain_sample.runs.count, b_count = b->plain_sample.runs.count;
	double *values = xcalloc(a_count + b_count + 1, sizeof *values);

	for (size_t i = 0; i < a_count; i++)
		values[i] = sample_run_mean(&a->plain_sample, i);
	for (size_t i = 0; i < b_count; i++)
		values[a_count + i] = sample_run_mean(&b->plain_sample, i);
	difference->u_test = NAN;
	if (a_count > 0 && b_count > 0) {
		difference->lkp_changed =
			single_lkp_changed(values, a_count, values + a_count, b_count,
					   difference->judged ? LKP_FLOOR_PERFORMANCE : LKP_FLOOR);
		difference->u_test =
			single_mann_whitney(values, a_count, values + a_count, b_count);
	}
	free(values);
}

static int compare_seeds(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The keys of both samples, as verdict_judge() pairs them. */
static void list_seeds(struct difference *difference, const struct sample *a,
		       const struct sample *b)
{
	int64_t *keys = xcalloc(a->layouts.count + 1, sizeof *keys);

	for (size_t i = 0; i < a->layouts.count; i++)
		keys[i] = a->layouts.at[i].key;
	qsort(keys, a->layouts.count, sizeof *keys, compare_seeds);
	for (size_t i = 0; i < b->layouts.count; i++) {
		const int64_t *key = bsearch(&b->layouts.at[i].key, keys, a->layouts.count,
					     sizeof *keys, compare_seeds);

		if (key != NULL)
			*vec_push(&difference->seeds) = (uint64_t)*key;
	}
	free(keys);
	if (difference->seeds.count > 0)
		qsort(difference->seeds.at, difference->seeds.count, sizeof *difference->seeds.at,
		      compare_seeds);
}

static void add_difference(struct analysis *analysis, const struct analysis_question *question,
			   size_t a_index, size_t b_index)
{
	const struct portrait *a = &analysis->portraits.at[a_index];
	const struct portrait *b = &analysis->portraits.at[b_index];
	const struct verdict_question how = { .effect = question->effect,
					      .confidence = question->confidence,
					      .apart = analysis->record->apart };
	struct difference difference = {
		.condition = a->condition,
		.metric = a->metric,
		.a = a_index,
		.b = b_index,
		.judged = analysis->record->metrics.at[a->metric].primary,
		.plain = plain_change(a, b),
	};

	difference.unpaired = ratio_fieller(&a->sample, &b->sample, question->confidence);
	difference.unpaired.estimate -= 1;
	difference.unpaired.low -= 1;
	difference.unpaired.high -= 1;
	judge_plain(&difference, a, b);
	list_seeds(&difference, &a->sample, &b->sample);
	verdict_judge(&difference.judgement, &a->sample, &b->sample,
		      isnan(question->reported) ? difference.plain : question->reported, &how);
	if (!difference.judgement.relative)
		difference.plain = b->plain - a->plain;
	*vec_push(&analysis->differences) = difference;
}

static void release_difference(struct difference *difference)
{
	judgement_release(&difference->judgement);
	vec_release(&difference->seeds);
}

/* A primary portrait that is in no difference has nothing to be compared with. */
static void count_unmatched(struct analysis *analysis)
{
	if (analysis->record->builds.count < 2)
		return;
	for (size_t i = 0; i < analysis->portraits.count; i++)
		analysis->unmatched +=
			analysis->record->metrics.at[analysis->portraits.at[i].metric].primary;
	for (size_t i = 0; i < analysis->differences.count; i++)
		analysis->unmatched -= 2 * analysis->differences.at[i].judged;
}

/* The same metric, condition and axis of build 0 and build 1. */
static void compare_builds(struct analysis *analysis, const struct analysis_question *question)
{
	const struct verdict_question how = { .effect = question->effect,
					      .confidence = question->confidence };
	struct judgement **judged;
	size_t count = 0;

	for (size_t i = 0; i < analysis->portraits.count; i++) {
		const struct portrait *a = &analysis->portraits.at[i];

		if (a->build != 0)
			continue;
		for (size_t j = i + 1; j < analysis->portraits.count; j++) {
			const struct portrait *b = &analysis->portraits.at[j];

			if (b->metric != a->metric || b->condition != a->condition)
				break;
			if (b->build == 1 && strcmp(b->axis, a->axis) == 0)
				add_difference(analysis, question, i, j);
		}
	}
	count_unmatched(analysis);
	judged = xcalloc(analysis->differences.count + 1, sizeof(struct judgement *));
	for (size_t i = 0; i < analysis->differences.count; i++)
		if (analysis->differences.at[i].judged)
			judged[count++] = &analysis->differences.at[i].judgement;
	verdict_judge_all(judged, count, &how);
	free(judged);
	for (size_t i = 0; i < analysis->differences.count; i++) {
		struct judgement *judgement = &analysis->differences.at[i].judgement;

		/* The ratio of what is not bounded. */
		if (judgement->relative && judgement->change.low <= -1)
			judgement->change.low = -INFINITY;
	}
}

/* --- One build ---------------------------------------------------------- */

/* Of many portraits some show by chance that layout matters. */
static void adjust(struct analysis *analysis)
{
	double *values = xcalloc(analysis->portraits.count + 1, sizeof *values);
	size_t primary = 0;

	/* The primary ones come first. */
	for (size_t i = 0; i < analysis->portraits.count; i++) {
		values[i] = analysis->portraits.at[i].components.p;
		primary += analysis->record->metrics.at[analysis->portraits.at[i].metric].primary;
	}
	discovery_adjust(values, primary);
	for (size_t i = 0; i < analysis->portraits.count; i++) {
		struct portrait *portrait = &analysis->portraits.at[i];

		portrait->q = values[i];
		portrait->matters = portrait->q <= 1 - analysis->confidence &&
				    !isnan(portrait->components.share.estimate);
	}
	free(values);
}

/* --- What is left of it ------------------------------------------------- */

static void leave_out(struct analysis *analysis, const struct analysis_question *question)
{
	size_t *now = xcalloc(analysis->portraits.count + 1, sizeof *now), kept = 0;

	for (size_t i = 0; i < analysis->portraits.count; i++) {
		struct portrait *portrait = &analysis->portraits.at[i];

		if (is_asked_for(analysis->record, question, portrait->metric)) {
			now[i] = kept;
			analysis->portraits.at[kept++] = *portrait;
		} else {
			portrait_release(portrait);
		}
	}
	analysis->portraits.count = kept;
	kept = 0;
	for (size_t i = 0; i < analysis->differences.count; i++) {
		struct difference difference = analysis->differences.at[i];

		if (!is_asked_for(analysis->record, question, difference.metric)) {
			release_difference(&difference);
			continue;
		}
		difference.a = now[difference.a];
		difference.b = now[difference.b];
		analysis->differences.at[kept++] = difference;
	}
	analysis->differences.count = kept;
	free(now);
}

static void list_machines(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->record->sessions.count; i++) {
		const char *text = analysis->record->sessions.at[i].machine;
		json_t *json = text != NULL ? json_loads(text, 0, NULL) : NULL;
		struct machine machine = { 0 };

		if (json != NULL && !machine_from_json(&machine, json))
			machine = (struct machine){ 0 };
		json_decref(json);
		*vec_push(&analysis->machines) = machine;
	}
}

static bool any_done(const struct record *record)
{
	for (size_t i = 0; i < record->runs.count; i++)
		if (record->runs.at[i].state == RUN_DONE)
			return true;
	return false;
}

static bool report_emptiness(const struct analysis *analysis,
			     const struct analysis_question *question, size_t asked_for,
			     struct diag *diag)
{
	const struct record *record = analysis->record;

	if (record->metrics.count > 0 && asked_for == 0)
		diag_error(diag, NULL, "\"%s\" names none of the %zu metrics of \"%s\"",
			   question->metrics, record->metrics.count, record->path);
	else if (record->layouts.count == 0)
		diag_error(diag, NULL, "\"%s\": expected layouts, found none", record->path);
	else if (analysis->waves == 0 && record->runs.count > 0)
		diag_error(diag, NULL,
			   "\"%s\": the comparison was cut short before its first look: nothing "
			   "can be told yet",
			   record->path);
	else if (record->runs.count == 0)
		diag_error(diag, NULL,
			   "\"%s\": expected runs of %zu layouts (%zu of which failed), "
			   "found none",
			   record->path, record->layouts.count, analysis->failed_layouts);
	else if (!any_done(record))
		diag_error(diag, NULL,
			   "\"%s\": expected a run that ended well, found none among %zu",
			   record->path, record->runs.count);
	else if (analysis->best_of > 1)
		diag_error(diag, NULL,
			   "\"%s\": expected %u runs of a layout that all ended well, to take the "
			   "best of, found fewer among %zu runs",
			   record->path, analysis->best_of, record->runs.count);
	else
		diag_error(diag, NULL, "\"%s\": no run has a value of \"%s\"", record->path,
			   question->metrics != NULL ? question->metrics : "any metric");
	return false;
}

bool analysis_make(struct analysis *analysis, const struct record *record,
		   const struct analysis_question *asked_of, struct diag *diag)
{
	const struct analysis_question whole = complete(asked_of, record), *question = &whole;
	bool *wanted = xcalloc(record->metrics.count + 1, sizeof *wanted);
	size_t asked_for = 0;

	*analysis = (struct analysis){
		.record = record,
		.confidence = question->confidence,
		.effect = question->effect,
		.reported = question->reported,
		.waves = question->waves,
		.best_of = question->best_of,
	};
	for (size_t i = 0; i < record->metrics.count; i++) {
		bool asked = is_asked_for(record, question, i);

		wanted[i] = asked || record->metrics.at[i].primary;
		asked_for += asked;
	}
	portraits_make(analysis, wanted);
	free(wanted);
	compare_builds(analysis, question);
	adjust(analysis);
	leave_out(analysis, question);
	failures_find(analysis);
	list_machines(analysis);
	return analysis->portraits.count > 0 ||
	       report_emptiness(analysis, question, asked_for, diag);
}

void analysis_release(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->portraits.count; i++)
		portrait_release(&analysis->portraits.at[i]);
	for (size_t i = 0; i < analysis->differences.count; i++)
		release_difference(&analysis->differences.at[i]);
	for (size_t i = 0; i < analysis->machines.count; i++)
		machine_release(&analysis->machines.at[i]);
	vec_release(&analysis->portraits);
	vec_release(&analysis->differences);
	vec_release(&analysis->failures);
	vec_release(&analysis->machines);
}

bool analysis_tells(const struct analysis *analysis, size_t metric)
{
	const struct swept_metric *metrics = analysis->record->metrics.at;

	/* If a primary one is there it comes first. */
	return metrics[metric].primary ||
	       (analysis->portraits.count > 0 &&
		!metrics[analysis->portraits.at[0].metric].primary);
}

size_t analysis_told(const struct analysis *analysis)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->differences.count; i++)
		count += analysis->differences.at[i].judged;
	for (size_t i = 0; analysis->differences.count == 0 && i < analysis->portraits.count; i++)
		count += analysis_tells(analysis, analysis->portraits.at[i].metric);
	return count;
}
