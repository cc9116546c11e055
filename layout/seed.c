/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One choice, one hash: nothing is drawn from a sequence, so a unit that comes
 * or goes shifts no other unit's choice.
 */
#include "config.h"

#include "layout/seed.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "lib/memory.h"

uint64_t seed_hash(uint64_t seed, const struct identity *identity, const char *purpose)
{
	char small[512], *text = small;
	size_t prefix = strlen(purpose) + 1;
	size_t length = prefix + identity_format(small + prefix, sizeof small - prefix, identity);
	uint64_t hash;

	if (length >= sizeof small) {
		text = xmalloc(length + 1);
		identity_format(text + prefix, length + 1 - prefix, identity);
	}
	memcpy(text, purpose, prefix);
	hash = XXH3_64bits_withSeed(text, length, seed);
	if (text != small)
		free(text);
	return hash;
}
