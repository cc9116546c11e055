/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers: digits in base 10, 16 (0x) or 8 (0), and ld's K and M.
 */
#include "config.h"

#include "layout/number.h"

#include <stddef.h>
#include <string.h>

static unsigned digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

bool parse_number(const char *text, const char *end, uint64_t *value)
{
	unsigned base = 10;
	uint64_t scale = 1;

	if (end == NULL)
		end = text + strlen(text);
	if (end - text > 1 && (end[-1] == 'K' || end[-1] == 'k'))
		scale = 1 << 10;
	if (end - text > 1 && (end[-1] == 'M' || end[-1] == 'm'))
		scale = 1 << 20;
	if (scale > 1)
		end--;
	if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	} else if (end - text > 1 && text[0] == '0') {
		base = 8;
		text++;
	}
	if (text == end)
		return false;
	*value = 0;
	for (; text < end; text++) {
		unsigned digit = digit_value(*text);

		if (digit >= base || __builtin_mul_overflow(*value, base, value) ||
		    __builtin_add_overflow(*value, digit, value))
			return false;
	}
	return !__builtin_mul_overflow(*value, scale, value);
}
