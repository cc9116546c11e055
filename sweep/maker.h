/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the layouts of a build are made: from a bundle, by a command, or by linking a
 * kernel anew.
 *
 * A layout is made in a process of its own, several at a time; all that a maker tells is
 * its exit status and the files it leaves: FOLDER/NAME, and beside it NAME.layout.
 */
#ifndef KERNING_SWEEP_MAKER_H
#define KERNING_SWEEP_MAKER_H

#include <stdbool.h>

#include "lib/diag.h"

struct making {
	const char *flags;	/* the driver's options, as KERNING_FLAGS has them: "seed=7 pad=..."; "null": the plain layout */
	const char *folder;	/* where it goes, absolute: is there, and empty */
	unsigned job;		/* from 0; two of one number are never made at a time */
};

struct maker {
	char *name;		/* the output's file name: "lua", "vmlinux" */
	char *description;	/* as the command line has it: "--bundle lua.bundle" */
	unsigned jobs;		/* how many may be made at a time */
	/*
	 * Makes one.  Called in a child process whose standard output and error are a file.
	 * Returns the exit status: 0 done.
	 */
	int (*make)(const struct maker *maker, const struct making *making);
	void (*free)(struct maker *maker);	/* removes what it made for itself */
	void *data;
};

/*
 * NULL, reported, where there is nothing that can be linked.  The caller frees it by its
 * own free().
 */
struct maker *maker_bundle(const char *bundle, unsigned jobs, struct diag *diag);
/* COMMAND is run by sh with KERNING_FLAGS set, and leaves OUTPUT, one at a time. */
struct maker *maker_build(const char *command, const char *output, struct diag *diag);
/* FOLDER is that of a built kernel (O=); IMAGE "vmlinux", "bzImage", "linux", NULL: what its configuration says. */
struct maker *maker_kernel(const char *folder, const char *image, unsigned jobs,
			   struct diag *diag);

#endif
