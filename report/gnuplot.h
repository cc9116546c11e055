/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that gnuplot draws, all in one run of it, to stand within a page.
 *
 * No text of ours is handed to gnuplot, whose strings have escapes and commands in them:
 * it gets a word for each, in whose place the text is put afterwards.  So are colours: an
 * ink is what the page's style says it is, by day and by night.
 */
#ifndef KERNING_REPORT_GNUPLOT_H
#define KERNING_REPORT_GNUPLOT_H

#include <obstack.h>
#include <stdbool.h>
#include <stdio.h>

#include "lib/diag.h"
#include "lib/vec.h"

enum ink {
	INK_TEXT, INK_MUTED, INK_GRID, INK_A, INK_B, INK_A_SOFT, INK_B_SOFT, INK_PLAIN, INK_BAND,
	INK_REAL, INK_LAYOUT, INK_DOUBT, INKS
};

struct gnuplot_figure {
	unsigned width, height;
	const char *label;		/* what it shows, for those who do not see it */
	const char *svg;		/* what was drawn, SIZE bytes; NULL: not yet */
	size_t size;
};

struct gnuplot {
	struct obstack arena;
	FILE *script;			/* what it will be told */
	char *text;
	size_t size;
	VEC(const char *) texts;	/* by the number in their word */
	VEC(struct gnuplot_figure) figures;
	char *drawn;
};

void gnuplot_init(struct gnuplot *gnuplot);
void gnuplot_release(struct gnuplot *gnuplot);

/*
 * Begins a figure, of so many pixels, and returns its number.  What follows in the script up
 * to the next is to have one plot.
 */
size_t gnuplot_begin(struct gnuplot *gnuplot, unsigned width, unsigned height, const char *label);
/*
 * The word for TEXT, to stand in a string of the script; its number, to be the text of what is
 * drawn "with labels hypertext".
 */
const char *gnuplot_word(struct gnuplot *gnuplot, const char *text);
size_t gnuplot_number(struct gnuplot *gnuplot, const char *text);
/* A colour for "rgb": "'#010003'". */
const char *gnuplot_ink(enum ink ink);
/* The name of its variable in the page's style: "--a". */
const char *gnuplot_ink_name(enum ink ink);

/* Has them all drawn.  False, reported, where there is no gnuplot, or where it fails. */
bool gnuplot_draw(struct gnuplot *gnuplot, struct diag *diag);
/* Writes a figure that was drawn, as an svg element. */
void gnuplot_write(const struct gnuplot *gnuplot, size_t figure, FILE *stream);
/* Writes what they all use, once a page. */
void gnuplot_write_symbols(FILE *stream);

#endif
