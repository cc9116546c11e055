/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands at the top of a script, MEMORY and PHDRS among them.
 */
#include "config.h"

#include "ldscripts/parse.h"

#include <string.h>
#include <strings.h>

/* --- Commands with names ----------------------------------------------- */

static struct stmt *new_command(struct parser *parser, struct stmt_list *list)
{
	struct token keyword = parser_take(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_COMMAND, keyword.span.begin);

	stmt->u.command.keyword = keyword.kind;
	return stmt;
}

/* FLOAT | NOFLOAT | FORCE_COMMON_ALLOCATION | ... */
static bool parse_bare_command(struct parser *parser, struct stmt_list *list)
{
	return parser_finish(parser, new_command(parser, list));
}

/* LD_FEATURE knows one feature; several may be given, with commas or spaces between. */
static void check_feature(struct parser *parser, const struct token *name)
{
	static const char known[] = "SANE_EXPR", between[] = ", \t\n\v\f\r";
	const char *text = name->text;

	for (text += strspn(text, between); *text != '\0'; text += strspn(text, between)) {
		size_t length = strcspn(text, between);

		if (length != strlen(known) || strncasecmp(text, known, length) != 0)
			parser_error(parser, name->span, "expected the feature '%s', got '%.*s'",
				     known, (int)length, text);
		text += length;
	}
}

/*
 * TARGET_K '(' NAME ')' | SEARCH_DIR '(' filename ')' | OUTPUT '(' filename ')'
 *	| OUTPUT_ARCH '(' NAME ')' | MAP '(' filename ')' | LD_FEATURE '(' NAME ')'
 * startup: STARTUP '(' filename ')'
 */
static bool parse_name_command(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt = new_command(parser, list);
	struct name_list **last = &stmt->u.command.args;
	struct token name;

	if (!parser_expect(parser, TOK_LEFT_PAREN) ||
	    !parser_expect_name(parser, "a name", &name) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return false;
	parser_add_name(parser, &last, &name);
	parser_finish(parser, stmt);
	if (stmt->u.command.keyword == TOK_LD_FEATURE)
		check_feature(parser, &name);
	if (stmt->u.command.keyword == TOK_STARTUP) {
		if (parser->had_startup)
			parser_error(parser, stmt->span, "more than one STARTUP file");
		parser->had_startup = true;
	}
	return true;
}

/* NAME { ',' NAME }, COUNT in all, in parentheses. */
static bool parse_fixed_names(struct parser *parser, struct name_list **last, unsigned count)
{
	struct token name;

	for (unsigned i = 0; i < count; i++) {
		if (!parser_expect(parser, i == 0 ? TOK_LEFT_PAREN : TOK_COMMA) ||
		    !parser_expect_name(parser, "a name", &name))
			return false;
		parser_add_name(parser, &last, &name);
	}
	return true;
}

/* OUTPUT_FORMAT '(' NAME ')' | OUTPUT_FORMAT '(' NAME ',' NAME ',' NAME ')' */
static bool parse_output_format(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt = new_command(parser, list);
	struct name_list **last = &stmt->u.command.args;
	struct token name;

	if (!parse_fixed_names(parser, last, 1))
		return false;
	last = &(*last)->next;
	if (parser_peek(parser) == TOK_RIGHT_PAREN) {
		parser_take(parser);
		return parser_finish(parser, stmt);
	}
	if (parser_peek(parser) != TOK_COMMA)
		return parser_expected(parser, "')' or ','");
	for (unsigned i = 0; i < 2; i++) {
		if (!parser_expect(parser, TOK_COMMA) ||
		    !parser_expect_name(parser, "a name", &name))
			return false;
		parser_add_name(parser, &last, &name);
	}
	return parser_expect(parser, TOK_RIGHT_PAREN) && parser_finish(parser, stmt);
}

static bool has_region(const struct parser *parser, const char *name)
{
	for (size_t i = 0; i < parser->regions.count; i++)
		if (strcmp(parser->regions.at[i], name) == 0)
			return true;
	return false;
}

/* REGION_ALIAS '(' NAME ',' NAME ')'	the second a region that there is, the first not */
static bool parse_region_alias(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt = new_command(parser, list);
	const struct name_list *alias, *region;

	if (!parse_fixed_names(parser, &stmt->u.command.args, 2) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return false;
	alias = stmt->u.command.args;
	region = alias->next;
	if (strcmp(alias->name, "*default*") == 0 || strcmp(region->name, "*default*") == 0)
		parser_error(parser, stmt->span, "the default region has no alias");
	else if (has_region(parser, alias->name))
		parser_error(parser, alias->span, "the region or alias '%s' is there already",
			     alias->name);
	else if (!has_region(parser, region->name))
		parser_error(parser, region->span, "there is no region '%s'", region->name);
	*vec_push(&parser->regions) = alias->name;
	return parser_finish(parser, stmt);
}

/* nocrossref_list: empty | NAME nocrossref_list | NAME ',' nocrossref_list */
static bool parse_nocrossrefs(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt = new_command(parser, list);
	struct name_list **last = &stmt->u.command.args;

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	while (parser_peek(parser) == TOK_NAME) {
		struct token name = parser_take(parser);

		parser_add_name(parser, &last, &name);
		parser_accept(parser, TOK_COMMA);
	}
	return parser_expect(parser, TOK_RIGHT_PAREN) && parser_finish(parser, stmt);
}

/*
 * EXTERN '(' extern_name_list ')'	in EXPRESSION mode
 * extern_name_list: NAME | extern_name_list NAME | extern_name_list ',' NAME
 * high_level_library: HLL '(' high_level_library_NAME_list ')' | HLL '(' ')'
 * high_level_library_NAME_list: filename | high_level_library_NAME_list opt_comma filename
 * low_level_library: SYSLIB '(' low_level_library_NAME_list ')'
 * low_level_library_NAME_list: empty | low_level_library_NAME_list opt_comma filename
 */
static bool parse_name_list_command(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt = new_command(parser, list);
	struct name_list **last = &stmt->u.command.args;
	int keyword = stmt->u.command.keyword;
	struct token name;

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	if (keyword == TOK_EXTERN)
		parser->lexer.mode = LEX_EXPRESSION;
	while (keyword == TOK_EXTERN || parser_peek(parser) != TOK_RIGHT_PAREN) {
		if (stmt->u.command.args != NULL || keyword == TOK_SYSLIB)
			parser_accept(parser, TOK_COMMA);
		if (!parser_expect_name(parser, "a name", &name))
			return false;
		parser_add_name(parser, &last, &name);
		if (parser_peek(parser) == TOK_RIGHT_PAREN)
			break;
	}
	if (!parser_expect(parser, TOK_RIGHT_PAREN))
		return false;
	parser->lexer.mode = LEX_SCRIPT;
	return parser_finish(parser, stmt);
}

/* --- Input files ------------------------------------------------------- */

/*
 * input_list1: NAME | LNAME | AS_NEEDED '(' input_list1 ')' | input_list1 [ ',' ] one more
 * in INPUTLIST mode, where a comma behind a name is part of it
 */
static bool parse_input_list1(struct parser *parser, struct input_item ***last, bool as_needed)
{
	bool inner_done;

	for (;;) {
		struct input_item *item;
		struct token name;

		switch (parser_peek(parser)) {
		case TOK_NAME: case TOK_LIBRARY:
			name = parser_take(parser);
			item = parser_alloc(parser, sizeof *item);
			item->name = name.text;
			item->span = name.span;
			item->is_library = name.kind == TOK_LIBRARY;
			item->as_needed = as_needed;
			**last = item;
			*last = &item->next;
			break;
		case TOK_AS_NEEDED:
			parser_take(parser);
			if (!parser_enter(parser))
				return false;
			inner_done = parser_expect(parser, TOK_LEFT_PAREN) &&
				     parse_input_list1(parser, last, true) &&
				     parser_expect(parser, TOK_RIGHT_PAREN);
			parser_leave(parser);
			if (!inner_done)
				return false;
			break;
		default:
			return parser_expected(parser, "a file name");
		}
		if (!parser_accept(parser, TOK_COMMA) && parser_peek(parser) != TOK_NAME &&
		    parser_peek(parser) != TOK_LIBRARY && parser_peek(parser) != TOK_AS_NEEDED)
			return true;
	}
}

/* INPUT '(' input_list ')' | GROUP '(' input_list ')' */
static bool parse_input(struct parser *parser, struct stmt_list *list)
{
	struct token keyword = parser_take(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_INPUT, keyword.span.begin);
	struct input_item **last = &stmt->u.input.items;
	uint32_t start;

	stmt->u.input.group = keyword.kind == TOK_GROUP;
	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	start = parser->lexer.at;
	parser->lexer.mode = LEX_INPUT_LIST;
	if (!parse_input_list1(parser, &last, false) || !parser_expect(parser, TOK_RIGHT_PAREN)) {
		/* An open list has taken commands for files: look at those again. */
		parser->lexer.at = start;
		parser->peeked = false;
		return false;
	}
	parser->lexer.mode = LEX_SCRIPT;
	return parser_finish(parser, stmt);
}

/* INSERT_K AFTER NAME | INSERT_K BEFORE NAME */
static bool parse_insert(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_INSERT, begin);
	struct token name;

	stmt->u.insert.before = parser_peek(parser) == TOK_BEFORE;
	if (!parser_accept(parser, TOK_BEFORE) && !parser_accept(parser, TOK_AFTER))
		return parser_expected(parser, "'AFTER' or 'BEFORE'");
	if (!parser_expect_name(parser, "an output section", &name))
		return false;
	stmt->u.insert.where = name.text;
	return parser_finish(parser, stmt);
}

/* --- MEMORY ------------------------------------------------------------ */

/* attributes_opt: empty | '(' attributes_list ')' ; attributes_list: { NAME | '!' NAME } */
static bool parse_attributes_opt(struct parser *parser)
{
	static const char known[] = "!AaRrWwXxLlIi";

	if (!parser_accept(parser, TOK_LEFT_PAREN))
		return true;
	do {
		struct token name;
		size_t good;

		parser_accept(parser, TOK_NOT);
		if (!parser_expect_name(parser, "attributes", &name))
			return false;
		good = strspn(name.text, known);
		if (name.text[good] != '\0')
			parser_error(parser, name.span,
				     "expected attributes out of 'rwxali', got '%c'",
				     name.text[good]);
	} while (parser_peek(parser) == TOK_NAME || parser_peek(parser) == TOK_NOT);
	return parser_expect(parser, TOK_RIGHT_PAREN);
}

/* origin_spec: ORIGIN '=' mustbe_exp ; length_spec: LENGTH '=' mustbe_exp */
static struct expr *parse_region_value(struct parser *parser, enum token_kind keyword)
{
	if (!parser_expect(parser, keyword) || !parser_expect(parser, TOK_ASSIGN))
		return NULL;
	return parse_mustbe_exp(parser);
}

static void parse_memory_spec_list_opt(struct parser *parser, struct stmt_list *list);

/*
 * memory_spec: NAME attributes_opt ':' origin_spec opt_comma length_spec
 *	| INCLUDE filename memory_spec_list_opt END
 */
static bool parse_memory_spec(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt;
	struct token name;

	if (parser_peek(parser) == TOK_INCLUDE)
		return parse_include(parser, list, parse_memory_spec_list_opt);
	if (!parser_expect_name(parser, "a region's name or '}'", &name))
		return false;
	stmt = parser_new_stmt(parser, list, STMT_REGION, name.span.begin);
	stmt->u.region.name = name.text;
	*vec_push(&parser->regions) = name.text;
	if (!parse_attributes_opt(parser) || !parser_expect(parser, TOK_COLON))
		return false;
	stmt->u.region.origin = parse_region_value(parser, TOK_ORIGIN);
	if (stmt->u.region.origin == NULL)
		return false;
	parser_accept(parser, TOK_COMMA);
	stmt->u.region.length = parse_region_value(parser, TOK_LENGTH);
	if (stmt->u.region.length == NULL)
		return false;
	/* The next region's name was read as part of an expression: again. */
	if (parser_peek(parser) == TOK_NAME)
		parser_unread(parser);
	return parser_finish(parser, stmt);
}

/*
 * memory_spec_list_opt: empty | memory_spec_list
 * memory_spec_list: memory_spec | memory_spec_list opt_comma memory_spec
 */
static void parse_memory_spec_list_opt(struct parser *parser, struct stmt_list *list)
{
	bool after_comma = false;

	while (after_comma || (parser_peek(parser) != TOK_RIGHT_BRACE &&
			       parser_peek(parser) != TOK_END)) {
		after_comma = false;
		if (parse_memory_spec(parser, list))
			after_comma = parser_accept(parser, TOK_COMMA);
		else
			parser_recover(parser, LEX_SCRIPT, false);
	}
}

/* memory: MEMORY '{' memory_spec_list_opt '}' */
bool parse_memory(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_MEMORY, begin);
	struct stmt_list regions = stmt_list_of(stmt);
	uint32_t brace = parser_begin(parser);
	bool closed;

	if (!parser_expect(parser, TOK_LEFT_BRACE))
		return false;
	parse_memory_spec_list_opt(parser, &regions);
	stmt->children = regions.first;
	closed = parse_closing_brace(parser, brace);
	parser_finish(parser, stmt);
	return closed;
}

/* --- PHDRS ------------------------------------------------------------- */

/*
 * phdr_type: exp
 * a number that is known now, or one of the names
 */
static struct expr *parse_phdr_type(struct parser *parser)
{
	static const struct {
		const char *name;
		uint32_t value;
	} types[] = {
		{ "PT_NULL", 0 }, { "PT_LOAD", 1 }, { "PT_DYNAMIC", 2 }, { "PT_INTERP", 3 },
		{ "PT_NOTE", 4 }, { "PT_SHLIB", 5 }, { "PT_PHDR", 6 }, { "PT_TLS", 7 },
		{ "PT_GNU_EH_FRAME", 0x6474e550 }, { "PT_GNU_STACK", 0x6474e551 },
		{ "PT_GNU_RELRO", 0x6474e552 }, { "PT_GNU_PROPERTY", 0x6474e553 },
	};
	struct expr *type = parse_exp(parser);

	if (type == NULL)
		return NULL;
	if (type->kind == EXPR_NAME) {
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
			if (strcmp(type->name, types[i].name) != 0)
				continue;
			type->constant = true;
			type->number = types[i].value;
			return type;
		}
		parser_error(parser, type->span, "unknown program header type '%s'", type->name);
	} else if (!expr_is_constant(type)) {
		parser_error(parser, type->span, "expected a constant program header type");
	}
	return type;
}

/*
 * phdr_qualifiers: empty | NAME phdr_val phdr_qualifiers | AT '(' exp ')' phdr_qualifiers
 * phdr_val: empty | '(' exp ')'
 */
static bool parse_phdr_qualifiers(struct parser *parser, struct stmt *stmt)
{
	struct expr **value;
	struct token name;

	for (;;) {
		struct expr *unnamed = NULL;
		bool bare;

		if (parser_peek(parser) != TOK_NAME && parser_peek(parser) != TOK_AT)
			return true;
		name = parser_take(parser);
		value = name.kind == TOK_AT ? &stmt->u.phdr.at :
			strcmp(name.text, "FLAGS") == 0 ? &stmt->u.phdr.flags : &unnamed;
		bare = parser_peek(parser) != TOK_LEFT_PAREN;
		if (!bare || name.kind == TOK_AT) {
			if (!parser_expect(parser, TOK_LEFT_PAREN))
				return false;
			*value = parse_exp(parser);
			if (*value == NULL || !parser_expect(parser, TOK_RIGHT_PAREN))
				return false;
		}
		if (name.kind == TOK_AT)
			continue;
		if (bare && strcmp(name.text, "FILEHDR") == 0)
			stmt->u.phdr.filehdr = true;
		else if (bare && strcmp(name.text, "PHDRS") == 0)
			stmt->u.phdr.phdrs = true;
		else if (bare || value != &stmt->u.phdr.flags)
			parser_error(parser, name.span, "expected 'FILEHDR', 'PHDRS', 'AT(...)', "
				     "'FLAGS(...)' or ';', got '%s%s'", name.text,
				     bare ? "" : "(...)");
	}
}

/* phdr: NAME phdr_type phdr_qualifiers ';'	behind the name in EXPRESSION mode */
static bool parse_phdr(struct parser *parser, struct stmt_list *list)
{
	const struct expr *type;
	struct stmt *stmt;
	struct token name;
	bool headers;

	if (!parser_expect_name(parser, "a program header's name or '}'", &name))
		return false;
	stmt = parser_new_stmt(parser, list, STMT_PHDR, name.span.begin);
	stmt->u.phdr.name = name.text;
	parser->lexer.mode = LEX_EXPRESSION;
	type = stmt->u.phdr.type = parse_phdr_type(parser);
	if (type == NULL || !parse_phdr_qualifiers(parser, stmt))
		return false;
	parser->lexer.mode = LEX_SCRIPT;
	if (!parser_expect(parser, TOK_SEMICOLON))
		return false;
	parser_finish(parser, stmt);
	if (type->constant && type->number == 1) {
		headers = stmt->u.phdr.filehdr || stmt->u.phdr.phdrs;
		if (headers && parser->bare_load)
			parser_error(parser, stmt->span, "'FILEHDR' and 'PHDRS' stand in a PT_LOAD "
				     "behind one without them");
		parser->bare_load |= !headers;
	}
	return true;
}

/* phdrs: PHDRS '{' phdr_list '}' ; phdr_list: { phdr } */
bool parse_phdrs(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_PHDRS, begin);
	struct stmt_list phdrs = stmt_list_of(stmt);
	uint32_t brace = parser_begin(parser);
	bool closed;

	if (!parser_expect(parser, TOK_LEFT_BRACE))
		return false;
	while (parser_peek(parser) != TOK_RIGHT_BRACE && parser_peek(parser) != TOK_END)
		if (!parse_phdr(parser, &phdrs))
			parser_recover(parser, LEX_SCRIPT, false);
	stmt->children = phdrs.first;
	closed = parse_closing_brace(parser, brace);
	parser_finish(parser, stmt);
	return closed;
}

/* --- The list of commands ---------------------------------------------- */

/*
 * ifile_p1: memory | sections | phdrs | startup | high_level_library | low_level_library
 *	| floating_point_support | statement_anywhere | version | ';' | commands
 */
static bool parse_ifile_p1(struct parser *parser, struct stmt_list *list)
{
	struct token name;

	switch (parser_peek(parser)) {
	case TOK_MEMORY:
		return parse_memory(parser, list);
	case TOK_SECTIONS:
		return parse_sections(parser, list);
	case TOK_PHDRS:
		return parse_phdrs(parser, list);
	case TOK_VERSION:
		return parse_version(parser, list);
	case TOK_INCLUDE:
		return parse_include(parser, list, parse_ifile_list);
	case TOK_INPUT: case TOK_GROUP:
		return parse_input(parser, list);
	case TOK_INSERT:
		return parse_insert(parser, list);
	case TOK_OUTPUT_FORMAT:
		return parse_output_format(parser, list);
	case TOK_REGION_ALIAS:
		return parse_region_alias(parser, list);
	case TOK_NOCROSSREFS: case TOK_NOCROSSREFS_TO:
		return parse_nocrossrefs(parser, list);
	case TOK_EXTERN: case TOK_HLL: case TOK_SYSLIB:
		return parse_name_list_command(parser, list);
	case TOK_TARGET: case TOK_SEARCH_DIR: case TOK_OUTPUT: case TOK_OUTPUT_ARCH:
	case TOK_MAP: case TOK_LD_FEATURE: case TOK_STARTUP:
		return parse_name_command(parser, list);
	case TOK_FLOAT: case TOK_NOFLOAT: case TOK_FORCE_COMMON_ALLOCATION:
	case TOK_FORCE_GROUP_ALLOCATION: case TOK_INHIBIT_COMMON_ALLOCATION:
		return parse_bare_command(parser, list);
	case TOK_ENTRY: case TOK_ASSERT: case TOK_HIDDEN: case TOK_PROVIDE:
	case TOK_PROVIDE_HIDDEN:
		return parse_statement_anywhere(parser, list);
	case TOK_SEMICOLON:
		name = parser_take(parser);
		parser_new_stmt(parser, list, STMT_EMPTY, name.span.begin);
		return true;
	case TOK_NAME:
		name = parser_take(parser);
		if (is_assign_op(parser_peek(parser)))
			return parse_assignment(parser, list, &name);
		return parser_check_spaces(parser, &name) &&
		       parser_expected(parser, "an assignment operator");
	default:
		return parser_expected(parser, "a command");
	}
}

/* ifile_list: { ifile_p1 } */
void parse_ifile_list(struct parser *parser, struct stmt_list *list)
{
	while (parser_peek(parser) != TOK_END) {
		if (parse_ifile_p1(parser, list))
			continue;
		parser_recover(parser, LEX_SCRIPT, true);
		if (parser_peek(parser) == TOK_RIGHT_BRACE)
			parser_take(parser);
	}
}
