/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checking tables.
 *
 * A table's sections keep their names, so the map's lines are found by name and
 * file.  Sorted by address, each part must begin where the one before it ends,
 * rounded up to its own alignment: then the table has the size that it has
 * without kerning.
 */
#include "config.h"
#include "ld/tables.h"

#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* A section of a table, as the map has it, with what the object says of it. */
struct part {
	const struct map_section *section;
	uint64_t align;
};

static hashval_t hash_place(const void *entry)
{
	const struct map_section *section = entry;
	size_t length = strlen(section->file);

	/* Files differ in their last letters. */
	return htab_hash_string(section->name) * 31 +
	       htab_hash_string(section->file + (length > 12 ? length - 12 : 0));
}

static int same_place(const void *a, const void *b)
{
	const struct map_section *x = a, *y = b;

	return strcmp(x->name, y->name) == 0 && strcmp(x->file, y->file) == 0;
}

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->section->address != y->section->address)
		return x->section->address < y->section->address ? -1 : 1;
	/* At one address the empty ones come first. */
	return x->section->size < y->section->size ? -1 : x->section->size > y->section->size;
}

/* How the map names the file of OWNER. */
static const char *map_name(const struct input_object *owner, struct obstack *arena)
{
	if (owner->copy != NULL)
		return owner->copy;
	if (owner->archive == NULL || owner->place.size == 0)
		return owner->name;
	return obstack_format(arena, "%s(%s)", owner->archive, owner->name);
}

/* True if MAP has a section of OUTPUT in [begin, end): one that ld made, a build-id among notes, say. */
static bool is_filled(const struct map *map, const char *output, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < map->sections.count; i++) {
		const struct map_section *section = &map->sections.at[i];

		if (section->output != NULL && section->size != 0 && section->address >= begin &&
		    section->address + section->size <= end &&
		    strcmp(section->output, output) == 0)
			return true;
	}
	return false;
}

static bool check_table(const struct statement *statement, struct part *parts, size_t count,
			const struct map *map, struct diag *diag)
{
	struct obstack arena;
	bool ok = true;

	qsort(parts, count, sizeof *parts, compare_parts);
	for (size_t i = 1; ok && i < count; i++) {
		const struct map_section *before = parts[i - 1].section, *section = parts[i].section;
		uint64_t end = before->address + before->size, align = parts[i].align;

		if (section == before || section->address == ((end + align - 1) & -align) ||
		    is_filled(map, section->output, end, section->address))
			continue;
		ok = false;
		obstack_init(&arena);
		diag_error(diag, NULL, "the table '%s' of '%s' has a gap at 0x%" PRIx64
			   ", before '%s' of '%s'", statement_text(statement, &arena),
			   statement->output_name, end, section->name, section->file);
		obstack_free(&arena, NULL);
	}
	return ok;
}

bool tables_verify(const struct census *census, const struct link_scripts *scripts,
		   const struct map *map, struct diag *diag)
{
	VEC(struct part) parts = VEC_INIT;
	struct obstack arena;
	htab_t places;
	bool ok = true;

	if (census->tables.count == 0)
		return true;
	obstack_init(&arena);
	places = htab_create_alloc(map->sections.count + 1, hash_place, same_place, NULL, xcalloc,
				   free);
	for (size_t i = 0; i < map->sections.count; i++) {
		struct map_section *section = &map->sections.at[i];

		/* What is tagged is in no table. */
		if (section->output != NULL && strchr(section->name, '@') == NULL)
			*htab_find_slot(places, section, INSERT) = section;
	}
	for (size_t i = 0; i < census->tables.count; i++) {
		const struct table_section *table = &census->tables.at[i];
		const struct statement *statement = matcher_statement(scripts->matcher,
								      table->statement);
		struct map_section key = { .name = table->name,
					   .file = map_name(table->owner, &arena) };
		const struct map_section *section = htab_find(places, &key);

		if (section != NULL && strcmp(section->output, statement->output_name) == 0)
			*vec_push(&parts) = (struct part){ section, table->align };
		if (i + 1 == census->tables.count ||
		    census->tables.at[i + 1].statement != table->statement) {
			if (parts.count > 0)
				ok &= check_table(statement, parts.at, parts.count, map, diag);
			parts.count = 0;
		}
	}
	htab_delete(places);
	vec_release(&parts);
	obstack_free(&arena, NULL);
	return ok;
}
