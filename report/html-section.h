/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sections of the page: one a metric.
 */
#ifndef KERNING_REPORT_HTML_SECTION_H
#define KERNING_REPORT_HTML_SECTION_H

#include "report/analysis.h"
#include "report/forest.h"
#include "report/gnuplot.h"

struct html_section {
	size_t metric;
	size_t first, count;			/* of the portraits */
	size_t first_difference, differences;
	VEC(size_t) strips;			/* figures */
	VEC(struct forest) pairs;
	size_t order;
	struct forest forest;
	bool has_forest;
};

/* A page under way. */
struct html {
	const struct analysis *analysis;
	const struct record *record;
	FILE *stream;
	struct obstack arena;
	struct gnuplot gnuplot;
	VEC(struct html_section) sections;
	struct forest overview;
	bool has_overview;
};

/* Lists the sections and tells gnuplot of their figures. */
void html_sections_make(struct html *html);
void html_sections_write(struct html *html);
void html_sections_release(struct html *html);
/* How many metrics are told of first: see analysis_tells(). */
size_t html_told(const struct html *html);

/* Writes BEFORE and AFTER, which are markup, and between them TEXT, which is text. */
void html_text(struct html *html, const char *before, const char *text, const char *after);
/* Writes a figure that was drawn, or the two forms of one; CAPTION is markup. */
void html_figure(struct html *html, size_t figure, const char *caption);
void html_forest(struct html *html, struct forest forest, const char *caption);
/* The verdict on DIFFERENCE as a mark; "-" where there is none. */
void html_verdict(struct html *html, const struct difference *difference);

/* A portrait's metric, and what tells it from others: "find_bit (smt off)". */
const char *html_name(struct html *html, const struct portrait *portrait, bool with_build);
/* The same within FOREST_LABEL letters, if that is possible. */
const char *html_short_name(struct html *html, const struct portrait *portrait, bool with_build);
/* "+5.2% (+4.0% to +6.5%)". */
const char *html_change(struct html *html, const struct difference *difference);
/* Layout's s.d.; WITH_METRIC: the label has the metric's name. */
struct forest_row html_sensitivity_row(struct html *html, const struct portrait *portrait,
				       bool with_metric);

#endif
