/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holes at the beginning of a section, found by who defines what.
 */
#include "config.h"
#include "ld/holes.h"

#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* Who defines a symbol: the first strong definition, else the first weak one. */
struct strong {
	const char *name;
	const struct input_object *owner;
	bool weak;
};

static hashval_t hash_strong(const void *entry)
{
	return htab_hash_string(((const struct strong *)entry)->name);
}

static int same_strong(const void *a, const void *b)
{
	return strcmp(((const struct strong *)a)->name, ((const struct strong *)b)->name) == 0;
}

/* Who defines each function symbol that has a weak definition.  The caller deletes the table. */
static htab_t find_definitions(struct census *census)
{
	htab_t table = htab_create_alloc(1024, hash_strong, same_strong, NULL, xcalloc, free);

	for (unsigned pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < census->loaded.objects.count; i++) {
			const struct input_object *owner = census->loaded.objects.at[i];

			for (size_t s = 0; s < owner->object.symbols.count; s++) {
				const struct object_symbol *symbol = &owner->object.symbols.at[s];
				struct strong key = { .name = symbol->name, .owner = owner };
				struct strong **slot;

				if (!symbol->function || symbol->shndx == 0)
					continue;
				key.weak = symbol->binding == OBJECT_DEFINED_WEAK;
				slot = (struct strong **)htab_find_slot(table, &key,
					pass == 0 && key.weak ? INSERT : NO_INSERT);
				if (slot == NULL)
					continue;
				if (*slot == NULL) {
					*slot = obstack_alloc(&census->arena, sizeof **slot);
					**slot = key;
				} else if ((*slot)->weak && !key.weak) {
					**slot = key;
				}
			}
		}
	return table;
}

/*
 * True if the first of OWNER's symbols in its section SHNDX is a weak function that
 * another object's takes the place of.  What is before it may be room that the
 * plugin left, which no symbol stands for either.
 */
static bool begins_with_hole(const struct input_object *owner, uint32_t shndx, htab_t strong)
{
	uint64_t first = UINT64_MAX;
	bool hole = false;

	for (size_t i = 0; i < owner->object.symbols.count; i++) {
		const struct object_symbol *symbol = &owner->object.symbols.at[i];
		const struct strong *other;

		if (symbol->shndx != shndx || symbol->value > first)
			continue;
		other = symbol->binding != OBJECT_DEFINED_WEAK ? NULL :
			htab_find(strong, &(struct strong){ .name = symbol->name });
		hole = other != NULL && other->owner != owner && (hole || symbol->value < first);
		first = symbol->value;
	}
	return hole;
}

void join_holes(struct census *census)
{
	htab_t definitions = find_definitions(census);
	const struct unit *before = NULL;	/* the latest that is not empty; its tag: */
	const char *tag = NULL;

	for (size_t i = 0; i < census->units.count; i++) {
		const struct unit *unit = &census->units.at[i];

		if (unit->size == 0)
			continue;
		if (unit->executable && before != NULL &&
		    strcmp(unit->identity.section, before->identity.section) == 0 &&
		    begins_with_hole(census->owners.at[i], unit->shndx, definitions))
			census->tags.at[i] = tag;
		before = unit;
		tag = census->tags.at[i];
	}
	htab_delete(definitions);
}
