/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often files change: what a history says of the units of a link.
 *
 *	12 kernel/sched/core.c		a number and a name, as "uniq -c" writes them
 *	kernel/sched/fair.c		a name alone: once more
 *	lib/liblua.a(lvm.o)(.text)	units, as rules name them
 *
 * A name that ends in ')' names units (pattern.h).  Any other is of an object or
 * of its source: "core.c" stands for core.o and core.c.o.  It is an object's path, or the
 * end of one; or its last part is the whole name of an object, as of an archive's member.
 * Names of files that are not in the link, headers and the like, are passed over.
 */
#ifndef KERNING_LAYOUT_CHANGES_H
#define KERNING_LAYOUT_CHANGES_H

#include "layout/pattern.h"
#include "lib/diag.h"
#include "lib/vec.h"

struct change {
	char *name;			/* of an object: suffix of the source taken off */
	struct units_pattern units;	/* where NAME is NULL */
	double count;
};

struct changes {
	VEC(struct change) names;	/* sorted, each once */
	VEC(struct change) last_parts;	/* of those with a '/'; likewise */
	VEC(struct change) patterns;
};

/* Reads PATH.  False, reported with line and column, where a line is not of this form. */
bool changes_read(struct changes *changes, const char *path, struct diag *diag);
void changes_release(struct changes *changes);

/* How often the unit changes, by all that names it. */
double changes_of(const struct changes *changes, const struct identity *identity);

#endif
