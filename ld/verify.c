/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ld did, held against the plan.
 *
 * The map lists the units in the order of the plan, so that the next one is
 * nearly always where one looks first; only what is out of order is looked up.
 */
#include "config.h"
#include "ld/verify.h"

#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

static hashval_t hash_section(const void *entry)
{
	return htab_hash_string(((const struct map_section *)entry)->name);
}

static int same_section(const void *a, const void *b)
{
	return strcmp(((const struct map_section *)a)->name,
		      ((const struct map_section *)b)->name) == 0;
}

/* Finds units in a map by their tags. */
struct finder {
	const struct map *map;
	size_t next;		/* the section after the one found last */
	htab_t by_name;		/* made when first needed; the last of a name, discarded ones least */
};

static const struct map_section *look_up(struct finder *finder, const char *tag)
{
	struct map_section key = { .name = tag };

	if (finder->by_name == NULL) {
		finder->by_name = htab_create_alloc(finder->map->sections.count + 1, hash_section,
						    same_section, NULL, xcalloc, free);
		for (size_t i = 0; i < finder->map->sections.count; i++) {
			struct map_section *section = &finder->map->sections.at[i];

			if (strchr(section->name, '@') != NULL)
				*htab_find_slot(finder->by_name, section, INSERT) = section;
		}
	}
	return htab_find(finder->by_name, &key);
}

/* The section of the map that bears TAG; NULL: none. */
static const struct map_section *find(struct finder *finder, const char *tag)
{
	const struct map_section *section;

	if (finder->next < finder->map->sections.count) {
		section = &finder->map->sections.at[finder->next];
		if (strcmp(section->name, tag) == 0) {
			finder->next++;
			return section;
		}
	}
	section = look_up(finder, tag);
	if (section != NULL)
		finder->next = (size_t)(section - finder->map->sections.at) + 1;
	return section;
}

const struct map_section **locate_units(const struct census *census, const struct plan *plan,
					const struct map *map)
{
	const struct map_section **places = xcalloc(plan->placements.count + 1, sizeof *places);
	struct finder finder = { .map = map };

	for (size_t i = 0; i < plan->placements.count; i++) {
		const char *tag = census->tags.at[plan->placements.at[i].unit];

		if (tag != NULL)
			places[i] = find(&finder, tag);
	}
	if (finder.by_name != NULL)
		htab_delete(finder.by_name);
	return places;
}

static bool is_gone(const struct map_section *section)
{
	return section == NULL || section->output == NULL;
}

/* An object, and a name that the map may have for it. */
struct named {
	const char *name;
	struct input_object *object;
};

static hashval_t hash_named(const void *entry)
{
	return htab_hash_string(((const struct named *)entry)->name);
}

static int same_named(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name) == 0;
}

static void add_name(htab_t names, const char *name, struct input_object *object,
		     struct obstack *arena)
{
	struct named *entry = obstack_alloc(arena, sizeof *entry), **slot;

	*entry = (struct named){ name, object };
	slot = (struct named **)htab_find_slot(names, entry, INSERT);
	if (*slot == NULL || object->is_loaded)
		*slot = entry;
}

/*
 * The members of archives by the names that the map may have for them: the
 * copy's path, a path, or "archive(member)", where a thin archive of ours has
 * the archive's path absolute.  The caller deletes the table.
 */
static htab_t member_names(const struct inputs *inputs, struct obstack *arena)
{
	htab_t names = htab_create_alloc(2 * inputs->objects.count + 1, hash_named, same_named,
					 NULL, xcalloc, free);

	for (size_t i = 0; i < inputs->objects.count; i++) {
		struct input_object *object = inputs->objects.at[i];

		if (object->archive == NULL)
			continue;
		if (object->copy != NULL)
			add_name(names, object->copy, object, arena);
		if (object->place.size == 0) {
			add_name(names, object->place.path, object, arena);
			continue;
		}
		add_name(names, obstack_format(arena, "%s(%s)", object->archive, object->name),
			 object, arena);
		add_name(names, obstack_format(arena, "%s(%s)",
					       normal_path(object->archive, arena), object->name),
			 object, arena);
	}
	return names;
}

/* True if OBJECT comes in from an archive because of a symbol. */
static bool by_symbol(const struct inputs *inputs, const struct input_object *object)
{
	const struct input *input = &inputs->list.at[object->input];

	return input->kind == INPUT_ARCHIVE && !input->state.whole_archive;
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *identity_text(const struct identity *identity, struct obstack *arena)
{
	size_t length = identity_format(NULL, 0, identity);
	char *text = obstack_alloc(arena, length + 1);

	identity_format(text, length + 1, identity);
	return text;
}

bool census_differs(const struct census *census, const struct inputs *inputs,
		    const struct plan *plan, const struct map *map,
		    const struct map_section *const *places, struct correction *correction,
		    struct obstack *arena)
{
	bool differs = false;
	size_t at = 0;

	correction->loaded.count = 0;
	if (map->members.count > 0) {
		htab_t names = member_names(inputs, arena);

		for (size_t i = 0; i < map->members.count; i++) {
			struct named key = { .name = map->members.at[i] }, *entry;

			entry = htab_find(names, &key);
			if (entry != NULL)
				*vec_push(&correction->loaded) = entry->object;
		}
		htab_delete(names);
	}
	for (size_t i = 0; i < census->loaded.objects.count; i++) {
		struct input_object *object = census->loaded.objects.at[i];

		if (!by_symbol(inputs, object))
			continue;
		differs |= at >= correction->loaded.count || correction->loaded.at[at] != object;
		at++;
	}
	differs |= at != correction->loaded.count;

	for (size_t i = 0; i < plan->placements.count; i++) {
		const struct placement *place = &plan->placements.at[i];

		if (census->tags.at[place->unit] == NULL || !is_gone(places[i]))
			continue;
		*vec_push(&correction->absent) =
			identity_text(&census->units.at[place->unit].identity, arena);
		differs |= place->pad != 0 || place->modulus > 1 || place->behind != 0 || place->held;
	}
	if (correction->absent.count > 0)
		qsort(correction->absent.at, correction->absent.count,
		      sizeof *correction->absent.at, compare_text);
	return differs;
}

static uint64_t round_up(uint64_t address, uint64_t align)
{
	return (address + align - 1) & ~(align - 1);
}

/* Where a unit has to lie that follows on ADDRESS. */
static uint64_t placed_address(uint64_t address, const struct placement *place,
			       const struct unit *unit)
{
	address += place->pad;
	if (place->modulus > 1)
		address += (place->residue - address) & (place->modulus - 1);
	return round_up(address, unit->align);
}

bool verify_link(const struct census *census, const struct link_scripts *scripts,
		 const struct plan *plan, const struct map_section *const *places,
		 struct diag *diag)
{
	unsigned errors = diag->errors;
	const struct map_section *before = NULL;
	unsigned statement = (unsigned)-1;
	uint32_t room = 0;
	uint64_t behind = 0;
	struct obstack arena;

	obstack_init(&arena);
	for (size_t i = 0; i < plan->placements.count && diag->errors < errors + 20; i++) {
		const struct placement *place = &plan->placements.at[i];
		const struct unit *unit = &census->units.at[place->unit];
		const struct map_section *section = places[i];
		const char *output = matcher_statement(scripts->matcher,
						       unit->statement)->output_name;

		if (place->room != room || (room == 0 && unit->statement != statement))
			before = NULL;
		statement = unit->statement;
		room = place->room;
		if (census->tags.at[place->unit] == NULL)
			before = NULL;
		if (is_gone(section))
			continue;
		if (strcmp(section->output, output) != 0)
			diag_error(diag, NULL, "'%s' lies in '%s', expected '%s'",
				   identity_text(&unit->identity, &arena), section->output, output);
		if ((section->address & (unit->align - 1)) != 0 && !unit->merged)
			diag_error(diag, NULL,
				   "'%s' lies at 0x%" PRIx64 ", below its own alignment of %" PRIu64,
				   identity_text(&unit->identity, &arena), section->address,
				   unit->align);
		if (place->modulus > 1 &&
		    (section->address & (place->modulus - 1)) != place->residue)
			diag_error(diag, NULL,
				   "'%s' lies at 0x%" PRIx64 ", expected %" PRIu64 " mod %" PRIu64,
				   identity_text(&unit->identity, &arena), section->address,
				   place->residue, place->modulus);
		/* Where a held one lies is compared with the reference, when all are known. */
		if (before != NULL && !unit->merged && !place->held &&
		    section->address !=
			    placed_address(before->address + before->size + behind, place, unit))
			diag_error(diag, NULL,
				   "'%s' lies at 0x%" PRIx64 ", expected 0x%" PRIx64 " behind '%s'",
				   identity_text(&unit->identity, &arena), section->address,
				   placed_address(before->address + before->size + behind, place, unit),
				   before->name);
		behind = place->behind;
		/* Of what bfd merges the map does not tell where it ends. */
		before = unit->merged ? NULL : section;
	}
	obstack_free(&arena, NULL);
	return diag->errors == errors;
}

void record_units(struct layout *layout, const struct census *census, const struct plan *plan,
		  const struct map_section *const *places)
{
	for (size_t i = 0; i < plan->placements.count; i++) {
		const struct unit *unit = &census->units.at[plan->placements.at[i].unit];

		if (is_gone(places[i]))
			continue;
		*vec_push(&layout->units) = (struct layout_unit){
			.address = places[i]->address, .size = places[i]->size,
			.align = unit->align, .section = places[i]->output,
			.identity = unit->identity, .content = unit->merged ? 0 : unit->content,
			.merged = unit->merged && unit->tagged };
	}
}
