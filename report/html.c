/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer and why it is asked at all; a table of all metrics; a section for each, of which
 * the first are open; what failed, what was noisy, how to do it again.
 *
 * Sections are gone through twice: once for their figures, which gnuplot then draws all
 * together, and once to be written.
 */
#include "config.h"

#include "report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report/answer.h"
#include "report/forest.h"
#include "report/html-section.h"
#include "report/html-table.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/reproduce.h"
#include "report/words.h"

#define OVERVIEW_MAX 60		/* rows of the figure over all */
#define FAILURES_MAX 50

/* --- The figure over all ------------------------------------------------- */

static void add_change_rows(struct html *html, struct forest_row *rows, size_t *count)
{
	const struct analysis *analysis = html->analysis;

	for (size_t i = 0; i < analysis->differences.count && *count < OVERVIEW_MAX; i++) {
		const struct difference *difference = &analysis->differences.at[i];
		const struct judgement *judgement = &difference->judgement;
		const char *name =
			html_short_name(html, &analysis->portraits.at[difference->b], false);

		if (!difference->judged || !judgement->relative)
			continue;
		rows[(*count)++] = (struct forest_row){
			.label = name,
			.interval = judgement->change,
			.plain = difference->plain,
			.ink = forest_ink(judgement->verdict),
			.note = verdict_name(judgement->verdict),
			.text = obstack_format(&html->arena, "%s, %s: %s", name,
					       verdict_name(judgement->verdict),
					       html_change(html, difference)),
		};
	}
}

static void add_layout_rows(struct html *html, struct forest_row *rows, size_t *count)
{
	const struct analysis *analysis = html->analysis;

	for (size_t i = 0; i < analysis->portraits.count && *count < OVERVIEW_MAX; i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];

		if (analysis_tells(analysis, portrait->metric))
			rows[(*count)++] = html_sensitivity_row(html, portrait, true);
	}
}

static void draw_overview(struct html *html)
{
	struct forest_row *rows = xcalloc(OVERVIEW_MAX, sizeof *rows);
	size_t count = 0;

	if (html->analysis->differences.count > 0)
		add_change_rows(html, rows, &count);
	else
		add_layout_rows(html, rows, &count);
	if (count > 1 && html_told(html) > 1) {
		html->overview =
			html->analysis->differences.count > 0
				? forest_rows(&html->gnuplot,
					      "The change of each metric, with its interval", rows,
					      count, html->analysis->effect)
				: forest_rows(&html->gnuplot,
					      "Layout's standard deviation of each metric, in "
					      "percent of its mean",
					      rows, count, NAN);
		html->has_overview = true;
	}
	free(rows);
}

/* --- The head ----------------------------------------------------------- */

static void write_head(struct html *html)
{
	const char *answer = answer_text(&html->arena, html->analysis);
	const char *rest = strstr(answer, ". ");

	html_text(html, "<p class=\"kicker\">", "kerning report", " &middot; ");
	html_text(html, "", html->record->path, "</p>\n");
	html_text(html, "<h1>",
		  rest == NULL ? answer
			       : obstack_strndup(&html->arena, answer, (size_t)(rest - answer) + 1),
		  "</h1>\n");
	if (rest != NULL)
		html_text(html, "<p>", rest + 2, "</p>\n");
	html_text(html, "<p class=\"what\">Measured: ", words_what(&html->arena, html->analysis),
		  ".</p>\n");
	html_text(html, "<p class=\"lesson\">", words_lesson, "</p>\n");
}

static void write_overview(struct html *html)
{
	bool pair = html->analysis->differences.count > 0;

	if (html->sections.count == 0)
		return;
	fprintf(html->stream, "<h2>%s</h2>\n",
		pair ? "The change, metric by metric" : "How much is layout");
	if (html->has_overview)
		html_forest(html, html->overview,
			    pair ? "Dots: the change of each metric, with its interval, whose "
				   "colour is the "
				   "verdict's. Diamonds: what the two plain builds show. Green: "
				   "what does not "
				   "matter."
				 : "By how much a metric varies from layout to layout, one "
				   "standard deviation "
				   "in percent of the mean, with its interval.");
	html_table(html, true);
}

/* --- What failed, what was noisy ----------------------------------------- */

static void write_failures(struct html *html)
{
	const struct analysis *analysis = html->analysis;

	if (analysis->failures.count == 0)
		return;
	fputs("<h2 id=\"failed\">What failed</h2>\n", html->stream);
	for (size_t i = 0; i < analysis->failures.count && i < FAILURES_MAX; i++) {
		const struct failure *failure = &analysis->failures.at[i];

		html_text(html, "<div class=\"failure\"><p><b>",
			  words_failure(&html->arena, analysis, failure), "</b></p>\n");
		if (failure->why != NULL)
			html_text(html, "<p class=\"why\">", failure->why, "</p>\n");
		html_text(html, "<pre>", reproduce_failure(&html->arena, html->record, failure),
			  "</pre></div>\n");
	}
	if (analysis->failures.count > FAILURES_MAX)
		fprintf(html->stream,
			"<p class=\"note\">and %zu more, which the report as JSON has.</p>\n",
			analysis->failures.count - FAILURES_MAX);
}

static void write_machine(struct html *html)
{
	const struct analysis *analysis = html->analysis;
	const struct machine *machine = NULL;

	for (size_t i = 0; i < analysis->machines.count; i++)
		if (analysis->machines.at[i].cpu != NULL)
			machine = &analysis->machines.at[i];
	if (machine == NULL)
		return;
	html_text(html, "<h2>The machine</h2>\n<p>", machine->cpu, "");
	fprintf(html->stream, ", %u processor%s", machine->processors,
		machine->processors == 1 ? "" : "s");
	html_text(html, ", Linux ", machine->kernel != NULL ? machine->kernel : "?", "");
	fputs(machine->virtual ? ", a virtual one.</p>\n" : ".</p>\n", html->stream);
	if (machine->noises.count == 0) {
		fputs("<p>Nothing was found that makes it noisy.</p>\n", html->stream);
		return;
	}
	fputs("<div class=\"box\"><table><thead><tr><th>noisy</th><th>found</th><th>what would "
	      "help</th>"
	      "</tr></thead><tbody>\n",
	      html->stream);
	for (size_t i = 0; i < machine->noises.count; i++) {
		const struct noise *noise = &machine->noises.at[i];

		html_text(html, "<tr><td>", noise->name, "</td>");
		html_text(html, "<td class=\"prose\">", noise->state, "</td>");
		html_text(html, "<td class=\"prose\">",
			  noise->advice != NULL ? noise->advice : "", "</td></tr>\n");
	}
	fputs("</tbody></table></div>\n", html->stream);
}

/* --- How to do it again -------------------------------------------------- */

static void write_layout_command(struct html *html, const char *what, size_t layout)
{
	html_text(html, "<p>", what, "</p>\n");
	html_text(html, "<pre>", reproduce_layout(&html->arena, html->record, layout), "</pre>\n");
}

static void write_commands(struct html *html)
{
	const struct record *record = html->record;
	const struct portrait *portrait =
		html->analysis->portraits.count > 0 ? &html->analysis->portraits.at[0] : NULL;

	fputs("<h2>How to do it again</h2>\n", html->stream);
	for (size_t i = 0; i < record->sessions.count; i++) {
		const struct session *session = &record->sessions.at[i];

		html_text(html, "<p>In <code>", session->folder != NULL ? session->folder : "?",
			  "</code>");
		html_text(html, ", ", session->started != NULL ? session->started : "?", " UTC");
		html_text(html, session->ended != NULL ? " to " : "",
			  session->ended != NULL ? session->ended : ", broken off", ":</p>\n");
		html_text(html, "<pre>", session->command, "</pre>\n");
	}
	if (portrait != NULL && portrait->sorted.count > 1) {
		const char *name = record->metrics.at[portrait->metric].name;

		write_layout_command(html,
				     obstack_format(&html->arena,
						    "The layout in which %s is "
						    "lowest:",
						    name),
				     portrait->layouts.at[portrait->sorted.at[0]]);
		write_layout_command(
			html,
			obstack_format(&html->arena, "The one in which it is "
						     "highest:"),
			portrait->layouts.at[portrait->sorted.at[portrait->sorted.count - 1]]);
	}
	for (size_t i = 0; i < record->conditions.count; i++) {
		const struct condition *condition = &record->conditions.at[i];

		if (condition->enter == NULL || condition->enter[0] == '\0')
			continue;
		html_text(html, "<p>Condition ", words_condition(record, i), ": entered by <code>");
		html_text(html, "", condition->enter, "</code>, left by <code>");
		html_text(html, "", condition->leave != NULL ? condition->leave : "",
			  "</code></p>\n");
	}
}

bool html_write(const struct analysis *analysis, FILE *stream, struct diag *diag)
{
	struct html html = { .analysis = analysis, .record = analysis->record, .stream = stream };
	bool drawn;

	obstack_init(&html.arena);
	gnuplot_init(&html.gnuplot);
	html_sections_make(&html);
	draw_overview(&html);
	drawn = gnuplot_draw(&html.gnuplot, diag);
	if (drawn) {
		page_begin(stream, obstack_format(&html.arena, "%s: kerning report",
						  analysis->record->path));
		gnuplot_write_symbols(stream);
		write_head(&html);
		write_overview(&html);
		html_sections_write(&html);
		write_failures(&html);
		write_machine(&html);
		write_commands(&html);
		page_end(stream);
	}
	html_sections_release(&html);
	gnuplot_release(&html.gnuplot);
	obstack_free(&html.arena, NULL);
	return drawn;
}
