/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy: what the user asked for, rule by rule.
 *
 *	seed=N			align=UNITS:N		offset=UNITS:R/M
 *	pad=UNITS:LO..HI/STEP	jitter=UNITS:M/STEP	shuffle=UNITS
 *	fix=UNITS		move=UNITS		output=GLOB
 *	kernel			layout=FILE		keep=DIR
 *	cache=DIR		root=DIR		strict
 *	null			policy=FILE		keep-notes
 *	reserve			reserve=UNITS:ROOM	reserve-end=SECTIONS:ROOM
 *	lock=FILE[:address]	lock=FILE:residue:M	lock-strict	lock-force
 *	apart=UNITS
 *	as=PATH			within=DIR
 *
 * and the directives of directive.h, which are for the compiler.  One policy
 * serves both: each takes from it what is its own.
 *
 * UNITS is ld's notation, FILE(SECTION) with globs; SECTION alone is
 * *(SECTION); see pattern.h.  Of several rules that answer one question about
 * a unit, the last wins.  The questions are: where does it begin (align,
 * offset, jitter), what gap is before it (pad), is it shuffled (shuffle), may
 * it move at all (fix, move).
 */
#ifndef KERNING_LAYOUT_POLICY_H
#define KERNING_LAYOUT_POLICY_H

#include "layout/directive.h"
#include "layout/number.h"
#include "layout/rule.h"
#include "layout/unit.h"
#include "lib/diag.h"
#include "lib/vec.h"

struct policy {
	VEC(struct rule) rules;		/* in order, those of presets first */
	VEC(struct directive) directives; /* for the compiler, in order */
	VEC(char *) outputs;		/* globs of output= */
	VEC(char *) origins;
	VEC(struct source *) sources;	/* what was read, for the rules' spans */
	uint64_t seed;
	bool has_seed, kernel, strict, null, stats, keep_notes;
	char *layout;			/* NULL: OUTPUT.layout */
	char *keep, *cache, *root;	/* NULL: not given */
	char *as;			/* what the output is called, for output= and layouts; NULL: its name */
	char *within;			/* a folder that stands for "/" in names; NULL: none does */
	bool reserve;			/* room for later links is asked for, in the usual measure */
	char *lock;			/* the layout to hold to; NULL: none */
	uint64_t lock_modulus;		/* residues are held, of this modulus; 0: addresses */
	bool lock_strict, lock_force;
	bool any;			/* an option other than a directive was given: the driver has work */
};

void policy_init(struct policy *policy);
void policy_release(struct policy *policy);

/*
 * Adds one option, without its prefix: "seed=7", "kernel".  ORIGIN says where
 * it was written.  False, reported to DIAG as a usage error that quotes the
 * option, where it is not understood; an unknown name is answered with the
 * nearest known one.
 */
bool policy_add(struct policy *policy, const char *option, const char *origin, struct diag *diag);
/* Adds the options of a KERNING_FLAGS string: words parted by blanks, '...' and "..." quote. */
bool policy_add_flags(struct policy *policy, const char *flags, struct diag *diag);
/* Adds a file's options, one a line; a '#' at a line's start or behind a blank is a comment. */
bool policy_add_file(struct policy *policy, const char *path, struct diag *diag);

/*
 * True if the policy places OUTPUT (the -o argument as given, which a glob is
 * matched against whole): an output=GLOB or the kernel preset names it, or
 * neither option was given.
 */
bool policy_wants_output(const struct policy *policy, const char *output);

/*
 * One line for a layout's header, which policy_add_flags() reads back: the
 * options that decide where units go, parted by blanks.  Not seed=, which has
 * a line of its own, nor those that only name files.  The caller frees it.
 */
char *policy_format(const struct policy *policy);
/* The same, with those rules only that are WANTED. */
char *policy_format_some(const struct policy *policy,
			 bool (*wanted)(const struct rule *rule, const void *data),
			 const void *data);

/*
 * Writes NAME and TEXT as one word of KERNING_FLAGS: in quotes where blanks or quotes ask
 * for it, behind a blank where not *FIRST, which it clears.
 */
void policy_put_word(FILE *stream, const char *name, const char *text, bool *first);

#endif
