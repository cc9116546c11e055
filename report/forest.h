/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of intervals, one below the other.
 */
#ifndef KERNING_REPORT_FOREST_H
#define KERNING_REPORT_FOREST_H

#include "report/analysis.h"
#include "report/gnuplot.h"

#define FOREST_LABEL 26		/* letters that a label has room for */

struct forest_row {
	const char *label, *note;	/* on the left, on the right */
	const char *text;		/* told who points at it */
	struct interval interval;	/* parts of 1 */
	double plain;			/* what plain builds show; NaN: nothing */
	enum ink ink;
};

/* A figure's two forms: one is shown where there is room for it, else the other. */
struct forest {
	size_t wide, narrow;		/* their numbers */
};

/*
 * ROWS in percent, BAND to both sides of 0 marked (NaN: none, and nothing is below 0).
 * LABEL as for gnuplot_begin().
 */
struct forest forest_rows(struct gnuplot *gnuplot, const char *label,
			  const struct forest_row *rows, size_t count, double band);

/*
 * Of two builds: each seed's difference, the interval of the change, what the plain builds
 * show, and what single builds may.
 */
struct forest forest_pairs(struct gnuplot *gnuplot, const struct analysis *analysis,
			   const struct difference *difference);

/* The colour of a verdict. */
enum ink forest_ink(enum verdict verdict);

#endif
