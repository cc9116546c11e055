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
 *	0xffffffff82400000	4096	64	.data	kernel/sched/core.o(.data)
 *
 * Tab-separated, sorted by address, then by output section and identity:
 * address (hex), size (decimal), alignment (decimal, the unit's own), output
 * section, identity.  No field holds white space (escape.h), so awk's own
 * notion of a field will do.  Header lines of other names are skipped.
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
};

struct layout {
	struct obstack arena;		/* every string */
	VEC(struct layout_unit) units;
	const char *tool, *linker, *policy, *output, *build_id; /* NULL: not there */
	uint64_t seed;
	bool has_seed;
};

void layout_init(struct layout *layout);
void layout_release(struct layout *layout);
void layout_sort(struct layout *layout);

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
