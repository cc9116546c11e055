/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding the units of one link in the layout of another: by identity; and, of
 * those that have none there, by content, where there is just one on either side;
 * what else the file of such a one has; and by a name that differs in numbers alone.
 */
#ifndef KERNING_LAYOUT_NAMESAKE_H
#define KERNING_LAYOUT_NAMESAKE_H

#include <stddef.h>

#include <libiberty/hashtab.h>

#include "layout/record.h"

/* A unit that was looked for. */
struct sought {
	const struct identity *identity;
	uint64_t content;
	const struct layout_unit *found;	/* NULL: not, so far */
};

struct namesakes {
	const struct layout *layout;
	htab_t by_identity;
	bool *used;				/* by the layout's unit */
	const struct layout_unit *twice;	/* one of two that bear one identity; NULL: there are none */
	VEC(struct sought) sought;
	bool renamed;				/* renamed ones have been looked for */
};

/* LAYOUT has to outlive it. */
void namesakes_open(struct namesakes *namesakes, const struct layout *layout);
void namesakes_release(struct namesakes *namesakes);

/*
 * The unit of that identity; NULL: there is none.  The identity has to stay until
 * namesakes_release().  Units are to be looked for once each, and numbered by the
 * order in which they are.
 */
const struct layout_unit *namesakes_find(struct namesakes *namesakes, const struct identity *identity,
				       uint64_t content);
/* When all have been looked for: what number INDEX bore before it was renamed; NULL: it is new. */
const struct layout_unit *namesakes_find_renamed(struct namesakes *namesakes, size_t index);

#endif
