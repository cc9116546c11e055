/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The linker scripts of a link: that of -T, or the one built into ld for these
 * options, and those with INSERT beside it.
 */
#ifndef KERNING_LD_SCRIPTS_H
#define KERNING_LD_SCRIPTS_H

#include "ld/linkline.h"
#include "ldscripts/match.h"

#define NO_WORD ((size_t)-1)

struct link_script {
	struct script *script;
	size_t word;		/* index of its word in the link line; NO_WORD: built in */
	bool insert;		/* has INSERT: stands beside the default script */
};

struct link_scripts {
	struct obstack arena;
	VEC(struct link_script) list;		/* the default one first */
	VEC(const char *) search_dirs;		/* of -L, then of SEARCH_DIR; NULL at the end */
	const char *output;			/* of OUTPUT; NULL: not given */
	VEC(const char *) undefined;		/* ENTRY, EXTERN; NULL at the end */
	struct matcher *matcher;
};

/*
 * Reads the scripts of LINE; LD is the linker to ask for its built-in script.
 * FINAL asks for the script of a final link where LINE has -r, and for no
 * other: the judge of what is movable in a partial link.  False, reported, on any error.
 */
bool link_scripts_read(struct link_scripts *scripts, const struct linkline *line, const char *ld,
		       bool final, struct diag *diag);
void link_scripts_release(struct link_scripts *scripts);

/* A hash of the scripts' text, and of what they include; never 0. */
uint64_t link_scripts_hash(const struct link_scripts *scripts);

/* The script that ld has built in for the options of LINE. */
struct source *builtin_script(const struct linkline *line, const char *ld, bool final,
			      struct diag *diag);

#endif
