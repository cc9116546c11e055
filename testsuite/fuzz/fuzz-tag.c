/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: a section's name that may be a tag; and, three lines, an identity's
 * file, section and symbol, whose tags are read back the same.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/tag.h"
#include "lib/memory.h"

/* What tags are made of: see tag_allowed(). */
static bool can_be_tagged(const struct identity *identity)
{
	return identity->file[0] != '\0' && identity->section[0] == '.' &&
	       identity->section[1] != '\0' && strchr(identity->section, '@') == NULL &&
	       (identity->symbol == NULL || identity->symbol[0] != '\0');
}

static void check_round_trip(const struct identity *identity, enum tag_form form,
			     struct obstack *arena)
{
	const char *tag = tag_format(identity, form, arena);
	struct identity again;

	fuzz_check(tag_parse(tag, &again, arena));
	fuzz_check(strcmp(again.file, identity->file) == 0 &&
		   strcmp(again.section, identity->section) == 0 &&
		   again.ordinal == identity->ordinal &&
		   (again.symbol != NULL) == (identity->symbol != NULL) &&
		   (again.symbol == NULL || strcmp(again.symbol, identity->symbol) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = xcalloc(size + 1, 1), *rest;
	struct identity identity = { .ordinal = 1 };
	struct obstack arena;

	obstack_init(&arena);
	memcpy(text, bytes, size);
	if (tag_parse(text, &identity, &arena))
		fuzz_check(identity.file != NULL && identity.section != NULL && identity.ordinal >= 1);
	identity.file = strtok_r(text, "\n", &rest);
	identity.section = strtok_r(NULL, "\n", &rest);
	identity.symbol = strtok_r(NULL, "\n", &rest);
	identity.ordinal = 1 + (unsigned)size % 3;
	if (identity.file != NULL && identity.section != NULL && can_be_tagged(&identity)) {
		check_round_trip(&identity, TAG_FINAL, &arena);
		check_round_trip(&identity, TAG_PARTIAL, &arena);
	}
	obstack_free(&arena, NULL);
	free(text);
	return 0;
}
