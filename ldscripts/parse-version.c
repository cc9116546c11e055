/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * VERSION: the nodes are checked as ld checks them, and not kept: no section
 * depends on them.
 */
#include "config.h"

#include "ldscripts/parse.h"

#include <string.h>
#include <strings.h>

/* A pattern's text without backslashes, or NULL where it has wildcards. */
static const char *literal_of(struct parser *parser, const char *pattern)
{
	char *text = parser_alloc(parser, strlen(pattern) + 1), *end = text;
	bool escaped = false;

	for (; *pattern != '\0'; pattern++) {
		if (escaped)
			end[-1] = *pattern;
		else if (*pattern == '?' || *pattern == '*' || *pattern == '[')
			return NULL;
		else
			*end++ = *pattern;
		escaped = *pattern == '\\';
	}
	*end = '\0';
	return text;
}

/* Adds a pattern; an error where an earlier node has it in the other scope. */
static void add_pattern(struct parser *parser, const struct token *name, char language, bool local)
{
	const char *literal = name->quoted ? name->text : literal_of(parser, name->text);
	struct version_pattern pattern = {
		.text = literal != NULL ? literal : name->text,
		.literal = literal != NULL,
		.local = local,
		.language = language,
		.node = (unsigned)parser->versions.count,
	};

	for (size_t i = 0; i < parser->patterns.count; i++) {
		const struct version_pattern *other = &parser->patterns.at[i];

		if (other->node != pattern.node && other->local != local &&
		    other->literal == pattern.literal && other->language == language &&
		    strcmp(other->text, pattern.text) == 0) {
			parser_error(parser, name->span, "'%s' is both global and local",
				     pattern.text);
			break;
		}
	}
	*vec_push(&parser->patterns) = pattern;
}

static bool parse_vers_defns(struct parser *parser, char language, bool local, bool *local_follows);

/*
 * EXTERN NAME '{' vers_defns opt_semicolon '}'
 * or EXTERN as a name, where no NAME (which has quotes here) follows
 */
static bool parse_extern(struct parser *parser, const struct token *keyword, char language,
			 bool local)
{
	static const char *const languages[] = { "C", "C++", "Java" };
	struct token name;
	char inner = '\0';
	bool done;

	if (parser_peek(parser) != TOK_NAME || !parser->token.quoted) {
		add_pattern(parser, keyword, language, local);
		return true;
	}
	name = parser_take(parser);
	for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
		if (strcasecmp(name.text, languages[i]) == 0)
			inner = "c+j"[i];
	if (inner == '\0')
		parser_error(parser, name.span, "expected \"C\", \"C++\" or \"Java\", got '%s'",
			     name.text);
	if (!parser_expect(parser, TOK_LEFT_BRACE) || !parser_enter(parser))
		return false;
	done = parse_vers_defns(parser, inner, local, NULL);
	parser_leave(parser);
	return done && parser_expect(parser, TOK_RIGHT_BRACE);
}

static bool is_definition(enum token_kind kind)
{
	return kind == TOK_NAME || kind == TOK_GLOBAL || kind == TOK_LOCAL || kind == TOK_EXTERN;
}

/*
 * vers_defns: VERS_IDENTIFIER | NAME | EXTERN NAME '{' vers_defns opt_semicolon '}'
 *	| GLOBAL | LOCAL | EXTERN | vers_defns ';' one more
 * with the ';' behind the last, which between the braces of EXTERN (LOCAL_FOLLOWS is
 * NULL) may be missing; "local:" may then follow, where *LOCAL_FOLLOWS says so, and is taken
 */
static bool parse_vers_defns(struct parser *parser, char language, bool local, bool *local_follows)
{
	do {
		struct token name;

		if (!is_definition(parser_peek(parser)))
			return parser_expected(parser, "a symbol");
		name = parser_take(parser);
		if (name.kind == TOK_EXTERN) {
			if (!parse_extern(parser, &name, language, local))
				return false;
		} else if (name.kind == TOK_LOCAL && local_follows != NULL && *local_follows &&
			   parser_peek(parser) == TOK_COLON) {
			return true;
		} else {
			add_pattern(parser, &name, language, local);
		}
		if (local_follows == NULL && parser_peek(parser) == TOK_RIGHT_BRACE)
			return true;
		if (!parser_expect(parser, TOK_SEMICOLON))
			return false;
	} while (is_definition(parser_peek(parser)));
	if (local_follows != NULL)
		*local_follows = false;
	return true;
}

/*
 * vers_tag: empty | vers_defns ';' | GLOBAL ':' vers_defns ';' | LOCAL ':' vers_defns ';'
 *	| GLOBAL ':' vers_defns ';' LOCAL ':' vers_defns ';'
 */
static bool parse_vers_tag(struct parser *parser)
{
	bool local_follows = false;
	struct token first;

	if (parser_peek(parser) == TOK_RIGHT_BRACE)
		return true;
	if (parser_peek(parser) != TOK_GLOBAL && parser_peek(parser) != TOK_LOCAL)
		return parse_vers_defns(parser, 'c', false, &local_follows);

	first = parser_take(parser);
	if (parser_accept(parser, TOK_COLON)) {
		bool local = first.kind == TOK_LOCAL;

		local_follows = !local;
		if (!parse_vers_defns(parser, 'c', local, &local_follows))
			return false;
		if (!local_follows)
			return true;
		local_follows = false;
		return parser_expect(parser, TOK_COLON) &&
		       parse_vers_defns(parser, 'c', true, &local_follows);
	}
	/* A symbol of that name. */
	add_pattern(parser, &first, 'c', false);
	if (!parser_expect(parser, TOK_SEMICOLON))
		return false;
	return !is_definition(parser_peek(parser)) ||
	       parse_vers_defns(parser, 'c', false, &local_follows);
}

static bool has_version(const struct parser *parser, const char *name)
{
	for (size_t i = 0; i < parser->versions.count; i++)
		if (strcmp(parser->versions.at[i], name) == 0)
			return true;
	return false;
}

/*
 * vers_node: '{' vers_tag '}' ';' | VERS_TAG '{' vers_tag '}' ';'
 *	| VERS_TAG '{' vers_tag '}' verdep ';'
 * verdep: VERS_TAG | verdep VERS_TAG
 */
static bool parse_vers_node(struct parser *parser)
{
	struct token tag = { .text = "" }, name;
	struct span place;
	bool named = parser_peek(parser) == TOK_NAME;

	place = parser->token.span;
	if (named)
		tag = parser_take(parser);
	if (!parser_expect(parser, TOK_LEFT_BRACE) || !parse_vers_tag(parser) ||
	    !parser_expect(parser, TOK_RIGHT_BRACE))
		return false;
	while (named && parser_peek(parser) == TOK_NAME) {
		name = parser_take(parser);
		if (!has_version(parser, name.text))
			parser_error(parser, name.span, "there is no version '%s' to depend on",
				     name.text);
	}
	if (!parser_expect(parser, TOK_SEMICOLON))
		return false;
	if ((parser->versions.count > 0 && !named) ||
	    (parser->versions.count == 1 && parser->versions.at[0][0] == '\0'))
		parser_error(parser, place, "a version without a name stands beside others");
	else if (has_version(parser, tag.text))
		parser_error(parser, place, "there is a version '%s' already", tag.text);
	*vec_push(&parser->versions) = tag.text;
	return true;
}

/* To the brace that ends VERSION, and over it. */
static void skip_version(struct parser *parser)
{
	while (parser_peek(parser) != TOK_END) {
		bool last = parser->token.kind == TOK_RIGHT_BRACE &&
			    parser->lexer.word_mode == LEX_VERSION_SCRIPT;

		parser_take(parser);
		if (last)
			return;
	}
}

/* version: VERSIONK '{' vers_nodes '}' ; vers_nodes: vers_node | vers_nodes vers_node */
bool parse_version(struct parser *parser, struct stmt_list *list)
{
	uint32_t begin = parser_take(parser).span.begin;
	struct stmt *stmt = parser_new_stmt(parser, list, STMT_VERSION, begin);
	uint32_t brace;

	parser->lexer.mode = LEX_VERSION_START;
	brace = parser_begin(parser);
	if (!parser_expect(parser, TOK_LEFT_BRACE))
		return false;
	do {
		if (!parse_vers_node(parser)) {
			skip_version(parser);
			parser->lexer.mode = LEX_SCRIPT;
			return true;
		}
	} while (parser_peek(parser) == TOK_NAME || parser_peek(parser) == TOK_LEFT_BRACE);
	if (!parse_closing_brace(parser, brace))
		return false;
	parser->lexer.mode = LEX_SCRIPT;
	return parser_finish(parser, stmt);
}
