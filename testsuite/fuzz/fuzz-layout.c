/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as a layout; what is a layout is, written and read again, the
 * same layout.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "layout/record.h"
#include "lib/memory.h"

static char *written(const struct layout *layout, size_t *size)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, size);

	fuzz_check(stream != NULL);
	layout_write(layout, stream);
	fuzz_check(fclose(stream) == 0);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[32];
	struct layout layout, again;
	struct diag diag;
	FILE *messages = fuzz_messages();
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", messages);
	layout_init(&layout);
	if (layout_read(&layout, path, &diag)) {
		size_t first_size, second_size;
		char *first = written(&layout, &first_size), *second;
		char copy[32];
		int copy_fd = fuzz_file((const uint8_t *)first, first_size, copy, sizeof copy);

		fuzz_check(diag.errors == 0);
		layout_init(&again);
		fuzz_check(layout_read(&again, copy, &diag));
		second = written(&again, &second_size);
		fuzz_check(first_size == second_size && memcmp(first, second, first_size) == 0);
		layout_sort(&again);
		layout_release(&again);
		fuzz_close(copy_fd, NULL);
		free(first);
		free(second);
	} else {
		fuzz_check(diag.errors > 0 && diag.errors <= LAYOUT_ERRORS_MAX + 1);
	}
	layout_release(&layout);
	fclose(messages);
	fuzz_close(fd, NULL);
	return 0;
}
