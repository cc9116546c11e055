/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A weak function that another object's takes the place of leaves its bytes in
 * a partial link, and no symbol says what they are.  Linux's objtool forgives
 * such a hole where it follows a symbol of the same section, as it does once a
 * partial link has joined the sections of a name; so code that begins with one
 * must stay joined to what lies before it.
 */
#ifndef KERNING_LD_HOLES_H
#define KERNING_LD_HOLES_H

#include "ld/census.h"

/* Gives each unit of CENSUS that begins with a hole the tag of the one before it, of its name. */
void join_holes(struct census *census);

#endif
