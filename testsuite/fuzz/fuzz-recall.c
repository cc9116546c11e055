/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: taken for what the cache keeps of a link's map.  A file that is
 * believed is one that would be written again the same; and behind a right hash
 * any bytes do no harm.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/kept.h"
#include "ld/recall.h"
#include "lib/memory.h"

static char copy[] = "fuzz-recall.copy";

/* The key that a link would have for which the bytes are meant. */
static uint64_t key_of(const uint8_t *bytes, size_t size)
{
	char *text = xcalloc(size + 1, 1);
	uint64_t key;

	memcpy(text, bytes, size);
	key = size > 4 ? strtoull(text + 4, NULL, 16) : 0;
	free(text);
	return key;
}

/* Reads PATH; the bytes of what it gives, written again, or NULL: it gives nothing. */
static struct source *read_and_write(const char *path, uint64_t key, const struct inputs *inputs)
{
	struct correction correction = { 0 };
	struct source *again = NULL;
	struct obstack arena;

	obstack_init(&arena);
	if (recall_read(&correction, path, key, inputs, &arena)) {
		recall_write(&correction, copy, key);
		again = source_read(copy);
		fuzz_check(again != NULL);
	} else {
		fuzz_check(correction.loaded.count == 0 && correction.absent.count == 0);
	}
	vec_release(&correction.loaded);
	vec_release(&correction.absent);
	obstack_free(&arena, NULL);
	return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input_object objects[] = {
		{ .file = "a.o" }, { .file = "b.o" }, { .file = "liba.a(a.o)" }, { .file = "liba.a(b.o)" },
	};
	struct inputs inputs = { 0 };
	struct source *first, *second;
	uint64_t key = key_of(bytes, size);
	char path[32];
	int fd = fuzz_file(bytes, size, path, sizeof path);

	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
		*vec_push(&inputs.objects) = &objects[i];
	first = read_and_write(path, key, &inputs);
	if (first != NULL) {
		fuzz_check(size == first->size && memcmp(bytes, first->text, size) == 0);
		source_free(first);
	}
	kept_write(copy, (const char *)bytes, size);
	first = read_and_write(copy, key, &inputs);
	if (first != NULL) {
		second = read_and_write(copy, key, &inputs);
		fuzz_check(second != NULL && second->size == first->size &&
			   memcmp(first->text, second->text, first->size) == 0);
		source_free(second);
		source_free(first);
	}
	vec_release(&inputs.objects);
	fuzz_close(fd, copy);
	return 0;
}
