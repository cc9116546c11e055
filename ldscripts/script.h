/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linker script: its text, and the tree read from it.  The text is the truth:
 * printing a script gives back its bytes (see edit.h for changing them).
 */
#ifndef KERNING_LDSCRIPTS_SCRIPT_H
#define KERNING_LDSCRIPTS_SCRIPT_H

#include <obstack.h>

#include "ldscripts/ast.h"
#include "lib/diag.h"
#include "lib/source.h"

struct script {
	struct source *source;		/* owned */
	struct stmt *statements;	/* commands in their order */
	struct obstack arena;		/* every node and name */
	struct script *included;	/* scripts that INCLUDE read, owned; chained by next */
	struct script *next;
};

/*
 * Finds and reads the file that "INCLUDE name" means, as ld would: the name as
 * it stands, then in each -L folder (and last in ld's own ldscripts folder,
 * which the caller puts at the end of SEARCH_DIRS where it matters).
 * Returns a source that the caller owns, or NULL with errno set.
 */
struct source *script_find_include(const char *name, const char *const *search_dirs);

struct script_options {
	const char *const *search_dirs;	/* -L, NULL-terminated; may be NULL */
	bool skip_includes;		/* leave INCLUDE unread: its children are unknown */
};

/*
 * Reads SOURCE (whose ownership passes to the script, also on failure) as ld
 * reads a script given by -T.  Reports every error found to DIAG, several in
 * one run.  Returns NULL where there was an error.
 */
struct script *script_parse(struct source *source, const struct script_options *options,
			    struct diag *diag);
void script_free(struct script *script);

#endif
