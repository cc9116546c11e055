/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What somebody may have meant: the names nearest to one that names nothing.
 */
#ifndef KERNING_LAYOUT_NEAREST_H
#define KERNING_LAYOUT_NEAREST_H

#include <stddef.h>

#define NEAREST_MAX 3

struct nearest {
	const char *glob;
	size_t count;			/* of names; best first */
	const char *names[NEAREST_MAX];
	unsigned distances[NEAREST_MAX];
};

/* Begins a search for names near GLOB. */
void nearest_init(struct nearest *nearest, const char *glob);
/* Keeps NAME (which must stay) if it is near, and nearer than what is kept. */
void nearest_offer(struct nearest *nearest, const char *name);
/* What was kept as text: "\".data\", \".bss\""; "" where nothing is near.  The caller frees it. */
char *nearest_format(const struct nearest *nearest);

#endif
