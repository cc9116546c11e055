/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script-roundtrip FILE...
 *
 * Reads each linker script, prints it through an empty list of edits, and
 * compares the bytes; checks that every node lies inside its parent and behind
 * the one before it.  One line a file: "ok FILE" or "bad FILE: why".
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ldscripts/edit.h"
#include "ldscripts/script.h"

/* Why the file is bad, and where; NULL as long as it is good. */
struct check {
	const char *why;
	struct span where;
};

static bool inside(const struct span *inner, const struct span *outer)
{
	return inner->source == outer->source && inner->begin >= outer->begin &&
	       inner->end <= outer->end && inner->begin <= inner->end;
}

static void require(struct check *check, bool good, const char *why, const struct span *where)
{
	if (good || check->why != NULL)
		return;
	check->why = why;
	check->where = *where;
}

static void check_expr(struct check *check, const struct expr *expr, const struct span *outer)
{
	if (expr == NULL)
		return;
	require(check, inside(&expr->span, outer), "expression outside its parent", &expr->span);
	for (int i = 0; i < 3; i++)
		check_expr(check, expr->arg[i], &expr->span);
}

static void check_names(struct check *check, const struct name_list *names,
			const struct span *outer)
{
	struct span before = *outer;

	for (; names != NULL; names = names->next) {
		require(check, inside(&names->span, outer), "name outside its parent",
			&names->span);
		require(check, names == NULL || names->span.begin >= before.begin,
			"name before the one before it", &names->span);
		before.begin = names->span.end;
	}
}

static void check_output(struct check *check, const struct stmt *stmt)
{
	const struct output_section *output = &stmt->u.output;

	check_expr(check, output->address, &stmt->span);
	check_expr(check, output->type_value, &stmt->span);
	check_expr(check, output->at, &stmt->span);
	check_expr(check, output->align, &stmt->span);
	check_expr(check, output->subalign, &stmt->span);
	check_expr(check, output->fill, &stmt->span);
	check_names(check, output->phdrs, &stmt->span);
	require(check, inside(&output->body, &stmt->span), "body outside its section",
		&output->body);
	if (output->name != NULL)
		require(check, inside(&output->name_span, &stmt->span),
			"name outside its section", &output->name_span);
}

static void check_input(struct check *check, const struct stmt *stmt)
{
	const struct input_section *input = &stmt->u.input_section;
	const char *text = stmt->span.source->text;
	uint32_t at = stmt->span.begin;

	if (input->file != NULL)
		require(check, inside(&input->file_span, &stmt->span),
			"file name outside its description", &input->file_span);
	if (input->patterns != NULL)
		require(check, strchr(")]", text[stmt->span.end - 1]) != NULL,
			"description does not end at its bracket", &stmt->span);
	check_names(check, input->exclude, &stmt->span);
	for (const struct section_flag *flag = input->flags; flag != NULL; flag = flag->next)
		require(check, inside(&flag->span, &stmt->span), "flag outside its description",
			&flag->span);
	for (const struct section_pattern *pattern = input->patterns; pattern != NULL;
	     pattern = pattern->next) {
		require(check, inside(&pattern->span, &stmt->span),
			"pattern outside its description", &pattern->span);
		require(check, pattern->span.begin >= at, "pattern before the one before it",
			&pattern->span);
		check_names(check, pattern->exclude, &pattern->span);
		at = pattern->span.end;
	}
}

static void check_members(struct check *check, const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_ASSIGN:
		check_expr(check, stmt->u.assign.value, &stmt->span);
		break;
	case STMT_ASSERT:
		check_expr(check, stmt->u.assertion.condition, &stmt->span);
		break;
	case STMT_COMMAND:
		check_names(check, stmt->u.command.args, &stmt->span);
		break;
	case STMT_INPUT:
		for (const struct input_item *item = stmt->u.input.items; item != NULL;
		     item = item->next)
			require(check, inside(&item->span, &stmt->span),
				"file outside its list", &item->span);
		break;
	case STMT_REGION:
		check_expr(check, stmt->u.region.origin, &stmt->span);
		check_expr(check, stmt->u.region.length, &stmt->span);
		break;
	case STMT_PHDR:
		check_expr(check, stmt->u.phdr.type, &stmt->span);
		check_expr(check, stmt->u.phdr.at, &stmt->span);
		check_expr(check, stmt->u.phdr.flags, &stmt->span);
		break;
	case STMT_DATA:
		check_expr(check, stmt->u.data.value, &stmt->span);
		break;
	case STMT_FILL:
		check_expr(check, stmt->u.fill, &stmt->span);
		break;
	case STMT_OUTPUT_SECTION: case STMT_OVERLAY:
		check_output(check, stmt);
		break;
	case STMT_INPUT_SECTION:
		check_input(check, stmt);
		break;
	default:
		break;
	}
}

static void check_stmts(struct check *check, const struct stmt *first, const struct stmt *parent,
			const struct span *outer)
{
	uint32_t at = outer->begin;

	for (const struct stmt *stmt = first; stmt != NULL; stmt = stmt->next) {
		struct span members = stmt->span;

		require(check, stmt->parent == parent, "wrong parent", &stmt->span);
		require(check, inside(&stmt->span, outer), "statement outside its parent",
			&stmt->span);
		require(check, stmt->span.begin >= at, "statement before the one before it",
			&stmt->span);
		require(check, stmt->span.begin < stmt->span.end, "empty statement", &stmt->span);
		at = stmt->span.end;
		check_members(check, stmt);
		if (stmt->kind == STMT_INCLUDE && stmt->u.include.script != NULL) {
			const struct source *source = stmt->u.include.script->source;

			members = (struct span){ source, 0, (uint32_t)source->size };
		}
		check_stmts(check, stmt->children, stmt, &members);
	}
}

static void check_bytes(struct check *check, const struct source *source)
{
	struct span all = { source, 0, (uint32_t)source->size };
	struct edits *edits = edits_new(source);
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL)
		abort();
	require(check, edits_write(edits, stream) && fclose(stream) == 0, "cannot be written",
		&all);
	require(check, size == source->size && memcmp(text, source->text, size) == 0,
		"printed with other bytes", &all);
	edits_free(edits);
	free(text);
}

static bool check_file(const char *path)
{
	struct check check = { .why = NULL };
	struct source *source = source_read(path);
	struct script *script;
	struct diag diag;
	struct span all;

	if (source == NULL) {
		printf("bad %s: cannot be read\n", path);
		return false;
	}
	diag_init(&diag, "script-roundtrip", stderr);
	script = script_parse(source, NULL, &diag);
	if (script == NULL) {
		printf("bad %s: %u errors\n", path, diag.errors);
		return false;
	}
	all = (struct span){ script->source, 0, (uint32_t)script->source->size };
	check_stmts(&check, script->statements, NULL, &all);
	check_bytes(&check, script->source);
	if (check.why != NULL) {
		struct position position = source_position(check.where.source, check.where.begin);

		printf("bad %s: %s at %u:%u\n", path, check.why, position.line, position.column);
	} else {
		printf("ok %s\n", path);
	}
	script_free(script);
	return check.why == NULL;
}

int main(int argc, char **argv)
{
	bool good = true;

	for (int i = 1; i < argc; i++)
		good &= check_file(argv[i]);
	return good ? 0 : 1;
}
