/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes, read as a bundle's index.  What was read is written and read again, and its
 * paths lead nowhere outside.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/bundle-json.h"

static void check_link(const struct bundle_link *link)
{
	fuzz_check(strncmp(link->root, "files", 5) == 0 && strchr(link->root, '/') == NULL);
	fuzz_check(is_normal(link->output) && is_normal(link->folder));
	fuzz_check(strrchr(link->output, '/')[1] != '\0' && link->name[0] != '\0');
	for (size_t i = 0; i < link->files.count; i++)
		fuzz_check(is_normal(link->files.at[i].path) && link->files.at[i].staged == NULL);
	for (size_t i = 0; i < link->folders.count; i++)
		fuzz_check(is_normal(link->folders.at[i]));
	for (size_t i = 0; i < link->symlinks.count; i++)
		fuzz_check(is_normal(link->symlinks.at[i].path) &&
			   link->symlinks.at[i].target[0] != '/');
}

static char *write_bundle(const struct bundle *bundle, size_t *size)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, size);

	fuzz_check(stream != NULL && bundle_to_json(bundle, stream));
	fuzz_check(fclose(stream) == 0);
	return text;
}

/* Reads TEXT and writes what it was; NULL where it is no bundle. */
static char *copy(const char *text, size_t size, size_t *copied)
{
	struct source *source = source_from_memory("fuzz", text, size);
	struct bundle bundle;
	struct diag diag;
	FILE *messages = fuzz_messages();
	char *result = NULL;

	diag_init(&diag, "fuzz", messages);
	bundle_init(&bundle);
	if (bundle_from_json(&bundle, source, &diag)) {
		fuzz_check(diag.errors == 0);
		for (size_t i = 0; i < bundle.links.count; i++)
			check_link(&bundle.links.at[i]);
		result = write_bundle(&bundle, copied);
	} else {
		fuzz_check(diag.errors == 1);
	}
	bundle_release(&bundle);
	source_free(source);
	fclose(messages);
	return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	size_t first_size = 0, second_size = 0;
	char *first = copy((const char *)bytes, size, &first_size), *second;

	if (first == NULL)
		return 0;
	second = copy(first, first_size, &second_size);
	fuzz_check(second != NULL && second_size == first_size &&
		   memcmp(first, second, first_size) == 0);
	free(first);
	free(second);
	return 0;
}
