/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as what is hot.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "diff/hot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[32];
	struct hot hot;
	struct diag diag;
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", NULL);
	if (hot_read(&hot, path, &diag)) {
		fuzz_check(diag.errors == 0 && hot.symbols.count > 0);
		for (size_t i = 0; i < hot.symbols.count; i++) {
			fuzz_check(hot.symbols.at[i].name[0] != '\0');
			fuzz_check(i == 0 || strcmp(hot.symbols.at[i - 1].name,
						    hot.symbols.at[i].name) < 0);
		}
	} else {
		fuzz_check(diag.errors > 0 && diag.errors <= HOT_ERRORS_MAX + 1);
	}
	hot_release(&hot);
	fuzz_close(fd, NULL);
	return 0;
}
