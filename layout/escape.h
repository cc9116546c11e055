/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names as one word of text: bytes that would end the word or the line, and
 * '%' itself, are written %XX.
 */
#ifndef KERNING_LAYOUT_ESCAPE_H
#define KERNING_LAYOUT_ESCAPE_H

#include <obstack.h>
#include <stdbool.h>
#include <stddef.h>

/* What is escaped: each also has what the one before it has. */
enum escape {
	ESCAPE_LINE = 1,	/* controls and '%': the text is within one line */
	ESCAPE_WORD = 3,	/* blanks: one word */
	ESCAPE_SECTION = 7,	/* '(', ')', '#', ':': the section's name in an identity */
};

/*
 * TEXT escaped into BUFFER, cut to SIZE bytes with the NUL; returns the length
 * that it has.
 */
size_t escape_text(char *buffer, size_t size, const char *text, enum escape escape);

/* The bytes [begin, end) with %XX undone, in ARENA.  NULL: a '%' without two digits, or a NUL. */
const char *unescape_text(const char *begin, const char *end, struct obstack *arena);

#endif
