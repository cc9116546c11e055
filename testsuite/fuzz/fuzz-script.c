/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as a linker script.  What the parser takes it prints unchanged;
 * and each statement of it can be matched with sections and has a shape.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ldscripts/edit.h"
#include "ldscripts/shape.h"
#include "lib/memory.h"

static void check_unchanged(const struct script *script, const uint8_t *bytes, size_t size)
{
	struct edits *edits = edits_new(script->source);
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);

	fuzz_check(stream != NULL && edits_write(edits, stream) && fclose(stream) == 0);
	fuzz_check(length == size && memcmp(text, bytes, size) == 0);
	free(text);
	edits_free(edits);
}

static void ask(struct matcher *matcher)
{
	static const struct match_section sections[] = {
		{ .file = "a.o", .section = ".text", .flags = 6, .type = 1 },
		{ .file = "b.o", .archive = "liba.a", .section = ".data.x", .flags = 3, .type = 1 },
		{ .file = "c.o", .section = "__ex_table", .flags = 2, .type = 1 },
	};
	const size_t count = sizeof sections / sizeof *sections;
	const char *const *pinned;
	struct obstack arena;

	obstack_init(&arena);
	matcher_resolve_constraints(matcher, sections, count);
	for (size_t i = 0; i < count; i++) {
		unsigned pattern;
		const struct statement *statement = matcher_match(matcher, &sections[i], &pattern);

		fuzz_check(statement == NULL || statement->index < matcher_count(matcher));
	}
	for (unsigned i = 0; i < matcher_count(matcher); i++) {
		const struct statement *statement = matcher_statement(matcher, i);

		fuzz_check(statement->index == i && statement->output_name != NULL);
		fuzz_check(shape_of(statement, shape_looks_executable(statement)).why != NULL);
		fuzz_check(statement_text(statement, &arena)[0] != '\0');
	}
	pinned = shape_pinned_symbols(matcher, &arena);
	for (size_t i = 1; pinned[0] != NULL && pinned[i] != NULL; i++)
		fuzz_check(strcmp(pinned[i - 1], pinned[i]) <= 0);
	obstack_free(&arena, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct script_options options = { .skip_includes = true };
	struct source *source = source_from_memory("fuzz", (const char *)bytes, size);
	FILE *messages = fuzz_messages();
	struct matcher *matcher;
	struct script *script;
	struct diag diag;

	diag_init(&diag, "fuzz", messages);
	script = script_parse(source, &options, &diag);
	fuzz_check((script == NULL) == (diag.errors > 0));
	if (script != NULL) {
		check_unchanged(script, bytes, size);
		matcher = matcher_new(&(const struct script *){ script }, 1, &diag);
		fuzz_check((matcher == NULL) == (diag.errors > 0));
		if (matcher != NULL)
			ask(matcher);
		matcher_free(matcher);
		script_free(script);
	}
	fclose(messages);
	return 0;
}
