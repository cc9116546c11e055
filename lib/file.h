/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are whole or not there: written without a name (or, where the file
 * system cannot, under a temporary one) in the same folder, renamed into place.
 * What is there and is no regular file (/dev/null, a pipe) is written as it is.
 */
#ifndef KERNING_LIB_FILE_H
#define KERNING_LIB_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct outfile {
	FILE *stream;
	char *path;		/* where it will be */
	char *temporary;	/* where it is until outfile_commit(); NULL: nowhere yet */
	bool in_place;		/* PATH is no regular file: nothing is renamed */
};

/* Makes the folders above PATH where missing.  False with errno set on failure. */
bool outfile_open(struct outfile *file, const char *path);
/* Flushes, checks for write errors, renames.  Releases FILE either way. */
bool outfile_commit(struct outfile *file);
/* Removes what was written.  Releases FILE, leaves errno.  Harmless after commit. */
void outfile_abandon(struct outfile *file);

/*
 * Gives the file FROM the name TO, with its mode; by a copy where TO is on
 * another file system.  TO is whole or as before.  False with errno set.
 */
bool file_move(const char *from, const char *to);

/*
 * Copies the bytes of FROM to TO, which is whole or as before: by reference where the file
 * system can, else in the kernel where it can.  MODE: the copy's permissions, cut by the
 * umask.  False with errno set.
 */
bool file_copy(const char *from, const char *to, unsigned mode);

/* Removes a folder and all in it.  What cannot be removed stays. */
void remove_folder(const char *path);

/* mkdir -p.  False with errno set on failure. */
bool make_folders(const char *path);

#endif
