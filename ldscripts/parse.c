/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parser's tools, and the statements that may stand anywhere: assignments,
 * assertions, INCLUDE.
 */
#include "config.h"

#include "ldscripts/parse.h"

#include <errno.h>
#include <string.h>

#include "lib/memory.h"

/* As many as ld holds, the first included. */
#define MAX_OPEN_FILES	10
/* Nested parentheses and groups; ld's own stack ends at about ten thousand. */
#define MAX_DEPTH	1000

/* --- Words ------------------------------------------------------------- */

enum token_kind parser_peek(struct parser *parser)
{
	if (!parser->peeked) {
		unsigned before = parser->diag->errors;

		lexer_next(&parser->lexer, &parser->token);
		parser->errors += parser->diag->errors - before;
		parser->peeked = true;
	}
	return parser->token.kind;
}

struct token parser_take(struct parser *parser)
{
	parser_peek(parser);
	/* The end stays: an included file ends where parse_include() sees it. */
	if (parser->token.kind != TOK_END)
		parser->peeked = false;
	parser->end = parser->token.span.end;
	return parser->token;
}

bool parser_accept(struct parser *parser, enum token_kind kind)
{
	if (parser_peek(parser) != kind)
		return false;
	parser_take(parser);
	return true;
}

bool parser_expect(struct parser *parser, enum token_kind kind)
{
	char what[40];

	if (parser_accept(parser, kind))
		return true;
	snprintf(what, sizeof what, kind == TOK_END ? "%s" : "'%s'", token_name(kind));
	return parser_expected(parser, what);
}

bool parser_expect_name(struct parser *parser, const char *what, struct token *token)
{
	parser_peek(parser);
	*token = parser->token;
	if (token->kind != TOK_NAME)
		return parser_expected(parser, what);
	parser_take(parser);
	return true;
}

void parser_unread(struct parser *parser)
{
	if (!parser->peeked)
		return;
	parser->lexer.at = parser->token.span.begin;
	parser->peeked = false;
}

uint32_t parser_begin(struct parser *parser)
{
	parser_peek(parser);
	return parser->token.span.begin;
}

/* --- Errors ------------------------------------------------------------ */

bool parser_error(struct parser *parser, struct span span, const char *format, ...)
{
	va_list arguments;
	char *text;

	/* What follows from a missing end of comment, or was said of this word, is no news. */
	if (parser->lexer.cut_off ||
	    (parser->last_error.source == span.source && parser->last_error.begin == span.begin))
		return false;
	va_start(arguments, format);
	obstack_vprintf(&parser->script->arena, format, arguments);
	va_end(arguments);
	obstack_1grow(&parser->script->arena, '\0');
	text = obstack_finish(&parser->script->arena);
	diag_error(parser->diag, &span, "%s", text);
	parser->errors++;
	parser->last_error = span;
	return false;
}

bool parser_expected(struct parser *parser, const char *what)
{
	const struct token *token = &parser->token;
	const char *text;
	int length;

	if (parser_peek(parser) == TOK_END)
		return parser_error(parser, token->span, "expected %s, got end of file", what);
	text = token->span.source->text + token->span.begin;
	length = (int)(token->span.end - token->span.begin);
	for (int i = 0; i < length; i++)
		if (text[i] == '\n' || text[i] == '\0' || i == 60)
			length = i;
	return parser_error(parser, token->span, "expected %s, got '%.*s'", what, length, text);
}

bool parser_check_spaces(struct parser *parser, const struct token *name)
{
	enum token_kind next = parser_peek(parser);
	char sign = next == TOK_SEMICOLON ? '=' : next == TOK_LEFT_BRACE ? ':' : '\0';

	if (sign == '\0' || name->quoted || strchr(name->text, sign) == NULL)
		return true;
	return parser_error(parser, name->span, "expected spaces around '%c', which is part of the "
			    "name '%s'", sign, name->text);
}

/* True of the words that a command at the top begins with; they stand together. */
static bool begins_command(enum token_kind kind)
{
	return kind >= TOK_ENTRY && kind <= TOK_VERSION && kind != TOK_OVERLAY;
}

/* What may stand behind the '}' of an output section: ">RAM AT>ROM :text =0,". */
static void skip_placement(struct parser *parser)
{
	for (;;) {
		switch (parser_peek(parser)) {
		case TOK_GREATER: case TOK_COLON:
			parser_take(parser);
			parser_accept(parser, TOK_NAME);
			break;
		case TOK_AT: case TOK_COMMA: case TOK_ASSIGN: case TOK_NUMBER:
		case TOK_PLUS: case TOK_MINUS: case TOK_COMPLEMENT: case TOK_NOT:
			parser_take(parser);
			break;
		default:
			return;
		}
	}
}

void parser_recover(struct parser *parser, enum lex_mode mode, bool commands)
{
	struct diag *diag = parser->lexer.diag;
	unsigned braces = 0;

	parser->lexer.mode = mode;
	parser->lexer.diag = NULL;
	parser_unread(parser);
	for (;;) {
		switch (parser_peek(parser)) {
		case TOK_END:
			goto out;
		case TOK_SEMICOLON:
			parser_take(parser);
			if (braces == 0)
				goto out;
			continue;
		case TOK_LEFT_BRACE:
			braces++;
			break;
		case TOK_RIGHT_BRACE:
			if (braces == 0)
				goto out;
			if (--braces == 0) {
				parser_take(parser);
				skip_placement(parser);
				goto out;
			}
			break;
		default:
			if (commands && braces == 0 && begins_command(parser->token.kind))
				goto out;
			break;
		}
		parser_take(parser);
	}
out:
	parser->lexer.diag = diag;
}

bool parser_enter(struct parser *parser)
{
	if (parser->depth >= MAX_DEPTH) {
		parser_peek(parser);
		return parser_error(parser, parser->token.span,
				    "nested too deeply: more than %d levels", MAX_DEPTH);
	}
	parser->depth++;
	return true;
}

void parser_leave(struct parser *parser)
{
	parser->depth--;
}

/* --- Nodes ------------------------------------------------------------- */

struct span parser_span(const struct parser *parser, uint32_t begin)
{
	return (struct span){ parser->lexer.source, begin, parser->end };
}

void *parser_alloc(struct parser *parser, size_t size)
{
	return memset(obstack_alloc(&parser->script->arena, size), 0, size);
}

struct stmt *parser_new_stmt(struct parser *parser, struct stmt_list *list,
			     enum stmt_kind kind, uint32_t begin)
{
	struct stmt *stmt = parser_alloc(parser, sizeof *stmt);

	stmt->kind = kind;
	stmt->span = parser_span(parser, begin);
	stmt->parent = list->parent;
	if (list->last == NULL)
		list->first = stmt;
	else
		*list->last = stmt;
	list->last = &stmt->next;
	return stmt;
}

bool parser_finish(struct parser *parser, struct stmt *stmt)
{
	stmt->span.end = parser->end;
	return true;
}

struct stmt_list stmt_list_of(struct stmt *parent)
{
	return (struct stmt_list){ .parent = parent };
}

void parser_add_name(struct parser *parser, struct name_list ***last,
		     const struct token *token)
{
	struct name_list *name = parser_alloc(parser, sizeof *name);

	name->name = token->text;
	name->span = token->span;
	**last = name;
	*last = &name->next;
}

bool parse_closing_brace(struct parser *parser, uint32_t brace)
{
	struct span span = { parser->lexer.source, brace, brace + 1 };
	unsigned before = parser->errors;

	if (parser_expect(parser, TOK_RIGHT_BRACE))
		return true;
	if (parser->errors > before)
		diag_note(parser->diag, &span, "to close this '{'");
	return false;
}

/* --- Statements of all places ------------------------------------------ */

/*
 * assign_op: PLUSEQ | MINUSEQ | MULTEQ | DIVEQ | LSHIFTEQ | RSHIFTEQ | ANDEQ | OREQ | XOREQ
 * and '='
 */
bool is_assign_op(enum token_kind kind)
{
	return kind >= TOK_ASSIGN && kind <= TOK_XOR_ASSIGN;
}

/* separator: ';' | ',' */
bool parse_separator(struct parser *parser)
{
	if (parser_accept(parser, TOK_SEMICOLON) || parser_accept(parser, TOK_COMMA))
		return true;
	return parser_expected(parser, "';'");
}

/* assignment: NAME '=' mustbe_exp | NAME assign_op mustbe_exp | ... separator */
bool parse_assignment(struct parser *parser, struct stmt_list *list, const struct token *name)
{
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_ASSIGN, name->span.begin);

	stmt->u.assign.symbol = name->text;
	stmt->u.assign.op = parser_take(parser).kind;
	stmt->u.assign.value = parse_mustbe_exp(parser);
	return stmt->u.assign.value != NULL && parse_separator(parser) &&
	       parser_finish(parser, stmt);
}

/*
 * assignment: HIDDEN '(' NAME '=' mustbe_exp ')' | PROVIDE '(' NAME '=' mustbe_exp ')'
 *	| PROVIDE_HIDDEN '(' NAME '=' mustbe_exp ')'
 * and its separator
 */
bool parse_provide(struct parser *parser, struct stmt_list *list)
{
	struct token keyword = parser_take(parser);
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_ASSIGN, keyword.span.begin);
	struct token name;

	stmt->u.assign.scope = keyword.kind == TOK_HIDDEN ? ASSIGN_HIDDEN :
			       keyword.kind == TOK_PROVIDE ? ASSIGN_PROVIDE :
			       ASSIGN_PROVIDE_HIDDEN;
	stmt->u.assign.op = TOK_ASSIGN;
	if (!parser_expect(parser, TOK_LEFT_PAREN) ||
	    !parser_expect_name(parser, "a symbol", &name) ||
	    !parser_expect(parser, TOK_ASSIGN))
		return false;
	stmt->u.assign.symbol = name.text;
	stmt->u.assign.value = parse_mustbe_exp(parser);
	return stmt->u.assign.value != NULL && parser_expect(parser, TOK_RIGHT_PAREN) &&
	       parse_separator(parser) && parser_finish(parser, stmt);
}

/*
 * ASSERT_K '(' exp ',' NAME ')'
 * with a separator between the braces of an output section, without elsewhere
 */
bool parse_assert(struct parser *parser, struct stmt_list *list, bool needs_separator)
{
	enum lex_mode mode = parser->lexer.mode;
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_ASSERT, begin);
	struct token text;

	parser->lexer.mode = LEX_EXPRESSION;
	if (!parser_expect(parser, TOK_LEFT_PAREN))
		return false;
	stmt->u.assertion.condition = parse_exp(parser);
	if (stmt->u.assertion.condition == NULL || !parser_expect(parser, TOK_COMMA) ||
	    !parser_expect_name(parser, "a text", &text) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return false;
	stmt->u.assertion.text = text.text;
	if (needs_separator && !parse_separator(parser))
		return false;
	parser->lexer.mode = mode;
	return parser_finish(parser, stmt);
}

/* statement_anywhere: ENTRY '(' NAME ')' | assignment separator | ASSERT_K '(' exp ',' NAME ')' */
bool parse_statement_anywhere(struct parser *parser, struct stmt_list *list)
{
	struct name_list **last;
	struct stmt *stmt;
	struct token name;

	switch (parser_peek(parser)) {
	case TOK_ASSERT:
		return parse_assert(parser, list, false);
	case TOK_HIDDEN: case TOK_PROVIDE: case TOK_PROVIDE_HIDDEN:
		return parse_provide(parser, list);
	default:
		break;
	}
	stmt = parser_new_stmt(parser, list, STMT_COMMAND, parser_take(parser).span.begin);
	stmt->u.command.keyword = TOK_ENTRY;
	last = &stmt->u.command.args;
	if (!parser_expect(parser, TOK_LEFT_PAREN) ||
	    !parser_expect_name(parser, "a symbol", &name) ||
	    !parser_expect(parser, TOK_RIGHT_PAREN))
		return false;
	parser_add_name(parser, &last, &name);
	return parser_finish(parser, stmt);
}

/* The script that is then read into; its text is SOURCE. */
static struct script *open_included(struct parser *parser, struct source *source)
{
	struct script *script = xcalloc(1, sizeof *script);

	script->source = source;
	obstack_init(&script->arena);
	script->next = parser->script->included;
	parser->script->included = script;
	return script;
}

/*
 * INCLUDE filename
 * and, as if they stood here, the MEMBERS that the file holds
 */
bool parse_include(struct parser *parser, struct stmt_list *list,
		   void (*members)(struct parser *, struct stmt_list *))
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_INCLUDE, begin);
	struct script *outer = parser->script;
	struct lexer place;
	struct stmt_list inner;
	struct source *source;
	struct token name;
	uint32_t end;

	if (!parser_expect_name(parser, "a file name", &name))
		return false;
	stmt->u.include.name = name.text;
	parser_finish(parser, stmt);
	if (parser->options != NULL && parser->options->skip_includes)
		return true;
	if (parser->includes >= MAX_OPEN_FILES) {
		parser_error(parser, name.span, "includes nested too deeply: more than %d files",
			     MAX_OPEN_FILES);
		return true;
	}
	source = script_find_include(name.text,
				     parser->options != NULL ? parser->options->search_dirs : NULL);
	if (source == NULL) {
		parser_error(parser, name.span, "cannot open '%s': %s", name.text,
			     strerror(errno));
		return true;
	}

	end = parser->end;
	place = parser->lexer;
	parser->script = stmt->u.include.script = open_included(parser, source);
	parser->lexer.source = source;
	parser->lexer.at = 0;
	parser->lexer.arena = &parser->script->arena;
	parser->includes++;

	inner = stmt_list_of(stmt);
	members(parser, &inner);
	if (parser_peek(parser) != TOK_END)
		parser_expected(parser, "end of file");
	stmt->children = parser->script->statements = inner.first;

	parser->includes--;
	place.cut_off = parser->lexer.cut_off;
	parser->lexer = place;
	parser->peeked = false;
	parser->script = outer;
	parser->end = end;
	return true;
}
