/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compiler's plugin noted in an object: functions and variables that it
 * placed, and how many its directives named.
 *
 *	source kernel/fork.c		what the lines behind it are of
 *	F copy_process 64 16 0 32	a global function: modulus, residue, pad, entry pad
 *	f copy_process.cold 64 0 0 0	a local one, and a part of one
 *	V init_task 64 0 0 0		a global variable; v: a local one
 *	t mce size 128			a type
 *	d 12 align-function=*:64	a directive, and how many it named
 */
#ifndef KERNING_LD_NOTE_H
#define KERNING_LD_NOTE_H

#include "lib/diag.h"
#include "lib/vec.h"
#include "ld/object.h"

/* A symbol that was placed, and where it is in its object. */
struct note_symbol {
	const char *name;
	uint32_t shndx;			/* its section */
	uint64_t value, size;		/* offset in the section, bytes */
	uint64_t modulus, residue;	/* that it was asked to have; modulus 0 or 1: none */
};

struct note_directive {
	const char *text;
	uint64_t named;
};

struct note {
	struct obstack arena;		/* every string */
	VEC(struct note_symbol) symbols; /* in the order of the symbol table */
	VEC(struct note_directive) directives;
};

/* True for the section that holds such a note. */
bool is_note(const struct object_section *section);

/*
 * Reads the note of the object at PLACE, its section SHNDX; note_release() it on
 * true.  False, reported, where the object cannot be read.
 */
bool note_read(struct note *note, const struct object_place *place, uint32_t shndx,
	       struct diag *diag);
void note_release(struct note *note);

/* True if the symbol, in a section aligned to ALIGN, is where it was asked to be. */
bool note_symbol_placed(const struct note_symbol *symbol, uint64_t align);

#endif
