/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer in bold, a table, a sentence for each verdict, what failed, how to do it again.
 */
#include "config.h"

#include "report/markdown.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "report/amount.h"
#include "report/answer.h"
#include "report/reproduce.h"
#include "report/words.h"

#define FAILURES_MAX 10

struct writing {
	const struct analysis *analysis;
	const struct record *record;
	FILE *stream;
	struct obstack arena;
};

/* TEXT on one line, with what Markdown would read as its own escaped; "_" within a word is not. */
static void put_text(FILE *stream, const char *text)
{
	for (char before = ' '; *text != '\0'; before = *text++) {
		if (*text == '<' && text[1] != ' ')
			fputs("&lt;", stream);
		else if (*text == '&')
			fputs("&amp;", stream);
		else if (strchr("\\`*[]|~#", *text) != NULL ||
			 (*text == '_' &&
			  !(isalnum((unsigned char)before) && isalnum((unsigned char)text[1]))))
			fprintf(stream, "\\%c", *text);
		else
			putc(iscntrl((unsigned char)*text) ? ' ' : *text, stream);
	}
}

/* A block of code: fenced by more backticks than TEXT has in a row. */
static void put_code(FILE *stream, const char *text)
{
	size_t fence = 3, row = 0;

	for (const char *p = text; *p != '\0'; p++) {
		row = *p == '`' ? row + 1 : 0;
		fence = row >= fence ? row + 1 : fence;
	}
	for (size_t i = 0; i < fence; i++)
		putc('`', stream);
	fprintf(stream, "\n%s\n", text);
	for (size_t i = 0; i < fence; i++)
		putc('`', stream);
	putc('\n', stream);
}

static void put_cell(const struct writing *writing, const char *text)
{
	fputs("| ", writing->stream);
	put_text(writing->stream, text);
	putc(' ', writing->stream);
}

static const char *unit_of(const struct writing *writing, size_t metric)
{
	return writing->record->metrics.at[metric].unit;
}

static const char *metric_name(struct writing *writing, const struct portrait *portrait,
			       bool with_build)
{
	const char *which = words_which(&writing->arena, writing->analysis, portrait, with_build);
	const char *name = writing->record->metrics.at[portrait->metric].name;

	return which[0] == '\0' ? name : obstack_format(&writing->arena, "%s (%s)", name, which);
}

/* "2.3% (1.9% to 2.8%)", or the first alone. */
static const char *with_range(struct writing *writing, const char *amount, const char *range)
{
	return strcmp(range, "-") == 0 ? amount
				       : obstack_format(&writing->arena, "%s (%s)", amount, range);
}

/* --- Tables ------------------------------------------------------------- */

static void write_portraits(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	struct obstack *arena = &writing->arena;

	fputs("| metric | mean | layout s.d. | of variance | p |\n|---|--:|--:|--:|--:|\n",
	      writing->stream);
	for (size_t i = 0; i < analysis->portraits.count; i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];
		const struct components *components = &portrait->components;

		if (!analysis_tells(analysis, portrait->metric))
			continue;
		put_cell(writing, metric_name(writing, portrait, true));
		put_cell(writing, amount_number(arena, components->mean.estimate,
						unit_of(writing, portrait->metric)));
		put_cell(writing,
			 with_range(writing,
				    amount_percent(arena, components->sensitivity.estimate, false),
				    amount_percent_range(arena, &components->sensitivity, false)));
		put_cell(writing,
			 with_range(writing, amount_share(arena, components->share.estimate),
				    amount_share_range(arena, &components->share)));
		put_cell(writing, amount_p(arena, components->p));
		fputs("|\n", writing->stream);
	}
}

static void write_differences(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	struct obstack *arena = &writing->arena;

	fputs("| metric ", writing->stream);
	put_cell(writing, words_build(writing->record, 0));
	put_cell(writing, words_build(writing->record, 1));
	fputs("| change | single builds | verdict |\n|---|--:|--:|--:|--:|---|\n", writing->stream);
	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];
		const struct judgement *judgement = &difference->judgement;
		const struct portrait *a = &analysis->portraits.at[difference->a];
		const struct portrait *b = &analysis->portraits.at[difference->b];
		const char *unit = unit_of(writing, difference->metric);

		if (!analysis_tells(analysis, difference->metric))
			continue;
		put_cell(writing, metric_name(writing, a, false));
		put_cell(writing, amount_number(arena, a->components.mean.estimate, unit));
		put_cell(writing, amount_number(arena, b->components.mean.estimate, unit));
		put_cell(writing,
			 with_range(
				 writing,
				 amount_change(arena, judgement, judgement->change.estimate, unit),
				 amount_change_range(arena, judgement, &judgement->change, unit)));
		put_cell(writing, amount_change_range(arena, judgement, &judgement->spread, unit));
		if (difference->judged)
			fprintf(writing->stream, "| **%s** |\n", verdict_name(judgement->verdict));
		else
			fputs("| - |\n", writing->stream);
	}
}

/* --- Sentences ---------------------------------------------------------- */

static void write_sentence(struct writing *writing, const char *name, const char *sentence)
{
	fputs("- ", writing->stream);
	put_text(writing->stream, name);
	fputs(": ", writing->stream);
	put_text(writing->stream, sentence);
	putc('\n', writing->stream);
}

static void write_sentences(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;

	if (analysis_told(analysis) == 1)
		return;
	putc('\n', writing->stream);
	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];
		const struct portrait *portrait = &analysis->portraits.at[difference->b];

		if (difference->judged)
			write_sentence(writing, metric_name(writing, portrait, false),
				       words_verdict(&writing->arena, analysis, difference));
	}
	for (size_t i = 0; analysis->differences.count == 0 && i < analysis->portraits.count; i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];

		if (analysis_tells(analysis, portrait->metric))
			write_sentence(writing, metric_name(writing, portrait, true),
				       words_portrait(&writing->arena, analysis, portrait));
	}
}

static void write_failures(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;

	if (analysis->failures.count == 0)
		return;
	fputs("\n### What failed\n\n", writing->stream);
	for (size_t i = 0; i < analysis->failures.count && i < FAILURES_MAX; i++) {
		const struct failure *failure = &analysis->failures.at[i];

		put_text(writing->stream, words_failure(&writing->arena, analysis, failure));
		fputs(": ", writing->stream);
		put_text(writing->stream, words_reason(&writing->arena, failure));
		fputs("\n\n", writing->stream);
		put_code(writing->stream,
			 reproduce_failure(&writing->arena, writing->record, failure));
		putc('\n', writing->stream);
	}
	if (analysis->failures.count > FAILURES_MAX)
		fprintf(writing->stream, "... and %zu more.\n",
			analysis->failures.count - FAILURES_MAX);
}

static void write_noise(struct writing *writing)
{
	const struct analysis *analysis = writing->analysis;
	const struct machine *machine;

	if (analysis->machines.count == 0)
		return;
	machine = &analysis->machines.at[analysis->machines.count - 1];
	if (machine->cpu == NULL)
		return;
	putc('\n', writing->stream);
	put_text(writing->stream,
		 obstack_format(&writing->arena, "%s, Linux %s.", machine->cpu, machine->kernel));
	for (size_t i = 0; i < machine->noises.count; i++) {
		fputs(i == 0 ? " Noisy: " : "; ", writing->stream);
		put_text(writing->stream, words_noise(&writing->arena, &machine->noises.at[i]));
	}
	fputs(machine->noises.count > 0 ? ".\n" : "\n", writing->stream);
}

static void write_commands(struct writing *writing)
{
	const struct record *record = writing->record;

	if (record->sessions.count == 0)
		return;
	fputs("\nAgain:\n\n", writing->stream);
	put_code(writing->stream, record->sessions.at[0].command);
}

void markdown_write(const struct analysis *analysis, FILE *stream)
{
	struct writing writing = { .analysis = analysis,
				   .record = analysis->record,
				   .stream = stream };

	obstack_init(&writing.arena);
	if (analysis->portraits.count > 0) {
		fputs("**", stream);
		put_text(stream, answer_text(&writing.arena, analysis));
		fputs("**\n\n", stream);
	}
	put_text(stream, obstack_format(&writing.arena, "Measured: %s.",
					words_what(&writing.arena, analysis)));
	fputs("\n\n", stream);
	if (analysis->portraits.count > 0) {
		if (analysis->differences.count > 0)
			write_differences(&writing);
		else
			write_portraits(&writing);
		write_sentences(&writing);
	}
	write_failures(&writing);
	write_noise(&writing);
	write_commands(&writing);
	obstack_free(&writing.arena, NULL);
}
