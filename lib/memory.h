/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that does not fail: a process without memory says so and ends,
 * as every program of this size does on Linux.
 */
#ifndef KERNING_LIB_MEMORY_H
#define KERNING_LIB_MEMORY_H

#include <obstack.h>
#include <stdarg.h>
#include <stddef.h>

/* By these three names libiberty allocates too: it takes them from here. */
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t size);
void *xrealloc_array(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
char *xvasprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same on an obstack. */
char *obstack_strdup(struct obstack *arena, const char *text);
char *obstack_strndup(struct obstack *arena, const char *text, size_t size);
char *obstack_format(struct obstack *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#define obstack_chunk_alloc xmalloc
#define obstack_chunk_free free

#endif
