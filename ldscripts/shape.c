/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be done with what a statement takes: the rules of shape.h, which look
 * at the statement itself, at its output section, and at its neighbours there.
 */
#include "config.h"

#include "ldscripts/shape.h"

#include <string.h>

#include "ldscripts/token.h"
#include "lib/memory.h"
#include "lib/vec.h"

/* --- Expressions --------------------------------------------------------- */

bool shape_names_symbol(const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->kind == EXPR_NAME && strcmp(expr->name, "."))
		return true;
	return shape_names_symbol(expr->arg[0]) || shape_names_symbol(expr->arg[1]) || shape_names_symbol(expr->arg[2]);
}

/* "." itself, or ALIGN(8), which is short for ALIGN(., 8). */
bool shape_names_dot(const struct expr *expr)
{
	if (!expr)
		return false;
	if (expr->kind == EXPR_NAME && !strcmp(expr->name, "."))
		return true;
	if (expr->kind == EXPR_CALL && expr->op == TOK_ALIGN && !expr->arg[1])
		return true;
	return shape_names_dot(expr->arg[0]) || shape_names_dot(expr->arg[1]) ||
	       shape_names_dot(expr->arg[2]);
}

/* --- Neighbours ---------------------------------------------------------- */

bool shape_is_dot_assignment(const struct stmt *stmt)
{
	return stmt && stmt->kind == STMT_ASSIGN && !strcmp(stmt->u.assign.symbol, ".");
}

bool shape_is_mark(const struct stmt *stmt)
{
	return stmt && stmt->kind == STMT_ASSIGN && strcmp(stmt->u.assign.symbol, ".") &&
	       shape_names_dot(stmt->u.assign.value);
}

static bool is_content(const struct stmt *stmt)
{
	return stmt->kind != STMT_ASSIGN;
}

bool shape_is_nothing(const struct stmt *stmt)
{
	switch (stmt->kind) {
	case STMT_EMPTY:
	case STMT_ASSERT:
	case STMT_FILL:
		return true;
	case STMT_ASSIGN:
		return !shape_is_dot_assignment(stmt) && !shape_is_mark(stmt);
	default:
		return false;
	}
}

struct neighbours {
	const struct stmt *self;
	const struct stmt *before, *after;	/* the nearest of any kind; NULL: none */
	const struct stmt *begin, *end;		/* the nearest that is not content */
	bool passed;				/* self has been met */
};

static void find_neighbours(struct neighbours *found, const struct stmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		if (stmt->kind == STMT_INCLUDE) {
			find_neighbours(found, stmt->children);
		} else if (stmt == found->self) {
			found->passed = true;
		} else if (shape_is_nothing(stmt)) {
			continue;
		} else if (!found->passed) {
			found->before = stmt;
			if (!is_content(stmt))
				found->begin = stmt;
		} else {
			if (!found->after)
				found->after = stmt;
			if (!found->end && !is_content(stmt))
				found->end = stmt;
		}
	}
}

/* --- Patterns ------------------------------------------------------------ */

static bool is_sorted(enum sort_kind sort)
{
	return sort != SORT_KIND_NONE && sort != SORT_KIND_BY_NONE;
}

/* COMMON and LARGE_COMMON are too, but are ld's words for symbols without a section. */
static bool is_c_identifier(const char *name)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	return !(*name >= '0' && *name <= '9') && !name[strspn(name, letters)] &&
	       strcmp(name, "COMMON") && strcmp(name, "LARGE_COMMON");
}

bool shape_looks_executable(const struct statement *statement)
{
	const struct section_pattern *pattern = statement->stmt->u.input_section.patterns;

	for (; pattern; pattern = pattern->next)
		if (strstr(pattern->name, "text"))
			return true;
	return false;
}

/* --- The rules ----------------------------------------------------------- */

struct shape shape_of(const struct statement *statement, bool executable)
{
	const struct stmt *self = statement->stmt, *output = statement->output;
	const struct input_section *input = &self->u.input_section;
	const struct section_pattern *pattern;
	struct neighbours near = { .self = self };
	bool text = executable && shape_looks_executable(statement);

	if (!strcmp(statement->output_name, "/DISCARD/"))
		return (struct shape){ SHAPE_FIXED, "it is discarded", output };
	if (output->parent && output->parent->kind == STMT_OVERLAY)
		return (struct shape){ SHAPE_FIXED, "it is in an overlay", output->parent };
	if (output->u.output.subalign)
		return (struct shape){ SHAPE_FIXED, "SUBALIGN overrides its alignment", output };
	if (output->u.output.constraint == CONSTRAINT_ONLY_IF_RO ||
	    output->u.output.constraint == CONSTRAINT_ONLY_IF_RW)
		return (struct shape){ SHAPE_FIXED, "its output section depends on what it takes",
				       output };

	if (is_sorted(input->file_sort) || input->file_reverse)
		return (struct shape){ SHAPE_TABLE, "its files are sorted", self };
	for (pattern = input->patterns; pattern; pattern = pattern->next)
		if (is_sorted(pattern->sort) || pattern->reverse)
			return (struct shape){ SHAPE_TABLE, "it is sorted", self };

	find_neighbours(&near, output->children);
	if (shape_is_mark(near.begin) && shape_is_mark(near.end) && !text)
		return (struct shape){ SHAPE_TABLE, "symbols mark its begin and its end",
				       near.begin };
	for (pattern = input->patterns; pattern; pattern = pattern->next)
		if (is_c_identifier(pattern->name))
			return (struct shape){ SHAPE_TABLE, "its name is a C identifier", self };

	if (input->keep)
		return (struct shape){ SHAPE_FIXED, "KEEP", self };
	if (input->file && !strpbrk(input->file, "*?["))
		return (struct shape){ SHAPE_FIXED, "it names its file", self };
	if (shape_is_mark(near.before) && shape_is_dot_assignment(near.after))
		return (struct shape){ SHAPE_FIXED, "a symbol stands for it", near.before };
	if (shape_is_dot_assignment(near.before) && shape_names_symbol(near.before->u.assign.value))
		return (struct shape){ SHAPE_FIXED, "a symbol says where it lies", near.before };
	return (struct shape){ SHAPE_MOVABLE, "", NULL };
}

const char *shape_kind_name(enum shape_kind kind)
{
	static const char *const names[] = {
		[SHAPE_MOVABLE] = "movable",
		[SHAPE_TABLE] = "table",
		[SHAPE_FIXED] = "fixed",
	};

	return names[kind];
}

/* --- Symbols that pin ---------------------------------------------------- */

struct symbol {
	const char *name;
	bool assigned;		/* by a script: it is no object's */
};

struct symbols {
	VEC(struct symbol) list;
};

static void add_symbol(struct symbols *symbols, const char *name)
{
	if (!strcmp(name, "."))
		return;
	for (size_t i = 0; i < symbols->list.count; i++)
		if (!strcmp(symbols->list.at[i].name, name))
			return;
	*vec_push(&symbols->list) = (struct symbol){ name, false };
}

/* Adds the symbols that EXPR names; where ASSERTS_ONLY, those inside its ASSERTs. */
static void add_names(struct symbols *symbols, const struct expr *expr, bool asserts_only)
{
	if (!expr)
		return;
	if (expr->kind == EXPR_ASSERT)
		asserts_only = false;
	if (expr->kind == EXPR_NAME && !asserts_only)
		add_symbol(symbols, expr->name);
	for (int i = 0; i < 3; i++)
		add_names(symbols, expr->arg[i], asserts_only);
}

static void add_pinned(struct symbols *symbols, const struct stmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		switch (stmt->kind) {
		case STMT_ASSIGN:
			add_names(symbols, stmt->u.assign.value, !shape_is_dot_assignment(stmt));
			break;
		case STMT_ASSERT:
			add_names(symbols, stmt->u.assertion.condition, false);
			break;
		case STMT_OUTPUT_SECTION:
		case STMT_OVERLAY:
			add_names(symbols, stmt->u.output.address, false);
			break;
		default:
			break;
		}
		add_pinned(symbols, stmt->children);
	}
}

/* Adds what the values that the scripts assign to symbol INDEX of the list name. */
static void add_values(struct symbols *symbols, size_t index, const struct stmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		add_values(symbols, index, stmt->children);
		if (stmt->kind != STMT_ASSIGN ||
		    strcmp(stmt->u.assign.symbol, symbols->list.at[index].name))
			continue;
		if (stmt->u.assign.scope == ASSIGN_PLAIN || stmt->u.assign.scope == ASSIGN_HIDDEN)
			symbols->list.at[index].assigned = true;
		add_names(symbols, stmt->u.assign.value, false);
	}
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

const char *const *shape_pinned_symbols(const struct matcher *matcher, struct obstack *arena)
{
	struct symbols symbols = { VEC_INIT };
	const struct script *const *scripts;
	size_t script_count, count = 0;
	const char **names;

	scripts = matcher_scripts(matcher, &script_count);
	for (size_t i = 0; i < script_count; i++)
		add_pinned(&symbols, scripts[i]->statements);
	/* The list grows under way. */
	for (size_t index = 0; index < symbols.list.count; index++)
		for (size_t i = 0; i < script_count; i++)
			add_values(&symbols, index, scripts[i]->statements);

	names = obstack_alloc(arena, (symbols.list.count + 1) * sizeof *names);
	for (size_t i = 0; i < symbols.list.count; i++)
		if (!symbols.list.at[i].assigned)
			names[count++] = symbols.list.at[i].name;
	names[count] = NULL;
	qsort(names, count, sizeof *names, compare_names);
	vec_release(&symbols.list);
	return names;
}
