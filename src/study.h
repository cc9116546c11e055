/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A link that is only looked at: a script and some objects as the driver would
 * take them in, all members of archives included.
 */
#ifndef KERNING_SRC_STUDY_H
#define KERNING_SRC_STUDY_H

#include "ld/census.h"
#include "ld/inputs.h"
#include "ld/scripts.h"
#include "ldscripts/shape.h"

struct study {
	VEC(char *) words;		/* of the link line; the strings are the caller's */
	struct policy policy;		/* empty: the script alone decides */
	struct linkline line;
	struct link_scripts scripts;
	struct inputs inputs;
	struct census census;
	bool has_line, has_scripts, has_inputs, has_census;
};

/* The link line "ld" so far; add words to it by study_word(). */
void study_init(struct study *study);
void study_word(struct study *study, const char *word);
/*
 * Reads the words' scripts and objects.  False, reported, where one cannot be
 * read, or is no object or archive.
 */
bool study_read(struct study *study, struct diag *diag);
void study_release(struct study *study);

/*
 * The shape of STATEMENT by the sections that it takes; by its patterns' names
 * where it takes none.
 */
struct shape study_shape(const struct study *study, const struct statement *statement);

/* The colour of its name in a table. */
const char *shape_color(enum shape_kind kind);

#endif
