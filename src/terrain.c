/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Surveying a layout.  What ld merges, the layout says; what the driver gives no
 * tag goes by the section's name.
 */
#include "config.h"

#include "src/terrain.h"

#include <elf.h>
#include <string.h>

#include "ld/tag.h"
#include "lib/memory.h"

/* --- Names -------------------------------------------------------------- */

static int compare_identities(const void *a, const void *b)
{
	const struct layout_unit *const *x = a, *const *y = b;

	return identity_compare(&(*x)->identity, &(*y)->identity);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_section(const struct identity *a, const struct identity *b)
{
	return strcmp(a->file, b->file) == 0 && strcmp(a->section, b->section) == 0;
}

/*
 * True if a rule that names UNIT names no other: BY_NAME has all, sorted.  A rule
 * without a symbol and a number names what has one too.
 */
static bool is_alone(const struct layout_unit *const *by_name, size_t count,
		     const struct layout_unit *unit)
{
	const struct layout_unit *const *at = bsearch(&unit, by_name, count, sizeof unit,
						      compare_identities);

	if (unit->identity.symbol == NULL && unit->identity.ordinal > 1)
		return true;
	for (int side = -1; side <= 1; side += 2) {
		const struct layout_unit *const *beside = at + side;

		if ((side < 0 ? at > by_name : beside < by_name + count) &&
		    same_section(&(*beside)->identity, &unit->identity) &&
		    (unit->identity.symbol == NULL ||
		     same_text((*beside)->identity.symbol, unit->identity.symbol)))
			return false;
	}
	return true;
}

static bool is_fixed(const struct policy *policy, const struct identity *identity)
{
	bool fixed = false;

	for (size_t i = 0; i < policy->rules.count; i++) {
		const struct rule *rule = &policy->rules.at[i];

		if ((rule->kind == RULE_FIX || rule->kind == RULE_MOVE) &&
		    units_match(&rule->units, identity))
			fixed = rule->kind == RULE_FIX;
	}
	return fixed;
}

static bool has_pattern(const struct identity *identity)
{
	char *pattern = units_pattern_exact(identity);

	free(pattern);
	return pattern != NULL;
}

static bool is_wallable(const struct layout_unit *unit, const struct policy *policy,
			const struct layout_unit *const *by_name, size_t count)
{
	const struct object_section section = {
		.name = unit->identity.section, .type = SHT_PROGBITS, .flags = SHF_ALLOC };

	return unit->size > 0 && tag_allowed(&section, section.name) && !unit->merged &&
	       !is_fixed(policy, &unit->identity) && is_alone(by_name, count, unit) &&
	       has_pattern(&unit->identity);
}

/* --- Places ------------------------------------------------------------- */

/* By section and address; at one address what is empty first, then what holds others. */
static int compare_places(const void *a, const void *b)
{
	const struct layout_unit *x = *(const struct layout_unit *const *)a;
	const struct layout_unit *y = *(const struct layout_unit *const *)b;
	int order = strcmp(x->section, y->section);

	if (order != 0)
		return order;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size == 0 || (y->size != 0 && x->size > y->size) ? -1 : 1;
	return identity_compare(&x->identity, &y->identity);
}

/* True if UNIT is what the plugin placed within AROUND. */
static bool lies_within(const struct layout_unit *unit, const struct layout_unit *around)
{
	return around != NULL && unit->identity.symbol != NULL &&
	       strcmp(around->section, unit->section) == 0 &&
	       same_section(&unit->identity, &around->identity) && unit->address - around->address < around->size &&
	       unit->size <= around->address + around->size - unit->address;
}

/* The units by place, without those within others. */
static void list_places(struct terrain *terrain, const struct layout *layout)
{
	const struct layout_unit *around = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < layout->units.count; i++)
		*vec_push(&terrain->units) = &layout->units.at[i];
	if (terrain->units.count > 1)
		qsort(terrain->units.at, terrain->units.count, sizeof *terrain->units.at,
		      compare_places);
	for (size_t i = 0; i < terrain->units.count; i++) {
		const struct layout_unit *unit = terrain->units.at[i];

		if (lies_within(unit, around))
			continue;
		if (unit->identity.symbol == NULL && unit->size > 0)
			around = unit;
		terrain->units.at[kept++] = unit;
	}
	terrain->units.count = kept;
}

static bool is_wanted(const struct terrain_wishes *wishes, const char *section)
{
	for (size_t i = 0; i < wishes->sections.count; i++)
		if (glob_match(wishes->sections.at[i], section))
			return true;
	return wishes->sections.count == 0;
}

static bool is_protected(const struct terrain_wishes *wishes, const struct identity *identity)
{
	for (size_t i = 0; i < wishes->protect.count; i++)
		if (units_match(&wishes->protect.at[i], identity))
			return true;
	return wishes->protect.count == 0;
}

void terrain_survey(struct terrain *terrain, const struct layout *layout,
		    const struct policy *policy, const struct terrain_wishes *wishes)
{
	const struct layout_unit **by_name;
	struct terrain_section *section = NULL;
	size_t all, kept = 0;

	*terrain = (struct terrain){ .bytes = 0 };
	list_places(terrain, layout);
	all = terrain->units.count;
	by_name = xcalloc(all + 1, sizeof *by_name);
	for (size_t i = 0; i < all; i++)
		by_name[i] = terrain->units.at[i];
	if (all > 1)
		qsort(by_name, all, sizeof *by_name, compare_identities);
	for (size_t i = 0; i < all; i++) {
		const struct layout_unit *unit = terrain->units.at[i];
		const struct identity *identity = &unit->identity;
		bool protected = is_protected(wishes, identity);

		if (!is_wanted(wishes, unit->section))
			continue;
		if (section == NULL || strcmp(section->name, unit->section) != 0) {
			section = vec_push(&terrain->sections);
			*section = (struct terrain_section){ .name = unit->section, .first = kept };
		}
		*vec_push(&terrain->ripples) = (struct ripple_unit){
			.address = unit->address, .size = unit->size, .align = unit->align,
			.chance = wishes->changes != NULL ? changes_of(wishes->changes, identity)
							  : unit->size > 0,
			.value = protected ? (double)unit->size : 0,
			.wallable = is_wallable(unit, policy, by_name, all),
		};
		terrain->units.at[kept++] = unit;
		terrain->bytes += unit->size;
		section->count++;
		section->bytes += unit->size;
		section->value += protected ? (double)unit->size : 0;
	}
	terrain->units.count = kept;
	free(by_name);
}

void terrain_release(struct terrain *terrain)
{
	vec_release(&terrain->units);
	vec_release(&terrain->ripples);
	vec_release(&terrain->sections);
}
