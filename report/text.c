/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer, a table, what failed, what to do next.  Columns that would say the same in
 * every row are left out.
 */
#include "config.h"

#include "report/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/table.h"
#include "report/amount.h"
#include "report/answer.h"
#include "report/reproduce.h"
#include "report/words.h"

#define SENTENCES_MAX 8
#define FAILURES_MAX 5
#define COLUMNS_MAX 12

struct writing {
	const struct analysis *analysis;
	const struct record *record;
	FILE *stream;
	struct obstack arena;
};

/* One line: names and messages may hold anything, and none shall steer the terminal. */
static void put_line(const struct writing *writing, const char *text)
{
	for (; *text != '\0'; text++)
		putc(iscntrl((unsigned char)*text) ? ' ' : *text, writing->stream);
	putc('\n', writing->stream);
}

static bool has_axes(const struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->portraits.count; i++)
		if (analysis->portraits.at[i].axis[0] != '\0')
			return true;
	return false;
}

static const char *unit_of(const struct writing *writing, size_t metric)
{
	return writing->record->metrics.at[metric].unit;
}

/* --- Tables ------------------------------------------------------------- */

/* The columns that tell rows apart. */
static size_t first_columns(const struct writing *writing, bool with_build, struct column *columns)
{
	size_t count = 0;

	columns[count++] = (struct column){ "METRIC", false };
	if (with_build && writing->record->builds.count > 1)
		columns[count++] = (struct column){ "BUILD", false };
	if (writing->record->conditions.count > 1)
		columns[count++] = (struct column){ "CONDITION", false };
	if (has_axes(writing->analysis))
		columns[count++] = (struct column){ "AXIS", false };
	return count;
}

static void first_cells(const struct writing *writing, struct table *table, bool with_build,
			const struct portrait *portrait)
{
	const struct record *record = writing->record;

	table_add(table, "%s", record->metrics.at[portrait->metric].name);
	if (with_build && record->builds.count > 1)
		table_add(table, "%s", words_build(record, portrait->build));
	if (record->conditions.count > 1)
		table_add(table, "%s", words_condition(record, portrait->condition));
	if (has_axes(writing->analysis))
		table_add(table, "%s", words_axis(portrait->axis));
}

static void portrait_row(struct writing *writing, struct table *table,
			 const struct portrait *portrait)
{
	const struct components *components = &portrait->components;
	const char *unit = unit_of(writing, portrait->metric);
	double plain = portrait->plain / components->mean.estimate - 1;

	first_cells(writing, table, true, portrait);
	table_add(table, "%s", amount_number(&writing->arena, components->mean.estimate, unit));
	table_add(table, "%s",
		  amount_percent(&writing->arena, components->sensitivity.estimate, false));
	table_add(table, "%s",
		  amount_percent_range(&writing->arena, &components->sensitivity, false));
	table_add(table, "%s", amount_share(&writing->arena, components->share.estimate));
	if (portrait->matters)
		table_color(table, TABLE_YELLOW);
	table_add(table, "%s", amount_share_range(&writing->arena, &components->share));
	table_add(table, "%s", amount_p(&writing->arena, components->p));
	table_add(
		table, "%s",
		amount_percent(&writing->arena, components->mean.estimate > 0 ? plain : NAN, true));
}

static void print_portraits(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	struct column columns[COLUMNS_MAX];
	size_t count = first_columns(writing, true, columns);
	struct table table;

	columns[count++] = (struct column){ "MEAN", true };
	columns[count++] = (struct column){ "LAYOUT S.D.", true };
	columns[count++] = (struct column){ "INTERVAL", true };
	columns[count++] = (struct column){ "OF VARIANCE", true };
	columns[count++] = (struct column){ "INTERVAL", true };
	columns[count++] = (struct column){ "P", true };
	columns[count++] = (struct column){ "PLAIN", true };
	table_init(&table, columns, count);
	for (size_t i = 0; i < analysis->portraits.count; i++)
		if (analysis_tells(analysis, analysis->portraits.at[i].metric))
			portrait_row(writing, &table, &analysis->portraits.at[i]);
	table_print(&table, writing->stream);
	table_release(&table);
}

static const char *verdict_color(enum verdict verdict)
{
	static const char *const colors[] = {
		[VERDICT_REAL] = TABLE_RED, [VERDICT_LAYOUT] = TABLE_GREEN,
		[VERDICT_CANNOT_TELL] = TABLE_YELLOW,
	};

	return colors[verdict];
}

static void difference_row(struct writing *writing, struct table *table,
			   const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;
	const struct portrait *a = &writing->analysis->portraits.at[difference->a];
	const struct portrait *b = &writing->analysis->portraits.at[difference->b];
	const char *unit = unit_of(writing, difference->metric);
	struct obstack *arena = &writing->arena;

	first_cells(writing, table, false, a);
	table_add(table, "%s", amount_number(arena, a->components.mean.estimate, unit));
	table_add(table, "%s", amount_number(arena, b->components.mean.estimate, unit));
	table_add(table, "%s", amount_change(arena, judgement, judgement->change.estimate, unit));
	table_add(table, "%s", amount_change_range(arena, judgement, &judgement->change, unit));
	table_add(table, "%s", amount_change(arena, judgement, difference->plain, unit));
	table_add(table, "%s", amount_change_range(arena, judgement, &judgement->spread, unit));
	table_add(table, "%s", difference->judged ? verdict_name(judgement->verdict) : "-");
	if (difference->judged)
		table_color(table, verdict_color(judgement->verdict));
}

static void print_differences(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	struct column columns[COLUMNS_MAX];
	size_t count = first_columns(writing, false, columns);
	struct table table;

	columns[count++] = (struct column){ words_build(writing->record, 0), true };
	columns[count++] = (struct column){ words_build(writing->record, 1), true };
	columns[count++] = (struct column){ "CHANGE", true };
	columns[count++] = (struct column){ "INTERVAL", true };
	columns[count++] = (struct column){ "PLAIN", true };
	columns[count++] = (struct column){ "SINGLE BUILDS", true };
	columns[count++] = (struct column){ "VERDICT", false };
	table_init(&table, columns, count);
	for (size_t i = 0; i < analysis->differences.count; i++)
		if (analysis_tells(analysis, analysis->differences.at[i].metric))
			difference_row(writing, &table, &analysis->differences.at[i]);
	table_print(&table, writing->stream);
	table_release(&table);
}

/* --- Sentences ---------------------------------------------------------- */

static void print_sentence(struct writing *writing, const struct portrait *portrait,
			   const char *sentence)
{
	const char *which = words_which(&writing->arena, writing->analysis, portrait,
					writing->analysis->differences.count == 0);
	const char *name = writing->record->metrics.at[portrait->metric].name;

	put_line(writing,
		 which[0] != '\0'
			 ? obstack_format(&writing->arena, "%s (%s): %s", name, which, sentence)
			 : obstack_format(&writing->arena, "%s: %s", name, sentence));
}

/* Where there is one alone, the answer has it. */
static void print_sentences(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	size_t told = 0, left = 0;

	if (analysis_told(analysis) == 1)
		return;
	putc('\n', writing->stream);

	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];

		if (!difference->judged)
			continue;
		if (told == SENTENCES_MAX)
			left++;
		else if (++told)
			print_sentence(writing, &analysis->portraits.at[difference->b],
				       words_verdict(&writing->arena, analysis, difference));
	}
	for (size_t i = 0; analysis->differences.count == 0 && i < analysis->portraits.count; i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];

		if (!analysis_tells(analysis, portrait->metric))
			continue;
		if (told == SENTENCES_MAX)
			left++;
		else if (++told)
			print_sentence(writing, portrait,
				       words_portrait(&writing->arena, analysis, portrait));
	}
	if (left > 0)
		fprintf(writing->stream, "... and %zu more, in the table above\n", left);
}

static void print_failures(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	size_t count = analysis->failures.count;

	if (count > 0)
		putc('\n', writing->stream);
	for (size_t i = 0; i < count && i < FAILURES_MAX; i++) {
		const struct failure *failure = &analysis->failures.at[i];

		put_line(writing, obstack_format(&writing->arena, "%s: %s",
						 words_failure(&writing->arena, analysis, failure),
						 words_reason(&writing->arena, failure)));
		put_line(writing, obstack_format(&writing->arena, "  again: %s",
						 reproduce_failure(&writing->arena, writing->record,
								   failure)));
	}
	if (count > FAILURES_MAX)
		fprintf(writing->stream, "... and %zu more that failed\n", count - FAILURES_MAX);
}

void text_write(const struct analysis *analysis, FILE *stream)
{
	struct writing writing = { .analysis = analysis,
				   .record = analysis->record,
				   .stream = stream };

	obstack_init(&writing.arena);
	put_line(&writing, obstack_format(&writing.arena, "%s: %s", analysis->record->path,
					  words_what(&writing.arena, analysis)));
	if (analysis->portraits.count > 0) {
		put_line(&writing, answer_text(&writing.arena, analysis));
		putc('\n', stream);
		if (analysis->differences.count > 0)
			print_differences(&writing);
		else
			print_portraits(&writing);
		print_sentences(&writing);
	}
	print_failures(&writing);
	obstack_free(&writing.arena, NULL);
}
