/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder of a built kernel, and what must be said to its make so that it links once
 * more and compiles nothing.
 */
#ifndef KERNING_SWEEP_KBUILD_H
#define KERNING_SWEEP_KBUILD_H

#include <obstack.h>
#include <stdbool.h>

#include "lib/diag.h"
#include "lib/vec.h"

struct kbuild {
	struct obstack arena;
	const char *folder;		/* absolute */
	bool in_tree;			/* the source is in it */
	const char *image;		/* "vmlinux", "bzImage", "linux" */
	const char *image_path;		/* where make leaves it, below the folder */
	const char *linker;		/* what make calls it: "ld", "aarch64-linux-gnu-ld" */
	const char *real_linker;	/* the path of that one; NULL: the driver knows it */
	VEC(const char *) words;	/* for make: "ARCH=um" */
	VEC(const char *) variables;	/* for make's environment: "KBUILD_BUILD_USER=me" */
};

/*
 * Reads FOLDER, that of O= or a source tree built in place.  IMAGE as for maker_kernel().
 * False, reported, where it holds no built kernel, or one that GNU ld did not link.
 * kbuild_release() either way.
 */
bool kbuild_read(struct kbuild *kbuild, const char *folder, const char *image,
		 struct diag *diag);
void kbuild_release(struct kbuild *kbuild);

/*
 * Whether the object PATH, below the folder, is made at each link: the symbol table, the
 * version's stamp, the boot stub around the kernel.
 */
bool kbuild_is_of_link(const char *path);

#endif
