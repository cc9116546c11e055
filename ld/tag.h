/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tags: a unit's section bears a name of its own while it is linked, so that a
 * statement of the script can name it without naming its file (which ld is
 * slow at).  The tag is the identity, readable and free of collisions:
 *
 *	.data  of kernel/sched/core.o		.data@kernel/sched/core.o
 *	.text  of member lvm.o of liblua5.4.a	.text@liblua5.4.a(lvm.o)
 *	.data.x of foo.o			.data@foo.o@.x
 *	the second .text of foo.o		.text@foo.o#2
 *	the function f split off of foo.o	.text@foo.o:f
 *
 * What tells sections of one object apart comes last, because ld keeps the names
 * that statements ask for in a tree, letter by letter: so that they share the
 * letters of the file.
 *
 * A partial link's output is read by other programs before it is linked again,
 * which know sections by names and by ".text.*": there the tags are
 * ".text.@foo.o" and ".data.x.@foo.o".  (A final link avoids that form: a
 * statement for ".text.*" that stands before the one for ".text" would take it.)
 *
 * The compiler's plugin, which does not know the object's name, writes the
 * latter without: a section ".text.@:f" is what it has split off for f.
 *
 * Bytes that a linker script or a glob would read otherwise ('"', '*', '?',
 * '[', '\\', '%', controls and blanks) are written %XX, and so are '#', '@', ':'
 * and a '.' before the '@'.
 *
 * A tagged object is a copy, in the cache, that differs from its source in
 * section names alone: the names' table is written anew behind the last byte,
 * the section headers' sh_name changed in place.  No relocation, symbol or
 * byte of content changes.  Behind the new table stands a trailer that says
 * what the copy was made from; a copy whose trailer agrees with its source and
 * its tags is used again.  Copies are written under a temporary name and
 * renamed, so several drivers may share a cache, and a killed one leaves
 * nothing half made: its temporary is never read, and goes with the cache.
 */
#ifndef KERNING_LD_TAG_H
#define KERNING_LD_TAG_H

#include <obstack.h>
#include <stdbool.h>
#include <stdint.h>

#include "layout/unit.h"
#include "ld/object.h"

enum tag_form { TAG_FINAL, TAG_PARTIAL };

/* The tag of an identity, in ARENA. */
const char *tag_format(const struct identity *identity, enum tag_form form,
		       struct obstack *arena);
/*
 * The identity that NAME (a section name) is a tag of, in ARENA; false: it is
 * no tag.  Only a name that tag_format() would write is one: it begins with
 * '.', has an '@' with something on both sides, and escapes what is to be
 * escaped and nothing else.
 */
bool tag_parse(const char *name, struct identity *identity, struct obstack *arena);

/*
 * True if a section of this kind may bear a tag at all, where NAME is its name, or
 * what that was before it came in tagged: allocated PROGBITS or NOBITS, and no name that bfd, ld or the program reads a meaning from
 * (.gnu.linkonce.*, .init_array, .ctors, .eh_frame, notes, TLS, .got, .plt,
 * C identifiers, which get __start_ and __stop_ symbols, ...).
 */
bool tag_allowed(const struct object_section *section, const char *name);

struct rename {
	uint32_t shndx;
	const char *name;
	bool reflagged;		/* sh_flags become FLAGS */
	uint64_t flags;
};

/*
 * TAG_TAKEN: the copy is there with other tags, made from this state of the
 * source; another link wants it so, and nothing was done.
 */
enum tag_result { TAG_MADE, TAG_REUSED, TAG_TAKEN, TAG_FAILED };

/*
 * Makes TO (folders above it are made) a copy of FROM with the COUNT sections
 * renamed.  With none to rename, FROM may be any file.  The file system makes
 * the copy, and shares its blocks with the source, where it can.  Failure
 * (unreadable source, full disk, no permission) is reported, an environment
 * error, and leaves nothing behind.
 */
enum tag_result tag_copy(const char *to, const struct object_place *from,
			 const struct rename *renames, size_t count, struct diag *diag);

#endif
