/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of each image a list of seats: (line, piece) for the first and the last byte
 * of each piece, by line.  The company of a piece is who sits on its lines.
 */
#include "config.h"

#include "diff/company.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

struct seat {
	uint64_t line;		/* address / the line's size */
	uint64_t address;	/* of the piece */
	uint32_t change;
};

struct seats {
	VEC(struct seat) list;
};

/* Indices of changes, in order and each once. */
struct set {
	VEC(uint32_t) list;
};

struct finder {
	struct comparison *comparison;
	struct seats a, b;
	struct set line_a, line_b, pair_a, pair_b; /* those of the piece at hand */
};

/* Where sizes are of two kinds, only first bytes can be compared. */
static uint64_t last_byte(const struct finder *finder, const struct piece *piece)
{
	return piece->address +
	       (piece->size > 0 && finder->comparison->sizes ? piece->size - 1 : 0);
}

static int compare_seats(const void *a, const void *b)
{
	const struct seat *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->change > y->change) - (x->change < y->change);
}

static void take_seat(const struct finder *finder, struct seats *seats, const struct piece *piece,
		      uint32_t change)
{
	uint64_t line = finder->comparison->line;
	uint64_t first = piece->address / line, last = last_byte(finder, piece) / line;

	*vec_push(&seats->list) = (struct seat){ first, piece->address, change };
	if (last != first)
		*vec_push(&seats->list) = (struct seat){ last, piece->address, change };
}

/* Sorts, and leaves of the seats of one line and address the first. */
static void seats_sort(struct seats *seats)
{
	size_t kept = 0;

	if (seats->list.count > 1)
		qsort(seats->list.at, seats->list.count, sizeof *seats->list.at, compare_seats);
	for (size_t i = 0; i < seats->list.count; i++) {
		const struct seat *seat = &seats->list.at[i];

		if (kept == 0 || seats->list.at[kept - 1].line != seat->line ||
		    seats->list.at[kept - 1].address != seat->address)
			seats->list.at[kept++] = *seat;
	}
	seats->list.count = kept;
}

static int compare_indices(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Adds who sits on the lines FIRST to LAST, but for those at ADDRESS. */
static void add_lines(struct set *set, const struct seats *seats, uint64_t first, uint64_t last,
		      uint64_t address)
{
	size_t low = 0, high = seats->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (seats->list.at[middle].line < first)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < seats->list.count && seats->list.at[low].line <= last; low++)
		if (seats->list.at[low].address != address)
			*vec_push(&set->list) = seats->list.at[low].change;
}

static void set_sort(struct set *set)
{
	size_t kept = 0;

	if (set->list.count > 1)
		qsort(set->list.at, set->list.count, sizeof *set->list.at, compare_indices);
	for (size_t i = 0; i < set->list.count; i++)
		if (kept == 0 || set->list.at[kept - 1] != set->list.at[i])
			set->list.at[kept++] = set->list.at[i];
	set->list.count = kept;
}

/* Who is in the company of PIECE: on its lines, and in the aligned pairs of lines around them. */
static void gather(const struct finder *finder, const struct seats *seats,
		   const struct piece *piece, struct set *line_set, struct set *pair_set)
{
	uint64_t line = finder->comparison->line, first, last;

	line_set->list.count = pair_set->list.count = 0;
	if (piece == NULL)
		return;
	first = piece->address / line;
	last = last_byte(finder, piece) / line;
	add_lines(line_set, seats, first, first, piece->address);
	add_lines(pair_set, seats, first & ~UINT64_C(1), first | 1, piece->address);
	if (last != first)
		add_lines(line_set, seats, last, last, piece->address);
	if ((last | 1) != (first | 1))
		add_lines(pair_set, seats, last & ~UINT64_C(1), last | 1, piece->address);
	set_sort(line_set);
	set_sort(pair_set);
}

static bool set_has(const struct set *set, uint32_t change)
{
	return set->list.count > 0 &&
	       bsearch(&change, set->list.at, set->list.count, sizeof *set->list.at,
		       compare_indices) != NULL;
}

/* Appends who is in SET and not in WITHOUT, nor in NOR; returns how many. */
static uint32_t append(struct comparison *comparison, const struct set *set,
		       const struct set *without, const struct set *nor)
{
	uint32_t count = 0;

	for (size_t i = 0; i < set->list.count; i++) {
		if (set_has(without, set->list.at[i]) ||
		    (nor != NULL && set_has(nor, set->list.at[i])))
			continue;
		*vec_push(&comparison->companions) = set->list.at[i];
		count++;
	}
	return count;
}

static void compare_company(struct finder *finder, struct change *change)
{
	struct comparison *comparison = finder->comparison;
	struct company *company = &change->company;

	gather(finder, &finder->a, change->a, &finder->line_a, &finder->pair_a);
	gather(finder, &finder->b, change->b, &finder->line_b, &finder->pair_b);
	company->at = comparison->companions.count;
	company->joined = append(comparison, &finder->line_b, &finder->line_a, NULL);
	company->left = append(comparison, &finder->line_a, &finder->line_b, NULL);
	company->near = append(comparison, &finder->pair_b, &finder->pair_a, &finder->line_b);
	company->far = append(comparison, &finder->pair_a, &finder->pair_b, &finder->line_a);
	if (change->a != NULL && change->b != NULL && company->joined + company->left > 0)
		change->what |= CHANGE_COMPANY;
}

void company_find(struct comparison *comparison)
{
	struct finder finder = { .comparison = comparison };

	for (size_t i = 0; i < comparison->changes.count; i++) {
		const struct change *change = &comparison->changes.at[i];

		if (change->a != NULL)
			take_seat(&finder, &finder.a, change->a, (uint32_t)i);
		if (change->b != NULL)
			take_seat(&finder, &finder.b, change->b, (uint32_t)i);
	}
	seats_sort(&finder.a);
	seats_sort(&finder.b);
	for (size_t i = 0; i < comparison->changes.count; i++)
		compare_company(&finder, &comparison->changes.at[i]);
	vec_release(&finder.a.list);
	vec_release(&finder.b.list);
	vec_release(&finder.line_a.list);
	vec_release(&finder.line_b.list);
	vec_release(&finder.pair_a.list);
	vec_release(&finder.pair_b.list);
}
