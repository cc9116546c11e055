/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables.
 */
#include "config.h"

#include "src/table.h"

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
}

void table_color(struct table *table, const char *color)
{
	table->cells.at[table->cells.count - 1].color = color;
}

static void print_cell(FILE *stream, const char *text, size_t width, bool right, bool last,
		       const char *color)
{
	size_t length = strlen(text), blanks = width > length ? width - length : 0;

	if (right)
		fprintf(stream, "%*s", (int)blanks, "");
	if (color != NULL)
		fprintf(stream, "%s%s\033[0m", color, text);
	else
		fputs(text, stream);
	if (last)
		putc('\n', stream);
	else
		fprintf(stream, "%*s", right ? 2 : (int)blanks + 2, "");
}

void table_print(const struct table *table, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");
	bool color = isatty(fileno(stream)) && (no_color == NULL || no_color[0] == '\0');
	size_t *widths = xcalloc(table->count, sizeof *widths);

	for (size_t i = 0; i < table->count; i++)
		widths[i] = strlen(table->columns[i].heading);
	for (size_t i = 0; i < table->cells.count; i++) {
		size_t length = strlen(table->cells.at[i].text);

		if (widths[i % table->count] < length)
			widths[i % table->count] = length;
	}
	for (size_t i = 0; i < table->count; i++)
		print_cell(stream, table->columns[i].heading, widths[i], table->columns[i].right,
			   i + 1 == table->count, color ? "\033[1m" : NULL);
	for (size_t i = 0; i < table->cells.count; i++) {
		const struct cell *cell = &table->cells.at[i];
		size_t column = i % table->count;

		print_cell(stream, cell->text, widths[column], table->columns[column].right,
			   column + 1 == table->count, color ? cell->color : NULL);
	}
	free(widths);
}
