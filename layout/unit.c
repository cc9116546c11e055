/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Identities as text and in order.  This text is what seeds are hashed with:
 * to change a byte of it is to change every layout that was ever recorded.
 */
#include "config.h"

#include "layout/unit.h"

#include <string.h>

#include "layout/escape.h"
#include "lib/memory.h"

/* Where in a buffer the text goes on: what does not fit is counted only. */
struct cursor {
	char *buffer;
	size_t size, length;
};

static void put(struct cursor *cursor, const char *text, enum escape escape)
{
	size_t room = cursor->size > cursor->length ? cursor->size - cursor->length : 0;

	cursor->length += escape_text(room > 0 ? cursor->buffer + cursor->length : NULL, room, text,
				      escape);
}

size_t identity_format(char *buffer, size_t size, const struct identity *identity)
{
	struct cursor cursor = { buffer, size, 0 };

	put(&cursor, identity->file, ESCAPE_WORD);
	put(&cursor, "(", ESCAPE_WORD);
	put(&cursor, identity->section, ESCAPE_SECTION);
	if (identity->symbol != NULL) {
		put(&cursor, ":", ESCAPE_WORD);
		put(&cursor, identity->symbol, ESCAPE_SECTION);
	}
	if (identity->ordinal > 1) {
		char digits[16], *p = digits + sizeof digits - 1;

		*p = '\0';
		for (unsigned n = identity->ordinal; n > 0; n /= 10)
			*--p = (char)('0' + n % 10);
		*--p = '#';
		put(&cursor, p, ESCAPE_WORD);
	}
	put(&cursor, ")", ESCAPE_WORD);
	return cursor.length;
}

char *identity_string(const struct identity *identity)
{
	size_t length = identity_format(NULL, 0, identity);
	char *text = xmalloc(length + 1);

	identity_format(text, length + 1, identity);
	return text;
}

int identity_compare(const struct identity *a, const struct identity *b)
{
	int order = strcmp(a->file, b->file);

	if (order == 0)
		order = strcmp(a->section, b->section);
	if (order == 0)
		order = strcmp(a->symbol != NULL ? a->symbol : "", b->symbol != NULL ? b->symbol : "");
	if (order == 0)
		order = (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
	return order;
}

const char *opening_parenthesis(const char *begin, const char *last)
{
	unsigned depth = 0;

	for (const char *p = last; ; p--) {
		if (*p == ')')
			depth++;
		else if (*p == '(' && --depth == 0)
			return p;
		if (p == begin)
			return NULL;
	}
}

int unit_compare_lots(const struct unit *a, const struct unit *b)
{
	if (a->align != b->align)
		return a->align > b->align ? -1 : 1;
	return strcmp(a->identity.section, b->identity.section);
}
