/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking from gaps: the first that fits.
 */
#include "config.h"

#include "layout/gap.h"

#include <stdlib.h>

static int compare_gaps(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

void gaps_join(struct gaps *gaps)
{
	size_t count = 0;

	if (gaps->list.count > 1)
		qsort(gaps->list.at, gaps->list.count, sizeof *gaps->list.at, compare_gaps);
	for (size_t i = 0; i < gaps->list.count; i++) {
		struct gap gap = gaps->list.at[i];
		struct gap *last = count > 0 ? &gaps->list.at[count - 1] : NULL;

		if (last == NULL || last->end < gap.begin)
			gaps->list.at[count++] = gap;
		else if (last->end < gap.end)
			last->end = gap.end;
	}
	gaps->list.count = count;
}

/* The first address in GAP that is RESIDUE mod MODULUS and leaves SIZE bytes; false: none. */
static bool fits(const struct gap *gap, uint64_t size, uint64_t residue, uint64_t modulus,
		 uint64_t *address)
{
	*address = gap->begin + ((residue - gap->begin) & (modulus - 1));
	return *address >= gap->begin && *address <= gap->end && gap->end - *address >= size;
}

bool gaps_take(struct gaps *gaps, uint64_t size, uint64_t residue, uint64_t modulus,
	       uint64_t *address)
{
	for (size_t i = 0; i < gaps->list.count; i++) {
		struct gap gap = gaps->list.at[i];

		if (!fits(&gap, size, residue, modulus, address))
			continue;
		gaps->list.at[i].end = *address;
		*vec_push(&gaps->list) = (struct gap){ *address + size, gap.end };
		return true;
	}
	return false;
}

uint64_t gaps_append(struct gaps *gaps, uint64_t size, uint64_t align)
{
	struct gap *last = &gaps->list.at[0];
	uint64_t address, end;

	for (size_t i = 1; i < gaps->list.count; i++)
		if (gaps->list.at[i].end > last->end)
			last = &gaps->list.at[i];
	address = (last->begin + align - 1) & -align;
	end = address + size;
	*last = (struct gap){ end, end > last->end ? end : last->end };
	return address;
}
