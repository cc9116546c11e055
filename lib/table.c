/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables.
 */
#include "config.h"

#include "lib/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"

void table_init(struct table *table, const struct column *columns, size_t count)
{
	*table = (struct table){ .columns = columns, .count = count };
}

void table_release(struct table *table)
{
	for (size_t i = 0; i < table->cells.count; i++)
		free(table->cells.at[i].text);
	vec_release(&table->cells);
}

void table_add(struct table *table, const char *format, ...)
{
	struct cell *cell = vec_push(&table->cells);
	va_list arguments;

	cell->color = NULL;
	va_start(arguments, format);
	if (vasprintf(&cell->text, format, arguments) < 0)
		abort();
	va_end(arguments);
	/* Names come from files that anybody made: none of them shall steer the terminal. */
	for (char *p = cell->text; *p != '\0'; p++) {
		if ((unsigned char)*p < ' ' || *p == '\177')
			*p = '?';
	}
}

void table_color(struct table *table, const char *color)
{
	table->cells.at[table->cells.count - 1].color = color;
}

/* Characters, not bytes: names may hold any. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

/* Blanks are due until something follows them, so that no line ends in one. */
static void print_cell(FILE *stream, const char *text, size_t width, bool right, const char *color,
		       size_t *due)
{
	size_t length = text_width(text), blanks = width > length ? width - length : 0;

	if (right)
		*due += blanks;
	if (length > 0) {
		fprintf(stream, "%*s", (int)*due, "");
		*due = 0;
		if (color != NULL)
			fprintf(stream, "%s%s\033[0m", color, text);
		else
			fputs(text, stream);
	}
	*due += 2 + (right ? 0 : blanks);
}

void table_print(const struct table *table, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");
	bool color = isatty(fileno(stream)) && (no_color == NULL || no_color[0] == '\0');
	size_t *widths = xcalloc(table->count, sizeof *widths);
	size_t due = 0;

	for (size_t i = 0; i < table->count; i++)
		widths[i] = text_width(table->columns[i].heading);
	for (size_t i = 0; i < table->cells.count; i++) {
		size_t length = text_width(table->cells.at[i].text);

		if (widths[i % table->count] < length)
			widths[i % table->count] = length;
	}
	for (size_t i = 0; i < table->count; i++)
		print_cell(stream, table->columns[i].heading, widths[i], table->columns[i].right,
			   color ? "\033[1m" : NULL, &due);
	for (size_t i = 0; i < table->cells.count; i++) {
		const struct cell *cell = &table->cells.at[i];
		size_t column = i % table->count;

		if (column == 0) {
			putc('\n', stream);
			due = 0;
		}
		print_cell(stream, cell->text, widths[column], table->columns[column].right,
			   color ? cell->color : NULL, &due);
	}
	putc('\n', stream);
	free(widths);
}
