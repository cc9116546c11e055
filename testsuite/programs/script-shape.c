/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script-shape [--seams] SCRIPT...
 *
 * Prints a line for each input section description of the scripts of a link:
 *
 *	table .data *(__dyndbg): symbols mark its begin and its end (line 12)
 *
 * one for each symbol that pins the statement that takes its definition; with
 * --seams instead one for each seam:
 *
 *	seam 17 in .text, 12 to 18 (line 20)	(statements by index)
 *	seam 301 behind .text (line 22)
 *
 * What is code is guessed from the names, as there are no objects; each statement
 * is taken to have content, but for those whose section names hold "empty".
 */
#include "config.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ldscripts/seam.h"
#include "ldscripts/shape.h"
#include "lib/memory.h"

static void print_seams(const struct matcher *matcher, struct obstack *arena)
{
	size_t count = matcher_count(matcher);
	struct seam_content *content = xcalloc(count + 1, sizeof *content);
	struct seams seams = { VEC_INIT };

	for (unsigned i = 0; i < count; i++) {
		const struct statement *statement = matcher_statement(matcher, i);
		bool executable = shape_looks_executable(statement);

		content[i].empty = strstr(statement_text(statement, arena), "empty") != NULL;
		content[i].movable = !content[i].empty &&
				     shape_of(statement, executable).kind == SHAPE_MOVABLE;
	}
	seams_find(&seams, matcher, content);
	for (size_t i = 0; i < seams.list.count; i++) {
		const struct seam *seam = &seams.list.at[i];
		unsigned line = source_position(seam->script->source, seam->offset).line;

		if (seam->table)
			printf("seam %u in %s, behind %u (line %u)\n", seam->number, seam->output,
			       seam->last, line);
		else if (seam->inside)
			printf("seam %u in %s, %u to %u (line %u)\n", seam->number, seam->output,
			       seam->first, seam->last, line);
		else
			printf("seam %u behind %s (line %u)%s\n", seam->number, seam->output, line,
			       seam->pooled ? ", pooled" : seam->made ? ", made" : "");
	}
	vec_release(&seams.list);
	free(content);
}

int main(int argc, char **argv)
{
	const struct script **scripts = xcalloc((size_t)argc, sizeof *scripts);
	size_t count = (size_t)argc - 1;
	bool seams = false;
	struct matcher *matcher;
	struct obstack arena;
	struct diag diag;

	if (argc > 1 && strcmp(argv[1], "--seams") == 0) {
		seams = true;
		argc--;
		argv++;
		count--;
	}
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

	if (seams)
		print_seams(matcher, &arena);
	for (unsigned i = 0; i < matcher_count(matcher) && !seams; i++) {
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
	for (const char *const *name = shape_pinned_symbols(matcher, &arena); *name && !seams; name++)
		printf("pinned %s\n", *name);

	matcher_free(matcher);
	for (size_t i = 0; i < count; i++)
		script_free((struct script *)scripts[i]);
	free(scripts);
	obstack_free(&arena, NULL);
	return 0;
}
