/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reserving room: how much, from the policy; where, from the plan's rooms.
 */
#include "config.h"

#include "layout/reserve.h"

#include <string.h>

#include "lib/memory.h"

bool reserve_wanted(const struct policy *policy)
{
	for (size_t i = 0; i < policy->rules.count; i++)
		if ((policy->rules.at[i].kind == RULE_RESERVE ||
		     policy->rules.at[i].kind == RULE_RESERVE_END) && !policy->rules.at[i].preset)
			return !policy->null;
	return policy->reserve && !policy->null;
}

/* --- How much ------------------------------------------------------------ */

static uint64_t round_up(uint64_t size)
{
	return (size + RESERVE_UNIT - 1) / RESERVE_UNIT * RESERVE_UNIT;
}

static uint64_t share(uint64_t size, uint64_t hundredths)
{
	return value_room(&(struct value){ .share = hundredths }, size);
}

static uint64_t usual_size(uint64_t content, uint64_t largest)
{
	uint64_t size = share(content, RESERVE_SHARE) + largest + largest / 4;
	uint64_t least = largest > 0 ? RESERVE_LEAST_RUN : RESERVE_LEAST;

	return size > least ? size : least;
}

/* What the policy asks for at the end of the output section SECTION; NULL: nothing. */
static const struct value *find_value(const struct policy *policy, bool *used, const char *section)
{
	const struct identity identity = { .file = "*", .section = section, .ordinal = 1 };
	const struct value *value = NULL;

	for (size_t i = 0; i < policy->rules.count; i++) {
		const struct rule *rule = &policy->rules.at[i];

		if (rule->kind != RULE_RESERVE_END || !units_match(&rule->units, &identity))
			continue;
		used[i] = true;
		value = &rule->value;
	}
	return value;
}

/*
 * The room beside CONTENT bytes of the output section SECTION, of which the largest
 * unit that may have to move into it has LARGEST.
 */
static uint64_t room_size(const struct policy *policy, bool *used, const char *section,
			  uint64_t content, uint64_t largest)
{
	const struct value *value = find_value(policy, used, section);

	if (content == 0)
		return 0;
	return round_up(value != NULL ? value_room(value, content) : usual_size(content, largest));
}

/* The room behind a section of which only the script will know the size. */
static void size_made(struct room *room, const struct policy *policy, bool *used)
{
	static const struct value usual = { .low = RESERVE_LEAST, .share = RESERVE_SHARE };
	const struct value *value = find_value(policy, used, room->section);

	if (value == NULL)
		value = &usual;
	room->size = value->low;
	room->share = value->share;
}

/* --- Where --------------------------------------------------------------- */

uint32_t room_of(const struct plan *plan, unsigned statement)
{
	for (size_t i = 0; i < plan->rooms.count; i++) {
		const struct room *room = &plan->rooms.at[i];

		if (room->inside && statement >= room->first && statement <= room->last)
			return (uint32_t)i + 1;
	}
	return 0;
}

/* A merged unit, and where it stood. */
struct merged {
	struct placement placement;
	const struct unit *unit;
	size_t at;
};

static int compare_merged(const void *a, const void *b)
{
	const struct merged *x = a, *y = b;
	int order;

	if (x->placement.room != y->placement.room)
		return x->placement.room < y->placement.room ? -1 : 1;
	order = unit_compare_lots(x->unit, y->unit);
	return order != 0 ? order : x->at < y->at ? -1 : 1;
}

/* Puts the units of each run into its room: what ld merges first, lot by lot, then all else as it was. */
static void gather(struct plan *plan, const struct unit *units)
{
	VEC(struct merged) merged = VEC_INIT;
	VEC(struct placement) others = VEC_INIT;
	unsigned statement = (unsigned)-1;
	uint32_t room = 0;

	for (size_t i = 0; i < plan->placements.count; i++) {
		struct placement placement = plan->placements.at[i];
		const struct unit *unit = &units[placement.unit];

		if (unit->statement != statement)
			room = room_of(plan, unit->statement);
		statement = unit->statement;
		placement.room = room;
		if (room != 0 && unit->merged && unit->tagged)
			*vec_push(&merged) = (struct merged){ placement, unit, i };
		else
			*vec_push(&others) = placement;
	}
	if (merged.count > 1)
		qsort(merged.at, merged.count, sizeof *merged.at, compare_merged);
	for (size_t i = 0; i < merged.count; i++)
		plan->placements.at[i] = merged.at[i].placement;
	for (size_t i = 0; i < others.count; i++)
		plan->placements.at[merged.count + i] = others.at[i];
	vec_release(&merged);
	vec_release(&others);
	plan_sort(plan, units);
}

/* Room behind each lot of merged units, as behind a table. */
static void reserve_merged(struct plan *plan, const struct unit *units,
			   const struct policy *policy, bool *used)
{
	uint64_t size = 0;

	for (size_t i = 0; i < plan->placements.count; i++) {
		struct placement *placement = &plan->placements.at[i], *next = placement + 1;
		const struct unit *unit = &units[placement->unit];

		if (placement->room == 0 || !unit->merged || !unit->tagged)
			continue;
		size += unit->size;
		if (i + 1 < plan->placements.count && next->room == placement->room &&
		    units[next->unit].merged && units[next->unit].tagged &&
		    unit_compare_lots(&units[next->unit], unit) == 0)
			continue;
		placement->behind = room_size(policy, used, plan->rooms.at[placement->room - 1].section,
					      size, 0);
		size = 0;
	}
}

/* True if there is to be room for a unit of SIZE bytes to move out of a run of CONTENT bytes. */
static bool counts(uint64_t size, uint64_t content)
{
	return size <= share(content, RESERVE_LARGE) || size <= RESERVE_LARGE_BYTES;
}

/* By room: the largest unit of its run that counts; not the last, which can grow where it is. */
static void find_largest(const struct plan *plan, const struct unit *units, uint64_t *largest)
{
	uint64_t last = 0;
	uint32_t room = 0;

	for (size_t i = 0; i < plan->placements.count; i++) {
		const struct placement *placement = &plan->placements.at[i];
		const struct unit *unit = &units[placement->unit];

		if (unit->merged || placement->room == 0)
			continue;
		if (placement->room == room && last > largest[room - 1])
			largest[room - 1] = last;
		room = placement->room;
		last = counts(unit->size, plan->rooms.at[room - 1].content) ? unit->size : 0;
	}
}

/* What is free before a run is a gap before its first unit. */
static void add_leads(struct plan *plan)
{
	uint32_t room = 0;

	for (size_t i = 0; i < plan->placements.count; i++) {
		struct placement *placement = &plan->placements.at[i];

		if (placement->room != 0 && placement->room != room)
			placement->pad += plan->rooms.at[placement->room - 1].lead;
		room = placement->room;
	}
}

void reserve_apply(struct plan *plan, const struct unit *units, const struct policy *policy,
		   struct diag *diag)
{
	bool *used = xcalloc(policy->rules.count + 1, sizeof *used);
	uint64_t *largest = xcalloc(plan->rooms.count + 1, sizeof *largest);

	gather(plan, units);
	find_largest(plan, units, largest);
	reserve_merged(plan, units, policy, used);
	for (size_t i = 0; i < plan->rooms.count; i++) {
		struct room *room = &plan->rooms.at[i];

		if (room->made) {
			size_made(room, policy, used);
			continue;
		}
		room->size = room_size(policy, used, room->section, room->content, largest[i]);
		room->lead = room_size(policy, used, room->section, room->before, 0);
	}
	add_leads(plan);
	for (size_t i = 0; i < policy->rules.count; i++) {
		const struct rule *rule = &policy->rules.at[i];

		if (rule->kind == RULE_RESERVE_END && !used[i])
			diag_warning(diag, "unmatched-rule", &rule->span,
				     "\"%s\": \"%s\" names no output section with units or tables",
				     rule->text, rule->units.text);
	}
	free(largest);
	free(used);
}
