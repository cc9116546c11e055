/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text in HTML and SVG.
 */
#ifndef KERNING_REPORT_MARKUP_H
#define KERNING_REPORT_MARKUP_H

#include <obstack.h>
#include <stdio.h>

/*
 * Writes TEXT so that it is text wherever it stands, in an attribute too: what markup would
 * read is escaped; control characters but a newline and a tab, and bytes that are no UTF-8,
 * are replaced.
 */
void markup_text(FILE *stream, const char *text);

/* TEXT of at most so many CHARACTERS, in ARENA: what is too long ends in "...". */
const char *markup_shorten(struct obstack *arena, const char *text, size_t characters);

#endif
