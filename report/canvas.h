/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a figure consists of, before gnuplot is told: lines and points by kind and colour.
 */
#ifndef KERNING_REPORT_CANVAS_H
#define KERNING_REPORT_CANVAS_H

#include "report/gnuplot.h"

#define CANVAS_WIDTH 840	/* pixels: a column of the page */
#define CANVAS_NARROW 400	/* that of a narrow window */

enum canvas_point { CANVAS_DOT = 7, CANVAS_DIAMOND = 13 };	/* gnuplot's numbers */

struct canvas_layer {
	const char *style;
	char *text;
	size_t size;
	FILE *stream;		/* NULL: nothing is on it */
};

struct canvas {
	struct gnuplot *gnuplot;
	unsigned width, height;
	size_t figure;		/* its number */
	VEC(struct canvas_layer) layers;
};

/* Begins a figure of gnuplot's; LABEL as for gnuplot_begin(). */
void canvas_init(struct canvas *canvas, struct gnuplot *gnuplot, unsigned width, unsigned height,
		 const char *label);
/* Hands it to gnuplot, releases it, and returns the figure's number. */
size_t canvas_finish(struct canvas *canvas);

/* Leaves so many pixels around the plot. */
void canvas_margins(struct canvas *canvas, unsigned left, unsigned right, unsigned top,
		    unsigned bottom);

/* A layer above those before it, of lines WIDTH wide or of points of so many pixels. */
size_t canvas_lines(struct canvas *canvas, double width, enum ink ink);
size_t canvas_points(struct canvas *canvas, enum canvas_point point, double radius, enum ink ink);

/* A line from X, Y by DX, DY; a point, with what it tells who points at it. */
void canvas_line(struct canvas *canvas, size_t layer, double x, double y, double dx, double dy);
void canvas_point(struct canvas *canvas, size_t layer, double x, double y, const char *text);

/* TEXT centred or flush right at a place: gnuplot's coordinates, such as "graph 0.5, screen 1". */
void canvas_text(struct canvas *canvas, const char *text, const char *flush, enum ink ink,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
