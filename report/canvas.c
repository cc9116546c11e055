/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer is a block of data, and its part of the plot; one that stays empty is neither.
 */
#include "config.h"

#include "report/canvas.h"

#include <stdarg.h>
#include <stdlib.h>

#include "lib/memory.h"

#define POINT 4.5	/* pixels of radius that a point of size 1 has */

void canvas_init(struct canvas *canvas, struct gnuplot *gnuplot, unsigned width, unsigned height,
		 const char *label)
{
	*canvas = (struct canvas){ .gnuplot = gnuplot, .width = width, .height = height };
	canvas->figure = gnuplot_begin(gnuplot, width, height, label);
}

size_t canvas_finish(struct canvas *canvas)
{
	FILE *script = canvas->gnuplot->script;
	const char *before = "plot ";

	for (size_t i = 0; i < canvas->layers.count; i++) {
		struct canvas_layer *layer = &canvas->layers.at[i];

		if (layer->stream == NULL)
			continue;
		fclose(layer->stream);
		fprintf(script, "$layer%zu << END\n%sEND\n", i, layer->text);
		free(layer->text);
	}
	for (size_t i = 0; i < canvas->layers.count; i++) {
		if (canvas->layers.at[i].stream == NULL)
			continue;
		fprintf(script, "%s$layer%zu %s", before, i, canvas->layers.at[i].style);
		before = ", ";
	}
	fputs(before[0] == 'p' ? "plot NaN\n" : "\n", script);
	vec_release(&canvas->layers);
	return canvas->figure;
}

void canvas_margins(struct canvas *canvas, unsigned left, unsigned right, unsigned top,
		    unsigned bottom)
{
	fprintf(canvas->gnuplot->script,
		"set lmargin at screen %.5f\n"
		"set rmargin at screen %.5f\n"
		"set tmargin at screen %.5f\n"
		"set bmargin at screen %.5f\n",
		(double)left / canvas->width, 1 - (double)right / canvas->width,
		1 - (double)top / canvas->height, (double)bottom / canvas->height);
}

static size_t add_layer(struct canvas *canvas, const char *style)
{
	*vec_push(&canvas->layers) = (struct canvas_layer){ .style = style };
	return canvas->layers.count - 1;
}

size_t canvas_lines(struct canvas *canvas, double width, enum ink ink)
{
	return add_layer(canvas,
			 obstack_format(&canvas->gnuplot->arena,
					"using 1:2:3:4 with vectors nohead lw %.2f lc rgb %s",
					width, gnuplot_ink(ink)));
}

size_t canvas_points(struct canvas *canvas, enum canvas_point point, double radius, enum ink ink)
{
	return add_layer(canvas,
			 obstack_format(&canvas->gnuplot->arena,
					"using 1:2:3 with labels hypertext point pt %d ps %.3f "
					"lc rgb %s",
					(int)point, radius / POINT, gnuplot_ink(ink)));
}

static FILE *stream_of(struct canvas *canvas, size_t index)
{
	struct canvas_layer *layer = &canvas->layers.at[index];

	if (layer->stream == NULL)
		layer->stream = open_memstream(&layer->text, &layer->size);
	if (layer->stream == NULL)
		abort();
	return layer->stream;
}

void canvas_line(struct canvas *canvas, size_t layer, double x, double y, double dx, double dy)
{
	fprintf(stream_of(canvas, layer), "%.9g %.9g %.9g %.9g\n", x, y, dx, dy);
}

void canvas_point(struct canvas *canvas, size_t layer, double x, double y, const char *text)
{
	fprintf(stream_of(canvas, layer), "%.9g %.9g %zu\n", x, y,
		gnuplot_number(canvas->gnuplot, text));
}

void canvas_text(struct canvas *canvas, const char *text, const char *flush, enum ink ink,
		 const char *format, ...)
{
	va_list arguments;

	fprintf(canvas->gnuplot->script, "set label '%s' at ", gnuplot_word(canvas->gnuplot, text));
	va_start(arguments, format);
	vfprintf(canvas->gnuplot->script, format, arguments);
	va_end(arguments);
	fprintf(canvas->gnuplot->script, " %s textcolor rgb %s\n", flush, gnuplot_ink(ink));
}
