/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as ld's map, at once and cut at any places, which says the same.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/map.h"
#include "lib/memory.h"

static bool same_text(const char *a, const char *b)
{
	return (a == NULL && b == NULL) || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static void check_same(const struct map *a, const struct map *b)
{
	fuzz_check(a->sections.count == b->sections.count && a->members.count == b->members.count);
	for (size_t i = 0; i < a->sections.count; i++) {
		const struct map_section *x = &a->sections.at[i], *y = &b->sections.at[i];

		fuzz_check(x->name != NULL && x->file != NULL);
		fuzz_check(same_text(x->name, y->name) && same_text(x->output, y->output) &&
			   same_text(x->file, y->file) && x->address == y->address &&
			   x->size == y->size && x->statement == y->statement);
	}
	for (size_t i = 0; i < a->members.count; i++)
		fuzz_check(same_text(a->members.at[i], b->members.at[i]));
}

/* Pieces of 0 to MOST bytes, each in memory of its own, so that nothing behind it is read. */
static void read_in_pieces(struct map *map, const uint8_t *bytes, size_t size, size_t most)
{
	uint64_t chance = size + most;

	map_begin(map);
	while (size > 0) {
		size_t length;
		char *piece;

		chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
		length = (size_t)(chance >> 33) % (most + 1);
		length = length < size ? length : size;
		piece = xmalloc(length);
		memcpy(piece, bytes, length);
		map_take(map, piece, length);
		free(piece);
		bytes += length;
		size -= length;
	}
	map_end(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const size_t most[] = { 3, 40, 700, 5000 };
	struct map whole, parts;

	map_begin(&whole);
	map_take(&whole, (const char *)bytes, size);
	map_end(&whole);
	read_in_pieces(&parts, bytes, size, most[(size > 0 ? bytes[size / 2] : 0) % 4]);
	check_same(&whole, &parts);
	map_release(&parts);
	map_release(&whole);
	return 0;
}
