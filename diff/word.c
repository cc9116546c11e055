/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking a line apart.
 */
#include "config.h"

#include "diff/word.h"

bool word_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\0';
}

struct word word_next(const char **at, const char *end)
{
	struct word word;

	while (*at < end && word_is_blank(**at))
		++*at;
	word.begin = *at;
	while (*at < end && !word_is_blank(**at))
		++*at;
	word.end = *at;
	return word;
}
