/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placing what spills: by residue at first, and densely where that fails.
 */
#include "config.h"

#include "layout/spill.h"

#include <stdlib.h>

#include "layout/lock.h"
#include "lib/memory.h"

/* Those of the largest alignment first, and of these the largest. */
static int compare_spilled(const void *a, const void *b)
{
	const struct spilled *x = a, *y = b;

	if (x->unit->align != y->unit->align)
		return x->unit->align > y->unit->align ? -1 : 1;
	if (x->unit->size != y->unit->size)
		return x->unit->size > y->unit->size ? -1 : 1;
	return x->placement < y->placement ? -1 : 1;
}

/* Takes a place: at its residue modulo LOCK_MODULUS, else modulo LOCK_LEAST, else any. */
static bool find_place(struct gaps *gaps, struct spilled *spilled)
{
	static const uint64_t moduli[] = { LOCK_MODULUS, LOCK_LEAST };
	const struct layout_unit *old = spilled->old;
	uint64_t size = spilled->unit->size, align = spilled->unit->align;

	for (size_t i = 0; old != NULL && i < sizeof moduli / sizeof *moduli; i++)
		if (align <= moduli[i] && old->address % align == 0 &&
		    gaps_take(gaps, size, old->address & (moduli[i] - 1), moduli[i],
			      &spilled->address))
			return true;
	return gaps_take(gaps, size, 0, align, &spilled->address);
}

/* Places all in GAPS, at their residues in a page if that may be; false: they do not have all. */
static bool place_by_residue(struct spills *spills, struct gaps *gaps)
{
	for (size_t i = 0; i < spills->list.count; i++)
		if (!find_place(gaps, &spills->list.at[i]))
			return false;
	return true;
}

/* The first of SPILLS from LOW to HIGH, all of one alignment, with at most SIZE bytes. */
static size_t find_size(const struct spills *spills, size_t low, size_t high, uint64_t size)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spills->list.at[middle].unit->size <= size)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Behind the last of SPILLS that is aligned as FIRST is. */
static size_t find_lot_end(const struct spills *spills, size_t first)
{
	uint64_t align = spills->list.at[first].unit->align;
	size_t low = first, high = spills->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spills->list.at[middle].unit->align < align)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The first from INDEX on that has no place; NEXT[i] is i where it has none, else a later one. */
static size_t find_unplaced(size_t *next, size_t index)
{
	while (next[index] != index) {
		next[index] = next[next[index]];
		index = next[index];
	}
	return index;
}

/* Where it would lie, AT or behind: at its residue modulo LOCK_LEAST, if it then ends by END. */
static uint64_t place_behind(const struct spilled *spilled, uint64_t at, uint64_t end)
{
	uint64_t size = spilled->unit->size, align = spilled->unit->align;

	if (spilled->old != NULL && align <= LOCK_LEAST && spilled->old->address % align == 0) {
		uint64_t address = at + ((spilled->old->address - at) & (LOCK_LEAST - 1));

		if (address <= end && end - address >= size)
			return address;
	}
	return (at + align - 1) & -align;
}

/* The largest without a place that fits between AT and END; the number of SPILLS: none does. */
static size_t find_largest(const struct spills *spills, size_t *next, uint64_t at, uint64_t end)
{
	size_t count = spills->list.count, found = count;

	for (size_t first = 0, last; first < count; first = last) {
		uint64_t align = spills->list.at[first].unit->align;
		uint64_t address = (at + align - 1) & -align;
		size_t i;

		last = find_lot_end(spills, first);
		if (address < at || address > end)
			continue;
		i = find_unplaced(next, find_size(spills, first, last, end - address));
		if (i < last && (found == count ||
				 spills->list.at[i].unit->size > spills->list.at[found].unit->size))
			found = i;
	}
	return found;
}

/* Fills what lies from AT to END, always with the largest that fits; returns where that ends. */
static uint64_t fill(struct spills *spills, size_t *next, uint64_t at, uint64_t end)
{
	size_t i;

	while ((i = find_largest(spills, next, at, end)) < spills->list.count) {
		struct spilled *spilled = &spills->list.at[i];

		spilled->address = place_behind(spilled, at, end);
		at = spilled->address + spilled->unit->size;
		next[i] = i + 1;
	}
	return at;
}

/*
 * Where room is short: the slots that were left are filled, and then the room, which lies
 * behind them, and what it does not have follows.
 */
static void place_densely(struct spills *spills, struct gaps *gaps)
{
	size_t count = spills->list.count, *next = xcalloc(count + 1, sizeof *next);
	uint64_t at = 0;

	for (size_t i = 0; i < count; i++)
		if (spills->list.at[i].slot_end != 0)
			*vec_push(&gaps->list) = (struct gap){ spills->list.at[i].old->address,
							       spills->list.at[i].slot_end };
	gaps_join(gaps);
	qsort(spills->list.at, count, sizeof *spills->list.at, compare_spilled);
	for (size_t i = 0; i <= count; i++)
		next[i] = i;
	for (size_t i = 0; i < gaps->list.count; i++)
		at = fill(spills, next, gaps->list.at[i].begin, gaps->list.at[i].end);
	for (size_t i = find_unplaced(next, 0); i < count; i = find_unplaced(next, i + 1)) {
		struct spilled *spilled = &spills->list.at[i];

		spilled->address = place_behind(spilled, at, 0);
		at = spilled->address + spilled->unit->size;
	}
	free(next);
}

void spills_place(struct spills *spills, struct gaps *gaps)
{
	struct gaps tried = { VEC_INIT };

	for (size_t i = 0; i < gaps->list.count; i++)
		*vec_push(&tried.list) = gaps->list.at[i];
	if (!place_by_residue(spills, &tried))
		place_densely(spills, gaps);
	vec_release(&tried.list);
}
