/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LKP's columns: a mean with its relative standard deviation where that is 2% or more, the
 * change, the other mean, the metric's name.  A metric that is no ratio shows a difference.
 */
#include "config.h"

#include "report/lkp.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lib/memory.h"
#include "report/amount.h"
#include "report/words.h"

#define STDDEV_SHOWN 0.015	/* rounds to 2% */

struct side {
	double mean, deviation;
};

static struct side side_of(const struct portrait *portrait, bool plain)
{
	if (plain)
		return (struct side){ portrait->plain, portrait->plain_deviation };
	return (struct side){ portrait->components.mean.estimate,
			      sqrt(fmax(portrait->components.layout, 0)) };
}

/* So many columns of number, and six of deviation. */
static void put_side(FILE *stream, struct side side, int width)
{
	double deviation = fabs(side.deviation / side.mean);
	double magnitude = fabs(side.mean);

	if (isnan(side.mean))
		fprintf(stream, "%*s", width, "-");
	else if (magnitude >= 1e8 || (magnitude < 0.01 && magnitude > 0))
		fprintf(stream, "%*.3e", width, side.mean);
	else
		fprintf(stream, "%*.*f", width, magnitude >= 1000 ? 0 : 2, side.mean);
	if (isfinite(deviation) && deviation >= STDDEV_SHOWN)
		fprintf(stream, " \302\261%3.0f%%", 100 * deviation);
	else
		fputs("      ", stream);
}

static void put_change(FILE *stream, const struct judgement *judgement, double change)
{
	if (isnan(change))
		fprintf(stream, "%11s", "-");
	else if (judgement->relative)
		fprintf(stream, "%+10.1f%%", fabs(change) < 0.0005 ? 0 : 100 * change);
	else
		fprintf(stream, "%+11.3g", change);
}

/* The first MOST letters of a name. */
static void put_start(FILE *stream, const char *name, size_t most)
{
	for (size_t count = 0; *name != '\0'; name++) {
		count += ((unsigned char)*name & 0xc0) != 0x80;
		if (count > most)
			return;
		putc(iscntrl((unsigned char)*name) ? '?' : *name, stream);
	}
}

static void put_name(FILE *stream, const char *name)
{
	put_start(stream, name, SIZE_MAX);
}

static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static const char *row_name(struct obstack *arena, const struct analysis *analysis,
			    const struct difference *difference)
{
	const char *which =
		words_which(arena, analysis, &analysis->portraits.at[difference->a], false);
	const char *name = analysis->record->metrics.at[difference->metric].name;

	return which[0] == '\0' ? name : obstack_format(arena, "%s (%s)", name, which);
}

static void put_row(struct obstack *arena, const struct analysis *analysis,
		    const struct difference *difference, bool plain, size_t width, FILE *stream)
{
	const struct judgement *judgement = &difference->judgement;
	const char *unit = analysis->record->metrics.at[difference->metric].unit;
	const char *name = row_name(arena, analysis, difference);

	put_side(stream, side_of(&analysis->portraits.at[difference->a], plain), 10);
	put_change(stream, judgement, plain ? difference->plain : judgement->change.estimate);
	put_side(stream, side_of(&analysis->portraits.at[difference->b], plain), 11);
	fputs("  ", stream);
	put_name(stream, name);
	if (difference->judged)
		fprintf(stream, "%*s%s, %s", (int)(width - width_of(name)) + 2, "",
			verdict_name(judgement->verdict),
			amount_change_range(arena, judgement, &judgement->change, unit));
	putc('\n', stream);
}

static void put_head(const struct analysis *analysis, bool plain, FILE *stream)
{
	const char *a = words_build(analysis->record, 0), *b = words_build(analysis->record, 1);

	fprintf(stream, "%s:\n  ", plain ? "commit" : "commit (means over layouts)");
	put_name(stream, a);
	fputs("\n  ", stream);
	put_name(stream, b);
	fputs("\n\n", stream);
	put_start(stream, a, 16);
	fprintf(stream, "%*s", width_of(a) < 16 ? (int)(17 - width_of(a)) : 1, "");
	put_start(stream, b, 27);
	fputs("\n---------------- ---------------------------\n"
	      "         %stddev     %change         %stddev\n"
	      "             \\          |                \\\n",
	      stream);
}

void lkp_write(const struct analysis *analysis, FILE *stream)
{
	struct obstack arena;
	bool plain = true;
	size_t width = 0;

	obstack_init(&arena);
	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];
		size_t length = width_of(row_name(&arena, analysis, difference));

		plain = plain && !isnan(difference->plain);
		width = length > width ? length : width;
	}
	put_head(analysis, plain, stream);
	for (size_t i = 0; i < analysis->differences.count; i++)
		put_row(&arena, analysis, &analysis->differences.at[i], plain, width, stream);
	obstack_free(&arena, NULL);
}
