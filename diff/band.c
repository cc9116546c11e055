/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bands: pieces by section, and offsets by walking them once.
 */
#include "config.h"

#include "diff/band.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

#define LONGEST_GAP 65536	/* bytes: a map's kinds of sections lie far apart */

enum bucket band_bucket(const struct band *band, const struct change *change)
{
	int64_t shift = (int64_t)((uint64_t)change->shift - (uint64_t)band->shift);
	uint64_t distance = shift < 0 ? -(uint64_t)shift : (uint64_t)shift;
	unsigned step = distance < 16 ? 0 : distance < 64 ? 1 : distance < 4096 ? 2 : 3;

	if (change->a == NULL)
		return ONLY_B;
	if (change->b == NULL)
		return ONLY_A;
	return distance == 0 ? SAME : (enum bucket)((shift > 0 ? UP_1 : DOWN_1) + step);
}

static struct band *find_band(struct bands *bands, const char *section)
{
	for (size_t i = bands->list.count; i-- > 0; )
		if (strcmp(bands->list.at[i].section, section) == 0)
			return &bands->list.at[i];
	*vec_push(&bands->list) = (struct band){ .section = section };
	return &bands->list.at[bands->list.count - 1];
}

static int compare_spots(const void *a, const void *b)
{
	const struct piece *x = ((const struct spot *)a)->piece,
			   *y = ((const struct spot *)b)->piece;

	return (x > y) - (x < y);
}

/* Offsets from the first piece, without what is longer than a gap may be. */
static void lay_out(struct strip *strip)
{
	uint64_t at = 0, end = 0;	/* of what comes next; of the address that AT belongs to */

	if (strip->spots.count > 1)
		qsort(strip->spots.at, strip->spots.count, sizeof *strip->spots.at, compare_spots);
	for (size_t i = 0; i < strip->spots.count; i++) {
		struct spot *spot = &strip->spots.at[i];
		uint64_t address = spot->piece->address;

		if (i == 0)
			end = address;
		if (address >= end) {
			at += address - end < LONGEST_GAP ? address - end : LONGEST_GAP;
			spot->at = at;
		} else {
			spot->at = end - address < at ? at - (end - address) : 0;
		}
		if (address + spot->piece->size > end) {
			at = spot->at + spot->piece->size;
			end = address + spot->piece->size;
		}
		if (at > strip->extent)
			strip->extent = at;
	}
}

static void count_changes(struct band *band)
{
	for (size_t i = 0; i < band->b.spots.count; i++) {
		const struct change *change = band->b.spots.at[i].change;
		bool moved = band_bucket(band, change) != SAME || (change->what & CHANGE_SIZE) != 0;

		band->changed += moved;
		band->shifted += !moved && change->shift != 0;
	}
	for (size_t i = 0; i < band->a.spots.count; i++)
		band->changed += band->a.spots.at[i].change->b == NULL;
}

static int compare_bands(const void *a, const void *b)
{
	const struct band *x = a, *y = b;

	if (x->changed != y->changed)
		return x->changed > y->changed ? -1 : 1;
	if (x->shifted != y->shifted)
		return x->shifted > y->shifted ? -1 : 1;
	return strcmp(x->section, y->section);
}

void bands_find(struct bands *bands, const struct comparison *comparison)
{
	*bands = (struct bands){ .list = VEC_INIT };
	for (size_t i = 0; i < comparison->changes.count; i++) {
		const struct change *change = &comparison->changes.at[i];
		struct band *band;

		if (!change->shown)
			continue;
		band = find_band(bands, change->section);
		if (change->a != NULL)
			*vec_push(&band->a.spots) = (struct spot){ change->a, change, 0 };
		if (change->b != NULL)
			*vec_push(&band->b.spots) = (struct spot){ change->b, change, 0 };
	}
	for (size_t i = 0; i < bands->list.count; i++) {
		struct band *band = &bands->list.at[i];

		lay_out(&band->a);
		lay_out(&band->b);
		if (band->a.spots.count > 0 && band->b.spots.count > 0)
			band->shift = (int64_t)(band->b.spots.at[0].piece->address -
						band->a.spots.at[0].piece->address);
		count_changes(band);
	}
	if (bands->list.count > 1)
		qsort(bands->list.at, bands->list.count, sizeof *bands->list.at, compare_bands);
}

void bands_release(struct bands *bands)
{
	for (size_t i = 0; i < bands->list.count; i++) {
		vec_release(&bands->list.at[i].a.spots);
		vec_release(&bands->list.at[i].b.spots);
	}
	vec_release(&bands->list);
}

const struct spot *strip_spot(const struct strip *strip, const struct piece *piece)
{
	const struct spot key = { .piece = piece };

	return strip->spots.count == 0 ? NULL
	     : bsearch(&key, strip->spots.at, strip->spots.count, sizeof key, compare_spots);
}
