/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle: links of a build, with all that they opened, so that each can be made again
 * anywhere.  It is a folder:
 *
 *	bundle.json	its links: what was said to ld, where, and which files took part
 *	files/		these, each at the path that it had
 *	files-2/	the same for links that saw another file under a name of files/
 *
 * Symbolic links on the way to a file are kept too, so that every path leads where it led.
 * Nothing is ever written to a bundle that is whole.
 */
#ifndef KERNING_LD_BUNDLE_H
#define KERNING_LD_BUNDLE_H

#include <obstack.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/diag.h"
#include "lib/vec.h"

#define BUNDLE_INDEX "bundle.json"

struct bundle_file {
	const char *path;	/* on the machine of the build: absolute, without a symbolic link */
	uint64_t hash;		/* of its bytes: XXH3, 64 bits */
	uint64_t size;		/* bytes */
	const char *staged;	/* while a build is captured: its name among what is staged */
};

struct bundle_symlink {
	const char *path;
	const char *target;	/* relative, and leads nowhere above "/" */
};

struct bundle_variable {
	const char *name, *value;
};

struct bundle_link {
	const char *output;	/* the file's path: absolute, normal */
	const char *name;	/* what ld was told to call it: -o */
	const char *folder;	/* where it ran: absolute, without a symbolic link */
	const char *root;	/* where its files are in the bundle: "files"; NULL while captured */
	const char *linker;	/* path */
	const char *version;	/* the first line of its --version; NULL while captured */
	const char *time;	/* UTC, "2026-11-30 22:36:01" */
	uint64_t hash, size;	/* of the output as it was linked */
	uint64_t device, inode;	/* of the output, while a build is captured */
	bool placed;		/* by the driver, as options said: HASH is not that of ld's output */
	const char *unkept;	/* why it cannot be kept, while a build is captured; NULL: it can */
	VEC(const char *) words; /* of the link line, without the first; @FILE expanded */
	VEC(struct bundle_variable) environment; /* that ld reads, where set */
	VEC(struct bundle_file) files;
	VEC(struct bundle_symlink) symlinks;
	VEC(const char *) folders; /* that have to be there beside those of files */
};

struct bundle {
	struct obstack arena;	/* owns every text */
	const char *path;	/* of the folder: absolute, without a symbolic link */
	const char *given;	/* as the user has it */
	const char *folder;	/* where the build ran */
	const char *time;	/* when it began: UTC */
	VEC(const char *) command; /* of the build */
	VEC(struct bundle_link) links;
};

void bundle_init(struct bundle *bundle);
void bundle_release(struct bundle *bundle);
void bundle_link_release(struct bundle_link *link);

/* Reads the bundle in the folder PATH.  False, reported, where it is none. */
bool bundle_read(struct bundle *bundle, const char *path, struct diag *diag);

/*
 * Reads what SPEC names, BUNDLE or BUNDLE:OUTPUT.  OUTPUT is the path of the link's
 * output or the last parts of it; where it is left out there has to be one link.  NULL,
 * reported, where that names no link, or several.  Release the bundle either way.
 */
const struct bundle_link *bundle_open(struct bundle *bundle, const char *spec, struct diag *diag);

/*
 * True if the files of LINK are all there, as they were.  False, reported.  STAMP (or NULL)
 * is a file that holds what was found last time: what did not change since is not read again.
 */
bool bundle_check(const struct bundle *bundle, const struct bundle_link *link, const char *stamp,
		  struct diag *diag);

/* The hash and the size of a file's bytes.  False with errno set. */
bool hash_file(const char *path, uint64_t *hash, uint64_t *size);

/* True if PATH is absolute, and has neither "." nor ".." nor empty parts: "/a/b", "/". */
bool is_normal(const char *path);

#endif
