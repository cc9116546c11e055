/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lexer.  What a word is depends on where it stands: "a-b" is one file name
 * between braces and a difference in an expression.  GNU ld has a lexer mode
 * for each place, and its parser sometimes reads a word before it switches to
 * the mode of the place; both show in which scripts it takes.  The modes here
 * are ld's, the parser switches where ld's does.
 */
#ifndef KERNING_LDSCRIPTS_LEX_H
#define KERNING_LDSCRIPTS_LEX_H

#include <obstack.h>
#include <stdbool.h>

#include "ldscripts/token.h"
#include "lib/diag.h"

enum lex_mode {
	LEX_SCRIPT,		/* commands, and between the braces of SECTIONS */
	LEX_EXPRESSION,
	LEX_INPUT_LIST,		/* file names of INPUT and GROUP */
	LEX_WILD,		/* between the braces of an output section */
	LEX_VERSION_START,	/* between VERSION and its brace */
	LEX_VERSION_SCRIPT,	/* around version nodes */
	LEX_VERSION_NODE,	/* between the braces of a version node */
};

struct lexer {
	const struct source *source;
	uint32_t at;			/* offset of the next byte */
	enum lex_mode mode;
	enum lex_mode word_mode;	/* the mode that the last word was read in */
	int node_braces;		/* open braces inside a version node */
	bool cut_off;			/* an open comment took the rest, and was reported */
	struct obstack *arena;		/* for names */
	struct diag *diag;		/* NULL: say nothing */
};

/* Reads the next word by the present mode.  At the end: TOK_END, again and again. */
void lexer_next(struct lexer *lexer, struct token *token);

#endif
