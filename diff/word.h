/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of a line of text, as parts of it.
 */
#ifndef KERNING_DIFF_WORD_H
#define KERNING_DIFF_WORD_H

#include <stdbool.h>

struct word {
	const char *begin, *end;
};

/* What parts words: blanks, and a NUL, which no name has. */
bool word_is_blank(char c);

/* The next word from *AT on of the line that ends at END, and *AT behind it; an empty one at the end. */
struct word word_next(const char **at, const char *end);

#endif
