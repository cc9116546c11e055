/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * %XX, both ways.
 */
#include "config.h"

#include "layout/escape.h"

#include <string.h>

#include "lib/memory.h"

static const unsigned char escapes[256] = {
	[1 ... 31] = 1, ['\177'] = 1, ['%'] = 1,
	[' '] = 2,
	['('] = 4, [')'] = 4, ['#'] = 4, [':'] = 4,
};

/* Appends SIZE bytes of TEXT to what is LENGTH bytes long, as far as there is room. */
static void append(char *buffer, size_t room, size_t length, const char *text, size_t size)
{
	if (length + 1 >= room)
		return;
	memcpy(buffer + length, text, size < room - 1 - length ? size : room - 1 - length);
}

size_t escape_text(char *buffer, size_t size, const char *text, enum escape escape)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t length = 0;

	for (;;) {
		const char *clean = text;
		unsigned char c;

		while (*text != '\0' && (escapes[(unsigned char)*text] & escape) == 0)
			text++;
		append(buffer, size, length, clean, (size_t)(text - clean));
		length += (size_t)(text - clean);
		if (*text == '\0')
			break;
		c = (unsigned char)*text++;
		append(buffer, size, length, (char[]){ '%', digits[c >> 4], digits[c & 15] }, 3);
		length += 3;
	}
	if (size > 0)
		buffer[length < size ? length : size - 1] = '\0';
	return length;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

const char *unescape_text(const char *begin, const char *end, struct obstack *arena)
{
	for (const char *p = begin; p < end; p++) {
		int c = (unsigned char)*p;

		if (c == '%') {
			int high = end - p > 2 ? hex_digit(p[1]) : -1;
			int low = end - p > 2 ? hex_digit(p[2]) : -1;

			c = high < 0 || low < 0 ? 0 : high << 4 | low;
			p += 2;
		}
		if (c == 0) {
			obstack_free(arena, obstack_finish(arena));
			return NULL;
		}
		obstack_1grow(arena, (char)c);
	}
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}
