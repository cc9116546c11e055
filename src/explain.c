/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning explain: what a linker script lets move, statement by statement.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/table.h"
#include "src/command.h"
#include "src/study.h"

struct explain {
	struct study study;
	const char *script;
	bool json, objects;
};

static const struct argp_option options[] = {
	{ "library-path", 'L', "DIR", 0, "Look for INCLUDEd files in DIR too", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct explain *explain = state->input;
	struct study *study = &explain->study;

	switch (key) {
	case 'L':
		study_word(study, "-L");
		study_word(study, argument);
		return 0;
	case 'j':
		explain->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (explain->script == NULL) {
			explain->script = argument;
			study_word(study, "-T");
			study_word(study, argument);
			study_word(study, "--whole-archive");
		} else {
			explain->objects = true;
			study_word(study, argument);
		}
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected a linker script");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "SCRIPT [OBJECT...]",
	.doc = "Says of each input section description of a linker script whether what it takes may "
	       "be moved, and why not:\n"
	       "\n"
	       "  movable  its sections may be parted, aligned and put in another order\n"
	       "  table    the program walks it from end to end: a gap would break it\n"
	       "  fixed    where it lies means something else\n"
	       "\n"
	       "With OBJECTs (or archives), also how many of their sections each takes, and how "
	       "many of these are units.\v"
	       "A script with INSERT is explained beside the one built into ld, as ld uses it.\n"
	       "\n"
	       "Examples:\n"
	       "  kerning explain arch/x86/kernel/vmlinux.lds\n"
	       "  kerning explain prog.lds *.o | grep -v movable\n"
	       "\n" EXIT_STATUS_HELP,
};

/* Where STMT stands: the line, with the file before it unless that is the script in question. */
static char *place(const struct explain *explain, const struct stmt *stmt)
{
	unsigned line = source_position(stmt->span.source, stmt->span.begin).line;

	if (strcmp(stmt->span.source->name, explain->script) == 0)
		return xasprintf("%u", line);
	return xasprintf("%s:%u", stmt->span.source->name, line);
}

static char *reason(const struct explain *explain, const struct statement *statement,
		    const struct shape *shape)
{
	char *line, *text;

	if (shape->because == NULL || shape->because == statement->stmt)
		return xstrdup(shape->why);
	line = place(explain, shape->because);
	text = xasprintf("%s (%s%s)", shape->why, strchr(line, ':') == NULL ? "line " : "", line);
	free(line);
	return text;
}

/* How many units each statement takes. */
static uint64_t *count_units(const struct study *study)
{
	uint64_t *units = xcalloc(matcher_count(study->scripts.matcher) + 1, sizeof *units);

	for (size_t i = 0; i < study->census.units.count; i++)
		units[study->census.units.at[i].statement] += !study->census.units.at[i].merged;
	return units;
}

static void print_table(const struct explain *explain, const uint64_t *units,
			const char *const *pinned)
{
	static const struct column with_objects[] = {
		{ "LINE", true }, { "OUTPUT", false }, { "KIND", false }, { "SECTIONS", true },
		{ "UNITS", true }, { "TAKES", false }, { "WHY", false },
	};
	static const struct column without[] = {
		{ "LINE", true }, { "OUTPUT", false }, { "KIND", false }, { "TAKES", false },
		{ "WHY", false },
	};
	const struct matcher *matcher = explain->study.scripts.matcher;
	struct obstack arena;
	struct table table;

	obstack_init(&arena);
	if (explain->objects)
		table_init(&table, with_objects, sizeof with_objects / sizeof with_objects[0]);
	else
		table_init(&table, without, sizeof without / sizeof without[0]);
	for (unsigned i = 0; i < matcher_count(matcher); i++) {
		const struct statement *statement = matcher_statement(matcher, i);
		struct shape shape = study_shape(&explain->study, statement);
		char *line = place(explain, statement->stmt);
		char *why = reason(explain, statement, &shape);

		table_add(&table, "%s", line);
		table_add(&table, "%s", statement->output_name);
		table_add(&table, "%s", shape_kind_name(shape.kind));
		table_color(&table, shape_color(shape.kind));
		if (explain->objects) {
			table_add(&table, "%" PRIu64, explain->study.census.taken[i]);
			table_add(&table, "%" PRIu64, units[i]);
		}
		table_add(&table, "%s", statement_text(statement, &arena));
		table_add(&table, "%s", why);
		free(line);
		free(why);
	}
	table_print(&table, stdout);
	if (pinned[0] != NULL) {
		fputs("\nPinned symbols (the script computes with them: what takes a definition of "
		      "one is fixed):", stdout);
		for (size_t i = 0; pinned[i] != NULL; i++)
			printf(" %s", pinned[i]);
		putchar('\n');
	}
	table_release(&table);
	obstack_free(&arena, NULL);
}

static json_t *statement_json(const struct explain *explain, const struct statement *statement,
			      const uint64_t *units, struct obstack *arena)
{
	const struct stmt *stmt = statement->stmt;
	struct shape shape = study_shape(&explain->study, statement);
	json_t *row = json_pack("{s:o, s:I, s:o, s:s, s:o, s:o}", "script",
				json_text(stmt->span.source->name), "line",
				(json_int_t)source_position(stmt->span.source, stmt->span.begin).line,
				"output", json_text(statement->output_name), "kind",
				shape_kind_name(shape.kind), "takes",
				json_text(statement_text(statement, arena)), "why",
				json_text(shape.why));

	if (shape.because != NULL)
		json_object_set_new(row, "because_line",
				    json_integer(source_position(shape.because->span.source,
								 shape.because->span.begin).line));
	if (explain->objects) {
		json_object_set_new(row, "sections",
				    json_integer((json_int_t)
						 explain->study.census.taken[statement->index]));
		json_object_set_new(row, "units",
				    json_integer((json_int_t)units[statement->index]));
	}
	return row;
}

static void print_json(const struct explain *explain, const uint64_t *units,
		       const char *const *pinned)
{
	const struct matcher *matcher = explain->study.scripts.matcher;
	struct obstack arena;
	json_t *symbols = json_array();

	obstack_init(&arena);
	for (size_t i = 0; pinned[i] != NULL; i++)
		json_array_append_new(symbols, json_text(pinned[i]));
	fputs("{\"pinned_symbols\": ", stdout);
	json_dumpf(symbols, stdout, 0);
	json_decref(symbols);
	fputs(",\n \"statements\": [", stdout);
	for (unsigned i = 0; i < matcher_count(matcher); i++)
		json_row(statement_json(explain, matcher_statement(matcher, i), units, &arena), i);
	puts("\n]}");
	obstack_free(&arena, NULL);
}

int command_explain(int argc, char **argv)
{
	struct explain explain = { 0 };
	struct obstack arena;
	struct diag diag;

	diag_init(&diag, argv[0], stderr);
	study_init(&explain.study);
	argp_parse(&argp, argc, argv, 0, NULL, &explain);
	obstack_init(&arena);
	if (study_read(&explain.study, &diag)) {
		const char *const *pinned = shape_pinned_symbols(explain.study.scripts.matcher, &arena);
		uint64_t *units = count_units(&explain.study);

		if (explain.json)
			print_json(&explain, units, pinned);
		else
			print_table(&explain, units, pinned);
		free(units);
	}
	obstack_free(&arena, NULL);
	study_release(&explain.study);
	return (int)diag.status;
}
