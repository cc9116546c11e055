/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table on standard output: columns as wide as what is in them, a heading,
 * colour where it is a terminal.
 */
#ifndef KERNING_LIB_TABLE_H
#define KERNING_LIB_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/vec.h"

struct column {
	const char *heading;
	bool right;		/* numbers: flush right */
};

struct cell {
	char *text;
	const char *color;	/* escape sequence; NULL: none */
};

struct table {
	const struct column *columns;
	size_t count;			/* of columns */
	VEC(struct cell) cells;		/* row by row */
};

/* COLUMNS must outlive the table. */
void table_init(struct table *table, const struct column *columns, size_t count);
void table_release(struct table *table);
/* Adds the next cell, in the order of the columns, row by row. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Colours the cell added last: TABLE_GREEN, ... */
void table_color(struct table *table, const char *color);
void table_print(const struct table *table, FILE *stream);

#define TABLE_GREEN "\033[32m"
#define TABLE_YELLOW "\033[33m"
#define TABLE_RED "\033[31m"

#endif
