/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of a link: what each word of the link line opens, as ld finds it;
 * archives by member, and the scripts among the inputs (libc.so, say) by what
 * their INPUT and GROUP name.
 */
#ifndef KERNING_LD_INPUTS_H
#define KERNING_LD_INPUTS_H

#include "ld/archive.h"
#include "ld/linkline.h"
#include "ld/objindex.h"
#include "ldscripts/script.h"

/* One object file that the link loads, or may load from an archive. */
struct input_object {
	const char *name;	/* as ld names it, and file patterns match it */
	const char *archive;	/* as ld names the archive it is in; NULL: none */
	const char *file;	/* the object's part of its units' identities; unique in a link */
	size_t input;		/* index of the input that it comes from */
	struct object_place place;
	struct object object;
	bool is_read, is_bad;
	bool is_loaded;
	const char *copy;	/* path of the tagged copy that stands in for it; NULL: none */
	const char *archive_copy; /* path of the archive that gives it, archive or its copy; NULL: none */
};

enum input_kind {
	INPUT_OBJECT, INPUT_ARCHIVE, INPUT_SHARED,
	INPUT_SCRIPT,		/* INPUT(...), GROUP(...): its inputs follow it, with parent set */
	INPUT_OPAQUE,		/* anything else, or not found: left to ld */
};

struct input {
	enum input_kind kind;
	const char *path;		/* the file found; NULL: none */
	size_t word;			/* index of its word in the link line */
	struct input_state state;
	size_t first, count;		/* OBJECT, ARCHIVE: its objects, in inputs.objects */
	struct archive archive;		/* ARCHIVE */
	struct object shared;		/* SHARED: its dynamic symbols, where wanted */
	struct script *script;		/* SCRIPT */
	const struct input_item *item;	/* the item of the parent's script; NULL: from the line */
	size_t parent;			/* index + 1 of the script's input; 0: none */
	const char *copy;		/* what stands in for it on the line; NULL: itself */
};

struct inputs {
	struct obstack arena;
	VEC(struct input) list;			/* in the order ld meets them */
	VEC(struct input_object *) objects;	/* grouped by input, members in order */
	struct objindex *index;			/* what earlier links read; NULL: none */
	const char *root;			/* the folder that identities are relative to */
	const char *within;			/* the folder that they take for "/"; NULL: none */
	bool has_plugin;	/* a compiler's plugin takes objects that hold bytecode beside code */
	bool has_lto, has_script_sections;	/* what kerning cannot place */
	const char *opaque;			/* a file that is neither ELF nor archive nor script; NULL */
};

/*
 * Opens the inputs of LINE.  SEARCH_DIRS (NULL-terminated): where -l looks.
 * ROOT: the folder that identities are relative to; WITHIN (or NULL): the one that they
 * take for "/".  INDEX (or NULL) knows what earlier links read; it must outlive the inputs.  False, reported, where an
 * object or archive is corrupt.
 */
bool inputs_open(struct inputs *inputs, const struct linkline *line,
		 const char *const *search_dirs, const char *root, const char *within,
		 struct objindex *index, struct diag *diag);
void inputs_release(struct inputs *inputs);

/* Reads an object's sections and symbols where that has not been done.  False, reported: corrupt. */
bool input_object_read(struct inputs *inputs, struct input_object *object, struct diag *diag);

/* True if ld gives OBJECT, which has been read, to a plugin for link-time optimization. */
bool is_bytecode(const struct inputs *inputs, const struct input_object *object);

/* PATH made absolute and free of "." and ".." and double slashes, by its text alone.  In ARENA. */
char *normal_path(const char *path, struct obstack *arena);

/*
 * The name that stays the same from build to build for a file: PATH relative to the
 * inputs' root where they share more than "/", absolute elsewhere.  In ARENA.
 */
const char *identity_file(const struct inputs *inputs, const char *path, struct obstack *arena);

#endif
