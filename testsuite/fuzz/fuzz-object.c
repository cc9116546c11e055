/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as an object; tagged, whether or not they could be read; and asked
 * for a build-id.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include "ld/linked.h"
#include "ld/object.h"
#include "ld/tag.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[32], copy[] = "fuzz-object.copy";
	struct rename rename = { .shndx = 1, .name = ".text@fuzz" };
	struct object_place place = { .path = path, .label = "fuzz" };
	struct object object;
	struct linked linked;
	struct diag diag;
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", NULL);
	switch (object_read(&object, &place, true, &diag)) {
	case OBJECT_OK:
		if (object.sections.count > 0)
			rename.shndx = object.sections.at[object.sections.count / 2].shndx;
		object_release(&object);
		break;
	case OBJECT_NOT_ELF:
		fuzz_check(diag.errors == 0);
		break;
	case OBJECT_BAD:
		fuzz_check(diag.errors == 1);
		break;
	}
	diag_init(&diag, "fuzz", NULL);
	fuzz_check((tag_copy(copy, &place, &rename, 1, &diag) == TAG_FAILED) == (diag.errors == 1));
	linked_read(&linked, path);
	linked_release(&linked);
	fuzz_close(fd, copy);
	return 0;
}
