/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands between the braces of an output section: input section
 * descriptions, data, assignments.  All in WILD mode, where nearly every
 * character is part of a name: ".text,.data" is one pattern, ".=4" a file.
 */
#include "config.h"

#include "ldscripts/parse.h"

/* --- Names and sorting ------------------------------------------------- */

/* exclude_name_list: wildcard_name | exclude_name_list wildcard_name */
static bool parse_exclude_name_list(struct parser *parser, struct name_list **names)
{
	struct name_list **last = names;
	struct token name;

	do {
		if (!parser_expect_name(parser, "a file name", &name))
			return false;
		parser_add_name(parser, &last, &name);
	} while (parser_peek(parser) == TOK_NAME);
	return true;
}

/* wildcard_maybe_exclude: wildcard_name | EXCLUDE_FILE '(' exclude_name_list ')' wildcard_name */
static bool parse_wildcard_maybe_exclude(struct parser *parser, struct section_pattern *pattern)
{
	struct token name;

	if (parser_accept(parser, TOK_EXCLUDE_FILE) &&
	    (!parser_expect(parser, TOK_LEFT_PAREN) ||
	     !parse_exclude_name_list(parser, &pattern->exclude) ||
	     !parser_expect(parser, TOK_RIGHT_PAREN)))
		return false;
	if (!parser_expect_name(parser, "a name", &name))
		return false;
	pattern->name = name.text;
	pattern->span = name.span;
	return true;
}

/* wildcard_maybe_reverse: wildcard_maybe_exclude | REVERSE '(' wildcard_maybe_exclude ')' */
static bool parse_wildcard_maybe_reverse(struct parser *parser, struct section_pattern *pattern)
{
	if (!parser_accept(parser, TOK_REVERSE))
		return parse_wildcard_maybe_exclude(parser, pattern);
	pattern->reverse = true;
	pattern->sort = SORT_KIND_BY_NAME;
	return parser_expect(parser, TOK_LEFT_PAREN) &&
	       parse_wildcard_maybe_exclude(parser, pattern) &&
	       parser_expect(parser, TOK_RIGHT_PAREN);
}

static enum sort_kind sort_of(enum token_kind kind)
{
	switch (kind) {
	case TOK_SORT_BY_NAME: return SORT_KIND_BY_NAME;
	case TOK_SORT_BY_ALIGNMENT: return SORT_KIND_BY_ALIGNMENT;
	case TOK_SORT_BY_INIT_PRIORITY: return SORT_KIND_BY_INIT_PRIORITY;
	case TOK_SORT_NONE: return SORT_KIND_BY_NONE;
	default: return SORT_KIND_NONE;
	}
}

/*
 * REVERSE '(' wildcard_maybe_exclude ')'
 * REVERSE '(' SORT_BY_NAME '(' wildcard_maybe_exclude ')' ')'
 * REVERSE '(' SORT_BY_INIT_PRIORITY '(' wildcard_maybe_exclude ')' ')'	sections only
 */
static bool parse_reversed(struct parser *parser, struct section_pattern *pattern, bool file)
{
	enum token_kind inner;

	parser_take(parser);
	pattern->reverse = true;
	pattern->sort = SORT_KIND_BY_NAME;
	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	inner = parser_peek(parser);
	if (inner == TOK_SORT_BY_NAME || (inner == TOK_SORT_BY_INIT_PRIORITY && !file)) {
		parser_take(parser);
		pattern->sort = sort_of(inner);
		if (!parser_expect(parser, TOK_LEFT_PAREN) ||
		    !parse_wildcard_maybe_exclude(parser, pattern) ||
		    !parser_expect(parser, TOK_RIGHT_PAREN))
			return false;
	} else if (!parse_wildcard_maybe_exclude(parser, pattern)) {
		return false;
	}
	return parser_expect(parser, TOK_RIGHT_PAREN);
}

/* Behind SORT_BY_NAME '(' or SORT_NONE '(' around a file name. */
static bool parse_sorted_file(struct parser *parser, struct section_pattern *file,
			      enum token_kind kind)
{
	if (!parse_wildcard_maybe_reverse(parser, file) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return false;
	file->sort = sort_of(kind);
	if (kind == TOK_SORT_NONE)
		file->reverse = false;
	return true;
}

/*
 * filename_spec: wildcard_maybe_reverse | SORT_BY_NAME '(' wildcard_maybe_reverse ')'
 *	| SORT_NONE '(' wildcard_maybe_reverse ')'
 *	| REVERSE '(' SORT_BY_NAME '(' wildcard_maybe_exclude ')' ')'
 */
static bool parse_filename_spec(struct parser *parser, struct section_pattern *file)
{
	enum token_kind kind = parser_peek(parser);

	switch (kind) {
	case TOK_SORT_BY_NAME: case TOK_SORT_NONE:
		parser_take(parser);
		return parser_expect(parser, TOK_LEFT_PAREN) &&
		       parse_sorted_file(parser, file, kind);
	case TOK_REVERSE:
		return parse_reversed(parser, file, true);
	case TOK_NAME: case TOK_EXCLUDE_FILE:
		return parse_wildcard_maybe_exclude(parser, file);
	default:
		return parser_expected(parser, "a file name");
	}
}

/*
 * section_name_spec: wildcard_maybe_reverse
 *	| SORT_BY_NAME '(' wildcard_maybe_reverse ')'	and so for all SORT words
 *	| SORT_BY_NAME '(' SORT_BY_ALIGNMENT '(' wildcard_maybe_reverse ')' ')'
 *	  and so for the other pairs of the two
 *	| REVERSE '(' SORT_BY_NAME '(' wildcard_maybe_exclude ')' ')' ...
 */
static bool parse_section_name_spec(struct parser *parser, struct section_pattern *pattern)
{
	enum token_kind outer = parser_peek(parser), inner = outer;
	bool nested = false;

	switch (outer) {
	case TOK_SORT_BY_NAME: case TOK_SORT_BY_ALIGNMENT:
	case TOK_SORT_NONE: case TOK_SORT_BY_INIT_PRIORITY:
		break;
	case TOK_REVERSE:
		return parse_reversed(parser, pattern, false);
	case TOK_NAME: case TOK_EXCLUDE_FILE:
		return parse_wildcard_maybe_exclude(parser, pattern);
	default:
		return parser_expected(parser, "a section name");
	}
	parser_take(parser);
	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	if (outer == TOK_SORT_BY_NAME || outer == TOK_SORT_BY_ALIGNMENT) {
		enum token_kind next = parser_peek(parser);

		nested = next == TOK_SORT_BY_NAME || next == TOK_SORT_BY_ALIGNMENT;
		if (nested) {
			inner = next;
			parser_take(parser);
			if (!parser_expect(parser, TOK_LEFT_PAREN))
				return false;
		}
	}
	if (!parse_wildcard_maybe_reverse(parser, pattern) ||
	    (nested && !parser_expect(parser, TOK_RIGHT_PAREN)))
		return false;
	pattern->sort = outer == inner ? sort_of(outer) :
			outer == TOK_SORT_BY_NAME ? SORT_KIND_BY_NAME_ALIGNMENT :
			SORT_KIND_BY_ALIGNMENT_NAME;
	return parser_expect(parser, TOK_RIGHT_PAREN);
}

/*
 * section_name_list: section_name_spec | section_name_list opt_comma section_name_spec
 * up to the word that closes it; a comma is part of a name in this mode
 */
static bool parse_section_name_list(struct parser *parser, struct section_pattern **patterns,
				    enum token_kind close)
{
	do {
		struct section_pattern *pattern = parser_alloc(parser, sizeof *pattern);
		uint32_t begin = parser_begin(parser);

		if (!parse_section_name_spec(parser, pattern))
			return false;
		pattern->span = parser_span(parser, begin);
		*patterns = pattern;
		patterns = &pattern->next;
		switch (parser_peek(parser)) {
		case TOK_NAME: case TOK_EXCLUDE_FILE: case TOK_SORT_BY_NAME:
		case TOK_SORT_BY_ALIGNMENT: case TOK_SORT_NONE: case TOK_SORT_BY_INIT_PRIORITY:
		case TOK_REVERSE:
			continue;
		default:
			return parser_expect(parser, close);
		}
	} while (true);
}

/* --- Input section descriptions ---------------------------------------- */

/* sect_flags: INPUT_SECTION_FLAGS '(' sect_flag_list ')' ; sect_flag_list: NAME { '&' NAME } */
static bool parse_sect_flags(struct parser *parser, struct input_section *input)
{
	struct section_flag **last = &input->flags;

	parser_take(parser);
	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	do {
		struct section_flag *flag = parser_alloc(parser, sizeof *flag);
		struct token name;

		if (!parser_expect_name(parser, "a flag", &name))
			return false;
		flag->without = name.text[0] == '!';
		flag->name = name.text + flag->without;
		flag->span = name.span;
		*last = flag;
		last = &flag->next;
	} while (parser_accept(parser, TOK_AND));
	return parser_expect(parser, TOK_RIGHT_PAREN);
}

static void set_file(struct input_section *input, const struct section_pattern *file)
{
	input->file = file->name;
	input->file_span = file->span;
	input->file_sort = file->sort;
	input->file_reverse = file->reverse;
	input->exclude = file->exclude;
}

/* filename_spec '(' section_name_list ')', from the '(' on */
static bool parse_sections_of_file(struct parser *parser, struct input_section *input,
				   const struct section_pattern *file)
{
	set_file(input, file);
	return parser_expect(parser, TOK_LEFT_PAREN) &&
	       parse_section_name_list(parser, &input->patterns, TOK_RIGHT_PAREN);
}

/*
 * input_section_spec_no_keep: NAME | sect_flags NAME | '[' section_name_list ']'
 *	| sect_flags '[' section_name_list ']' | filename_spec '(' section_name_list ')'
 *	| sect_flags filename_spec '(' section_name_list ')'
 */
static bool parse_input_section_spec_no_keep(struct parser *parser, struct input_section *input)
{
	struct section_pattern file = { .name = NULL };

	if (parser_peek(parser) == TOK_INPUT_SECTION_FLAGS && !parse_sect_flags(parser, input))
		return false;
	if (parser_accept(parser, TOK_LEFT_BRACKET))
		return parse_section_name_list(parser, &input->patterns, TOK_RIGHT_BRACKET);
	if (parser_peek(parser) == TOK_NAME) {
		parse_wildcard_maybe_exclude(parser, &file);
		set_file(input, &file);
		if (parser_peek(parser) != TOK_LEFT_PAREN)
			return true;
		return parse_sections_of_file(parser, input, &file);
	}
	return parse_filename_spec(parser, &file) && parse_sections_of_file(parser, input, &file);
}

/* input_section_spec: input_section_spec_no_keep | KEEP '(' input_section_spec_no_keep ')' */
static bool parse_input_section_spec(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_begin(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_INPUT_SECTION, begin);
	struct input_section *input = &stmt->u.input_section;

	if (parser_accept(parser, TOK_KEEP)) {
		input->keep = true;
		if (!parser_expect(parser, TOK_LEFT_PAREN) ||
		    !parse_input_section_spec_no_keep(parser, input) ||
		    !parser_expect(parser, TOK_RIGHT_PAREN))
			return false;
	} else if (!parse_input_section_spec_no_keep(parser, input)) {
		return false;
	}
	return parser_finish(parser, stmt);
}

/* --- Statements -------------------------------------------------------- */

/* What a NAME begins: assignment separator | NAME | filename_spec '(' section_name_list ')' */
static bool parse_named_statement(struct parser *parser, struct stmt_list *list)
{
	struct section_pattern file = { .name = NULL };
	struct token name = parser_take(parser);
	struct stmt *stmt;

	if (is_assign_op(parser_peek(parser)))
		return parse_assignment(parser, list, &name);
	file.name = name.text;
	file.span = name.span;
	stmt = parser_new_stmt(parser, list, STMT_INPUT_SECTION, name.span.begin);
	set_file(&stmt->u.input_section, &file);
	if (parser_peek(parser) == TOK_LEFT_PAREN &&
	    !parse_sections_of_file(parser, &stmt->u.input_section, &file))
		return false;
	return parser_finish(parser, stmt);
}

/*
 * What SORT_BY_NAME begins: SORT_BY_NAME '(' CONSTRUCTORS ')'
 *	| filename_spec '(' section_name_list ')'
 */
static bool parse_sorted_statement(struct parser *parser, struct stmt_list *list)
{
	struct section_pattern file = { .name = NULL };
	struct token keyword = parser_take(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_INPUT_SECTION,
					    keyword.span.begin);

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	if (parser_accept(parser, TOK_CONSTRUCTORS)) {
		stmt->kind = STMT_CONSTRUCTORS;
		stmt->u.sorted = true;
		return parser_expect(parser, TOK_RIGHT_PAREN) && parser_finish(parser, stmt);
	}
	return parse_sorted_file(parser, &file, keyword.kind) &&
	       parse_sections_of_file(parser, &stmt->u.input_section, &file) &&
	       parser_finish(parser, stmt);
}

/* statement: length '(' mustbe_exp ')' ; length: QUAD | SQUAD | LONG | SHORT | BYTE */
static bool parse_data(struct parser *parser, struct stmt_list *list)
{
	struct token keyword = parser_take(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_DATA, keyword.span.begin);

	stmt->u.data.keyword = keyword.kind;
	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	stmt->u.data.value = parse_mustbe_exp(parser);
	return stmt->u.data.value != NULL && parser_expect(parser, TOK_RIGHT_PAREN) &&
	       parser_finish(parser, stmt);
}

/* statement: ASCIZ NAME */
static bool parse_asciz(struct parser *parser, struct stmt_list *list)
{
	struct token keyword = parser_take(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_DATA, keyword.span.begin);
	struct token text;

	stmt->u.data.keyword = keyword.kind;
	if (!parser_expect_name(parser, "a text", &text))
		return false;
	stmt->u.data.text = text.text;
	return parser_finish(parser, stmt);
}

/* statement: FILL '(' fill_exp ')' */
static bool parse_fill(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_FILL, begin);

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	stmt->u.fill = parse_fill_exp(parser);
	return stmt->u.fill != NULL && parser_expect(parser, TOK_RIGHT_PAREN) &&
	       parser_finish(parser, stmt);
}

static bool parse_word(struct parser *parser, struct stmt_list *list, enum stmt_kind kind)
{
	uint32_t begin = parser_take(parser).span.begin;

	parser_new_stmt(parser, list, kind, begin);
	return true;
}

/*
 * statement: ';' | assignment separator | CREATE_OBJECT_SYMBOLS | CONSTRUCTORS
 *	| SORT_BY_NAME '(' CONSTRUCTORS ')' | input_section_spec | length '(' mustbe_exp ')'
 *	| ASCIZ NAME | FILL '(' fill_exp ')' | LINKER_VERSION
 *	| ASSERT_K '(' exp ',' NAME ')' separator | INCLUDE filename statement_list_opt END
 */
static bool parse_statement(struct parser *parser, struct stmt_list *list)
{
	switch (parser_peek(parser)) {
	case TOK_SEMICOLON:
		return parse_word(parser, list, STMT_EMPTY);
	case TOK_CREATE_OBJECT_SYMBOLS:
		return parse_word(parser, list, STMT_CREATE_OBJECT_SYMBOLS);
	case TOK_CONSTRUCTORS:
		return parse_word(parser, list, STMT_CONSTRUCTORS);
	case TOK_LINKER_VERSION:
		return parse_word(parser, list, STMT_LINKER_VERSION);
	case TOK_NAME:
		return parse_named_statement(parser, list);
	case TOK_SORT_BY_NAME:
		return parse_sorted_statement(parser, list);
	case TOK_KEEP: case TOK_INPUT_SECTION_FLAGS: case TOK_LEFT_BRACKET:
	case TOK_EXCLUDE_FILE: case TOK_SORT_NONE: case TOK_REVERSE:
		return parse_input_section_spec(parser, list);
	case TOK_QUAD: case TOK_SQUAD: case TOK_LONG: case TOK_SHORT: case TOK_BYTE:
		return parse_data(parser, list);
	case TOK_ASCIZ:
		return parse_asciz(parser, list);
	case TOK_FILL:
		return parse_fill(parser, list);
	case TOK_HIDDEN: case TOK_PROVIDE: case TOK_PROVIDE_HIDDEN:
		return parse_provide(parser, list);
	case TOK_ASSERT:
		return parse_assert(parser, list, true);
	case TOK_INCLUDE:
		return parse_include(parser, list, parse_statement_list_opt);
	default:
		return parser_expected(parser, "a statement or '}'");
	}
}

/* statement_list_opt: { statement } */
void parse_statement_list_opt(struct parser *parser, struct stmt_list *list)
{
	while (parser_peek(parser) != TOK_RIGHT_BRACE && parser_peek(parser) != TOK_END)
		if (!parse_statement(parser, list))
			parser_recover(parser, LEX_WILD, false);
}
