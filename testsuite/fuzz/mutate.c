/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drives a fuzz target without a fuzzer: COUNT mutations of the FILEs, the same
 * for the same SEED.
 *
 *	fuzz-TARGET SEED COUNT FILE...
 *
 * Bytes are changed, most often those of the first and last 2 KiB, where
 * objects and archives keep what points elsewhere; and ends cut off.  Each file
 * is tried as it is, too, and cut at 512 places.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "lib/memory.h"
#include "lib/source.h"

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A place to change: anywhere in a third of the cases. */
static size_t pick(uint64_t *state, size_t size)
{
	size_t edge = size < 2048 ? size : 2048;

	switch (next(state) % 3) {
	case 0:
		return next(state) % edge;
	case 1:
		return size - 1 - next(state) % edge;
	default:
		return next(state) % size;
	}
}

static size_t mutate(uint64_t *state, uint8_t *bytes, size_t size)
{
	static const uint8_t extremes[] = { 0x00, 0x01, 0x7f, 0x80, 0xff, '0', '/', ' ' };

	for (unsigned changes = 1 + next(state) % 4; changes > 0; changes--) {
		size_t at = pick(state, size), length = 1 + next(state) % 8;

		switch (next(state) % 4) {
		case 0:
			bytes[at] ^= 1 << next(state) % 8;
			break;
		case 1:
			memset(bytes + at, extremes[next(state) % sizeof extremes],
			       length < size - at ? length : size - at);
			break;
		case 2:
			bytes[at] = (uint8_t)next(state);
			break;
		case 3:
			if (next(state) % 4 == 0)
				size = at + 1;
			break;
		}
	}
	return size;
}

int main(int argc, char **argv)
{
	uint64_t state;
	unsigned long count;

	if (argc < 4)
		return 2;
	state = strtoul(argv[1], NULL, 0) * UINT64_C(0x9e3779b97f4a7c15) | 1;
	count = strtoul(argv[2], NULL, 0);
	for (int i = 3; i < argc; i++) {
		struct source *file = source_read(argv[i]);
		uint8_t *bytes;

		if (file == NULL || file->size == 0) {
			perror(argv[i]);
			return 2;
		}
		bytes = xmalloc(file->size);
		for (size_t cut = 0; cut <= 512; cut++)
			LLVMFuzzerTestOneInput((const uint8_t *)file->text,
					       file->size * cut / 512);
		for (unsigned long k = 0; k < count; k++) {
			memcpy(bytes, file->text, file->size);
			LLVMFuzzerTestOneInput(bytes, mutate(&state, bytes, file->size));
		}
		free(bytes);
		source_free(file);
	}
	return 0;
}
