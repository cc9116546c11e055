/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recording the outline.
 */
#include "config.h"
#include "ld/outline.h"

#include <string.h>

static const struct linked_section *find_section(const struct linked *linked, const char *name)
{
	for (size_t i = 0; i < linked->sections.count; i++)
		if (strcmp(linked->sections.at[i].name, name) == 0)
			return &linked->sections.at[i];
	return NULL;
}

static const struct room *find_room(const struct plan *plan, unsigned number)
{
	for (size_t i = 0; i < plan->rooms.count; i++)
		if (plan->rooms.at[i].number == number)
			return &plan->rooms.at[i];
	return NULL;
}

/*
 * Where the seam ends.  Of one that is held within a section, the map has it from
 * the section's beginning.  Behind what ld has merged with something else the map
 * counts that once more; so where the next thing lies is looked at too.
 */
static uint64_t seam_end(const struct map_assignment *assignment, const struct room *room,
			 const struct linked *linked, const struct map *map)
{
	const struct linked_section *section = find_section(linked, room->section);
	uint64_t end = assignment->value, limit;

	if (!room->inside || section == NULL)
		return end;
	if (room->held)
		end += section->address;
	limit = section->address + section->size;
	if (assignment->sections < map->sections.count) {
		const struct map_section *next = &map->sections.at[assignment->sections];

		if (next->output != NULL && strcmp(next->output, room->section) == 0)
			limit = next->address;
	}
	return end < limit ? end : limit;
}

/* Where the last output section before END ends: that of the seam may not be there. */
static uint64_t sections_end(const struct linked *linked, uint64_t end)
{
	uint64_t found = 0;

	for (size_t i = 0; i < linked->sections.count; i++) {
		const struct linked_section *section = &linked->sections.at[i];

		if (!section->nowhere && section->address < end &&
		    section->address + section->size > found)
			found = section->address + section->size;
	}
	return found != 0 ? found : end;
}

/* Where what stands before ASSIGNMENT in the room's section ends, which is not behind END. */
static uint64_t content_end(const struct map_assignment *assignment, const struct room *room,
			    uint64_t end, const struct linked *linked, const struct map *map)
{
	const struct linked_section *section = find_section(linked, room->section);
	uint64_t found = end;

	if (!room->inside) {
		found = sections_end(linked, end);
	} else if (assignment->sections > 0) {
		const struct map_section *before = &map->sections.at[assignment->sections - 1];

		if (before->output != NULL && strcmp(before->output, room->section) == 0)
			found = before->address + before->size;
		else if (section != NULL)
			found = section->address;
	}
	return found < end ? found : end;
}

void outline_record(struct layout *layout, const struct linked *linked, const struct map *map,
		    const struct plan *plan)
{
	uint64_t passed = 0;	/* the end of the latest seam between output sections */

	for (size_t i = 0; i < linked->sections.count; i++) {
		const struct linked_section *section = &linked->sections.at[i];

		*vec_push(&layout->marks) = (struct layout_mark){
			.kind = MARK_SECTION, .address = section->address, .size = section->size,
			.align = section->align, .section = section->name };
	}
	for (size_t i = 0; i < map->assignments.count; i++) {
		const struct map_assignment *assignment = &map->assignments.at[i];
		struct layout_mark mark = { .address = assignment->value, .align = 1 };

		if (assignment->symbol != NULL) {
			if (assignment->output == NULL)
				continue;
			mark.kind = MARK_SYMBOL;
			mark.section = assignment->output;
			mark.name = assignment->symbol;
		} else {
			const struct room *room = find_room(plan, assignment->seam);

			if (room == NULL)
				continue;
			mark.kind = MARK_SEAM;
			mark.section = room->section;
			mark.number = room->number;
			mark.size = seam_end(assignment, room, linked, map);
			mark.address = content_end(assignment, room, mark.size, linked, map);
			/* Between sections that are not there one seam follows on another. */
			if (!room->inside) {
				if (mark.address < passed && passed <= mark.size)
					mark.address = passed;
				passed = mark.size;
			}
			mark.size -= mark.address;
		}
		*vec_push(&layout->marks) = mark;
	}
}
