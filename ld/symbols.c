/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From objects' notes to the layout: a symbol lies where its section does, and so
 * far behind.
 */
#include "config.h"
#include "ld/symbols.h"

#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "ld/note.h"
#include "lib/memory.h"

/* A unit of the link, by its object and section. */
struct place {
	const struct input_object *owner;
	uint32_t shndx;
	const struct unit *unit;
	const struct map_section *section;
};

struct recorder {
	struct obstack arena;
	struct layout *layout;
	htab_t tallies;				/* struct note_directive: sums of all objects */
	VEC(struct note_directive *) directives; /* the same, in order of appearance */
	VEC(struct place) places;		/* sorted by owner, section */
};

static hashval_t hash_directive(const void *entry)
{
	return htab_hash_string(((const struct note_directive *)entry)->text);
}

static int same_directive(const void *a, const void *b)
{
	return strcmp(((const struct note_directive *)a)->text,
		      ((const struct note_directive *)b)->text) == 0;
}

static void count_directive(struct recorder *recorder, const struct note_directive *from)
{
	struct note_directive **slot;

	slot = (struct note_directive **)htab_find_slot(recorder->tallies, from, INSERT);
	if (*slot == NULL) {
		*slot = obstack_alloc(&recorder->arena, sizeof **slot);
		**slot = (struct note_directive){ obstack_strdup(&recorder->arena, from->text), 0 };
		*vec_push(&recorder->directives) = *slot;
	}
	(*slot)->named += from->named;
}

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->shndx < y->shndx ? -1 : x->shndx > y->shndx;
}

static void record_symbol(struct recorder *recorder, const struct input_object *owner,
			  const struct note_symbol *symbol)
{
	struct place key = { .owner = owner, .shndx = symbol->shndx }, *place;

	place = recorder->places.count == 0 ? NULL :
		bsearch(&key, recorder->places.at, recorder->places.count, sizeof key, compare_places);
	/* What has a section of its own is a unit already. */
	if (place == NULL || place->unit->identity.symbol != NULL)
		return;
	*vec_push(&recorder->layout->units) = (struct layout_unit){
		.address = place->section->address + symbol->value,
		.size = symbol->size,
		.align = symbol->modulus > 1 && symbol->residue == 0 ? symbol->modulus : 1,
		.section = place->section->output,
		.identity = { .file = place->unit->identity.file,
			      .section = place->unit->identity.section, .ordinal = 1,
			      .symbol = obstack_strdup(&recorder->layout->arena, symbol->name) },
	};
}

static void list_places(struct recorder *recorder, const struct census *census,
			const struct plan *plan, const struct map_section *const *places)
{
	for (size_t i = 0; i < plan->placements.count; i++) {
		uint32_t unit = plan->placements.at[i].unit;

		if (places[i] != NULL && places[i]->output != NULL)
			*vec_push(&recorder->places) = (struct place){
				census->owners.at[unit], census->units.at[unit].shndx,
				&census->units.at[unit], places[i] };
	}
	if (recorder->places.count > 0)
		qsort(recorder->places.at, recorder->places.count, sizeof *recorder->places.at,
		      compare_places);
}

static void record_object(struct recorder *recorder, const struct input_object *owner,
			  uint32_t shndx, struct diag *diag)
{
	struct note note;

	if (!note_read(&note, &owner->place, shndx, diag))
		return;
	for (size_t i = 0; i < note.directives.count; i++)
		count_directive(recorder, &note.directives.at[i]);
	for (size_t i = 0; i < note.symbols.count; i++)
		record_symbol(recorder, owner, &note.symbols.at[i]);
	note_release(&note);
}

void symbols_record(struct layout *layout, const struct census *census, const struct plan *plan,
		    const struct map_section *const *places, struct diag *diag)
{
	struct recorder recorder = { .layout = layout };

	obstack_init(&recorder.arena);
	recorder.tallies = htab_create_alloc(16, hash_directive, same_directive, NULL, xcalloc, free);
	for (size_t i = 0; i < census->loaded.objects.count; i++) {
		const struct input_object *owner = census->loaded.objects.at[i];

		for (size_t s = 0; s < owner->object.sections.count; s++) {
			if (!is_note(&owner->object.sections.at[s]))
				continue;
			if (recorder.places.count == 0)
				list_places(&recorder, census, plan, places);
			record_object(&recorder, owner, owner->object.sections.at[s].shndx, diag);
		}
	}
	for (size_t i = 0; i < recorder.directives.count; i++)
		if (recorder.directives.at[i]->named == 0)
			diag_warning(diag, "unmatched-directive", NULL,
				     "\"%s\", which objects were compiled with, named nothing in any of them",
				     recorder.directives.at[i]->text);
	htab_delete(recorder.tallies);
	vec_release(&recorder.directives);
	vec_release(&recorder.places);
	obstack_free(&recorder.arena, NULL);
}
