/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of runs: by layout, and in their order.
 */
#ifndef KERNING_REPORT_FIGURE_H
#define KERNING_REPORT_FIGURE_H

#include "report/analysis.h"
#include "report/gnuplot.h"

/*
 * A strip for each of COUNT portraits (indices; of one metric) beside each other on one
 * scale: a column a layout, sorted by median, the plain one among them; a point a run.
 * Returns the figure's number.
 */
size_t figure_strip(struct gnuplot *gnuplot, const struct analysis *analysis,
		    const size_t *portraits, size_t count);

/*
 * How far each run is from its layout's mean, in the order of the runs; and what rounds have
 * in common.
 */
size_t figure_order(struct gnuplot *gnuplot, const struct analysis *analysis,
		    const size_t *portraits, size_t count);

#endif
