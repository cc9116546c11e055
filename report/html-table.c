/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of two builds a row is a change, of one a portrait.
 */
#include "config.h"

#include "report/html-table.h"

#include <math.h>

#include "report/amount.h"
#include "report/words.h"

/* The metric as a link to its section, and what tells the row from others. */
static void write_name(struct html *html, const struct portrait *portrait, bool with_build)
{
	fprintf(html->stream, "<tr><td class=\"name\"><a href=\"#m%zu\">", portrait->metric);
	html_text(html, "", html_name(html, portrait, with_build), "</a></td>");
}

static void write_number(struct html *html, const char *text)
{
	html_text(html, "<td class=\"n\">", text, "</td>");
}

static void write_range(struct html *html, const char *text)
{
	html_text(html, "<td class=\"n range\">", text, "</td>");
}

static void write_change(struct html *html, const struct difference *difference)
{
	const struct analysis *analysis = html->analysis;
	const struct judgement *judgement = &difference->judgement;
	const struct portrait *a = &analysis->portraits.at[difference->a];
	const struct portrait *b = &analysis->portraits.at[difference->b];
	const char *unit = html->record->metrics.at[difference->metric].unit;
	struct obstack *arena = &html->arena;

	write_name(html, a, false);
	fputs("<td>", html->stream);
	html_verdict(html, difference);
	fputs("</td>", html->stream);
	write_number(html, amount_change(arena, judgement, judgement->change.estimate, unit));
	write_range(html, amount_change_range(arena, judgement, &judgement->change, unit));
	write_number(html, amount_change(arena, judgement, difference->plain, unit));
	write_range(html, amount_change_range(arena, judgement, &judgement->spread, unit));
	write_number(html, amount_number(arena, a->components.mean.estimate, unit));
	write_number(html, amount_number(arena, b->components.mean.estimate, unit));
	fputs("</tr>\n", html->stream);
}

static void table_of_changes(struct html *html, bool told)
{
	const struct analysis *analysis = html->analysis;

	html_text(html,
		  "<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"All "
		  "metrics\"><table>"
		  "<thead><tr><th>metric</th><th>verdict</th><th class=\"n\">change</th>"
		  "<th class=\"n\">interval</th><th class=\"n\">plain builds</th>"
		  "<th class=\"n\">single builds, 95%</th><th class=\"n\">",
		  words_build(html->record, 0), "</th><th class=\"n\">");
	html_text(html, "", words_build(html->record, 1), "</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < analysis->differences.count; i++)
		if (analysis_tells(analysis, analysis->differences.at[i].metric) == told)
			write_change(html, &analysis->differences.at[i]);
	fputs("</tbody></table></div>\n", html->stream);
}

static void write_portrait(struct html *html, const struct portrait *portrait)
{
	const struct components *components = &portrait->components;
	const char *unit = html->record->metrics.at[portrait->metric].unit;
	struct obstack *arena = &html->arena;
	double plain = components->mean.estimate > 0
			       ? portrait->plain / components->mean.estimate - 1
			       : NAN;

	write_name(html, portrait, true);
	write_number(html, amount_number(arena, components->mean.estimate, unit));
	write_number(html, amount_percent(arena, components->sensitivity.estimate, false));
	write_range(html, amount_percent_range(arena, &components->sensitivity, false));
	write_number(html, amount_share(arena, components->share.estimate));
	write_range(html, amount_share_range(arena, &components->share));
	write_number(html, amount_p(arena, components->p));
	write_number(html, amount_percent(arena, plain, true));
	fputs("</tr>\n", html->stream);
}

static void table_of_portraits(struct html *html, bool told)
{
	const struct analysis *analysis = html->analysis;

	fputs("<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"All "
	      "metrics\"><table><thead><tr>"
	      "<th>metric</th><th class=\"n\">mean</th><th class=\"n\">layout s.d.</th>"
	      "<th class=\"n\">interval</th><th class=\"n\">of variance</th><th "
	      "class=\"n\">interval</th>"
	      "<th class=\"n\">p</th><th class=\"n\">plain</th></tr></thead><tbody>\n",
	      html->stream);
	for (size_t i = 0; i < analysis->portraits.count; i++)
		if (analysis_tells(analysis, analysis->portraits.at[i].metric) == told)
			write_portrait(html, &analysis->portraits.at[i]);
	fputs("</tbody></table></div>\n", html->stream);
}

void html_table(struct html *html, bool told)
{
	if (html->analysis->differences.count > 0)
		table_of_changes(html, told);
	else
		table_of_portraits(html, told);
}
