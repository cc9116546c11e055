/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as a policy file, and as a KERNING_FLAGS string.  What is
 * understood is read back from its one line the same, and plans without harm.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "layout/plan.h"
#include "lib/memory.h"

static void plan(const struct policy *policy)
{
	static const struct unit units[] = {
		{ .identity = { "a.o", ".data", 1 }, .size = 8, .align = 8 },
		{ .identity = { "b/c.a(d.o)", ".text", 2 }, .size = 9, .align = 4096 },
	};
	static const bool movable[] = { true, true };
	struct diag quiet;
	struct plan made;

	diag_init(&quiet, "fuzz", NULL);
	fuzz_check(plan_make(&made, units, 2, movable, policy, &quiet) == (quiet.errors == 0));
	fuzz_check(made.placements.count == 2);
	plan_release(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[32], *flags, *line, *again;
	struct policy policy, second;
	struct diag diag;
	FILE *messages = fuzz_messages();
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", messages);
	policy_init(&policy);
	fuzz_check(policy_add_file(&policy, path, &diag) == (diag.errors == 0));
	plan(&policy);
	line = policy_format(&policy);
	policy_init(&second);
	diag_init(&diag, "fuzz", messages);
	fuzz_check(policy_add_flags(&second, line, &diag));
	again = policy_format(&second);
	fuzz_check(strcmp(line, again) == 0);
	free(line);
	free(again);
	policy_release(&policy);
	policy_release(&second);

	/* "policy=" would open what the bytes say. */
	flags = xmalloc(size + 1);
	memcpy(flags, bytes, size);
	flags[size] = '\0';
	if (strstr(flags, "policy") == NULL) {
		policy_init(&policy);
		diag_init(&diag, "fuzz", messages);
		fuzz_check(policy_add_flags(&policy, flags, &diag) == (diag.errors == 0));
		policy_release(&policy);
	}
	free(flags);
	fclose(messages);
	fuzz_close(fd, NULL);
	return 0;
}
