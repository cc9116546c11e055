/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A row has its label on the left and its note on the right; in a narrow figure both stand
 * above what they are of.  The vertical axis is in pixels, from the bottom.
 */
#include "config.h"

#include "report/forest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report/amount.h"
#include "report/axis.h"
#include "report/canvas.h"
#include "report/markup.h"
#include "report/scale.h"
#include "report/words.h"

#define BOTTOM 30
#define LETTER 7.3		/* pixels, a wide one's */
#define NOTE_MAX 26		/* letters */

enum ink forest_ink(enum verdict verdict)
{
	static const enum ink inks[] = {
		[VERDICT_REAL] = INK_REAL, [VERDICT_LAYOUT] = INK_LAYOUT,
		[VERDICT_CANNOT_TELL] = INK_DOUBT,
	};

	return inks[verdict];
}

/* --- What stands around -------------------------------------------------- */

struct frame {
	struct canvas canvas;
	struct axis axis;
	bool narrow;
	size_t label, note;	/* letters of the longest ones */
	unsigned left, right;	/* pixels beside the plot */
	double row;		/* pixels */
};

static size_t letters(const char *text, size_t most)
{
	size_t count = 0;

	/* What takes three bytes or more is about as wide as two letters. */
	for (; *text != '\0'; text++)
		count += (((unsigned char)*text & 0xc0) != 0x80) + ((unsigned char)*text >= 0xe0);
	return count < most ? count : most;
}

static void frame_init(struct frame *frame, bool narrow)
{
	*frame = (struct frame){ .narrow = narrow, .row = narrow ? 42 : 26 };
	axis_init(&frame->axis);
}

/* There is to be room for these. */
static void frame_fit(struct frame *frame, const char *label, const char *note)
{
	size_t label_letters = letters(label, FOREST_LABEL), note_letters = letters(note, NOTE_MAX);

	frame->label = label_letters > frame->label ? label_letters : frame->label;
	frame->note = note_letters > frame->note ? note_letters : frame->note;
}

/*
 * Begins the figure: a plot HEIGHT high over the axis, which is finished; BAND to both
 * sides of 0 is marked as TEXT.
 */
static void frame_begin(struct frame *frame, struct gnuplot *gnuplot, const char *label,
			double height, const char *sign, const char *unit, double band,
			const char *text)
{
	unsigned top = band > 0 ? 26 : 8, width = frame->narrow ? CANVAS_NARROW : CANVAS_WIDTH;
	FILE *script = gnuplot->script;

	frame->left = frame->narrow ? 22 : (unsigned)(LETTER * (double)frame->label) + 32;
	frame->right = frame->narrow ? 22 : (unsigned)(LETTER * (double)frame->note) + 30;
	canvas_init(&frame->canvas, gnuplot, width, (unsigned)height + top + BOTTOM, label);
	canvas_margins(&frame->canvas, frame->left, frame->right, top, BOTTOM);
	axis_write(&frame->axis, "x", sign, unit, script);
	fprintf(script, "set yrange [0:%.9g]\nunset ytics\nset grid xtics lt 1 lw 1 lc rgb %s\n",
		height, gnuplot_ink(INK_GRID));
	if (band > 0) {
		fprintf(script,
			"set object rectangle from %.9g, graph 0 to %.9g, graph 1 "
			"fillcolor rgb %s fillstyle solid noborder behind\n",
			-band, band, gnuplot_ink(INK_BAND));
		canvas_text(&frame->canvas, text, "center", INK_MUTED, "0, screen %.5f",
			    1 - 10.0 / frame->canvas.height);
	}
	fprintf(script, "set arrow from 0, graph 0 to 0, graph 1 nohead lw 1 lc rgb %s back\n",
		gnuplot_ink(INK_MUTED));
}

/* A row's label and note; returns where its interval is to be.  Y is the row's middle. */
static double write_row(struct frame *frame, const char *label, const char *note, double y)
{
	struct obstack *arena = &frame->canvas.gnuplot->arena;
	double text = frame->narrow ? y + 10 : y;

	label = markup_shorten(arena, label, FOREST_LABEL);
	note = markup_shorten(arena, note, NOTE_MAX);
	if (frame->narrow) {
		canvas_text(&frame->canvas, label, "left", INK_TEXT, "screen 0.01, first %.9g",
			    text);
		canvas_text(&frame->canvas, note, "right", INK_MUTED, "screen 0.99, first %.9g",
			    text);
		return y - 9;
	}
	canvas_text(&frame->canvas, label, "right", INK_TEXT, "screen %.5f, first %.9g",
		    (frame->left - 12.0) / CANVAS_WIDTH, text);
	canvas_text(&frame->canvas, note, "left", INK_MUTED, "screen %.5f, first %.9g",
		    1 - (frame->right - 12.0) / CANVAS_WIDTH, text);
	return y;
}

/* An interval from one end of the axis to the other where it has no end of its own. */
static void draw_interval(struct frame *frame, size_t layer, struct interval interval, double y)
{
	double low = fmax(interval.low, frame->axis.low),
	       high = fmin(interval.high, frame->axis.high);

	if (!isnan(interval.low) && !isnan(interval.high) && high >= low)
		canvas_line(&frame->canvas, layer, low, y, high - low, 0);
}

/* --- Rows --------------------------------------------------------------- */

static struct interval percent(struct interval interval)
{
	return (struct interval){ 100 * interval.estimate, 100 * interval.low,
				  100 * interval.high };
}

static void choose_rows_axis(struct frame *frame, const struct forest_row *rows, size_t count,
			     double band)
{
	axis_include(&frame->axis, 0);
	for (size_t i = 0; i < count; i++) {
		axis_include(&frame->axis, 100 * rows[i].interval.estimate);
		axis_include(&frame->axis, 100 * rows[i].interval.low);
		axis_include(&frame->axis, 100 * rows[i].interval.high);
		axis_include(&frame->axis, 100 * rows[i].plain);
	}
	axis_include(&frame->axis, band);
	axis_include(&frame->axis, -band);
	axis_finish(&frame->axis, frame->narrow ? 4 : 6);
	if (isnan(band))
		frame->axis.low = 0;
}

static void draw_row(struct frame *frame, const struct forest_row *row, double y,
		     const size_t *lines, const size_t *points, size_t plain)
{
	struct obstack *arena = &frame->canvas.gnuplot->arena;

	y = write_row(frame, row->label, row->note, y);
	if (isfinite(row->plain))
		canvas_point(&frame->canvas, plain, 100 * row->plain, y,
			     obstack_format(arena, "%s: the plain builds show %s", row->label,
					    amount_percent(arena, row->plain, true)));
	draw_interval(frame, lines[row->ink], percent(row->interval), y);
	if (isfinite(row->interval.estimate))
		canvas_point(&frame->canvas, points[row->ink], 100 * row->interval.estimate, y,
			     row->text);
}

static size_t draw_rows(struct gnuplot *gnuplot, const char *label, const struct forest_row *rows,
			size_t count, double band, bool narrow)
{
	size_t lines[INKS], points[INKS], plain;
	struct frame frame;
	double height;

	frame_init(&frame, narrow);
	for (size_t i = 0; i < count; i++)
		frame_fit(&frame, rows[i].label, rows[i].note);
	choose_rows_axis(&frame, rows, count, band);
	height = frame.row * (double)count;
	frame_begin(&frame, gnuplot, label, height, isnan(band) ? "" : "+", "%%", band,
		    obstack_format(&gnuplot->arena, "within %g%%", band));
	for (size_t ink = 0; ink < INKS; ink++)
		lines[ink] = canvas_lines(&frame.canvas, 3, (enum ink)ink);
	for (size_t ink = 0; ink < INKS; ink++)
		points[ink] = canvas_points(&frame.canvas, CANVAS_DOT, 4.5, (enum ink)ink);
	plain = canvas_points(&frame.canvas, CANVAS_DIAMOND, 3.4, INK_PLAIN);
	for (size_t i = 0; i < count; i++)
		draw_row(&frame, &rows[i], height - frame.row * ((double)i + 0.5), lines, points,
			 plain);
	return canvas_finish(&frame.canvas);
}

struct forest forest_rows(struct gnuplot *gnuplot, const char *label, const struct forest_row *rows,
			  size_t count, double band)
{
	return (struct forest){
		.wide = draw_rows(gnuplot, label, rows, count, 100 * band, false),
		.narrow = draw_rows(gnuplot, label, rows, count, 100 * band, true),
	};
}

/* --- Pairs -------------------------------------------------------------- */

struct pairs {
	struct frame frame;
	struct obstack *arena;
	const struct analysis *analysis;
	const struct difference *difference;
	const struct judgement *judgement;
	const char *unit;
	struct scale scale;
	double seeds_height;
};

/* A ratio less 1, or a difference, as the axis has it. */
static double on_axis(const struct pairs *pairs, double value)
{
	return pairs->judgement->relative ? 100 * value : value * pairs->scale.factor;
}

static struct interval interval_on_axis(const struct pairs *pairs, struct interval interval)
{
	return (struct interval){ on_axis(pairs, interval.estimate), on_axis(pairs, interval.low),
				  on_axis(pairs, interval.high) };
}

static const char *change_text(const struct pairs *pairs, double change)
{
	return amount_change(pairs->arena, pairs->judgement, change, pairs->unit);
}

static const char *range_text(const struct pairs *pairs, const struct interval *interval)
{
	return amount_change_range(pairs->arena, pairs->judgement, interval, pairs->unit);
}

/* The difference of the pair INDEX: a logarithm where it is a ratio's. */
static double pair_value(const struct pairs *pairs, size_t index)
{
	double value = pairs->judgement->differences.at[index];

	return pairs->judgement->relative ? expm1(value) : value;
}

static double band_of(const struct pairs *pairs)
{
	double effect = pairs->judgement->effect;

	return on_axis(pairs, pairs->judgement->relative ? expm1(effect) : effect);
}

/* What is to be explained: reported by others, or what the plain builds show. */
static double reported(const struct pairs *pairs)
{
	return isnan(pairs->analysis->reported) ? pairs->difference->plain
						: pairs->judgement->reported;
}

static void choose_pairs_axis(struct pairs *pairs)
{
	const struct judgement *judgement = pairs->judgement;
	const struct interval intervals[] = { judgement->change, judgement->spread };
	struct axis *axis = &pairs->frame.axis;

	scale_choose(&pairs->scale, judgement->spread.high, pairs->unit);
	axis_include(axis, band_of(pairs));
	axis_include(axis, -band_of(pairs));
	axis_include(axis, on_axis(pairs, reported(pairs)));
	for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
		axis_include(axis, on_axis(pairs, intervals[i].low));
		axis_include(axis, on_axis(pairs, intervals[i].high));
	}
	for (size_t i = 0; i < judgement->differences.count; i++)
		axis_include(axis, on_axis(pairs, pair_value(pairs, i)));
	axis_finish(axis, pairs->frame.narrow ? 4 : 6);
}

struct seed {
	uint64_t seed;
	double value;
};

static int compare_seeds(const void *a, const void *b)
{
	const struct seed *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->seed > y->seed) - (x->seed < y->seed);
}

/* Each seed's difference, sorted, from BOTTOM up. */
static void draw_seeds(struct pairs *pairs, double bottom)
{
	const struct difference *difference = pairs->difference;
	size_t count = pairs->judgement->differences.count;
	size_t layer =
		canvas_points(&pairs->frame.canvas, CANVAS_DOT, count <= 60 ? 3 : 2, INK_MUTED);
	struct seed *seeds = xcalloc(count + 1, sizeof *seeds);

	if (count > difference->seeds.count)
		count = difference->seeds.count;
	for (size_t i = 0; i < count; i++)
		seeds[i] = (struct seed){ difference->seeds.at[i], pair_value(pairs, i) };
	qsort(seeds, count, sizeof *seeds, compare_seeds);
	for (size_t i = 0; i < count; i++)
		canvas_point(&pairs->frame.canvas, layer, on_axis(pairs, seeds[i].value),
			     bottom + pairs->seeds_height * ((double)i + 0.5) / (double)count,
			     obstack_format(pairs->arena, "seed %" PRIu64 ": %s", seeds[i].seed,
					    change_text(pairs, seeds[i].value)));
	free(seeds);
}

static void draw_change(struct pairs *pairs, const char *name, double y)
{
	const struct judgement *judgement = pairs->judgement;
	enum ink ink = pairs->difference->judged ? forest_ink(judgement->verdict) : INK_TEXT;
	size_t line = canvas_lines(&pairs->frame.canvas, 5, ink);
	size_t point = canvas_points(&pairs->frame.canvas, CANVAS_DOT, 5, ink);
	const char *range = range_text(pairs, &judgement->change);

	y = write_row(&pairs->frame, name, range, y);
	draw_interval(&pairs->frame, line, interval_on_axis(pairs, judgement->change), y);
	if (isfinite(judgement->change.estimate))
		canvas_point(&pairs->frame.canvas, point,
			     on_axis(pairs, judgement->change.estimate), y,
			     obstack_format(pairs->arena, "the change: %s (%s)",
					    change_text(pairs, judgement->change.estimate), range));
}

static void draw_reported(struct pairs *pairs, const char *name, double y)
{
	double change = reported(pairs);
	size_t layer = canvas_points(&pairs->frame.canvas, CANVAS_DIAMOND, 4.4, INK_PLAIN);
	const char *amount = isnan(change) ? "not run" : change_text(pairs, change);

	y = write_row(&pairs->frame, name, amount, y);
	if (isfinite(change))
		canvas_point(&pairs->frame.canvas, layer, on_axis(pairs, change), y,
			     obstack_format(pairs->arena, "%s: %s", name, amount));
}

static void draw_spread(struct pairs *pairs, const char *name, double y)
{
	const struct interval *spread = &pairs->judgement->spread;
	size_t layer = canvas_lines(&pairs->frame.canvas, 9, INK_A_SOFT);

	y = write_row(&pairs->frame, name, range_text(pairs, spread), y);
	draw_interval(&pairs->frame, layer, interval_on_axis(pairs, *spread), y);
}

static size_t draw_pairs(struct pairs *pairs, struct gnuplot *gnuplot, const char *label,
			 bool narrow)
{
	const char *names[] = {
		"single builds, 95%",
		isnan(pairs->analysis->reported) ? "the two plain builds" : "what was reported",
		obstack_format(pairs->arena, "the change, %.3g%% interval",
			       100 * pairs->judgement->confidence),
		"each seed",
	};
	struct frame *frame = &pairs->frame;
	double row;

	frame_init(frame, narrow);
	row = frame->row;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		frame_fit(frame, names[i], "");
	frame_fit(frame, "", range_text(pairs, &pairs->judgement->change));
	frame_fit(frame, "", range_text(pairs, &pairs->judgement->spread));
	choose_pairs_axis(pairs);
	frame_begin(frame, gnuplot, label, 3 * row + pairs->seeds_height + (narrow ? 22 : 0), "+",
		    pairs->judgement->relative ? "%%" : "", band_of(pairs),
		    obstack_format(pairs->arena, "within %s",
				   words_effect(pairs->arena, pairs->analysis, pairs->difference)));
	if (!pairs->judgement->relative)
		canvas_text(&frame->canvas, pairs->scale.unit, "right", INK_MUTED,
			    "graph 1, screen %.5f", 1 - 10.0 / frame->canvas.height);
	draw_spread(pairs, names[0], 0.5 * row);
	draw_reported(pairs, names[1], 1.5 * row);
	draw_change(pairs, names[2], 2.5 * row);
	write_row(frame, names[3], "",
		  3 * row + (narrow ? pairs->seeds_height : pairs->seeds_height / 2));
	draw_seeds(pairs, 3 * row);
	return canvas_finish(&frame->canvas);
}

struct forest forest_pairs(struct gnuplot *gnuplot, const struct analysis *analysis,
			   const struct difference *difference)
{
	const struct swept_metric *metric = &analysis->record->metrics.at[difference->metric];
	const char *which = words_which(&gnuplot->arena, analysis,
					&analysis->portraits.at[difference->a], false);
	const char *label = obstack_format(&gnuplot->arena,
					   "The change of %s%s%s: for each seed, and "
					   "over all",
					   metric->name, which[0] != '\0' ? ", " : "", which);
	struct pairs pairs = {
		.arena = &gnuplot->arena,
		.analysis = analysis,
		.difference = difference,
		.judgement = &difference->judgement,
		.unit = metric->unit,
		.seeds_height =
			fmin(150, fmax(40, 7 * (double)difference->judgement.differences.count)),
	};
	struct forest forest;

	forest.wide = draw_pairs(&pairs, gnuplot, label, false);
	forest.narrow = draw_pairs(&pairs, gnuplot, label, true);
	return forest;
}
