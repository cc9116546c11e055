/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of the linker script language.  One name stands for all spellings
 * of a thing: TOK_ORIGIN is ORIGIN, org and o; TOK_SORT_BY_NAME is also SORT.
 */
#ifndef KERNING_LDSCRIPTS_TOKEN_H
#define KERNING_LDSCRIPTS_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/source.h"

enum token_kind {
	TOK_END,		/* of the file, or of an included one */
	TOK_NAME,		/* also what stands in quotes */
	TOK_LIBRARY,		/* -lfoo in an input list */
	TOK_NUMBER,

	/* Punctuation and operators */
	TOK_SEMICOLON,
	TOK_COMMA,
	TOK_COLON,
	TOK_LEFT_PAREN,
	TOK_RIGHT_PAREN,
	TOK_LEFT_BRACE,
	TOK_RIGHT_BRACE,
	TOK_LEFT_BRACKET,
	TOK_RIGHT_BRACKET,
	TOK_QUESTION,
	TOK_PLUS,
	TOK_MINUS,
	TOK_STAR,
	TOK_SLASH,
	TOK_PERCENT,
	TOK_SHIFT_LEFT,
	TOK_SHIFT_RIGHT,
	TOK_EQUAL,		/* == */
	TOK_NOT_EQUAL,
	TOK_LESS,
	TOK_GREATER,
	TOK_LESS_EQUAL,
	TOK_GREATER_EQUAL,
	TOK_AND,		/* & */
	TOK_OR,			/* | */
	TOK_XOR,		/* ^, after ld 2.40 */
	TOK_AND_AND,
	TOK_OR_OR,
	TOK_NOT,		/* ! */
	TOK_COMPLEMENT,		/* ~ */
	TOK_ASSIGN,		/* = */
	TOK_PLUS_ASSIGN,
	TOK_MINUS_ASSIGN,
	TOK_STAR_ASSIGN,
	TOK_SLASH_ASSIGN,
	TOK_SHIFT_LEFT_ASSIGN,
	TOK_SHIFT_RIGHT_ASSIGN,
	TOK_AND_ASSIGN,
	TOK_OR_ASSIGN,
	TOK_XOR_ASSIGN,		/* ^=, after ld 2.40 */

	/* Commands */
	TOK_AFTER,
	TOK_AS_NEEDED,
	TOK_BEFORE,
	TOK_ENTRY,
	TOK_EXTERN,
	TOK_FLOAT,
	TOK_FORCE_COMMON_ALLOCATION,
	TOK_FORCE_GROUP_ALLOCATION,
	TOK_GROUP,
	TOK_HLL,
	TOK_INCLUDE,
	TOK_INHIBIT_COMMON_ALLOCATION,
	TOK_INPUT,
	TOK_INSERT,
	TOK_LD_FEATURE,
	TOK_MAP,
	TOK_MEMORY,
	TOK_NOCROSSREFS,
	TOK_NOCROSSREFS_TO,
	TOK_NOFLOAT,
	TOK_OUTPUT,
	TOK_OUTPUT_ARCH,
	TOK_OUTPUT_FORMAT,
	TOK_OVERLAY,
	TOK_PHDRS,
	TOK_REGION_ALIAS,
	TOK_SEARCH_DIR,
	TOK_SECTIONS,
	TOK_STARTUP,
	TOK_SYSLIB,
	TOK_TARGET,
	TOK_VERSION,

	/* Assignments and expressions */
	TOK_ABSOLUTE,
	TOK_ADDR,
	TOK_ALIGN,
	TOK_ALIGNOF,
	TOK_ASSERT,
	TOK_BLOCK,
	TOK_CONSTANT,
	TOK_DATA_SEGMENT_ALIGN,
	TOK_DATA_SEGMENT_END,
	TOK_DATA_SEGMENT_RELRO_END,
	TOK_DEFINED,
	TOK_HIDDEN,
	TOK_LENGTH,
	TOK_LOADADDR,
	TOK_LOG2CEIL,
	TOK_MAX,
	TOK_MIN,
	TOK_NEXT,
	TOK_ORIGIN,
	TOK_PROVIDE,
	TOK_PROVIDE_HIDDEN,
	TOK_SEGMENT_START,
	TOK_SIZEOF,
	TOK_SIZEOF_HEADERS,

	/* Attributes of output sections */
	TOK_ALIGN_WITH_INPUT,
	TOK_AT,
	TOK_BIND,
	TOK_COPY,
	TOK_DSECT,
	TOK_INFO,
	TOK_NOLOAD,
	TOK_ONLY_IF_RO,
	TOK_ONLY_IF_RW,
	TOK_READONLY,
	TOK_SPECIAL,
	TOK_SUBALIGN,
	TOK_TYPE,

	/* Contents of output sections */
	TOK_ASCIZ,		/* ld 2.41 */
	TOK_BYTE,
	TOK_CONSTRUCTORS,
	TOK_CREATE_OBJECT_SYMBOLS,
	TOK_EXCLUDE_FILE,
	TOK_FILL,
	TOK_INPUT_SECTION_FLAGS,
	TOK_KEEP,
	TOK_LINKER_VERSION,	/* ld 2.41 */
	TOK_LONG,
	TOK_QUAD,
	TOK_REVERSE,		/* ld 2.42 */
	TOK_SHORT,
	TOK_SORT_BY_ALIGNMENT,
	TOK_SORT_BY_INIT_PRIORITY,
	TOK_SORT_BY_NAME,
	TOK_SORT_NONE,
	TOK_SQUAD,

	/* Version nodes */
	TOK_GLOBAL,
	TOK_LOCAL,
};

/* A word as read.  The text of a name, its quotes and the -l of a library taken off. */
struct token {
	enum token_kind kind;
	struct span span;
	const char *text;	/* TOK_NAME, TOK_LIBRARY: NUL-terminated, in the arena */
	bool quoted;		/* TOK_NAME */
	uint64_t number;	/* TOK_NUMBER */
};

/* The word as people write it, without quotes: "SORT_BY_NAME", "+="; "a name". */
const char *token_name(enum token_kind kind);

#endif
