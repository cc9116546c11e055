/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One object, a row of a list a line.  What is not known is null, an end of an interval that
 * is not bounded "inf" or "-inf", a seed a string: not every reader has 64 bits.
 */
#include "config.h"

#include "report/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>

#include "lib/json.h"
#include "lib/memory.h"
#include "report/answer.h"
#include "report/reproduce.h"
#include "report/words.h"

struct writing {
	const struct analysis *analysis;
	const struct record *record;
	FILE *stream;
	struct obstack arena;
};

static json_t *number(double value)
{
	if (isnan(value))
		return json_null();
	return isinf(value) ? json_string(value > 0 ? "inf" : "-inf") : json_real(value);
}

static json_t *count(size_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *seed(uint64_t value)
{
	return json_sprintf("%" PRIu64, value);
}

static json_t *interval(const struct interval *value)
{
	return json_pack("{s:o, s:o, s:o}", "estimate", number(value->estimate), "low",
			 number(value->low), "high", number(value->high));
}

/* --- Lists -------------------------------------------------------------- */

static void begin_list(struct writing *writing, const char *name)
{
	fprintf(writing->stream, ",\n \"%s\": [", name);
}

/* Frees ROW. */
static void put_row(struct writing *writing, json_t *row, size_t before)
{
	fputs(before > 0 ? ",\n  " : "\n  ", writing->stream);
	json_dumpf(row, writing->stream, 0);
	json_decref(row);
}

static void end_list(struct writing *writing)
{
	fputs("]", writing->stream);
}

static void put_member(struct writing *writing, const char *name, json_t *value)
{
	fprintf(writing->stream, ",\n \"%s\": ", name);
	json_dumpf(value, writing->stream, JSON_ENCODE_ANY);
	json_decref(value);
}

/* --- What was measured -------------------------------------------------- */

static void write_sessions(struct writing *writing)
{
	begin_list(writing, "sessions");
	for (size_t i = 0; i < writing->record->sessions.count; i++) {
		const struct session *session = &writing->record->sessions.at[i];
		json_t *machine =
			session->machine != NULL ? json_loads(session->machine, 0, NULL) : NULL;

		put_row(writing,
			json_pack("{s:o, s:o, s:o, s:o, s:o}", "command",
				  json_text(session->command), "folder", json_text(session->folder),
				  "started", json_text(session->started), "ended",
				  json_text(session->ended), "machine",
				  machine != NULL ? machine : json_null()),
			i);
	}
	end_list(writing);
}

static void write_builds(struct writing *writing)
{
	begin_list(writing, "builds");
	for (size_t i = 0; i < writing->record->builds.count; i++) {
		const struct build *build = &writing->record->builds.at[i];

		put_row(writing,
			json_pack("{s:o, s:o, s:o}", "name",
				  json_text(words_build(writing->record, i)), "source",
				  json_text(build->source), "policy", json_text(build->policy)),
			i);
	}
	end_list(writing);
}

static void write_conditions(struct writing *writing)
{
	begin_list(writing, "conditions");
	for (size_t i = 0; i < writing->record->conditions.count; i++) {
		const struct condition *condition = &writing->record->conditions.at[i];

		put_row(writing,
			json_pack("{s:o, s:o, s:o}", "name", json_text(condition->name), "enter",
				  json_text(condition->enter), "leave",
				  json_text(condition->leave)),
			i);
	}
	end_list(writing);
}

static void write_metrics(struct writing *writing)
{
	static const char *const better[] = {
		[BETTER_UNKNOWN] = NULL,
		[BETTER_LOWER] = "lower",
		[BETTER_HIGHER] = "higher",
	};

	begin_list(writing, "metrics");
	for (size_t i = 0; i < writing->record->metrics.count; i++) {
		const struct swept_metric *metric = &writing->record->metrics.at[i];

		put_row(writing,
			json_pack("{s:o, s:o, s:o, s:b}", "name", json_text(metric->name), "unit",
				  json_text(metric->unit), "better",
				  json_text(better[metric->better]), "primary",
				  metric->primary),
			i);
	}
	end_list(writing);
}

/* --- Portraits ---------------------------------------------------------- */

/* The runs [FIRST, FIRST + COUNT) of SAMPLE, which are RUNS in the record. */
static json_t *sample_rows(const struct writing *writing, const struct sample *sample,
			   const size_t *runs, size_t first, size_t many)
{
	json_t *rows = json_array();

	for (size_t i = first; i < first + many; i++) {
		const struct swept_run *run = &writing->record->runs.at[runs[i]];
		const struct sample_run *own = &sample->runs.at[i];
		json_t *values = json_array();

		for (size_t j = own->first; j < own->first + own->count; j++)
			json_array_append_new(values, number(sample->values.at[j]));
		json_array_append_new(rows,
				      json_pack("{s:o, s:o, s:o, s:o}", "session",
						count(run->session), "round", count(run->round),
						"order", count(run->order), "values", values));
	}
	return rows;
}

/* By median, lowest first. */
static json_t *layout_rows(const struct writing *writing, const struct portrait *portrait)
{
	const struct sample *sample = &portrait->sample;
	json_t *rows = json_array();

	for (size_t i = 0; i < portrait->sorted.count; i++) {
		size_t index = portrait->sorted.at[i];
		const struct sample_layout *own = &sample->layouts.at[index];
		const struct swept_layout *layout =
			&writing->record->layouts.at[portrait->layouts.at[index]];

		json_array_append_new(
			rows, json_pack("{s:o, s:o, s:o, s:o, s:o}", "seed", seed(layout->seed),
					"build_id", json_text(layout->build_id), "layout",
					json_text(layout->layout), "mean",
					number(sample_layout_mean(sample, index)), "runs",
					sample_rows(writing, sample, portrait->runs.at, own->first,
						    own->count)));
	}
	return rows;
}

static json_t *components_object(const struct components *components)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "layouts",
		count(components->layouts), "runs", count(components->runs), "values",
		count(components->values), "runs_mean", number(components->runs_mean),
		"values_mean", number(components->values_mean), "mean", interval(&components->mean),
		"layout_variance", number(components->layout), "run_variance",
		number(components->run), "iteration_variance", number(components->iteration),
		"noise_variance", number(components->noise), "share", interval(&components->share),
		"sensitivity", interval(&components->sensitivity), "p", number(components->p));
}

static json_t *plain_object(const struct writing *writing, const struct portrait *portrait)
{
	const struct sample *sample = &portrait->plain_sample;

	if (sample->runs.count == 0)
		return json_null();
	return json_pack(
		"{s:o, s:o, s:o}", "mean", number(portrait->plain), "deviation",
		number(portrait->plain_deviation), "runs",
		sample_rows(writing, sample, portrait->plain_runs.at, 0, sample->runs.count));
}

static json_t *round_rows(const struct portrait *portrait)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < portrait->rounds.count; i++) {
		const struct told_round *round = &portrait->rounds.at[i];

		json_array_append_new(
			rows, json_pack("{s:o, s:o, s:o}", "first", count(round->first), "last",
					count(round->last), "distance", number(round->distance)));
	}
	return rows;
}

static void write_portraits(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	const struct record *record = writing->record;

	begin_list(writing, "portraits");
	for (size_t i = 0; i < analysis->portraits.count; i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];

		put_row(writing,
			json_pack("{s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:b, s:{s:o, s:o}, "
				  "s:o, s:o, s:o, s:o, s:o, s:o}",
				  "metric", json_text(record->metrics.at[portrait->metric].name),
				  "build", json_text(words_build(record, portrait->build)),
				  "condition",
				  json_text(record->conditions.at[portrait->condition].name),
				  "axis", json_text(portrait->axis), "constant", portrait->constant,
				  "sentence",
				  json_text(words_portrait(&writing->arena, analysis, portrait)),
				  "components", components_object(&portrait->components), "q",
				  number(portrait->q), "matters", portrait->matters,
				  "spending", "layouts", count(portrait->spending.layouts), "runs",
				  count(portrait->spending.runs), "plain",
				  plain_object(writing, portrait), "layout_cost",
				  number(portrait->layout_cost), "run_cost",
				  number(portrait->run_cost), "failed", count(portrait->failed),
				  "rounds", round_rows(portrait), "layouts",
				  layout_rows(writing, portrait)),
			i);
	}
	end_list(writing);
}

/* --- Differences, failures ---------------------------------------------- */

/* For each seed that both have: logarithms of ratios where the judgement is relative. */
static json_t *pair_rows(const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;
	json_t *rows = json_array();

	for (size_t i = 0; i < judgement->differences.count && i < difference->seeds.count; i++)
		json_array_append_new(rows, json_pack("{s:o, s:o}", "seed",
						      seed(difference->seeds.at[i]), "difference",
						      number(judgement->differences.at[i])));
	return rows;
}

static json_t *judgement_object(struct writing *writing, const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;
	static const char *const whys[] = {
		[WHY_BEYOND] = "beyond",     [WHY_WITHIN] = "within",
		[WHY_WIDE] = "wide",         [WHY_UNEXPLAINED] = "unexplained",
		[WHY_FEW] = "few",           [WHY_UNPAIRED] = "unpaired",
		[WHY_CONSTANT] = "constant", [WHY_MEANS] = "means",
	};

	return json_pack(
		"{s:s, s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o}",
		"verdict", verdict_name(judgement->verdict), "why", whys[judgement->why],
		"sentence",
		json_text(words_verdict(&writing->arena, writing->analysis, difference)), "pairs",
		count(judgement->pairs), "relative", judgement->relative, "change",
		interval(&judgement->change), "means", interval(&judgement->means), "spread",
		interval(&judgement->spread), "reported",
		number(judgement->reported), "p_real", number(judgement->p_real), "p_within",
		number(judgement->p_within), "q_real", number(judgement->q_real), "q_within",
		number(judgement->q_within), "more_layouts", count(judgement->more_layouts),
		"confidence", number(judgement->confidence), "band", number(judgement->effect),
		"differences", pair_rows(difference));
}

static void write_differences(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	const struct record *record = writing->record;

	begin_list(writing, "differences");
	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];

		put_row(writing,
			json_pack("{s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:o, s:o}",
				  "metric", json_text(record->metrics.at[difference->metric].name),
				  "condition",
				  json_text(record->conditions.at[difference->condition].name),
				  "axis", json_text(analysis->portraits.at[difference->a].axis),
				  "judged", difference->judged, "judgement",
				  judgement_object(writing, difference), "unpaired",
				  interval(&difference->unpaired), "plain",
				  number(difference->plain), "u_test", number(difference->u_test),
				  "lkp_changed", difference->lkp_changed, "a", count(difference->a),
				  "b", count(difference->b)),
			i);
	}
	end_list(writing);
}

static void write_failures(struct writing *writing)
{
	const struct record *record = writing->record;

	begin_list(writing, "failures");
	for (size_t i = 0; i < writing->analysis->failures.count; i++) {
		const struct failure *failure = &writing->analysis->failures.at[i];
		const struct swept_layout *layout = &record->layouts.at[failure->layout];

		put_row(writing,
			json_pack(
				"{s:o, s:b, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "build",
				json_text(words_build(record, layout->build)), "plain",
				layout->plain, "seed", seed(layout->seed), "axis",
				json_text(layout->axis), "condition",
				failure->made
					? json_text(record->conditions.at[failure->condition].name)
					: json_null(),
				"state",
				failure->made ? words_run_state(failure->state) : "not made",
				"count", count(failure->count), "all", count(failure->all), "why",
				json_text(failure->why), "again",
				json_text(reproduce_failure(&writing->arena, record, failure))),
			i);
	}
	end_list(writing);
}

void json_write(const struct analysis *analysis, FILE *stream)
{
	struct writing writing = { .analysis = analysis,
				   .record = analysis->record,
				   .stream = stream };

	obstack_init(&writing.arena);
	fputs("{\"version\": 1", stream);
	put_member(&writing, "store", json_text(analysis->record->path));
	put_member(&writing, "measured", json_text(words_what(&writing.arena, analysis)));
	put_member(&writing, "answer", json_text(answer_text(&writing.arena, analysis)));
	put_member(&writing, "confidence", number(analysis->confidence));
	put_member(&writing, "effect", number(analysis->effect));
	put_member(&writing, "reported", number(analysis->reported));
	put_member(&writing, "best_of", count(analysis->best_of));
	put_member(&writing, "axes", json_text(analysis->record->axes));
	write_sessions(&writing);
	write_builds(&writing);
	write_conditions(&writing);
	write_metrics(&writing);
	write_portraits(&writing);
	write_differences(&writing);
	write_failures(&writing);
	fputs("}\n", stream);
	obstack_free(&writing.arena, NULL);
}
