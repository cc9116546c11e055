/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: each line something that ld says.  What names nothing of ours is
 * retold as it is.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/retell.h"
#include "lib/memory.h"

static void check_line(struct retelling *retelling, const char *line)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	fuzz_check(stream != NULL);
	retell_line(line, stream, retelling);
	fuzz_check(fclose(stream) == 0);
	fuzz_check(size > 0 && text[size - 1] == '\n' && strlen(text) == size);
	text[size - 1] = '\0';
	if (strstr(line, "/c/") == NULL && strchr(line, '@') == NULL)
		fuzz_check(strcmp(text, line) == 0);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct input_object objects[] = {
		{ .file = "a.o", .name = "a.o", .copy = "/c/tags/0/a.o" },
		{ .file = "liba.a(b.o)", .name = "b.o", .archive = "liba.a",
		  .place = { .size = 1 }, .copy = "/c/tags/0/liba.a.d/b.o" },
		{ .file = "c.o", .name = "c.o" },
	};
	struct input list[] = { { .path = "a.o" }, { .path = "liba.a", .copy = "/c/work/1/archives/liba.a" } };
	struct inputs inputs = { 0 };
	struct link_scripts scripts = { 0 };
	char *text = xcalloc(size + 1, 1), *rest;
	struct obstack arena;
	struct diag diag;
	struct retelling retelling = {
		.inputs = &inputs, .scripts = &scripts, .tags = "/c/tags/", .scratch = "/c/work/1",
		.work = "/c/work/1", .output = "/c/work/1/out/x", .target = "x",
		.arena = &arena, .diag = &diag,
	};

	diag_init(&diag, "fuzz", NULL);
	obstack_init(&arena);
	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
		*vec_push(&inputs.objects) = &objects[i];
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		*vec_push(&inputs.list) = list[i];
	memcpy(text, bytes, size);
	for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
		check_line(&retelling, line);
	retell_forget(&retelling);
	vec_release(&inputs.objects);
	vec_release(&inputs.list);
	obstack_free(&arena, NULL);
	free(text);
	return 0;
}
