/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the parser share.  Each parse function stands for a rule of
 * ld's grammar, bears its name, and has the rule above it.
 *
 * A function that meets an error reports it and returns false (or NULL) and
 * leaves lexer mode and position as they are: the list it was read for goes on
 * behind the next ';' or before its '}' (parser_recover()).
 *
 * When a word is read matters, as its mode is that of the moment: peek only
 * where ld's parser looks ahead, and switch the mode before or after it as ld does.
 */
#ifndef KERNING_LDSCRIPTS_PARSE_H
#define KERNING_LDSCRIPTS_PARSE_H

#include "ldscripts/lex.h"
#include "ldscripts/script.h"
#include "lib/vec.h"

/* A version's pattern, kept to find the same one under global and local. */
struct version_pattern {
	const char *text;
	bool literal;
	bool local;
	char language;		/* first letter, in lower case; c, +, j */
	unsigned node;
};

struct parser {
	struct lexer lexer;
	struct token token;		/* the word looked at, where peeked */
	bool peeked;
	uint32_t end;			/* where the last word taken ends */
	struct script *script;		/* being read; owns what is made */
	const struct script_options *options;
	struct diag *diag;
	unsigned errors;		/* in this script */
	struct span last_error;		/* one message for a place */
	unsigned includes;		/* files open */
	unsigned depth;			/* of nested expressions and groups */
	unsigned expressions;		/* of those, expressions */
	unsigned operations;		/* nodes of the outermost expression */

	/* What ld checks while it reads. */
	bool had_startup;
	bool bare_load;			/* a PT_LOAD without FILEHDR and PHDRS came before */
	VEC(const char *) regions;
	VEC(const char *) versions;
	VEC(struct version_pattern) patterns;
};

/* A list under construction. */
struct stmt_list {
	struct stmt *parent;
	struct stmt *first, **last;
};

/* --- Words ------------------------------------------------------------- */

enum token_kind parser_peek(struct parser *parser);
struct token parser_take(struct parser *parser);
/* Takes the next word if it is of KIND. */
bool parser_accept(struct parser *parser, enum token_kind kind);
/* The same, or reports what stands there. */
bool parser_expect(struct parser *parser, enum token_kind kind);
bool parser_expect_name(struct parser *parser, const char *what, struct token *token);
/* A word looked at is read again, by the mode then set. */
void parser_unread(struct parser *parser);
/* Where the next word begins. */
uint32_t parser_begin(struct parser *parser);

/* Reports "expected WHAT, got ..." at the next word.  Returns false. */
bool parser_expected(struct parser *parser, const char *what);
bool parser_error(struct parser *parser, struct span span, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* False, reported, where the word behind NAME tells that it swallowed a sign: x=1; .text: {} */
bool parser_check_spaces(struct parser *parser, const struct token *name);
/*
 * After an error: on to where a list in MODE can go on, behind a ';' or a '}' that
 * closes what was opened since, before any other '}'; in the list of COMMANDS also
 * before the next word that only a command begins with.
 */
void parser_recover(struct parser *parser, enum lex_mode mode, bool commands);
/* Deeper by one; false, reported, where that is too deep.  Undone by parser_leave(). */
bool parser_enter(struct parser *parser);
void parser_leave(struct parser *parser);

/* --- Nodes ------------------------------------------------------------- */

struct span parser_span(const struct parser *parser, uint32_t begin);
void *parser_alloc(struct parser *parser, size_t size);
/* A zeroed statement at the end of LIST, from BEGIN to the last word taken. */
struct stmt *parser_new_stmt(struct parser *parser, struct stmt_list *list,
			     enum stmt_kind kind, uint32_t begin);
/* Its span then reaches to the last word taken. */
bool parser_finish(struct parser *parser, struct stmt *stmt);
struct stmt_list stmt_list_of(struct stmt *parent);
/* Appends TOKEN and moves *LAST. */
void parser_add_name(struct parser *parser, struct name_list ***last,
		     const struct token *token);

/* --- Rules that other parts use ---------------------------------------- */

struct expr *parse_exp(struct parser *parser);
/* An expression whose '(', at BEGIN, is taken already. */
struct expr *parse_exp_in_paren(struct parser *parser, uint32_t begin);
struct expr *parse_mustbe_exp(struct parser *parser);
struct expr *parse_fill_exp(struct parser *parser);
bool expr_is_constant(const struct expr *expr);

bool is_assign_op(enum token_kind kind);
/* Behind the name. */
bool parse_assignment(struct parser *parser, struct stmt_list *list, const struct token *name);
bool parse_provide(struct parser *parser, struct stmt_list *list);
bool parse_assert(struct parser *parser, struct stmt_list *list, bool needs_separator);
bool parse_separator(struct parser *parser);

bool parse_statement_anywhere(struct parser *parser, struct stmt_list *list);
bool parse_include(struct parser *parser, struct stmt_list *list,
		   void (*members)(struct parser *, struct stmt_list *));
void parse_ifile_list(struct parser *parser, struct stmt_list *list);
bool parse_memory(struct parser *parser, struct stmt_list *list);
bool parse_phdrs(struct parser *parser, struct stmt_list *list);
bool parse_sections(struct parser *parser, struct stmt_list *list);
bool parse_version(struct parser *parser, struct stmt_list *list);

void parse_statement_list_opt(struct parser *parser, struct stmt_list *list);
/* The '{' at BRACE was taken: expects its '}'. */
bool parse_closing_brace(struct parser *parser, uint32_t brace);

#endif
