/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Build 1 has a colour of its own; the plain layout has one, and another form: whoever does not
 * see colours sees that.
 */
#include "config.h"

#include "report/figure.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "report/amount.h"
#include "report/axis.h"
#include "report/canvas.h"
#include "report/markup.h"
#include "report/scale.h"
#include "report/words.h"
#include "sweep/sweep.h"

#define STRIP_HEIGHT 320
#define ORDER_HEIGHT 230
#define LEFT 66
#define RIGHT 14

/* What an axis is of, above its marks. */
static void write_unit(struct canvas *canvas, const char *unit)
{
	unit += strspn(unit, " ");
	if (unit[0] != '\0')
		canvas_text(canvas, unit, "right", INK_MUTED, "screen %.5f, screen %.5f",
			    (LEFT - 8.0) / CANVAS_WIDTH, 1 - 9.0 / canvas->height);
}

static void write_grid(struct canvas *canvas, const char *axis)
{
	fprintf(canvas->gnuplot->script, "set grid %s lt 1 lw 1 lc rgb %s\n", axis,
		gnuplot_ink(INK_GRID));
}

static const char *run_text(struct obstack *arena, const struct record *record, const char *which,
			    size_t index, double value, const char *unit)
{
	const struct swept_run *run = &record->runs.at[index];
	const struct swept_layout *layout = &record->layouts.at[run->layout];
	const char *name = layout->plain ? "the plain layout"
					 : obstack_format(arena, "seed %" PRIu64, layout->seed);

	return obstack_format(arena, "%s%s%s%s: %s\nround %u, run %u of the sweep", name,
			      which[0] != '\0' ? " (" : "", which, which[0] != '\0' ? ")" : "",
			      amount_number(arena, value, unit), run->round % SWEEP_ROUNDS_MAX + 1,
			      run->order + 1);
}

/* --- Strips ------------------------------------------------------------- */

struct strip {
	struct canvas canvas;
	const struct analysis *analysis;
	const char *unit;
	struct scale scale;
	struct axis axis;
	size_t columns;
	size_t ranges[2], dots[2], medians, plain_range, plain;	/* layers */
	double at;						/* where the next column stands */
	double tick;		/* how wide a median's is, in columns */
};

static size_t count_columns(const struct portrait *portrait)
{
	return portrait->sorted.count + (portrait->plain_sample.runs.count > 0);
}

/* The runs of LAYOUT of SAMPLE, which are RUNS in the record. */
static void add_column(struct strip *strip, const struct portrait *portrait,
		       const struct sample *sample, size_t layout, const size_t *runs, size_t range,
		       size_t points)
{
	struct obstack *arena = &strip->canvas.gnuplot->arena;
	const struct sample_layout *own = &sample->layouts.at[layout];
	const char *which = words_which(arena, strip->analysis, portrait, true);
	double low = INFINITY, high = -INFINITY, factor = strip->scale.factor;

	for (size_t i = own->first; i < own->first + own->count; i++) {
		double value = sample_run_mean(sample, i);

		canvas_point(&strip->canvas, points, strip->at, value * factor,
			     run_text(arena, strip->analysis->record, which, runs[i], value,
				      strip->unit));
		low = fmin(low, value);
		high = fmax(high, value);
	}
	if (high > low)
		canvas_line(&strip->canvas, range, strip->at, low * factor, 0,
			    (high - low) * factor);
	strip->at++;
}

static void add_plain(struct strip *strip, const struct portrait *portrait)
{
	if (portrait->plain_sample.runs.count > 0)
		add_column(strip, portrait, &portrait->plain_sample, 0, portrait->plain_runs.at,
			   strip->plain_range, strip->plain);
}

static void add_portrait(struct strip *strip, const struct portrait *portrait)
{
	size_t side = portrait->build == 1, i;

	for (i = 0; i < portrait->sorted.count; i++) {
		if (i == portrait->plain_rank)
			add_plain(strip, portrait);
		add_column(strip, portrait, &portrait->sample, portrait->sorted.at[i],
			   portrait->runs.at, strip->ranges[side], strip->dots[side]);
		canvas_line(&strip->canvas, strip->medians, strip->at - 1 - strip->tick / 2,
			    portrait->medians.at[i] * strip->scale.factor, strip->tick, 0);
	}
	if (i == portrait->plain_rank)
		add_plain(strip, portrait);
}

static void include_sample(struct axis *axis, const struct sample *sample)
{
	for (size_t i = 0; i < sample->runs.count; i++)
		axis_include(axis, sample_run_mean(sample, i));
}

static void choose_axis(struct strip *strip, const size_t *portraits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct portrait *portrait = &strip->analysis->portraits.at[portraits[i]];

		include_sample(&strip->axis, &portrait->sample);
		include_sample(&strip->axis, &portrait->plain_sample);
		strip->columns += count_columns(portrait);
	}
	scale_choose(&strip->scale, fmax(fabs(strip->axis.low), fabs(strip->axis.high)),
		     strip->unit);
	strip->axis.low *= strip->scale.factor;
	strip->axis.high *= strip->scale.factor;
	axis_finish(&strip->axis, 5);
}

/* What moves least is drawn first; the narrower a column, the smaller what stands in it. */
static void add_layers(struct strip *strip, double gap, size_t count)
{
	double width = CANVAS_WIDTH - LEFT - RIGHT;
	double column = width / ((double)strip->columns + gap * (double)count);
	double radius = fmin(3.2, fmax(1.5, 0.36 * column));
	double thick = fmin(3, fmax(0.8, 0.3 * column));
	struct canvas *canvas = &strip->canvas;

	strip->tick = fmin(0.8, 26 / column);
	strip->ranges[0] = canvas_lines(canvas, thick, INK_A_SOFT);
	strip->ranges[1] = canvas_lines(canvas, thick, INK_B_SOFT);
	strip->plain_range = canvas_lines(canvas, thick, INK_PLAIN);
	strip->medians = canvas_lines(canvas, 1.6, INK_TEXT);
	strip->dots[0] = canvas_points(canvas, CANVAS_DOT, radius, INK_A);
	strip->dots[1] = canvas_points(canvas, CANVAS_DOT, radius, INK_B);
	strip->plain = canvas_points(canvas, CANVAS_DIAMOND, 1.1 * radius + 0.8, INK_PLAIN);
}

/*
 * What tells the portrait from those beside it, as words below each other: "@1@\n@2@".
 * LINES grows to how many there are.
 */
static const char *strip_label(struct strip *strip, const struct portrait *portrait, size_t count,
			       size_t *lines)
{
	const struct record *record = strip->analysis->record;
	struct gnuplot *gnuplot = strip->canvas.gnuplot;
	const char *parts[] = {
		record->builds.count > 1 ? words_build(record, portrait->build) : "",
		record->conditions.count > 1 ? words_condition(record, portrait->condition) : "",
		portrait->axis,
	};
	size_t room = (CANVAS_WIDTH - LEFT - RIGHT) / count / 7, used = 0;
	const char *label = "";

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i][0] == '\0')
			continue;
		label = obstack_format(
			&gnuplot->arena, "%s%s%s", label, used > 0 ? "\\n" : "",
			gnuplot_word(gnuplot, markup_shorten(&gnuplot->arena, parts[i], room)));
		used++;
	}
	if (used == 0) {
		label = gnuplot_word(gnuplot, obstack_format(&gnuplot->arena,
							     "%zu layouts, by their "
							     "median",
							     portrait->sorted.count));
		used = 1;
	}
	*lines = used > *lines ? used : *lines;
	return label;
}

size_t figure_strip(struct gnuplot *gnuplot, const struct analysis *analysis,
		    const size_t *portraits, size_t count)
{
	size_t index = analysis->portraits.at[portraits[0]].metric, lines = 0;
	const struct swept_metric *metric = &analysis->record->metrics.at[index];
	struct strip strip = { .analysis = analysis, .unit = metric->unit };
	const char *marks = "";
	double gap;

	canvas_init(&strip.canvas, gnuplot, CANVAS_WIDTH, STRIP_HEIGHT,
		    obstack_format(&gnuplot->arena, "%s of %s, by layout", metric->name,
				   words_runs(&gnuplot->arena, analysis)));
	axis_init(&strip.axis);
	choose_axis(&strip, portraits, count);
	gap = count > 1 ? fmax(1, 0.03 * (double)strip.columns) : 0.6;
	add_layers(&strip, gap, count);
	for (size_t i = 0; i < count; i++) {
		const struct portrait *portrait = &analysis->portraits.at[portraits[i]];
		double middle = strip.at + ((double)count_columns(portrait) - 1) / 2;

		marks = obstack_format(&gnuplot->arena, "%s%s\"%s\" %.6f", marks, i > 0 ? ", " : "",
				       strip_label(&strip, portrait, count, &lines), middle);
		add_portrait(&strip, portrait);
		strip.at += gap;
	}
	canvas_margins(&strip.canvas, LEFT, RIGHT, 24, (unsigned)(16 + 19 * lines));
	axis_write(&strip.axis, "y", "", "", gnuplot->script);
	fprintf(gnuplot->script, "set xrange [%.6f:%.6f]\nset xtics (%s)\n", -0.5 - gap / 2,
		strip.at - gap / 2 - 0.5, marks);
	write_grid(&strip.canvas, "ytics");
	write_unit(&strip.canvas, strip.scale.unit);
	return canvas_finish(&strip.canvas);
}

/* --- In their order ------------------------------------------------------ */

struct order {
	struct canvas canvas;
	const struct analysis *analysis;
	const char *unit;
	struct scale scale;
	struct axis axis;
	bool relative;		/* distances are parts of the mean */
	bool by_layout;		/* from a layout's mean; else from that of all */
	size_t dots[2], rounds[2];	/* layers */
	unsigned last;
};

/* How far VALUE is from MEAN, as the axis has it. */
static double distance(const struct order *order, double value, double mean)
{
	return order->relative ? 100 * (value / mean - 1) : (value - mean) * order->scale.factor;
}

static void add_run(struct order *order, const struct portrait *portrait, size_t index, double mean,
		    const char *which)
{
	const struct record *record = order->analysis->record;
	double value = sample_run_mean(&portrait->sample, index);
	double far = distance(order, value, mean);
	size_t run = portrait->runs.at[index];
	unsigned place = record->runs.at[run].order;

	axis_include(&order->axis, far);
	canvas_point(
		&order->canvas, order->dots[portrait->build == 1], place + 1, far,
		run_text(&order->canvas.gnuplot->arena, record, which, run, value, order->unit));
	order->last = place > order->last ? place : order->last;
}

static void add_runs(struct order *order, const struct portrait *portrait)
{
	const struct sample *sample = &portrait->sample;
	double all = portrait->components.mean.estimate;
	const char *which =
		words_which(&order->canvas.gnuplot->arena, order->analysis, portrait, true);

	for (size_t i = 0; i < sample->layouts.count; i++) {
		const struct sample_layout *layout = &sample->layouts.at[i];
		double mean = order->by_layout ? sample_layout_mean(sample, i) : all;

		if (order->by_layout && layout->count < 2)
			continue;
		for (size_t j = layout->first; j < layout->first + layout->count; j++)
			add_run(order, portrait, j, mean, which);
	}
	for (size_t i = 0; i < portrait->rounds.count; i++) {
		const struct told_round *round = &portrait->rounds.at[i];

		canvas_line(&order->canvas, order->rounds[portrait->build == 1], round->first + 1,
			    distance(order, all + round->distance, all), round->last - round->first,
			    0);
	}
}

/* A line where a sweep was broken off and went on. */
static void mark_sessions(struct order *order)
{
	const struct record *record = order->analysis->record;

	for (size_t i = 1; i < record->runs.count; i++) {
		const struct swept_run *run = &record->runs.at[i];

		if (run->session == record->runs.at[i - 1].session)
			continue;
		fprintf(order->canvas.gnuplot->script,
			"set arrow from %u.5, graph 0 to %u.5, graph 1 nohead dt (6,5) lw 1 lc rgb "
			"%s\n",
			run->order, run->order, gnuplot_ink(INK_MUTED));
		canvas_text(&order->canvas,
			    obstack_format(&order->canvas.gnuplot->arena, "session %zu",
					   run->session + 1),
			    "center", INK_MUTED, "%u.5, graph 1.07", run->order);
	}
}

/* Whether there is a layout with two runs or more. */
static bool has_rounds(const struct analysis *analysis, const size_t *portraits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (analysis->portraits.at[portraits[i]].rounds.count > 0)
			return true;
	return false;
}

static void add_order_layers(struct order *order, size_t runs, size_t portraits)
{
	bool pair = order->analysis->record->builds.count > 1;
	double radius = runs <= 300 ? 2.4 : runs <= 1500 ? 1.8 : 1.3;

	for (size_t i = 0; i < 2; i++)
		order->dots[i] =
			canvas_points(&order->canvas, CANVAS_DOT, radius, i == 0 ? INK_A : INK_B);
	for (size_t i = 0; i < 2; i++)
		order->rounds[i] = canvas_lines(&order->canvas, portraits > 2 ? 1 : 2.5,
						!pair    ? INK_TEXT
						: i == 0 ? INK_A
							 : INK_B);
}

size_t figure_order(struct gnuplot *gnuplot, const struct analysis *analysis,
		    const size_t *portraits, size_t count)
{
	const struct portrait *first = &analysis->portraits.at[portraits[0]];
	const struct swept_metric *metric = &analysis->record->metrics.at[first->metric];
	struct order order = { .analysis = analysis,
			       .unit = metric->unit,
			       .relative = true,
			       .by_layout = has_rounds(analysis, portraits, count) };
	double largest = 0;
	size_t runs = 0;

	canvas_init(&order.canvas, gnuplot, CANVAS_WIDTH, ORDER_HEIGHT,
		    obstack_format(&gnuplot->arena,
				   "How far each run of %s is from its layout's mean, "
				   "in the order of the runs",
				   metric->name));
	for (size_t i = 0; i < count; i++) {
		const struct sample *sample = &analysis->portraits.at[portraits[i]].sample;

		for (size_t j = 0; j < sample->values.count; j++) {
			order.relative = order.relative && sample->values.at[j] > 0;
			largest = fmax(largest, fabs(sample->values.at[j]));
		}
		runs += sample->runs.count;
	}
	scale_choose(&order.scale, largest, metric->unit);
	axis_init(&order.axis);
	axis_include(&order.axis, 0);
	add_order_layers(&order, runs, count);
	for (size_t i = 0; i < count; i++)
		add_runs(&order, &analysis->portraits.at[portraits[i]]);
	axis_finish(&order.axis, 4);
	canvas_margins(&order.canvas, LEFT, RIGHT,
		       order.relative && analysis->record->sessions.count < 2 ? 8 : 24, 30);
	axis_write(&order.axis, "y", "+", order.relative ? "%%" : "", gnuplot->script);
	if (!order.relative)
		write_unit(&order.canvas, order.scale.unit);
	fprintf(gnuplot->script, "set xrange [0:%u]\nset format x '%%.0f'\n", order.last + 2);
	write_grid(&order.canvas, "ytics");
	mark_sessions(&order);
	return canvas_finish(&order.canvas);
}
