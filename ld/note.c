/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading notes.
 *
 * A note names symbols; where they are says the object's symbol table: in which
 * section, and how far into it.  A partial link puts the notes of many objects
 * behind each other, so a local symbol is known by its source and name.
 */
#include "config.h"
#include "ld/note.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "ld/mapping.h"

/* A symbol that a note names. */
struct noted {
	const char *source;	/* the last component of its source's path; "": any */
	const char *name;
	uint64_t align;		/* that it was asked to have */
};

/* A directive, and how many symbols it named in all objects. */
struct tally {
	const char *text;
	uint64_t named;
};

/* A unit of the link, by its object and section. */
struct place {
	const struct input_object *owner;
	uint32_t shndx;
	const struct unit *unit;
	const struct map_section *section;
};

struct notes {
	struct obstack arena;
	struct layout *layout;
	htab_t noted;		/* struct noted of the object at hand */
	htab_t tallies;
	VEC(struct tally *) directives;	/* in order of appearance */
	VEC(struct place) places;	/* sorted by owner, section */
	struct diag *diag;
};

bool is_note(const struct object_section *section)
{
	return strcmp(section->name, ".note.kerning") == 0 && (section->flags & SHF_ALLOC) == 0;
}

static hashval_t hash_noted(const void *entry)
{
	const struct noted *noted = entry;

	return htab_hash_string(noted->name) + htab_hash_string(noted->source);
}

static int same_noted(const void *a, const void *b)
{
	const struct noted *x = a, *y = b;

	return strcmp(x->name, y->name) == 0 && strcmp(x->source, y->source) == 0;
}

static hashval_t hash_tally(const void *entry)
{
	return htab_hash_string(((const struct tally *)entry)->text);
}

static int same_tally(const void *a, const void *b)
{
	return strcmp(((const struct tally *)a)->text, ((const struct tally *)b)->text) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* --- Lines ---------------------------------------------------------------- */

static void count_directive(struct notes *notes, uint64_t named, const char *text)
{
	struct tally key = { .text = text }, **slot;

	slot = (struct tally **)htab_find_slot(notes->tallies, &key, INSERT);
	if (*slot == NULL) {
		*slot = obstack_alloc(&notes->arena, sizeof **slot);
		**slot = key;
		*vec_push(&notes->directives) = *slot;
	}
	(*slot)->named += named;
}

static void add_noted(struct notes *notes, const char *source, const char *name, uint64_t align)
{
	struct noted *noted = obstack_alloc(&notes->arena, sizeof *noted);

	*noted = (struct noted){ .source = source, .name = name, .align = align };
	*htab_find_slot(notes->noted, noted, INSERT) = noted;
	/* Found without its source too, as a global symbol is. */
	if (source[0] != '\0')
		add_noted(notes, "", name, align);
}

/* "MODULUS RESIDUE ...": what it is a multiple of. */
static uint64_t asked_alignment(const char *numbers)
{
	char *rest;
	uint64_t modulus = strtoull(numbers, &rest, 10);

	return modulus > 1 && strtoull(rest, NULL, 10) == 0 ? modulus : 1;
}

/* Lines of kinds that are not known are those of another version. */
static void take_text(struct notes *notes, char *text)
{
	const char *source = "";

	for (char *rest, *line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *second = strchr(line, ' '), *third;

		if (second == NULL)
			continue;
		*second++ = '\0';
		if (strcmp(line, "source") == 0) {
			source = base_name(second);
			continue;
		}
		third = strchr(second, ' ');
		if (third == NULL)
			continue;
		*third++ = '\0';
		if (strcmp(line, "d") == 0)
			count_directive(notes, strtoull(second, NULL, 10), third);
		else if (strcmp(line, "f") == 0 || strcmp(line, "v") == 0)
			add_noted(notes, source, second, asked_alignment(third));
	}
}

/* --- Symbols -------------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->shndx < y->shndx ? -1 : x->shndx > y->shndx;
}

static void take_symbol(struct notes *notes, const struct input_object *owner, const char *source,
			const char *name, const GElf_Sym *symbol)
{
	struct noted key = { .source = source, .name = name }, *noted;
	struct place where = { .owner = owner, .shndx = symbol->st_shndx }, *place;

	/* A global one stands behind all files' symbols. */
	if (GELF_ST_BIND(symbol->st_info) != STB_LOCAL)
		key.source = "";
	noted = htab_find(notes->noted, &key);
	if (noted == NULL)
		return;
	place = bsearch(&where, notes->places.at, notes->places.count, sizeof where, compare_places);
	/* What has a section of its own is a unit already. */
	if (place == NULL || place->unit->identity.symbol != NULL)
		return;
	*vec_push(&notes->layout->units) = (struct layout_unit){
		.address = place->section->address + symbol->st_value,
		.size = symbol->st_size,
		.align = noted->align,
		.section = place->section->output,
		.identity = { .file = place->unit->identity.file,
			      .section = place->unit->identity.section,
			      .ordinal = 1,
			      .symbol = obstack_strdup(&notes->layout->arena, name) },
	};
}

/* The symbols of one object, each with the source that it is of. */
static void take_symbols(struct notes *notes, const struct input_object *owner, Elf *elf)
{
	const char *source = "";
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
			break;
	if (section == NULL || (data = elf_getdata(section, NULL)) == NULL || header.sh_entsize == 0)
		return;
	for (size_t i = 1; i < header.sh_size / header.sh_entsize; i++) {
		GElf_Sym symbol;
		const char *name;
		int type;

		if (gelf_getsym(data, (int)i, &symbol) == NULL)
			return;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		type = GELF_ST_TYPE(symbol.st_info);
		if (name == NULL)
			continue;
		if (type == STT_FILE)
			source = base_name(obstack_strdup(&notes->arena, name));
		else if (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE)
			take_symbol(notes, owner, source, name, &symbol);
	}
}

static void take_object(struct notes *notes, const struct input_object *owner, uint32_t shndx)
{
	struct mapping file;
	Elf_Data *data;
	Elf *elf;

	if (!mapping_open(&file, &owner->place, notes->diag))
		return;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)file.bytes, file.size);
	data = elf != NULL ? elf_getdata(elf_getscn(elf, shndx), NULL) : NULL;
	if (data != NULL && data->d_buf != NULL) {
		take_text(notes, obstack_strndup(&notes->arena, data->d_buf, data->d_size));
		take_symbols(notes, owner, elf);
	} else {
		diag_warning(notes->diag, "note", NULL, "'%s': the plugin's note cannot be read",
			     place_label(&owner->place));
	}
	htab_empty(notes->noted);
	elf_end(elf);
	mapping_release(&file);
}

/* --- The whole ------------------------------------------------------------ */

static void list_places(struct notes *notes, const struct census *census, const struct plan *plan,
			const struct map_section *const *places)
{
	for (size_t i = 0; i < plan->placements.count; i++) {
		uint32_t unit = plan->placements.at[i].unit;

		if (places[i] != NULL && places[i]->output != NULL)
			*vec_push(&notes->places) = (struct place){
				census->owners.at[unit], census->units.at[unit].shndx,
				&census->units.at[unit], places[i] };
	}
	if (notes->places.count > 0)
		qsort(notes->places.at, notes->places.count, sizeof *notes->places.at,
		      compare_places);
}

void notes_take(struct layout *layout, const struct census *census, const struct plan *plan,
		const struct map_section *const *places, struct diag *diag)
{
	struct notes notes = { .layout = layout, .diag = diag };
	bool any = false;

	for (size_t i = 0; i < census->loaded.objects.count; i++) {
		const struct input_object *owner = census->loaded.objects.at[i];

		for (size_t s = 0; s < owner->object.sections.count; s++) {
			if (!is_note(&owner->object.sections.at[s]))
				continue;
			if (!any) {
				any = true;
				obstack_init(&notes.arena);
				notes.noted = htab_create_alloc(256, hash_noted, same_noted, NULL,
								xcalloc, free);
				notes.tallies = htab_create_alloc(16, hash_tally, same_tally, NULL,
								  xcalloc, free);
				list_places(&notes, census, plan, places);
			}
			take_object(&notes, owner, owner->object.sections.at[s].shndx);
		}
	}
	for (size_t i = 0; i < notes.directives.count; i++)
		if (notes.directives.at[i]->named == 0)
			diag_warning(diag, "unmatched-directive", NULL,
				     "\"%s\", which objects were compiled with, named nothing in any of them",
				     notes.directives.at[i]->text);
	if (!any)
		return;
	htab_delete(notes.noted);
	htab_delete(notes.tallies);
	vec_release(&notes.directives);
	vec_release(&notes.places);
	obstack_free(&notes.arena, NULL);
}
