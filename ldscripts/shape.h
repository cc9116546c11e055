/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be done with what a statement takes, read off the script's shape.
 *
 *	movable	its sections may be parted, moved and reordered
 *	table	the script finds its ends by symbols, or sorts it: the program
 *		walks it as an array, so a gap would break it
 *	fixed	where it lies means something else
 *
 * No section name is known here: the same rules read Linux's vmlinux.lds and
 * ld's built-in scripts.  A policy may overrule them.
 *
 * A mark is a symbol that the script assigns the location counter to, or an
 * expression of it: __start_x = .; PROVIDE(end = ALIGN(8)).  Symbols assigned
 * anything else, ASSERTs and ';' are as if they were not there, and INCLUDE is
 * what it includes.
 *
 * Rules, first that holds:
 *  fixed	output section is /DISCARD/, in an OVERLAY, has SUBALIGN (which
 *		overrides every alignment), or ONLY_IF_RO/ONLY_IF_RW
 *  table	a pattern or the file name is sorted (SORT_NONE is not)
 *  table	between two marks, nothing but input sections and data (BYTE, LONG,
 *		...) between:  __start_x = .; *(x) *(y) __stop_x = .;
 *		Code that is named text is movable there: the marks then say only
 *		what is code.  Other code is walked, measured or copied: a table.
 *  table	a pattern is a C identifier: for such names ld itself makes
 *		__start_NAME and __stop_NAME, so they are how programs name arrays
 *  fixed	KEEP: the script holds it for something that names it by position
 *  fixed	a file name without wildcards
 *  fixed	alone between a mark and an assignment to ".": the symbol stands for
 *		it:  __per_cpu_start = .; *(.first) . = ALIGN(4096);
 *  fixed	directly after an assignment to "." that names a symbol:
 *		. = srso_alias_untrain_ret | 4; *(x)
 *  fixed	it defines a symbol that an assignment to "." or an ASSERT names
 *		(found by the link, which knows the objects: see shape_pinned_symbols())
 *  movable	else
 */
#ifndef KERNING_LDSCRIPTS_SHAPE_H
#define KERNING_LDSCRIPTS_SHAPE_H

#include "ldscripts/match.h"

enum shape_kind { SHAPE_MOVABLE, SHAPE_TABLE, SHAPE_FIXED };

struct shape {
	enum shape_kind kind;
	const char *why;		/* one short clause, static; "" for movable */
	const struct stmt *because;	/* the statement that decides, or NULL */
};

/*
 * The shape of STATEMENT.  EXECUTABLE: it takes code (SHF_EXECINSTR), which
 * only the link, or the names, can tell.
 */
struct shape shape_of(const struct statement *statement, bool executable);

/* A guess at EXECUTABLE for a script without objects: by the patterns' names. */
bool shape_looks_executable(const struct statement *statement);

/*
 * The symbols that an assignment to "." (an output section's address is one) or
 * an ASSERT of the scripts names: the statement that takes a definition of one
 * is fixed.  A symbol that a script assigns stands for those that its value
 * names.  Sorted, NULL-terminated, in ARENA (the names: in the scripts).
 */
const char *const *shape_pinned_symbols(const struct matcher *matcher, struct obstack *arena);

/* True where STMT neither places nor marks anything. */
bool shape_is_nothing(const struct stmt *stmt);
/* True for an assignment to "."; STMT may be NULL. */
bool shape_is_dot_assignment(const struct stmt *stmt);
/* True for a mark; STMT may be NULL. */
bool shape_is_mark(const struct stmt *stmt);
/* True if EXPR looks at "."; EXPR may be NULL. */
bool shape_names_dot(const struct expr *expr);
/* True if EXPR names a symbol other than "."; EXPR may be NULL. */
bool shape_names_symbol(const struct expr *expr);

const char *shape_kind_name(enum shape_kind kind);

#endif
