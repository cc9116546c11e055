/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as a lock.  A link of the same units, some grown, some gone and
 * some new, is held to it: then no two units of a run overlap, each lies at a
 * multiple of its alignment, and they are in the order of their addresses.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "layout/lock.h"
#include "lib/memory.h"

struct link {
	struct plan plan;
	VEC(struct unit) units;
};

/* Sizes change by what a unit is called. */
static unsigned hash_of(const struct identity *identity)
{
	unsigned hash = identity->ordinal;

	for (const char *c = identity->file; *c != '\0'; c++)
		hash = hash * 31 + (unsigned char)*c;
	for (const char *c = identity->section; *c != '\0'; c++)
		hash = hash * 31 + (unsigned char)*c;
	return hash >> 3;
}

static void add_unit(struct link *link, const struct layout_unit *old, unsigned statement)
{
	static const int grows[] = { 0, 0, 0, 8, -8, 200, 5000, 0 };
	unsigned hash = hash_of(&old->identity);
	int by = grows[hash % 8];
	struct unit unit = { .identity = old->identity, .size = old->size, .align = old->align,
			     .merged = old->merged, .content = by == 0 ? old->content : 0,
			     .tagged = hash % 32 != 9, .statement = statement };

	if (hash % 16 == 7)
		return;
	if (hash % 16 == 5)
		unit.identity.file = "new.o";
	if (hash % 16 == 3)
		unit.align *= 2;
	if (by > 0 || unit.size >= (uint64_t)-by)
		unit.size += (uint64_t)(int64_t)by;
	*vec_push(&link->plan.placements) = (struct placement){
		.unit = (uint32_t)link->units.count, .modulus = 1, .movable = true };
	*vec_push(&link->units) = unit;
}

/* A seam that follows on units of its output section is the end of their run. */
static void add_room(struct link *link, const struct layout *layout, const struct layout_mark *seam,
		     uint64_t *from)
{
	size_t before = link->plan.placements.count;

	for (size_t i = 0; i < layout->units.count; i++) {
		const struct layout_unit *unit = &layout->units.at[i];

		if (!unit->inner && unit->address >= *from && unit->address < seam->address &&
		    strcmp(unit->section, seam->section) == 0)
			add_unit(link, unit, seam->number - 1);
	}
	*vec_push(&link->plan.rooms) = (struct room){
		.number = seam->number, .section = seam->section, .first = seam->number - 1,
		.last = seam->number - 1, .inside = link->plan.placements.count > before };
	*from = seam->address;
}

static void check_run(const struct link *link, uint32_t room)
{
	const struct placement *before = NULL;

	for (size_t i = 0; i < link->plan.placements.count; i++) {
		const struct placement *placement = &link->plan.placements.at[i];
		const struct unit *unit = &link->units.at[placement->unit];

		if (placement->room != room || !placement->held || unit->merged)
			continue;
		fuzz_check(placement->address % unit->align == 0);
		if (before != NULL && unit->size > 0) {
			uint64_t size = link->units.at[before->unit].size;

			fuzz_check(placement->address >= before->address);
			fuzz_check(placement->address - before->address >= size);
		}
		if (unit->size > 0)
			before = placement;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	FILE *messages = fuzz_messages();
	struct link link = { .units = VEC_INIT };
	struct lock lock;
	struct diag diag;
	uint64_t from = 0;
	char path[32];
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", messages);
	if (lock_read(&lock, path, size % 7 == 0 ? 64 : 0, &diag)) {
		fuzz_check(diag.errors == 0);
		for (size_t i = 0; i < lock.reference.marks.count; i++) {
			const struct layout_mark *mark = &lock.reference.marks.at[i];

			if (mark->kind == MARK_SEAM && mark->number > 0)
				add_room(&link, &lock.reference, mark, &from);
		}
		lock_apply(&lock, &link.plan, link.units.at, &diag);
		fuzz_check(diag.errors == 0);
		for (uint32_t room = 1; room <= link.plan.rooms.count; room++)
			check_run(&link, room);
	} else {
		fuzz_check(diag.errors > 0);
	}
	plan_release(&link.plan);
	vec_release(&link.units);
	lock_release(&lock);
	fclose(messages);
	fuzz_close(fd, NULL);
	return 0;
}
