/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: taken for the cache's index of objects, of which a.o and b.o are in
 * the folder.  What it tells of them is what is in them, or nothing; saved and
 * opened again it tells the same.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/objindex.h"

static char copy[] = "fuzz-objindex.copy";

static void check_same(const struct object *a, const struct object *b)
{
	fuzz_check(a->machine == b->machine && a->elf_class == b->elf_class && a->data == b->data &&
		   a->elf_type == b->elf_type && a->lto == b->lto && a->fat_lto == b->fat_lto);
	fuzz_check(a->sections.count == b->sections.count && a->groups.count == b->groups.count &&
		   a->symbols.count == b->symbols.count);
	for (size_t i = 0; i < a->sections.count; i++) {
		const struct object_section *x = &a->sections.at[i], *y = &b->sections.at[i];

		fuzz_check(strcmp(x->name, y->name) == 0 && x->shndx == y->shndx &&
			   x->ordinal == y->ordinal && x->type == y->type && x->flags == y->flags &&
			   x->size == y->size && x->align == y->align && x->group == y->group);
	}
	for (size_t i = 0; i < a->symbols.count; i++) {
		const struct object_symbol *x = &a->symbols.at[i], *y = &b->symbols.at[i];

		fuzz_check(strcmp(x->name, y->name) == 0 && x->shndx == y->shndx &&
			   x->value == y->value && x->binding == y->binding);
	}
}

/* Asks the index at PATH for both objects, adds what it does not know; how many it knew. */
static unsigned ask(const char *path)
{
	static const char *const names[] = { "a.o", "b.o" };
	struct objindex *index = objindex_open(path);
	struct object_place places[2];
	struct object objects[2], known;
	unsigned found = 0;
	struct diag diag;

	diag_init(&diag, "fuzz", NULL);
	for (size_t i = 0; i < 2; i++) {
		places[i] = (struct object_place){ .path = names[i] };
		fuzz_check(object_read(&objects[i], &places[i], true, &diag) == OBJECT_OK);
		if (objindex_find(index, &places[i], &known)) {
			check_same(&known, &objects[i]);
			object_release(&known);
			found++;
		} else {
			objindex_add(index, &places[i], &objects[i]);
		}
	}
	objindex_save(index);
	objindex_close(index);
	object_release(&objects[0]);
	object_release(&objects[1]);
	return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(copy, "w");

	fuzz_check(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
	if (ask(copy) < 2)
		fuzz_check(ask(copy) == 2);
	unlink(copy);
	return 0;
}
