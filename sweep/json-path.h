/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths into JSON, as far as one needs them for numbers:
 *
 *	$.a.b  $['a b']		members
 *	[0]  [-1]		an element, counted from the end where negative
 *	[*]  .*			all of them
 *	[?(@.name=='x')]	those that have such a member, text or number
 */
#ifndef KERNING_SWEEP_JSON_PATH_H
#define KERNING_SWEEP_JSON_PATH_H

#include <jansson.h>
#include <obstack.h>
#include <stdbool.h>

#include "lib/vec.h"

struct json_step {
	enum { STEP_MEMBER, STEP_ELEMENT, STEP_ALL, STEP_SELECT } kind;
	const char *name;	/* MEMBER, SELECT */
	long index;		/* ELEMENT */
	const char *text;	/* SELECT: NULL: VALUE is wanted */
	double value;
};

struct json_path {
	VEC(struct json_step) steps;
};

struct json_matches {
	VEC(const json_t *) list;	/* borrowed */
};

/*
 * Reads PATH, whose names go to ARENA.  False: at BAD it is not what was EXPECTED; PATH is
 * then empty.
 */
bool json_path_parse(struct json_path *path, const char *text, struct obstack *arena,
		     const char **bad, const char **expected);
void json_path_release(struct json_path *path);
/* Adds what PATH leads to in DOCUMENT, in order. */
void json_path_find(const struct json_path *path, const json_t *document,
		    struct json_matches *matches);

#endif
