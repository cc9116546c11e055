/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that ends the process when there is no memory.
 */
#include "config.h"

#include "lib/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
	if (memory == NULL) {
		fputs("out of memory\n", stderr);
		exit(3);
	}
	return memory;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size > 0 ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
}

void *xrealloc(void *old, size_t size)
{
	return checked(realloc(old, size > 0 ? size : 1));
}

void *xrealloc_array(void *old, size_t count, size_t size)
{
	if (count == 0 || size == 0)
		count = size = 1;
	return checked(reallocarray(old, count, size));
}

char *xstrdup(const char *text)
{
	return checked(strdup(text));
}

char *xvasprintf(const char *format, va_list arguments)
{
	char *text;
	int length = vasprintf(&text, format, arguments);

	return checked(length < 0 ? NULL : text);
}

char *xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = xvasprintf(format, arguments);
	va_end(arguments);
	return text;
}

char *obstack_strdup(struct obstack *arena, const char *text)
{
	return obstack_strndup(arena, text, strlen(text));
}

char *obstack_strndup(struct obstack *arena, const char *text, size_t size)
{
	return obstack_copy0(arena, text, size);
}

char *obstack_format(struct obstack *arena, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	obstack_vprintf(arena, format, arguments);
	va_end(arguments);
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}
