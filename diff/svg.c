/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A band for each section: the strip of A above, that of B below, both from the
 * section's first byte on, and between them a ribbon from where a run of pieces
 * was to where it is.  Colour is by how far it moved within its section, so that
 * a section which moved as a whole is grey, and says so in words.
 *
 * A strip is so many columns, of which each has the colour of most of its bytes;
 * runs that are narrower than a ribbon are one, which goes where the largest of
 * them does.  So a picture of a kernel is no larger than one of a program.
 */
#include "config.h"

#include "diff/svg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diff/band.h"
#include "lib/file.h"
#include "lib/memory.h"

#define WIDTH 1240
#define LEFT 190		/* of it, before the strips */
#define STRIP_WIDTH 1010
#define COLUMNS 404
#define TOP 152			/* above the first band */
#define STRIP_HEIGHT 24
#define RIBBON_HEIGHT 62
#define BAND_HEIGHT (2 * STRIP_HEIGHT + RIBBON_HEIGHT + 76)
#define BANDS_MAX 8
#define REST_MAX 8
#define RIBBON_MIN 2.5		/* pixels */

static const char *const classes[BUCKETS] = {
	"same", "u1", "u2", "u3", "u4", "d1", "d2", "d3", "d4", "new", "gone",
};

/* What is legible on them. */
static const char *const shades[BUCKETS] = {
	"pale", "pale", "pale", "deep", "deep", "pale", "pale", "deep", "deep", "full", "full",
};

struct drawing {
	FILE *stream;
	const struct comparison *comparison;
	const struct steps *steps;
	struct bands bands;
	size_t drawn;			/* of the bands: those that are drawn */
};

static double scale(const struct band *band)
{
	uint64_t extent = band->a.extent > band->b.extent ? band->a.extent : band->b.extent;

	return (double)STRIP_WIDTH / (double)(extent > 0 ? extent : 1);
}

static void put_text(FILE *stream, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '&')
			fputs("&amp;", stream);
		else if (c == '<')
			fputs("&lt;", stream);
		else if (c == '>')
			fputs("&gt;", stream);
		else if (c == '"')
			fputs("&quot;", stream);
		else
			putc(c < ' ' || c >= 127 ? '?' : c, stream);
	}
}

/* --- Strips ------------------------------------------------------------- */

struct column {
	double bytes[BUCKETS];
};

static void fill_columns(struct column *columns, const struct band *band, const struct strip *strip)
{
	double width = scale(band) * COLUMNS / STRIP_WIDTH;

	for (size_t i = 0; i < strip->spots.count; i++) {
		const struct spot *spot = &strip->spots.at[i];
		double begin = (double)spot->at * width;
		double end = (double)(spot->at + (spot->piece->size > 0 ? spot->piece->size : 1)) *
			     width;
		enum bucket bucket = band_bucket(band, spot->change);

		for (size_t column = (size_t)begin; column < COLUMNS && (double)column < end;
		     column++) {
			double from = begin > (double)column ? begin : (double)column;
			double to = end < (double)column + 1 ? end : (double)column + 1;

			columns[column].bytes[bucket] += to - from;
		}
	}
}

/* The colour of most of a column; BUCKETS where little is in it. */
static unsigned main_bucket(const struct column *column)
{
	unsigned most = BUCKETS;
	double bytes = 0.02;

	for (unsigned bucket = 0; bucket < BUCKETS; bucket++) {
		if (column->bytes[bucket] > bytes) {
			bytes = column->bytes[bucket];
			most = bucket;
		}
	}
	return most;
}

static void draw_strip(const struct drawing *drawing, const struct band *band,
		       const struct strip *strip, int y)
{
	struct column *columns = xcalloc(COLUMNS, sizeof *columns);
	double width = (double)STRIP_WIDTH / COLUMNS;
	size_t first, end;

	fill_columns(columns, band, strip);
	fprintf(drawing->stream,
		"<rect class=\"empty\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, y,
		STRIP_WIDTH, STRIP_HEIGHT);
	for (first = 0; first < COLUMNS; first = end) {
		unsigned bucket = main_bucket(&columns[first]);

		for (end = first + 1; end < COLUMNS && main_bucket(&columns[end]) == bucket; end++)
			;
		if (bucket < BUCKETS)
			fprintf(drawing->stream,
				"<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" "
				"height=\"%d\"/>\n",
				classes[bucket], LEFT + (double)first * width, y,
				(double)(end - first) * width, STRIP_HEIGHT);
	}
	free(columns);
}

/* Names where there is room for them, in what is large. */
static void draw_names(const struct drawing *drawing, const struct band *band,
		       const struct strip *strip, int y)
{
	double width = scale(band), last = -1;

	for (size_t i = 0; i < strip->spots.count; i++) {
		const struct spot *spot = &strip->spots.at[i];
		const char *name = spot->piece->name;
		double x = (double)spot->at * width, room = (double)spot->piece->size * width;

		if (x <= last || room < 7.0 * (double)strlen(name) + 6)
			continue;
		last = x;
		fprintf(drawing->stream,
			"<rect class=\"edge\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>"
			"<text class=\"name on-%s\" x=\"%.1f\" y=\"%d\">",
			LEFT + x, y, room, STRIP_HEIGHT, shades[band_bucket(band, spot->change)],
			LEFT + x + room / 2, y + 16);
		put_text(drawing->stream, name);
		fputs("</text>\n", drawing->stream);
	}
}

/* --- Ribbons ------------------------------------------------------------ */

/* Runs that are drawn as one. */
struct ribbon {
	const struct step *largest;
	double a_begin, a_end, b_begin, b_end;	/* of the largest, pixels */
	double end;				/* of the last, in B */
	size_t runs, pieces;
};

static bool place_run(const struct band *band, const struct step *step, struct ribbon *ribbon)
{
	double width = scale(band);
	const struct spot *first_a = strip_spot(&band->a, step->first->a);
	const struct spot *last_a = strip_spot(&band->a, step->last->a);
	const struct spot *first_b = strip_spot(&band->b, step->first->b);
	const struct spot *last_b = strip_spot(&band->b, step->last->b);

	if (first_a == NULL || last_a == NULL || first_b == NULL || last_b == NULL)
		return false;
	*ribbon = (struct ribbon){
		.largest = step, .runs = 1, .pieces = step->pieces,
		.a_begin = LEFT + (double)first_a->at * width,
		.a_end = LEFT + (double)(last_a->at + last_a->piece->size) * width,
		.b_begin = LEFT + (double)first_b->at * width,
		.b_end = LEFT + (double)(last_b->at + last_b->piece->size) * width,
	};
	ribbon->end = ribbon->b_end;
	return true;
}

static void draw_ribbon(const struct drawing *drawing, const struct band *band,
			const struct ribbon *ribbon, int y)
{
	const struct step *step = ribbon->largest;
	enum bucket bucket = band_bucket(band, step->first);
	double a_end = ribbon->a_end, b_end = ribbon->b_end;
	char *cause = step_cause(step, drawing->comparison);

	if (a_end < ribbon->a_begin + 0.8)
		a_end = ribbon->a_begin + 0.8;
	if (b_end < ribbon->b_begin + 0.8)
		b_end = ribbon->b_begin + 0.8;
	fprintf(drawing->stream,
		"<polygon class=\"r %s\" points=\"%.1f,%d %.1f,%d %.1f,%d %.1f,%d\"><title>",
		classes[bucket], ribbon->a_begin, y, a_end, y, b_end, y + RIBBON_HEIGHT,
		ribbon->b_begin, y + RIBBON_HEIGHT);
	if (ribbon->runs > 1)
		fprintf(drawing->stream, "%zu steps of %zu, the largest: ", ribbon->runs,
			ribbon->pieces);
	fprintf(drawing->stream, "%+" PRId64 ", %zu, from ", step->shift, step->pieces);
	put_text(drawing->stream, change_piece(step->first)->name);
	fputs(": ", drawing->stream);
	put_text(drawing->stream, cause);
	fputs("</title></polygon>\n", drawing->stream);
	free(cause);
}

static void draw_ribbons(const struct drawing *drawing, const struct band *band, int y)
{
	struct ribbon ribbon = { .runs = 0 }, next;

	for (size_t i = 0; i < drawing->steps->runs.count; i++) {
		const struct step *step = &drawing->steps->runs.at[i];

		if (step->pieces == 0 || strcmp(step->section, band->section) != 0 ||
		    !place_run(band, step, &next))
			continue;
		if (ribbon.runs > 0 && next.end - ribbon.b_begin < RIBBON_MIN) {
			double begin = ribbon.b_begin;
			size_t runs = ribbon.runs + 1, pieces = ribbon.pieces + next.pieces;

			if (next.largest->bytes > ribbon.largest->bytes) {
				ribbon = next;
				ribbon.b_begin = begin;
			}
			ribbon.end = next.end;
			ribbon.runs = runs;
			ribbon.pieces = pieces;
			continue;
		}
		if (ribbon.runs > 0)
			draw_ribbon(drawing, band, &ribbon, y);
		ribbon = next;
	}
	if (ribbon.runs > 0)
		draw_ribbon(drawing, band, &ribbon, y);
}

/* --- The page ----------------------------------------------------------- */

static const char style[] =
	"<style>\n"
	"text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:12px;fill:#1c2128}\n"
	".page{fill:#ffffff}.empty{fill:#f0f2f5}.title{font-size:20px;font-weight:bold}\n"
	".section{font-size:14px;font-weight:bold}.dim{fill:#59636e}.right{text-anchor:end}\n"
	".name{text-anchor:middle;font-size:11px}.middle{text-anchor:middle}\n"
	".on-pale{fill:#0b0e12}.on-deep,.on-full{fill:#ffffff}\n"
	".axis{stroke:#8a94a0;stroke-width:1}.edge{fill:none;stroke:#59636e;stroke-width:.6}\n"
	".r{fill-opacity:.42}.r.same{fill-opacity:.30}\n"
	".same{fill:#b9c0c9}.new{fill:#2a9d5b}.gone{fill:#8e5bb8}\n"
	".u1{fill:#fbcf9d}.u2{fill:#f59b45}.u3{fill:#dd5f14}.u4{fill:#8f2f06}\n"
	".d1{fill:#bcd8f0}.d2{fill:#66a9d9}.d3{fill:#2171b5}.d4{fill:#0a3a78}\n"
	"@media (prefers-color-scheme:dark){\n"
	"text{fill:#e6e9ee}.page{fill:#14171c}.empty{fill:#20252c}.dim{fill:#9aa4b0}\n"
	".on-pale{fill:#ffffff}.on-deep{fill:#0b0e12}.axis{stroke:#6b7580}.edge{stroke:#9aa4b0}\n"
	".same{fill:#59626d}.new{fill:#2f9f62}.gone{fill:#a274c9}\n"
	".u1{fill:#7a4216}.u2{fill:#b4641f}.u3{fill:#e98a37}.u4{fill:#ffc78c}\n"
	".d1{fill:#1f476e}.d2{fill:#2f70ad}.d3{fill:#58a3e0}.d4{fill:#b9dcfb}\n"
	"}\n"
	"</style>\n";

static void draw_legend(const struct drawing *drawing)
{
	static const struct {
		enum bucket bucket;
		const char *text;
		int x;
	} entries[] = {
		{ DOWN_4096, "4096 and more", 190 }, { DOWN_64, "64", 308 }, { DOWN_16, "16", 352 },
		{ DOWN_1, "1", 396 }, { SAME, "0", 432 }, { UP_1, "1", 468 }, { UP_16, "16", 504 },
		{ UP_64, "64", 548 }, { UP_4096, "4096 and more", 592 }, { ONLY_B, "new", 728 },
		{ ONLY_A, "gone", 790 },
	};

	fprintf(drawing->stream, "<text x=\"24\" y=\"130\">moved, within its section</text>\n");
	fprintf(drawing->stream,
		"<text class=\"dim\" x=\"190\" y=\"110\">towards lower addresses, bytes</text>"
		"<text class=\"dim\" x=\"468\" y=\"110\">towards higher addresses, bytes</text>\n");
	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		fprintf(drawing->stream,
			"<rect class=\"%s\" x=\"%d\" y=\"119\" width=\"14\" height=\"14\"/>"
			"<text x=\"%d\" y=\"130\">%s</text>\n",
			classes[entries[i].bucket], entries[i].x, entries[i].x + 18,
			entries[i].text);
	fprintf(drawing->stream,
		"<text class=\"dim right\" x=\"%d\" y=\"130\">each strip has the colour of "
		"most of its bytes</text>\n",
		LEFT + STRIP_WIDTH);
}

/* A round number of bytes, so that there are four to ten of them. */
static uint64_t tick_of(uint64_t extent)
{
	uint64_t tick = 1;

	while (extent / tick > 10)
		tick *= 2;
	return tick;
}

static void draw_axis(const struct drawing *drawing, const struct band *band, int y)
{
	uint64_t extent = band->a.extent > band->b.extent ? band->a.extent : band->b.extent;
	uint64_t tick = tick_of(extent);
	double width = scale(band);

	for (uint64_t i = 0; i <= extent / tick; i++) {
		uint64_t at = i * tick;
		double x = LEFT + (double)at * width;
		const char *unit = tick >= 1048576 ? " MiB" : tick >= 1024 ? " KiB" : "";
		uint64_t number = tick >= 1048576 ? at >> 20 : tick >= 1024 ? at >> 10 : at;

		fprintf(drawing->stream,
			"<path class=\"axis\" d=\"M%.1f %dv5\"/><text class=\"dim middle\" "
			"x=\"%.1f\" y=\"%d\">%" PRIu64 "%s</text>\n",
			x, y, x, y + 18, number, at > 0 ? unit : "");
	}
}

static void draw_caption(const struct drawing *drawing, const struct band *band, int y)
{
	for (size_t i = 0; i < drawing->steps->moved.count; i++) {
		const struct step *step = drawing->steps->moved.at[i];
		char *cause;

		if (strcmp(step->section, band->section) != 0)
			continue;
		cause = step_cause(step, drawing->comparison);
		fprintf(drawing->stream,
			"<text class=\"dim\" x=\"%d\" y=\"%d\">largest step: %+" PRId64 ", %zu "
			"from ",
			LEFT, y, step->shift, step->pieces);
		put_text(drawing->stream, change_piece(step->first)->name);
		fputs(": ", drawing->stream);
		put_text(drawing->stream, cause);
		fputs("</text>\n", drawing->stream);
		free(cause);
		return;
	}
}

static void draw_side(const struct drawing *drawing, const struct strip *strip, const char *letter,
		      int y)
{
	fprintf(drawing->stream, "<text class=\"right\" x=\"%d\" y=\"%d\">", LEFT - 10, y + 16);
	if (strip->spots.count > 0)
		fprintf(drawing->stream, "<tspan class=\"dim\">0x%" PRIx64 "</tspan> ",
			strip->spots.at[0].piece->address);
	fprintf(drawing->stream, "%s</text>\n", letter);
}

static void draw_band(const struct drawing *drawing, const struct band *band, int y)
{
	int below = y + STRIP_HEIGHT + RIBBON_HEIGHT;

	fputs("<text class=\"section\" x=\"24\" y=\"", drawing->stream);
	fprintf(drawing->stream, "%d\">", y + STRIP_HEIGHT + 26);
	put_text(drawing->stream, band->section);
	fprintf(drawing->stream, "</text><text class=\"dim\" x=\"24\" y=\"%d\">",
		y + STRIP_HEIGHT + 44);
	if (band->shift != 0)
		fprintf(drawing->stream, "begins %+" PRId64 "</text>\n", band->shift);
	else
		fputs("begins where it did</text>\n", drawing->stream);
	draw_side(drawing, &band->a, "A", y);
	draw_side(drawing, &band->b, "B", below);
	draw_ribbons(drawing, band, y + STRIP_HEIGHT);
	draw_strip(drawing, band, &band->a, y);
	draw_strip(drawing, band, &band->b, below);
	draw_names(drawing, band, &band->a, y);
	draw_names(drawing, band, &band->b, below);
	draw_axis(drawing, band, below + STRIP_HEIGHT);
	draw_caption(drawing, band, below + STRIP_HEIGHT + 36);
}

/* Sections that moved as one need no picture. */
static void draw_rest(const struct drawing *drawing, int y)
{
	size_t listed = 0;

	if (drawing->drawn == 0 &&
	    (drawing->bands.list.count == 0 || drawing->bands.list.at[0].shifted == 0))
		fprintf(drawing->stream, "<text x=\"24\" y=\"%d\">Nothing moved", y);
	else
		fprintf(drawing->stream, "<text class=\"dim\" x=\"24\" y=\"%d\">", y);
	for (size_t i = drawing->drawn; i < drawing->bands.list.count && listed < REST_MAX; i++) {
		const struct band *band = &drawing->bands.list.at[i];

		if (band->changed > 0 || band->shifted == 0)
			continue;
		fputs(listed++ == 0 ? "Moved as a whole: " : ", ", drawing->stream);
		put_text(drawing->stream, band->section);
		fprintf(drawing->stream, " %+" PRId64, band->shift);
	}
	fputs("</text>\n", drawing->stream);
}

static void draw_page(const struct drawing *drawing)
{
	const struct comparison *comparison = drawing->comparison;
	int bottom = TOP + (int)drawing->drawn * BAND_HEIGHT, height = bottom + 44;
	size_t moved = 0, added = 0, removed = 0;

	for (size_t i = 0; i < comparison->changes.count; i++) {
		const struct change *change = &comparison->changes.at[i];

		moved += change->shown && change->shift != 0;
		added += change->shown && change->a == NULL;
		removed += change->shown && change->b == NULL;
	}
	fprintf(drawing->stream,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
		"height=\"%d\">\n<title>What moved</title>\n%s<rect class=\"page\" width=\"%d\" "
		"height=\"%d\"/>\n"
		"<text class=\"title\" x=\"24\" y=\"34\">%zu of %zu %s moved, %zu are new, %zu "
		"gone</text>\n"
		"<text x=\"24\" y=\"56\">A: ",
		WIDTH, height, WIDTH, height, style, WIDTH, height, moved, comparison->both,
		comparison->b->units ? "units" : "symbols", added, removed);
	put_text(drawing->stream, comparison->a->path);
	fputs("</text><text x=\"24\" y=\"74\">B: ", drawing->stream);
	put_text(drawing->stream, comparison->b->path);
	fputs("</text>\n", drawing->stream);
	draw_legend(drawing);
	for (size_t i = 0; i < drawing->drawn; i++)
		draw_band(drawing, &drawing->bands.list.at[i], TOP + (int)i * BAND_HEIGHT + 8);
	draw_rest(drawing, bottom + 24);
	fputs("</svg>\n", drawing->stream);
}

bool svg_write(const char *path, const struct comparison *comparison, const struct steps *steps,
	       struct diag *diag)
{
	struct drawing drawing = { .comparison = comparison, .steps = steps };
	struct outfile file;
	bool good = outfile_open(&file, path);

	bands_find(&drawing.bands, comparison);
	if (good) {
		while (drawing.drawn < drawing.bands.list.count && drawing.drawn < BANDS_MAX &&
		       drawing.bands.list.at[drawing.drawn].changed > 0)
			drawing.drawn++;
		drawing.stream = file.stream;
		draw_page(&drawing);
		good = outfile_commit(&file);
	}
	if (!good)
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot write \"%s\": %s", path,
				 strerror(errno));
	bands_release(&drawing.bands);
	return good;
}
