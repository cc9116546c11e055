/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Putting tagged copies in the place of the link's inputs: the copies are made,
 * the archives that hold some are replaced by thin ones, the scripts among
 * the inputs (libc.so) are written anew, and the link line names all these.
 */
#ifndef KERNING_LD_SUBSTITUTE_H
#define KERNING_LD_SUBSTITUTE_H

#include "ld/cache.h"
#include "ld/census.h"

/*
 * Tags the objects of CENSUS, sets the copy of every object and input that has
 * one.  False, reported, on failure.
 */
bool substitute_inputs(struct inputs *inputs, const struct census *census, struct cache *cache,
		       struct diag *diag);

/* What ld is to write, instead of the files that the line names. */
struct line_files {
	const char *map, *output, *dependencies;
};

/*
 * The words of the link line to run, NULL-terminated, in ARENA (the array and
 * the words that are new): copies for inputs, COPIES[i] for script i, FILES
 * for those named, no word of kerning's own.  APART, COUNT names: sections that a
 * partial link does not merge with others of their name.
 */
char **substitute_line(const struct linkline *line, const struct inputs *inputs,
		       const struct link_scripts *scripts, const char *const *copies,
		       const char *ld, const struct line_files *files,
		       const char *const *apart, size_t count, struct obstack *arena);

#endif
