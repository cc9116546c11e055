/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the compiler's plugin noted in objects: functions and variables that it
 * placed, and which of its directives found anything.
 *
 *	source kernel/fork.c		what the lines behind it are of
 *	f copy_process 64 16 0 32	a function: modulus, residue, pad, entry pad
 *	v init_task 64 0 0 0		a variable
 *	t mce size 128			a type
 *	d 12 align-function=*:64	a directive, and how many it named
 */
#ifndef KERNING_LD_NOTE_H
#define KERNING_LD_NOTE_H

#include "layout/plan.h"
#include "layout/record.h"
#include "ld/census.h"
#include "ld/map.h"

/* True for the section that holds such a note. */
bool is_note(const struct object_section *section);

/*
 * Reads the notes of all objects of the link: adds to LAYOUT the symbols that
 * were placed within units, and warns of directives that named nothing in any
 * object.  A note that cannot be read is warned of.
 */
void notes_take(struct layout *layout, const struct census *census, const struct plan *plan,
		const struct map_section *const *places, struct diag *diag);

#endif
