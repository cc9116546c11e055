/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Behind the bytes stands, in hexadecimal, a hash of them: a file whose hash is
 * right is one that this program wrote, whole.
 */
#include "config.h"
#include "ld/kept.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "lib/file.h"

#define SEAL_SIZE 17	/* 16 digits, a newline */

struct seal { char text[SEAL_SIZE + 1]; };

static struct seal make_seal(const char *bytes, size_t size)
{
	struct seal seal;

	snprintf(seal.text, sizeof seal.text, "%016" PRIx64 "\n", XXH3_64bits(bytes, size));
	return seal;
}

struct source *kept_read(const char *path)
{
	struct source *source = source_read(path);
	struct seal seal;

	if (source == NULL)
		return NULL;
	if (source->size >= SEAL_SIZE) {
		source->size -= SEAL_SIZE;
		seal = make_seal(source->text, source->size);
		if (memcmp(source->text + source->size, seal.text, SEAL_SIZE) == 0) {
			source->text[source->size] = '\0';
			return source;
		}
	}
	source_free(source);
	return NULL;
}

void kept_write(const char *path, const char *bytes, size_t size)
{
	const struct seal seal = make_seal(bytes, size);
	struct outfile file;

	if (!outfile_open(&file, path))
		return;
	fwrite(bytes, 1, size, file.stream);
	fwrite(seal.text, 1, SEAL_SIZE, file.stream);
	outfile_commit(&file);
}
