/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The linker script as a tree.
 *
 * Every node keeps the span of bytes it was read from, so that a message can
 * point at it and an edit can be made beside it; the text itself is never
 * regenerated.  Names are the strings that ld sees: without their quotes.
 * All nodes of a script live in its arena and go with it (script_free()).
 */
#ifndef KERNING_LDSCRIPTS_AST_H
#define KERNING_LDSCRIPTS_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/source.h"

/* --- Expressions ------------------------------------------------------- */

enum expr_kind {
	EXPR_NUMBER,		/* 0x10, 16K */
	EXPR_NAME,		/* a symbol, or "." */
	EXPR_UNARY,		/* op: - ! ~ + */
	EXPR_BINARY,
	EXPR_CONDITIONAL,	/* arg[0] ? arg[1] : arg[2] */
	EXPR_CALL,		/* ALIGN(...), MAX(...), ABSOLUTE(...), SIZEOF_HEADERS */
	EXPR_SECTION_CALL,	/* ADDR(.text), SIZEOF, ALIGNOF, LOADADDR, ORIGIN, LENGTH,
				   DEFINED(sym), CONSTANT(name), SEGMENT_START(name, e) */
	EXPR_ASSERT,		/* ASSERT(arg[0], name) inside an expression */
};

struct expr {
	enum expr_kind kind;
	struct span span;
	int op;			/* enum token_kind of the operator or keyword */
	uint64_t number;	/* EXPR_NUMBER, and of whatever is constant */
	bool constant;		/* numbers alone: number is its value */
	const char *name;	/* EXPR_NAME, EXPR_SECTION_CALL; the text of EXPR_ASSERT */
	struct expr *arg[3];	/* operands; NULL beyond the last */
};

/* --- Input section descriptions ---------------------------------------- */

/* How ld orders what one pattern takes; names as ld's documentation has them. */
enum sort_kind {
	SORT_KIND_NONE,			/* nothing said */
	SORT_KIND_BY_NONE,		/* SORT_NONE: as met, whatever --sort-section says */
	SORT_KIND_BY_NAME,
	SORT_KIND_BY_ALIGNMENT,
	SORT_KIND_BY_NAME_ALIGNMENT,
	SORT_KIND_BY_ALIGNMENT_NAME,
	SORT_KIND_BY_INIT_PRIORITY,
};

/* One name of an EXCLUDE_FILE list: a file glob, or archive:member. */
struct name_list {
	const char *name;
	struct span span;
	struct name_list *next;
};

/* One section-name pattern of a description: the .text.* of *(.text.*). */
struct section_pattern {
	const char *name;		/* glob */
	struct span span;
	enum sort_kind sort;
	bool reverse;			/* REVERSE(...), ld 2.42 */
	struct name_list *exclude;	/* EXCLUDE_FILE for this pattern alone */
	struct section_pattern *next;
};

/* One name of INPUT_SECTION_FLAGS(A & !B). */
struct section_flag {
	const char *name;		/* "SHF_EXECINSTR", or a number */
	bool without;			/* written with '!' */
	struct span span;
	struct section_flag *next;
};

struct input_section {
	bool keep;			/* inside KEEP(...) */
	const char *file;		/* glob, archive:member form kept; NULL: [ .text ] */
	struct span file_span;
	enum sort_kind file_sort;	/* SORT_BY_NAME, SORT_NONE or nothing */
	bool file_reverse;
	struct name_list *exclude;	/* EXCLUDE_FILE around the file name: all patterns */
	struct section_flag *flags;	/* INPUT_SECTION_FLAGS */
	struct section_pattern *patterns; /* NULL: a bare file name, all its sections */
};

/* --- Statements and commands ------------------------------------------- */

enum stmt_kind {
	STMT_EMPTY,		/* ; */
	STMT_ASSIGN,		/* sym = e; sym += e; PROVIDE(sym = e); HIDDEN(...) */
	STMT_ASSERT,		/* ASSERT(e, "text") */
	STMT_INCLUDE,		/* INCLUDE file */
	STMT_COMMAND,		/* ENTRY(x), OUTPUT_ARCH(x), TARGET(x), EXTERN(a b), FLOAT, ... */
	STMT_INPUT,		/* INPUT(...), GROUP(...) */
	STMT_INSERT,		/* INSERT AFTER x, INSERT BEFORE x */
	STMT_MEMORY,		/* MEMORY { ... }: children are STMT_REGION */
	STMT_REGION,
	STMT_PHDRS,		/* PHDRS { ... }: children are STMT_PHDR */
	STMT_PHDR,
	STMT_VERSION,		/* VERSION { ... } */
	STMT_SECTIONS,		/* SECTIONS { ... } */
	STMT_OUTPUT_SECTION,
	STMT_OVERLAY,		/* children are STMT_OUTPUT_SECTION */
	STMT_SECTION_GROUP,	/* GROUP addr : { ... } inside SECTIONS */
	STMT_INPUT_SECTION,
	STMT_DATA,		/* BYTE(e) SHORT LONG QUAD SQUAD; ASCIZ "x" (2.41) */
	STMT_FILL,		/* FILL(e) */
	STMT_LINKER_VERSION,	/* LINKER_VERSION (2.41) */
	STMT_CREATE_OBJECT_SYMBOLS,
	STMT_CONSTRUCTORS,	/* CONSTRUCTORS, SORT(CONSTRUCTORS) */
};

enum assign_scope { ASSIGN_PLAIN, ASSIGN_HIDDEN, ASSIGN_PROVIDE, ASSIGN_PROVIDE_HIDDEN };

enum constraint { CONSTRAINT_NONE, CONSTRAINT_ONLY_IF_RO, CONSTRAINT_ONLY_IF_RW,
		  CONSTRAINT_SPECIAL };

/* One entry of INPUT(...), GROUP(...). */
struct input_item {
	const char *name;		/* file name, or the xxx of -lxxx */
	struct span span;		/* of the whole word, "-l" included */
	bool is_library;		/* written -lxxx */
	bool as_needed;
	struct input_item *next;
};

struct output_section {
	const char *name;
	struct span name_span;
	struct expr *address;		/* NULL: none */
	const char *type;		/* "NOLOAD", "READONLY", ...; NULL: none */
	struct expr *type_value;	/* TYPE = e */
	struct expr *at, *align, *subalign;
	bool align_with_input;
	enum constraint constraint;
	struct span body;		/* from '{' to '}', both included */
	const char *region, *lma_region;
	struct name_list *phdrs;
	struct expr *fill;
};

struct stmt {
	enum stmt_kind kind;
	struct span span;
	struct stmt *next;		/* next in the same list */
	struct stmt *parent;		/* NULL at the top */
	struct stmt *children;		/* SECTIONS, OUTPUT_SECTION, OVERLAY, MEMORY, PHDRS, GROUP;
					   of INCLUDE: what the file holds */
	union {
		struct {
			const char *symbol;	/* "." is the location counter */
			int op;			/* enum token_kind: TOK_ASSIGN, TOK_PLUS_ASSIGN, ... */
			enum assign_scope scope;
			struct expr *value;
		} assign;
		struct {
			struct expr *condition;
			const char *text;
		} assertion;
		struct {
			const char *name;
			struct script *script;	/* what was read; NULL where the reader was told not to */
		} include;
		struct {
			int keyword;		/* enum token_kind */
			struct name_list *args;
		} command;
		struct {
			bool group;
			struct input_item *items;
		} input;
		struct {
			bool before;
			const char *where;	/* name of an output section */
		} insert;
		struct {
			const char *name;
			struct expr *origin, *length;
		} region;
		struct {
			const char *name;
			struct expr *type, *at, *flags;
			bool filehdr, phdrs;
		} phdr;
		struct {
			int keyword;		/* enum token_kind; ASCIZ has text */
			struct expr *value;
			const char *text;
		} data;
		struct expr *fill;
		bool sorted;			/* STMT_CONSTRUCTORS */
		struct output_section output;	/* OUTPUT_SECTION; OVERLAY: name is NULL */
		struct input_section input_section;
	} u;
};

#endif
