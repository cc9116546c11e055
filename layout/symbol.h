/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function or variable as a compiler knows it, and what the policy's
 * directives choose for it.
 */
#ifndef KERNING_LAYOUT_SYMBOL_H
#define KERNING_LAYOUT_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

/* No more than names here: this header is C++'s too. */
struct policy;
struct directive;

struct symbol {
	const char *file;	/* the source, named alike wherever it is built: "kernel/fork.c" */
	const char *name;	/* in assembler; of a function's part its own: "f.cold" */
	const char *key;	/* what chance hangs on: NAME, but for names that a compiler numbers */
	bool function;		/* else a variable */
	bool guarded;		/* left alone unless asked for by name: it has a place already */
	uint64_t align;		/* its own alignment, a power of two: residues keep it */
};

/* Bytes.  What no directive asks for is 0. */
struct symbol_choice {
	uint64_t modulus, residue;	/* address = residue mod modulus; modulus 0: as it comes */
	uint64_t pad;			/* a function: room before it; a variable: behind it */
	uint64_t entry_pad;		/* behind a function's entry sequence */
	uint64_t loop_align;		/* of the loop heads in it */
	const struct directive *loop_pad; /* see symbol_loop_pad(); NULL: none */
	bool split;			/* into a section of its own */
	const struct directive *contradicted; /* whose residue is no multiple of ALIGN; NULL */
};

/*
 * Asks all directives about SYMBOL, and counts those that name it; of several
 * that answer one question, the last wins: where it begins (align, offset),
 * its room (pad), its entry, its loops (align-loop; pad-loop), split.
 */
struct symbol_choice symbol_choose(struct policy *policy, const struct symbol *symbol);

/*
 * True if some directive offsets variables that NAME, in the source (NULL: not
 * known), may be the name of; nothing is counted.
 */
bool symbol_may_offset(const struct policy *policy, const char *file, const char *name);

/* Room before the INDEX-th loop head of a function whose choice has DIRECTIVE for a loop_pad. */
uint64_t symbol_loop_pad(const struct policy *policy, const struct directive *directive,
			 const struct symbol *symbol, unsigned index);

/* What the user wrote; it stays with the policy. */
const char *directive_text(const struct directive *directive);

/* What a type gets; 0: nothing. */
struct type_choice {
	uint64_t align;			/* at least */
	uint64_t growth;		/* bytes behind its last field */
	const struct directive *why;	/* one that asks for it; NULL: none */
};

/* Asks all directives about the struct, union or class NAME, and counts those that name it. */
struct type_choice type_choose(struct policy *policy, const char *name);

/* Where FIELD of the type NAME is to begin.  NULL: as it comes. */
const struct directive *field_choose(struct policy *policy, const char *name, const char *field,
				     uint64_t *residue, uint64_t *modulus);

#endif
