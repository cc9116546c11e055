/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SECTIONS: output sections with their attributes, overlays, groups.
 */
#include "config.h"

#include "ldscripts/parse.h"

/* --- What stands before the brace -------------------------------------- */

static bool begins_type(enum token_kind kind)
{
	return kind == TOK_NOLOAD || kind == TOK_DSECT || kind == TOK_COPY || kind == TOK_INFO ||
	       kind == TOK_OVERLAY || kind == TOK_READONLY || kind == TOK_TYPE;
}

/* TYPE '=' exp */
static bool parse_type_value(struct parser *parser, struct output_section *output)
{
	if (!parser_expect(parser, TOK_TYPE) || !parser_expect(parser, TOK_ASSIGN))
		return false;
	output->type_value = parse_exp(parser);
	return output->type_value != NULL;
}

/*
 * type: NOLOAD | DSECT | COPY | INFO | OVERLAY | READONLY '(' TYPE '=' exp ')' | READONLY
 *	| TYPE '=' exp
 * and the ')' behind; the '(' is taken, and there may be nothing between
 */
static bool parse_type(struct parser *parser, struct output_section *output)
{
	enum token_kind kind = parser_peek(parser);

	if (kind == TOK_TYPE) {
		output->type = token_name(kind);
		if (!parse_type_value(parser, output))
			return false;
	} else if (begins_type(kind)) {
		output->type = token_name(kind);
		parser_take(parser);
		if (kind == TOK_READONLY && parser_accept(parser, TOK_LEFT_PAREN) &&
		    (!parse_type_value(parser, output) ||
		     !parser_expect(parser, TOK_RIGHT_PAREN)))
			return false;
	} else if (kind != TOK_RIGHT_PAREN) {
		return parser_expected(parser, "a section type or ')'");
	}
	return parser_expect(parser, TOK_RIGHT_PAREN);
}

/* NAME '(' exp ')'	the word taken already */
static struct expr *parse_paren_exp(struct parser *parser)
{
	struct expr *expr;

	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return NULL;
	expr = parse_exp(parser);
	return expr != NULL && parser_expect(parser, TOK_RIGHT_PAREN) ? expr : NULL;
}

/* KEYWORD '(' exp ')' or nothing: opt_at, opt_align, opt_subalign */
static bool parse_opt(struct parser *parser, enum token_kind keyword, struct expr **value)
{
	if (!parser_accept(parser, keyword))
		return true;
	*value = parse_paren_exp(parser);
	return *value != NULL;
}

/*
 * opt_exp_with_type: exp atype ':' | atype ':' | BIND '(' exp ')' atype ':'
 *	| BIND '(' exp ')' BLOCK '(' exp ')' atype ':'
 * atype: '(' type ')' | empty | '(' ')'
 */
static bool parse_opt_exp_with_type(struct parser *parser, struct output_section *output)
{
	bool typed = false;

	if (parser_accept(parser, TOK_BIND)) {
		output->address = parse_paren_exp(parser);
		if (output->address == NULL)
			return false;
		if (parser_accept(parser, TOK_BLOCK) && parse_paren_exp(parser) == NULL)
			return false;
	} else if (parser_peek(parser) == TOK_LEFT_PAREN) {
		uint32_t begin = parser_take(parser).span.begin;

		typed = begins_type(parser_peek(parser)) ||
			parser_peek(parser) == TOK_RIGHT_PAREN;
		if (typed) {
			if (!parse_type(parser, output))
				return false;
		} else {
			output->address = parse_exp_in_paren(parser, begin);
			if (output->address == NULL)
				return false;
		}
	} else if (parser_peek(parser) != TOK_COLON) {
		output->address = parse_exp(parser);
		if (output->address == NULL)
			return false;
	}
	if (!typed && parser_accept(parser, TOK_LEFT_PAREN) && !parse_type(parser, output))
		return false;
	return parser_expect(parser, TOK_COLON);
}

/* sect_constraint: ONLY_IF_RO | ONLY_IF_RW | SPECIAL | empty */
static void parse_sect_constraint(struct parser *parser, struct output_section *output)
{
	switch (parser_peek(parser)) {
	case TOK_ONLY_IF_RO: output->constraint = CONSTRAINT_ONLY_IF_RO; break;
	case TOK_ONLY_IF_RW: output->constraint = CONSTRAINT_ONLY_IF_RW; break;
	case TOK_SPECIAL: output->constraint = CONSTRAINT_SPECIAL; break;
	default: return;
	}
	parser_take(parser);
}

/* --- What stands behind the brace -------------------------------------- */

/* phdr_opt: empty | phdr_opt ':' NAME ; fill_opt: '=' fill_exp | empty */
static bool parse_phdr_and_fill(struct parser *parser, struct stmt *stmt)
{
	struct name_list **last = &stmt->u.output.phdrs;
	struct token name;

	while (parser_accept(parser, TOK_COLON)) {
		if (!parser_expect_name(parser, "a program header's name", &name))
			return false;
		parser_add_name(parser, &last, &name);
	}
	if (parser_accept(parser, TOK_ASSIGN)) {
		stmt->u.output.fill = parse_fill_exp(parser);
		if (stmt->u.output.fill == NULL)
			return false;
	}
	/*
	 * To see that the fill's expression ends the next word was read by an
	 * expression's rules: a name is another by a script's.
	 */
	if (parser_peek(parser) == TOK_NAME)
		parser_unread(parser);
	parser_finish(parser, stmt);
	parser_accept(parser, TOK_COMMA);
	return true;
}

/*
 * memspec_opt memspec_at_opt phdr_opt fill_opt opt_comma
 * memspec_opt: '>' NAME | empty ; memspec_at_opt: AT '>' NAME | empty
 */
static bool parse_placement(struct parser *parser, struct stmt *stmt)
{
	struct output_section *output = &stmt->u.output;
	struct token name;

	if (parser_accept(parser, TOK_GREATER)) {
		if (!parser_expect_name(parser, "a region", &name))
			return false;
		output->region = name.text;
	}
	if (parser_accept(parser, TOK_AT)) {
		if (!parser_expect(parser, TOK_GREATER) ||
		    !parser_expect_name(parser, "a region", &name))
			return false;
		output->lma_region = name.text;
		if (output->at != NULL)
			parser_error(parser, name.span,
				     "section has both a load address and a load region");
	}
	return parse_phdr_and_fill(parser, stmt);
}

/* '{' statement_list_opt '}'	in WILD mode, that before it told */
static bool parse_body(struct parser *parser, struct stmt *stmt)
{
	struct stmt_list body = stmt_list_of(stmt);
	uint32_t brace;
	bool closed;

	parser->lexer.mode = LEX_WILD;
	brace = parser_begin(parser);
	if (!parser_expect(parser, TOK_LEFT_BRACE))
		return false;
	parse_statement_list_opt(parser, &body);
	stmt->children = body.first;
	closed = parse_closing_brace(parser, brace);
	stmt->u.output.body = parser_span(parser, brace);
	parser->lexer.mode = LEX_SCRIPT;
	return closed;
}

/* --- Members of SECTIONS ----------------------------------------------- */

/*
 * section: NAME opt_exp_with_type opt_at opt_align opt_align_with_input opt_subalign
 *	sect_constraint '{' statement_list_opt '}' memspec_opt memspec_at_opt phdr_opt fill_opt
 *	opt_comma
 * The word behind the NAME was read as a script's.
 */
static bool parse_output_section(struct parser *parser, struct stmt_list *list,
				 const struct token *name)
{
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_OUTPUT_SECTION, name->span.begin);
	struct output_section *output = &stmt->u.output;
	struct token word;

	output->name = name->text;
	output->name_span = name->span;
	parser->lexer.mode = LEX_EXPRESSION;
	if (!parse_opt_exp_with_type(parser, output) || !parse_opt(parser, TOK_AT, &output->at) ||
	    !parse_opt(parser, TOK_ALIGN, &output->align))
		return false;
	if (parser_peek(parser) == TOK_ALIGN_WITH_INPUT) {
		word = parser_take(parser);
		output->align_with_input = true;
		if (output->align != NULL)
			parser_error(parser, word.span,
				     "'ALIGN_WITH_INPUT' and 'ALIGN(...)' exclude each other");
	}
	if (!parse_opt(parser, TOK_SUBALIGN, &output->subalign))
		return false;
	parse_sect_constraint(parser, output);
	return parse_body(parser, stmt) && parse_placement(parser, stmt);
}

/* overlay_section: { NAME '{' statement_list_opt '}' phdr_opt fill_opt opt_comma } */
static bool parse_overlay_section(struct parser *parser, struct stmt_list *list)
{
	struct stmt *stmt;
	struct token name;

	if (!parser_expect_name(parser, "a section name or '}'", &name))
		return false;
	stmt = parser_new_stmt(parser, list, STMT_OUTPUT_SECTION, name.span.begin);
	stmt->u.output.name = name.text;
	stmt->u.output.name_span = name.span;
	return parse_body(parser, stmt) && parse_phdr_and_fill(parser, stmt);
}

/*
 * section: OVERLAY opt_exp_without_type opt_nocrossrefs opt_at opt_subalign '{'
 *	overlay_section '}' memspec_opt memspec_at_opt phdr_opt fill_opt opt_comma
 * opt_exp_without_type: exp ':' | ':'
 * opt_nocrossrefs: NOCROSSREFS | empty
 */
static bool parse_overlay(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_OVERLAY, begin);
	struct stmt_list sections = stmt_list_of(stmt);
	struct output_section *output = &stmt->u.output;
	uint32_t brace;
	bool closed;

	parser->lexer.mode = LEX_EXPRESSION;
	if (parser_peek(parser) != TOK_COLON) {
		output->address = parse_exp(parser);
		if (output->address == NULL)
			return false;
	}
	if (!parser_expect(parser, TOK_COLON))
		return false;
	parser_accept(parser, TOK_NOCROSSREFS);
	if (!parse_opt(parser, TOK_AT, &output->at) ||
	    !parse_opt(parser, TOK_SUBALIGN, &output->subalign))
		return false;
	parser->lexer.mode = LEX_SCRIPT;
	brace = parser_begin(parser);
	if (!parser_expect(parser, TOK_LEFT_BRACE))
		return false;
	while (parser_peek(parser) != TOK_RIGHT_BRACE && parser_peek(parser) != TOK_END)
		if (!parse_overlay_section(parser, &sections))
			parser_recover(parser, LEX_SCRIPT, false);
	stmt->children = sections.first;
	closed = parse_closing_brace(parser, brace);
	output->body = parser_span(parser, brace);
	return closed && parse_placement(parser, stmt);
}

static void parse_sec_or_group_p1(struct parser *parser, struct stmt_list *list);

/* '{' sec_or_group_p1 '}' */
static bool parse_members(struct parser *parser, struct stmt *stmt)
{
	struct stmt_list members = stmt_list_of(stmt);
	uint32_t brace = parser_begin(parser);
	bool closed;

	if (!parser_expect(parser, TOK_LEFT_BRACE) || !parser_enter(parser))
		return false;
	parse_sec_or_group_p1(parser, &members);
	parser_leave(parser);
	stmt->children = members.first;
	closed = parse_closing_brace(parser, brace);
	stmt->u.output.body = parser_span(parser, brace);
	parser_finish(parser, stmt);
	return closed;
}

/* section: GROUP opt_exp_with_type '{' sec_or_group_p1 '}' */
static bool parse_group(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_SECTION_GROUP, begin);
	struct token colon;

	parser->lexer.mode = LEX_EXPRESSION;
	parser_peek(parser);
	colon = parser->token;
	if (!parse_opt_exp_with_type(parser, &stmt->u.output))
		return false;
	if (stmt->u.output.address == NULL)	/* ld crashes */
		return parser_error(parser, colon.span, "expected an address");
	parser->lexer.mode = LEX_SCRIPT;
	return parse_members(parser, stmt);
}

/* section | statement_anywhere | INCLUDE filename sec_or_group_p1 END */
static bool parse_section(struct parser *parser, struct stmt_list *list)
{
	struct token name;

	switch (parser_peek(parser)) {
	case TOK_NAME:
		name = parser_take(parser);
		if (is_assign_op(parser_peek(parser)))
			return parse_assignment(parser, list, &name);
		if (!parser_check_spaces(parser, &name))
			return false;
		return parse_output_section(parser, list, &name);
	case TOK_OVERLAY:
		return parse_overlay(parser, list);
	case TOK_GROUP:
		return parse_group(parser, list);
	case TOK_INCLUDE:
		return parse_include(parser, list, parse_sec_or_group_p1);
	case TOK_ENTRY: case TOK_ASSERT: case TOK_HIDDEN: case TOK_PROVIDE:
	case TOK_PROVIDE_HIDDEN:
		return parse_statement_anywhere(parser, list);
	default:
		return parser_expected(parser, "an output section, an assignment or '}'");
	}
}

/* sec_or_group_p1: { section | statement_anywhere } */
static void parse_sec_or_group_p1(struct parser *parser, struct stmt_list *list)
{
	while (parser_peek(parser) != TOK_RIGHT_BRACE && parser_peek(parser) != TOK_END)
		if (!parse_section(parser, list))
			parser_recover(parser, LEX_SCRIPT, false);
}

/* sections: SECTIONS '{' sec_or_group_p1 '}' */
bool parse_sections(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;

	return parse_members(parser, parser_new_stmt(parser, list, STMT_SECTIONS, begin));
}
