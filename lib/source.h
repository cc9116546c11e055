/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text that messages point into, and spans of it.
 */
#ifndef KERNING_LIB_SOURCE_H
#define KERNING_LIB_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct source {
	char *name;		/* as messages show it */
	char *text;		/* size bytes and a NUL behind them */
	size_t size;
};

/* Bytes [begin, end) of a source's text.  A span without a source is nowhere. */
struct span {
	const struct source *source;
	uint32_t begin, end;
};

/* 1-based line and column (in bytes) of an offset. */
struct position {
	unsigned line, column;
};

/* Reads a file whole.  NULL with errno set on failure.  source_free() frees it. */
struct source *source_read(const char *path);
/* A source from memory; copies both NAME and the SIZE bytes at TEXT. */
struct source *source_from_memory(const char *name, const char *text, size_t size);
void source_free(struct source *source);
struct position source_position(const struct source *source, uint32_t offset);

#endif
