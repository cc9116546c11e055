/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script-shape SCRIPT...
 *
 * Prints a line for each input section description of the scripts of a link:
 *
 *	table .data *(__dyndbg): symbols mark its begin and its end (line 12)
 *
 * and one for each symbol that pins the statement that takes its definition.
 * What is code is guessed from the names, as there are no objects.
 */
#include "config.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "ldscripts/shape.h"
#include "lib/memory.h"

int main(int argc, char **argv)
{
	const struct script **scripts = xcalloc((size_t)argc, sizeof *scripts);
	size_t count = (size_t)argc - 1;
	struct matcher *matcher;
	struct obstack arena;
	struct diag diag;

	diag_init(&diag, "script-shape", stderr);
	obstack_init(&arena);
	for (size_t i = 0; i < count; i++) {
		struct source *source = source_read(argv[i + 1]);

		if (!source)
			err(2, "%s", argv[i + 1]);
		scripts[i] = script_parse(source, &(struct script_options){ 0 }, &diag);
		if (!scripts[i])
			return 1;
	}
	matcher = matcher_new(scripts, count, &diag);
	if (!matcher)
		return 1;

	for (unsigned i = 0; i < matcher_count(matcher); i++) {
		const struct statement *statement = matcher_statement(matcher, i);
		struct shape shape = shape_of(statement, shape_looks_executable(statement));

		printf("%s %s %s", shape_kind_name(shape.kind), statement->output_name,
		       statement_text(statement, &arena));
		if (shape.because) {
			const struct span *span = &shape.because->span;

			printf(": %s (line %u)", shape.why,
			       source_position(span->source, span->begin).line);
		}
		putchar('\n');
	}
	for (const char *const *name = shape_pinned_symbols(matcher, &arena); *name; name++)
		printf("pinned %s\n", *name);

	matcher_free(matcher);
	for (size_t i = 0; i < count; i++)
		script_free((struct script *)scripts[i]);
	free(scripts);
	obstack_free(&arena, NULL);
	return 0;
}
