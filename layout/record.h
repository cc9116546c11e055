/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layout file: where each unit of a link lies.
 *
 *	# kerning-layout 1
 *	# tool: kerning 0.1
 *	# linker: GNU ld (GNU Binutils for Debian) 2.40
 *	# seed: 7
 *	# policy: pad=.data*:0..64/16
 *	# output: vmlinux
 *	# build-id: 8f2c...
 *	# machine: 62
 *	# script: 5d41402abc4b2a76
 *	# entries: 4
 *	0xffffffff82400000	1048576	4096	.data	-
 *	0xffffffff82400000	0	1	.data	_sdata
 *	0xffffffff82400000	4096	64	.data	kernel/sched/core.o(.data)	0c3a98e3b5a1f2d4
 *	0xffffffff824ff000	4096	1	.data	[17]
 *
 * Tab-separated, sorted by address: address (hex), size (decimal), alignment
 * (decimal), output section, and what it is: a unit's identity (the alignment
 * is the unit's own), "-" for the output section itself, the name of a symbol
 * that the script assigns, or [N] for the seam of that number: size bytes are
 * free there.  A unit may have a sixth field, the hash of its content,
 * or "merged" where ld merges it with others: then its size is its share.  No
 * field holds white space (escape.h), so awk's own notion of a field will do.
 * Header lines of other names are skipped.
 */
#ifndef KERNING_LAYOUT_RECORD_H
#define KERNING_LAYOUT_RECORD_H

#include <obstack.h>
#include <stdio.h>

#include "lib/diag.h"
#include "lib/vec.h"
#include "layout/unit.h"

struct layout_unit {
	uint64_t address, size, align;
	const char *section;		/* output section */
	struct identity identity;
	uint64_t content;		/* hash of what it holds; 0: not known */
	bool merged;
	bool inner;			/* a symbol within the unit of its section: see layout_sort() */
};

/* What stands between units: all that is not one. */
struct layout_mark {
	enum { MARK_SECTION, MARK_SYMBOL, MARK_SEAM } kind;
	uint64_t address, size, align;
	const char *section;		/* output section; of a seam: in it, or behind it */
	const char *name;		/* SYMBOL */
	unsigned number;		/* SEAM: see ldscripts/seam.h */
};

struct layout {
	struct obstack arena;		/* every string */
	VEC(struct layout_unit) units;
	VEC(struct layout_mark) marks;
	const char *tool, *linker, *policy, *output, *build_id; /* NULL: not there */
	uint64_t seed;
	uint64_t script;		/* hash of the linker scripts' text; 0: not known */
	unsigned machine;		/* e_machine; 0: not known */
	bool has_seed;
};

void layout_init(struct layout *layout);
void layout_release(struct layout *layout);
/*
 * Sorts units and marks, and finds which units are inner: "foo.o(.text:f)", which the
 * compiler placed within "foo.o(.text)".
 */
void layout_sort(struct layout *layout);

/* The mark of the output section NAME, the first where there are several; NULL: none. */
const struct layout_mark *layout_section(const struct layout *layout, const char *name);

/* Writes it to STREAM; the caller checks the stream. */
void layout_write(const struct layout *layout, FILE *stream);
/*
 * Reads PATH.  False where it is not a layout: its bad lines are reported with
 * line and column, of a bad first line only that, and at most so many.
 */
#define LAYOUT_ERRORS_MAX 20
bool layout_read(struct layout *layout, const char *path, struct diag *diag);

/* Splits "foo.o(.text#2)" in ARENA, escapes undone.  False where it is not an identity. */
bool identity_parse(const char *text, struct identity *identity, struct obstack *arena);

#endif
