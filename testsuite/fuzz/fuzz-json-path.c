/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: the first line is a path into the JSON behind it.  It is read, or it is said
 * what was expected at which byte of it.  The document itself is what "$" leads to.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "lib/memory.h"
#include "sweep/json-path.h"
#include "sweep/json-text.h"

static void find(const struct json_path *path, const uint8_t *text, size_t size,
		 struct obstack *arena)
{
	struct json_matches matches = { 0 };
	struct json_text json;

	json_text_read(&json, (const char *)text, size, arena);
	fuzz_check((json.documents.count == 0) == (json.why != NULL));
	for (size_t i = 0; i < json.documents.count; i++) {
		json_path_find(path, json.documents.at[i], &matches);
		fuzz_check(path->steps.count > 0 || matches.list.count == i + 1);
	}
	for (size_t i = 0; i < matches.list.count; i++)
		fuzz_check(matches.list.at[i] != NULL);
	vec_release(&matches.list);
	json_text_release(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *newline = size > 0 ? memchr(bytes, '\n', size) : NULL;
	size_t length = newline != NULL ? (size_t)(newline - bytes) : size;
	char *text = xasprintf("%.*s", (int)length, (const char *)bytes);
	const char *bad, *expected = NULL;
	struct json_path path;
	struct obstack arena;

	obstack_init(&arena);
	if (json_path_parse(&path, text, &arena, &bad, &expected)) {
		if (newline != NULL)
			find(&path, newline + 1, size - length - 1, &arena);
		json_path_release(&path);
	} else {
		fuzz_check(bad >= text && bad <= text + strlen(text) && expected != NULL);
	}
	obstack_free(&arena, NULL);
	free(text);
	return 0;
}
