/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What gnuplot drew as part of a page.
 */
#ifndef KERNING_REPORT_DRAWING_H
#define KERNING_REPORT_DRAWING_H

#include "report/gnuplot.h"

/*
 * Writes FIGURE to STREAM with TEXTS (COUNT of them) in the place of their words, inks as
 * variables of the page's style, and without what a page has of its own: titles that are
 * none, symbols, fonts.
 */
void drawing_write(const struct gnuplot_figure *figure, const char *const *texts, size_t count,
		   FILE *stream);

#endif
