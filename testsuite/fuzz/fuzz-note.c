/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: read as an object, and its section of any kind as the plugin's note.
 * What a note says of symbols a layout can hold: written, it is read again.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "layout/number.h"
#include "layout/record.h"
#include "ld/note.h"
#include "lib/memory.h"

static void check_symbol(const struct note_symbol *symbol, const struct object *object)
{
	const struct object_section *section;

	fuzz_check(symbol->name[0] != '\0');
	fuzz_check(symbol->modulus <= 1 || (is_power_of_two(symbol->modulus) &&
					    symbol->residue < symbol->modulus));
	section = object_section(object, symbol->shndx);
	fuzz_check(section != NULL && symbol->value <= section->size &&
		   symbol->size <= section->size - symbol->value);
	note_symbol_placed(symbol, section->align);
}

static void check_layout(const struct note *note)
{
	struct layout layout, again;
	struct diag diag;
	char path[32], *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	int fd;

	layout_init(&layout);
	for (size_t i = 0; i < note->symbols.count; i++) {
		const struct note_symbol *symbol = &note->symbols.at[i];

		*vec_push(&layout.units) = (struct layout_unit){
			.address = symbol->value, .size = symbol->size,
			.align = symbol->modulus > 1 && symbol->residue == 0 ? symbol->modulus : 1,
			.section = ".text", .identity = { "a.o", ".text", 1, symbol->name },
		};
	}
	fuzz_check(stream != NULL);
	layout_write(&layout, stream);
	fuzz_check(fclose(stream) == 0);
	fd = fuzz_file((const uint8_t *)text, size, path, sizeof path);
	diag_init(&diag, "fuzz", NULL);
	layout_init(&again);
	fuzz_check(layout_read(&again, path, &diag));
	fuzz_check(again.units.count == layout.units.count);
	for (size_t i = 0; i < again.units.count; i++)
		fuzz_check(strcmp(again.units.at[i].identity.symbol, note->symbols.at[i].name) == 0);
	layout_release(&again);
	layout_release(&layout);
	fuzz_close(fd, NULL);
	free(text);
}

static void read_note(const struct object_place *place, const struct object *object, uint32_t shndx)
{
	struct note note;
	struct diag diag;

	diag_init(&diag, "fuzz", NULL);
	if (!note_read(&note, place, shndx, &diag)) {
		fuzz_check(diag.errors == 1);
		return;
	}
	fuzz_check(diag.errors == 0);
	for (size_t i = 0; i < note.symbols.count; i++)
		check_symbol(&note.symbols.at[i], object);
	for (size_t i = 0; i < note.directives.count; i++)
		fuzz_check(strlen(note.directives.at[i].text) < SIZE_MAX);
	check_layout(&note);
	note_release(&note);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[32];
	struct object_place place = { .path = path, .label = "fuzz" };
	struct object object;
	struct diag diag;
	int fd = fuzz_file(bytes, size, path, sizeof path);

	diag_init(&diag, "fuzz", NULL);
	if (object_read(&object, &place, true, &diag) == OBJECT_OK) {
		for (size_t i = 0; i < object.sections.count; i++)
			if (is_note(&object.sections.at[i]) || i == object.sections.count / 2)
				read_note(&place, &object, object.sections.at[i].shndx);
		object_release(&object);
	}
	fuzz_close(fd, NULL);
	return 0;
}
