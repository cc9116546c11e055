/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as an image, an ELF file, a System.map or a layout; what is one
 * has no difference from itself, and can be compared with a small map.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "diff/change.h"
#include "diff/sides.h"
#include "diff/step.h"
#include "diff/svg.h"

static void compare(const struct sides *sides, bool same)
{
	struct comparison comparison;
	struct steps steps;

	comparison_make(&comparison, &sides->a, &sides->b, 64, 64);
	if (same) {
		fuzz_check(comparison.both + comparison.empty == sides->a.pieces.count);
		for (size_t i = 0; i < comparison.changes.count; i++)
			fuzz_check(comparison.changes.at[i].what == 0);
	}
	steps_find(&steps, &comparison);
	fuzz_check(!same || steps.moved.count == 0);
	for (size_t i = 0; i < steps.moved.count; i++)
		free(step_cause(steps.moved.at[i], &comparison));
	fuzz_check(svg_write("/dev/null", &comparison, &steps, &(struct diag){ .stream = NULL }));
	steps_release(&steps);
	comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char map[] = "10 T main\n40 t f\n60 d count.3\n70 D x\n80 b y\n";
	char path[32], other[32];
	struct sides sides;
	struct diag diag;
	int fd = fuzz_file(bytes, size, path, sizeof path);
	int map_fd = fuzz_file((const uint8_t *)map, strlen(map), other, sizeof other);

	diag_init(&diag, "fuzz", NULL);
	if (sides_read(&sides, path, path, NULL, NULL, &diag))
		compare(&sides, true);
	else
		fuzz_check(diag.errors > 0);
	sides_release(&sides);
	diag_init(&diag, "fuzz", NULL);
	if (sides_read(&sides, path, other, NULL, NULL, &diag))
		compare(&sides, false);
	else
		fuzz_check(diag.errors > 0);
	sides_release(&sides);
	fuzz_close(map_fd, NULL);
	fuzz_close(fd, NULL);
	return 0;
}
