/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names come from benchmarks and command lines: any byte may be in them.
 */
#include "config.h"

#include "report/markup.h"

#include <stdbool.h>
#include <string.h>

#include "lib/memory.h"

#define REPLACEMENT "\357\277\275"

/* The length of the character of several bytes at TEXT; 0: there is none. */
static size_t character_length(const unsigned char *text)
{
	size_t length = text[0] >= 0xf0 && text[0] < 0xf5 ? 4 : text[0] >= 0xe0 ? 3 : 2;

	if (text[0] < 0xc2 || text[0] >= 0xf5)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong, surrogates, above U+10FFFF. */
	if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] >= 0xa0) ||
	    (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] >= 0x90))
		return 0;
	return length;
}

void markup_text(FILE *stream, const char *text)
{
	while (*text != '\0') {
		unsigned char c = (unsigned char)*text;
		size_t length = 1;

		if (c == '&')
			fputs("&amp;", stream);
		else if (c == '<')
			fputs("&lt;", stream);
		else if (c == '>')
			fputs("&gt;", stream);
		else if (c == '"')
			fputs("&quot;", stream);
		else if (c == '\'')
			fputs("&#39;", stream);
		else if ((c < ' ' && c != '\n' && c != '\t') || c == '\177')
			fputs(REPLACEMENT, stream);
		else if (c < 0x80)
			putc(c, stream);
		else if ((length = character_length((const unsigned char *)text)) > 0)
			fwrite(text, 1, length, stream);
		else
			fputs(REPLACEMENT, stream);
		text += length > 0 ? length : 1;
	}
}

const char *markup_shorten(struct obstack *arena, const char *text, size_t characters)
{
	const char *end = text;
	size_t count = 0, length = 0;

	for (const char *p = text; *p != '\0'; p++) {
		if (((unsigned char)*p & 0xc0) == 0x80)
			continue;
		if (count == characters - 3)
			end = p;
		count++;
	}
	length = count <= characters ? strlen(text) : (size_t)(end - text);
	return obstack_format(arena, "%.*s%s", (int)length, text, count <= characters ? "" : "...");
}
