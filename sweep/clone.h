/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A copy of a folder to build in, which leaves the folder alone.
 *
 * Files are copied, by reflink where the file system can: of a hard link the original's
 * inode would change too, and a tool that writes in place would write into the original.
 * Times and modes are kept, so that make finds what it left.
 */
#ifndef KERNING_SWEEP_CLONE_H
#define KERNING_SWEEP_CLONE_H

#include <stdbool.h>

#include "lib/diag.h"

struct clone_rules {
	/* What is left out: PATH is below the folder, without a '/' in front. */
	bool (*leave)(const char *path, bool is_folder);
	/*
	 * NULL, or: whether FILE is what a build makes.  A folder with none such in it or
	 * below it becomes a link to the original's: it is only read.
	 */
	bool (*made)(const char *path);
};

/*
 * Copies the folder FROM, an absolute path, to TO, which is not there.  TO appears when it
 * is whole.  False, reported, where something cannot be read or written.
 */
bool clone_make(const char *from, const char *to, const struct clone_rules *rules,
		struct diag *diag);

#endif
