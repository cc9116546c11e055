/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as an archive; and its members, of which each must lie in it.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include "ld/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[32];
	struct archive archive;
	struct diag diag;
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", NULL);
	switch (archive_read(&archive, path, &diag)) {
	case ARCHIVE_OK:
		fuzz_check(diag.errors == 0);
		for (size_t i = 0; i < archive.members.count; i++)
			if (!archive.thin)
				fuzz_check((size_t)(archive.members.at[i].place.offset +
						    archive.members.at[i].place.size) <= size);
		for (size_t i = 0; i < archive.symbols.count; i++)
			fuzz_check(archive.symbols.at[i].member < archive.members.count);
		archive_release(&archive);
		break;
	case ARCHIVE_NOT:
		fuzz_check(diag.errors == 0);
		break;
	case ARCHIVE_BAD:
		fuzz_check(diag.errors == 1);
		break;
	}
	fuzz_close(fd, NULL);
	return 0;
}
