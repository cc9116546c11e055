/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a link opened, as a bundle keeps it: each file by the path that has no symbolic
 * link, and every symbolic link and folder that a path leads through.
 */
#ifndef KERNING_LD_OPENED_H
#define KERNING_LD_OPENED_H

#include "ld/bundle.h"
#include "ld/linkline.h"

struct opened {
	struct obstack *arena;
	struct bundle_link *link;	/* what is found goes here */
	char *folder;			/* the current one */
	struct htab *seen;		/* paths that were looked at */
	struct htab *kept;		/* and those that are in LINK */
};

void opened_init(struct opened *opened, struct bundle_link *link, struct obstack *arena);
void opened_release(struct opened *opened);

/*
 * Adds the file that PATH, relative to the current folder, leads to.  The file's path; NULL
 * with errno set, where it leads to no regular file.
 */
const char *opened_add(struct opened *opened, const char *path);

/*
 * Adds what a link of LINE opened.  DEPENDENCIES: the rule for make that ld wrote of it, with
 * --dependency-file; what ld leaves out of that is found from LINE and the files.  Sets
 * link->unkept where something cannot be kept; false, reported, where that rule cannot be read.
 */
bool opened_by_link(struct opened *opened, const struct linkline *line, const char *dependencies,
		    struct diag *diag);

#endif
