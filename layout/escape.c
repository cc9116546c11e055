/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * %XX, both ways.
 */
#include "config.h"

#include "layout/escape.h"

#include "lib/memory.h"

static const unsigned char escapes[256] = {
	[1 ... 31] = 1, ['\177'] = 1, ['%'] = 1,
	[' '] = 2,
	['('] = 4, [')'] = 4, ['#'] = 4,
};

size_t escape_text(char *buffer, size_t size, const char *text, enum escape escape)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t length = 0;

	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;
		char escaped[3] = { '%', digits[c >> 4], digits[c & 15] };

		if ((escapes[c] & escape) == 0) {
			if (length + 1 < size)
				buffer[length] = *text;
			length++;
			continue;
		}
		for (int i = 0; i < 3; i++, length++) {
			if (length + 1 < size)
				buffer[length] = escaped[i];
		}
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
