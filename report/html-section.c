/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A section has the verdict and what it rests on; every run by layout; where the variance
 * is; the runs in their order; how to spend the next sweep.
 */
#include "config.h"

#include "report/html-section.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report/amount.h"
#include "report/figure.h"
#include "report/html-table.h"
#include "report/markup.h"
#include "report/words.h"

#define OPEN_MAX 6		/* sections that are open */
#define STRIPS_MAX 6		/* portraits in one strip */

/* --- Small parts -------------------------------------------------------- */

void html_text(struct html *html, const char *before, const char *text, const char *after)
{
	fputs(before, html->stream);
	markup_text(html->stream, text);
	fputs(after, html->stream);
}

void html_figure(struct html *html, size_t figure, const char *caption)
{
	fputs("<figure><div class=\"draw\">", html->stream);
	gnuplot_write(&html->gnuplot, figure, html->stream);
	fprintf(html->stream, "</div><figcaption>%s</figcaption></figure>\n", caption);
}

void html_verdict(struct html *html, const struct difference *difference)
{
	static const char *const classes[] = {
		[VERDICT_REAL] = "real",
		[VERDICT_LAYOUT] = "layout",
		[VERDICT_CANNOT_TELL] = "doubt",
	};
	enum verdict verdict = difference->judgement.verdict;

	if (difference->judged)
		fprintf(html->stream, "<span class=\"verdict %s\">%s</span>", classes[verdict],
			verdict_name(verdict));
	else
		putc('-', html->stream);
}

void html_forest(struct html *html, struct forest forest, const char *caption)
{
	fputs("<figure><div class=\"draw wide\">", html->stream);
	gnuplot_write(&html->gnuplot, forest.wide, html->stream);
	fputs("</div><div class=\"draw narrow\">", html->stream);
	gnuplot_write(&html->gnuplot, forest.narrow, html->stream);
	fprintf(html->stream, "</div><figcaption>%s</figcaption></figure>\n", caption);
}

const char *html_name(struct html *html, const struct portrait *portrait, bool with_build)
{
	const char *which = words_which(&html->arena, html->analysis, portrait, with_build);
	const char *name = html->record->metrics.at[portrait->metric].name;

	return which[0] == '\0' ? name : obstack_format(&html->arena, "%s (%s)", name, which);
}

/* Where there is little room the metric's name is cut, and not what tells it from others. */
const char *html_short_name(struct html *html, const struct portrait *portrait, bool with_build)
{
	const char *which = words_which(&html->arena, html->analysis, portrait, with_build);
	const char *name = html->record->metrics.at[portrait->metric].name;
	size_t taken = which[0] == '\0' ? 0 : strlen(which) + 3;

	name = markup_shorten(&html->arena, name,
			      taken + 8 > FOREST_LABEL ? 8 : FOREST_LABEL - taken);
	return which[0] == '\0' ? name : obstack_format(&html->arena, "%s (%s)", name, which);
}

const char *html_change(struct html *html, const struct difference *difference)
{
	const struct judgement *judgement = &difference->judgement;
	const char *unit = html->record->metrics.at[difference->metric].unit;

	return obstack_format(
		&html->arena, "%s (%s)",
		amount_change(&html->arena, judgement, judgement->change.estimate, unit),
		amount_change_range(&html->arena, judgement, &judgement->change, unit));
}

struct forest_row html_sensitivity_row(struct html *html, const struct portrait *portrait,
				       bool with_metric)
{
	const struct components *components = &portrait->components;
	struct obstack *arena = &html->arena;
	const char *which = words_which(arena, html->analysis, portrait, true);
	const char *label = with_metric ? html_short_name(html, portrait, true) : which;

	return (struct forest_row){
		.label = label,
		.interval = components->sensitivity,
		.plain = NAN,
		.ink = portrait->build == 1 ? INK_B : INK_A,
		.note = obstack_format(arena, "%s of variance",
				       amount_share(arena, components->share.estimate)),
		.text = obstack_format(
			arena,
			"%s: layout's s.d. is %s of the mean (%s), %s of variance "
			"(%s)",
			label, amount_percent(arena, components->sensitivity.estimate, false),
			amount_percent_range(arena, &components->sensitivity, false),
			amount_share(arena, components->share.estimate),
			amount_share_range(arena, &components->share)),
	};
}

/* --- Making ------------------------------------------------------------- */

static void add_strips(struct html *html, struct html_section *section)
{
	const struct analysis *analysis = html->analysis;
	size_t *portraits = xcalloc(section->count, sizeof *portraits), count = 0;

	for (size_t i = section->first; i < section->first + section->count; i++) {
		bool other = count > 0 && section->count > STRIPS_MAX &&
			     analysis->portraits.at[i].condition !=
				     analysis->portraits.at[portraits[0]].condition;

		if (other) {
			*vec_push(&section->strips) =
				figure_strip(&html->gnuplot, analysis, portraits, count);
			count = 0;
		}
		portraits[count++] = i;
	}
	*vec_push(&section->strips) = figure_strip(&html->gnuplot, analysis, portraits, count);
	for (size_t i = 0; i < section->count; i++)
		portraits[i] = section->first + i;
	section->order = figure_order(&html->gnuplot, analysis, portraits, section->count);
	free(portraits);
}

static void add_forest(struct html *html, struct html_section *section)
{
	struct forest_row *rows = xcalloc(section->count, sizeof *rows);

	for (size_t i = 0; i < section->count; i++)
		rows[i] = html_sensitivity_row(
			html, &html->analysis->portraits.at[section->first + i], false);
	if (section->count > 1) {
		section->forest = forest_rows(
			&html->gnuplot,
			obstack_format(&html->arena,
				       "Layout's standard deviation of %s, in percent of the mean",
				       html->record->metrics.at[section->metric].name),
			rows, section->count, NAN);
		section->has_forest = true;
	}
	free(rows);
}

void html_sections_make(struct html *html)
{
	const struct analysis *analysis = html->analysis;
	size_t difference = 0;

	for (size_t first = 0, end; first < analysis->portraits.count; first = end) {
		struct html_section section = { .metric = analysis->portraits.at[first].metric,
						.first = first,
						.first_difference = difference };

		for (end = first; end < analysis->portraits.count; end++)
			if (analysis->portraits.at[end].metric != section.metric)
				break;
		section.count = end - first;
		while (difference < analysis->differences.count &&
		       analysis->differences.at[difference].metric == section.metric)
			*vec_push(&section.pairs) = forest_pairs(
				&html->gnuplot, analysis, &analysis->differences.at[difference++]);
		section.differences = difference - section.first_difference;
		add_strips(html, &section);
		add_forest(html, &section);
		*vec_push(&html->sections) = section;
	}
}

void html_sections_release(struct html *html)
{
	for (size_t i = 0; i < html->sections.count; i++) {
		vec_release(&html->sections.at[i].strips);
		vec_release(&html->sections.at[i].pairs);
	}
	vec_release(&html->sections);
}

/* --- Writing ------------------------------------------------------------ */

static void write_differences(struct html *html, const struct html_section *section)
{
	for (size_t i = 0; i < section->differences; i++) {
		const struct difference *difference =
			&html->analysis->differences.at[section->first_difference + i];
		const struct portrait *portrait = &html->analysis->portraits.at[difference->b];
		const char *which = words_which(&html->arena, html->analysis, portrait, false);
		const char *single = words_single(&html->arena, difference);

		fputs("<p>", html->stream);
		if (which[0] != '\0')
			html_text(html, "<b>", which, "</b>: ");
		html_text(html, "", words_verdict(&html->arena, html->analysis, difference), "");
		if (single != NULL)
			html_text(html, " <span class=\"note\">", single, "</span>");
		fputs("</p>\n", html->stream);
		html_forest(
			html, section->pairs.at[i],
			obstack_format(
				&html->arena,
				"Each grey dot is one seed: both builds in the layout "
				"that it gives, so that layout is the same on both sides. Single "
				"builds: what one build of each, in any layout, may show. Green: "
				"what does not matter."));
	}
}

static void write_bar(struct html *html, const struct portrait *portrait)
{
	const struct {
		const char *class;
		double part;
	} parts[] = {
		{ "share-layout", portrait->parts.layout },
		{ "share-run", portrait->parts.run },
		{ "share-iteration", portrait->parts.iteration },
	};

	fputs("<span class=\"bar\">", html->stream);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (parts[i].part > 0.0005)
			fprintf(html->stream, "<i class=\"%s\" style=\"width:%.1f%%\"></i>",
				parts[i].class, 100 * parts[i].part);
	fputs("</span>", html->stream);
}

static void write_split(struct html *html, const struct html_section *section)
{
	struct obstack *arena = &html->arena;
	bool iterations = false;

	fputs("<h3>Where the variance of a run is</h3>\n<div class=\"split\">\n", html->stream);
	for (size_t i = section->first; i < section->first + section->count; i++) {
		const struct portrait *portrait = &html->analysis->portraits.at[i];
		const struct components *components = &portrait->components;
		const char *which = words_which(arena, html->analysis, portrait, true);

		iterations = iterations || portrait->parts.iteration > 0.0005;
		html_text(html, "<span>", which[0] != '\0' ? which : "layout", "</span>");
		write_bar(html, portrait);
		if (isnan(components->share.estimate))
			fputs("<span class=\"range\">not told</span>\n", html->stream);
		else
			html_text(html, "<span>",
				  obstack_format(arena, "%s (%s), p %s%s",
						 amount_share(arena, components->share.estimate),
						 amount_share_range(arena, &components->share),
						 components->p < 0.001 ? "" : "= ",
						 amount_p(arena, components->p)),
				  "</span>\n");
	}
	fputs("</div>\n<p class=\"note\"><span class=\"key share-layout\"></span>from layout to "
	      "layout "
	      "&ensp;<span class=\"key share-run\"></span>from run to run",
	      html->stream);
	if (iterations)
		fputs(" &ensp;<span class=\"key share-iteration\"></span>within a run",
		      html->stream);
	fputs("</p>\n", html->stream);
}

/* Which colours there are. */
static const char *strip_caption(struct html *html, const struct html_section *section)
{
	const struct analysis *analysis = html->analysis;
	bool plain = false, pair = html->record->builds.count > 1;

	for (size_t i = section->first; i < section->first + section->count; i++)
		plain = plain || analysis->portraits.at[i].plain_sample.runs.count > 0;
	return obstack_format(
		&html->arena,
		"Each column is a layout, each <span class=\"key a\"></span>%s"
		"dot a run of it, <span class=\"key dash\"></span> its median; columns are "
		"sorted by that.%s",
		pair ? " or <span class=\"key b\"></span>" : "",
		plain ? " <span class=\"key plain\"></span>The plain layout, which no policy "
			"touched: what one build shows."
		      : "");
}

static void write_summary(struct html *html, const struct html_section *section, bool open)
{
	const struct swept_metric *metric = &html->record->metrics.at[section->metric];
	const struct components *components =
		&html->analysis->portraits.at[section->first].components;
	struct obstack *arena = &html->arena;

	fprintf(html->stream, "<details class=\"metric\"%s><summary>", open ? " open" : "");
	html_text(html, "<h3>", metric->name, "</h3>");
	for (size_t i = 0; i < section->differences && i < 6; i++)
		html_verdict(html, &html->analysis->differences.at[section->first_difference + i]);
	if (section->differences == 1) {
		const struct difference *difference =
			&html->analysis->differences.at[section->first_difference];

		if (!isnan(difference->judgement.change.estimate))
			html_text(html, "<span class=\"range\">", html_change(html, difference),
				  "</span>");
	} else if (section->count == 1 && !isnan(components->share.estimate)) {
		html_text(html, "<span class=\"range\">layout's s.d. ",
			  amount_percent(arena, components->sensitivity.estimate, false), ", ");
		html_text(html, "", amount_share(arena, components->share.estimate),
			  " of variance</span>");
	}
	fprintf(html->stream, "</summary>\n<div class=\"body\" id=\"m%zu\">\n", section->metric);
}

/* The portrait of which most layouts are wanted. */
static const struct portrait *dearest(const struct analysis *analysis,
				      const struct html_section *section)
{
	const struct portrait *most = &analysis->portraits.at[section->first];

	for (size_t i = section->first; i < section->first + section->count; i++)
		if (analysis->portraits.at[i].spending.layouts > most->spending.layouts)
			most = &analysis->portraits.at[i];
	return most;
}

static void write_section(struct html *html, const struct html_section *section, bool open)
{
	const struct analysis *analysis = html->analysis;
	const char *spending;

	write_summary(html, section, open);
	write_differences(html, section);
	/* Of more the figures tell better; of one alone the head of the page does. */
	for (size_t i = section->first; section->count <= 2 && analysis->portraits.count > 1 &&
					i < section->first + section->count;
	     i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];
		const char *which = words_which(&html->arena, analysis, portrait, true);

		fputs("<p>", html->stream);
		if (which[0] != '\0')
			html_text(html, "<b>", which, "</b>: ");
		html_text(html, "", words_portrait(&html->arena, analysis, portrait), "</p>\n");
	}
	fputs("<h3>Every run, by layout</h3>\n", html->stream);
	for (size_t i = 0; i < section->strips.count; i++)
		html_figure(html, section->strips.at[i], strip_caption(html, section));
	write_split(html, section);
	if (section->has_forest) {
		fputs("<h3>Layout's standard deviation</h3>\n", html->stream);
		html_forest(html, section->forest, "In percent of the mean, with its interval.");
	}
	fputs("<h3>The runs in their order</h3>\n", html->stream);
	html_figure(html, section->order,
		    "How far each run is from the mean of its layout's runs; lines: "
		    "what the runs of a round have in common, which is drift of the machine and "
		    "counts as neither layout nor run.");
	spending = words_spending(&html->arena, analysis, dearest(analysis, section));
	if (spending != NULL)
		html_text(html, "<p class=\"note\">", spending, "</p>\n");
	fputs("</div></details>\n", html->stream);
}

size_t html_told(const struct html *html)
{
	size_t count = 0;

	for (size_t i = 0; i < html->sections.count; i++)
		count += analysis_tells(html->analysis, html->sections.at[i].metric);
	return count;
}

/* Those that are told of first come first. */
void html_sections_write(struct html *html)
{
	size_t told = html_told(html);

	for (size_t i = 0; i < html->sections.count; i++) {
		if (i == 0 && told > 0)
			fputs("<h2>What it rests on</h2>\n", html->stream);
		if (i == told) {
			fputs("<h2>What every run has, too</h2>\n", html->stream);
			html_table(html, false);
		}
		write_section(html, &html->sections.at[i], i < told && i < OPEN_MAX);
	}
}
