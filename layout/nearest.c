/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edit distance (Levenshtein's), with one liberty: a '*' of the glob stands for
 * any text at no cost, a '?' for any byte.  So ".dta*" is one edit away from
 * ".data" and from ".data.rel.ro" alike.
 */
#include "config.h"

#include "layout/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

#define LONGEST 128	/* of longer names, nobody mistypes just a byte */

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned glob_distance(const char *glob, const char *name)
{
	unsigned row[LONGEST + 1];
	size_t length = strlen(name);

	if (length > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= length; j++)
		row[j] = (unsigned)j;
	for (; *glob != '\0'; glob++) {
		unsigned star = *glob == '*';
		unsigned diagonal = row[0];

		row[0] += !star;
		for (size_t j = 1; j <= length; j++) {
			unsigned above = row[j];
			unsigned change = *glob != '?' && *glob != name[j - 1];

			if (star)
				row[j] = min(above, row[j - 1]);
			else
				row[j] = min(min(above, row[j - 1]) + 1, diagonal + change);
			diagonal = above;
		}
	}
	return row[length];
}

/* More edits than this, and the name is another name: a third of what is spelt out, and one. */
static unsigned farthest(const char *glob)
{
	unsigned spelt = 0;

	for (; *glob != '\0'; glob++)
		spelt += *glob != '*';
	return spelt / 3 + 1;
}

void nearest_init(struct nearest *nearest, const char *glob)
{
	*nearest = (struct nearest){ .glob = glob };
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	unsigned distance = glob_distance(nearest->glob, name);
	size_t at = nearest->count;

	if (distance > farthest(nearest->glob))
		return;
	for (size_t i = 0; i < nearest->count; i++) {
		if (strcmp(nearest->names[i], name) == 0)
			return;
	}
	while (at > 0 && (nearest->distances[at - 1] > distance ||
			  (nearest->distances[at - 1] == distance &&
			   strcmp(nearest->names[at - 1], name) > 0)))
		at--;
	if (at == NEAREST_MAX)
		return;
	if (nearest->count < NEAREST_MAX)
		nearest->count++;
	for (size_t i = nearest->count - 1; i > at; i--) {
		nearest->names[i] = nearest->names[i - 1];
		nearest->distances[i] = nearest->distances[i - 1];
	}
	nearest->names[at] = name;
	nearest->distances[at] = distance;
}

char *nearest_format(const struct nearest *nearest)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < nearest->count; i++) {
		char *longer = xasprintf("%s%s\"%s\"", text, i > 0 ? ", " : "", nearest->names[i]);

		free(text);
		text = longer;
	}
	return text;
}
