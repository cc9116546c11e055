/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From seams to rooms: what lies before each is counted statement by statement.
 */
#include "config.h"
#include "ld/rooms.h"

#include <stdlib.h>

#include "lib/memory.h"

/* The bytes of the statements [first, end) that lie in OUTPUT. */
static uint64_t bytes_of(const struct census *census, const struct link_scripts *scripts,
			 unsigned first, unsigned end, const struct stmt *output)
{
	uint64_t sum = 0;

	for (unsigned i = first; i < end; i++)
		if (matcher_statement(scripts->matcher, i)->output == output)
			sum += census->sizes[i];
	return sum;
}

/* The first statement of OUTPUT; their number where it has none. */
static unsigned first_of(const struct link_scripts *scripts, const struct stmt *output)
{
	unsigned count = (unsigned)matcher_count(scripts->matcher), index = 0;

	while (index < count && matcher_statement(scripts->matcher, index)->output != output)
		index++;
	return index;
}

void rooms_find(struct seams *seams, struct plan *plan, const struct census *census,
		const struct link_scripts *scripts)
{
	unsigned statements = (unsigned)matcher_count(scripts->matcher), from = 0;
	struct seam_content *content = xcalloc(statements + 1, sizeof *content);
	const struct stmt *output = NULL;

	for (unsigned i = 0; i < statements; i++)
		content[i] = (struct seam_content){ .movable = census->listed[i],
						    .empty = census->taken[i] == 0 };
	seams_find(seams, scripts->matcher, content);
	free(content);
	for (size_t i = 0; i < seams->list.count; i++) {
		const struct seam *seam = &seams->list.at[i];
		struct room room = { .number = seam->number, .section = seam->output,
				     .inside = seam->inside, .made = seam->made,
				     .pooled = seam->pooled, .first = seam->first,
				     .last = seam->last };

		/* FROM: the first statement of the section behind its run at hand. */
		if (output != seam->stmt) {
			output = seam->stmt;
			from = first_of(scripts, output);
		}
		if (seam->table) {
			/* It is of no run, and of no other number. */
			room.first = room.last = seam->number - 1;
			room.content = bytes_of(census, scripts, from, seam->last + 1, output);
			from = seam->last + 1;
		} else if (seam->inside) {
			room.before = bytes_of(census, scripts, from, seam->first, output);
			room.content = bytes_of(census, scripts, seam->first, seam->last + 1, output);
			from = seam->last + 1;
		} else {
			room.content = bytes_of(census, scripts, from, statements, output);
		}
		*vec_push(&plan->rooms) = room;
	}
}
