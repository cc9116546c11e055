/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Archives, ordinary and thin: read, and thin ones written, to stand in a link
 * for one whose members have been tagged.
 */
#ifndef KERNING_LD_ARCHIVE_H
#define KERNING_LD_ARCHIVE_H

#include <obstack.h>
#include <stdbool.h>
#include <sys/types.h>

#include "lib/diag.h"
#include "lib/vec.h"
#include "ld/object.h"

struct archive_member {
	const char *name;	/* as ld names it: the member's name; of a thin archive its path */
	const char *short_name;	/* as the archive lists it, for identities: "lvm.o", "kernel/fork.o" */
	unsigned ordinal;	/* 1, or 2, 3, ... for a further member of the same short name */
	off_t header;		/* of its header, in this archive: by this the index names it */
	off_t place_header;	/* of its header in place.path; 0: that is no archive */
	struct object_place place;
};

struct archive_symbol {		/* of the archive's index, in its order */
	const char *name;
	unsigned member;	/* index into members */
};

struct archive {
	struct obstack arena;
	bool thin, has_index;
	VEC(struct archive_member) members; /* in order; nested archives of a thin one flattened */
	VEC(struct archive_symbol) symbols;
};

enum archive_status { ARCHIVE_OK, ARCHIVE_NOT, ARCHIVE_BAD };

/*
 * Reads PATH (archive_release() it on ARCHIVE_OK), and no member.  ARCHIVE_BAD
 * is reported.
 */
enum archive_status archive_read(struct archive *archive, const char *path, struct diag *diag);
void archive_release(struct archive *archive);

/*
 * Writes a thin archive at PATH, of the files at FILES (paths to open), one for
 * each member of SOURCE and in its place; NULL: the member itself, wherever it
 * is.  It has SOURCE's index, if that has one.  By temporary name and rename; a
 * file that has these bytes already is left alone.  False, reported, on failure.
 */
bool archive_write_thin(const char *path, const struct archive *source, const char *const *files,
			struct diag *diag);

#endif
