/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Comparing a link with its reference.
 */
#include "config.h"

#include "layout/holding.h"

#include <inttypes.h>
#include <string.h>

#include "layout/namesake.h"
#include "lib/memory.h"

const char *fate_name(enum fate fate)
{
	static const char *const names[FATES] = {
		[FATE_HELD] = "held", [FATE_SPILLED] = "spilled", [FATE_MOVED] = "moved",
		[FATE_NEW] = "new", [FATE_GONE] = "gone",
	};

	return names[fate];
}

char *holding_shift(uint64_t before, uint64_t after)
{
	return after >= before ? xasprintf("+%" PRIu64, after - before) :
				 xasprintf("-%" PRIu64, before - after);
}

struct comparison {
	struct holding *holding;
	const struct layout *before, *after;
	uint64_t modulus;
};

static bool same_place(const struct comparison *c, uint64_t before, uint64_t after)
{
	return c->modulus == 0 ? before == after : ((before ^ after) & (c->modulus - 1)) == 0;
}

/* --- Merged units: a lot is held where it begins -------------------------- */

static bool same_lot(const struct layout_unit *x, const struct layout_unit *y)
{
	return y->merged && y->size > 0 && x->align == y->align &&
	       strcmp(x->section, y->section) == 0 &&
	       strcmp(x->identity.section, y->identity.section) == 0;
}

/* Where the lot of UNIT begins in LAYOUT; false: there is none of its kind. */
static bool lot_begin(const struct layout *layout, const struct layout_unit *unit, uint64_t *begin)
{
	for (size_t i = 0; i < layout->units.count; i++) {
		if (!same_lot(unit, &layout->units.at[i]))
			continue;
		*begin = layout->units.at[i].address;
		return true;
	}
	return false;
}

/* The lots met, so that each is looked for once. */
struct lot {
	const struct layout_unit *unit;
	bool held;
};

struct lots { VEC(struct lot) list; };

static bool lot_held(struct lots *lots, const struct comparison *c, const struct layout_unit *unit)
{
	uint64_t before, after;
	bool held;

	for (size_t i = 0; i < lots->list.count; i++)
		if (same_lot(lots->list.at[i].unit, unit))
			return lots->list.at[i].held;
	held = unit->size == 0 || !lot_begin(c->before, unit, &before) ||
	       !lot_begin(c->after, unit, &after) || same_place(c, before, after);
	if (unit->size > 0)
		*vec_push(&lots->list) = (struct lot){ unit, held };
	return held;
}

/* --- Units ---------------------------------------------------------------- */

/* Why a unit that lies elsewhere does, and what that is called. */
static void judge_moved(const struct comparison *c, struct held_unit *unit)
{
	const struct layout_unit *before = unit->before, *after = unit->after;
	const struct layout_mark *x, *y;

	unit->fate = FATE_MOVED;
	if (strcmp(before->section, after->section) != 0) {
		unit->why = "it went into another output section";
		return;
	}
	if (after->size > before->size) {
		unit->fate = FATE_SPILLED;
		unit->why = "it outgrew its slot";
		return;
	}
	if (before->address % after->align != 0) {
		unit->fate = FATE_SPILLED;
		unit->why = "it has a higher alignment";
		return;
	}
	x = layout_section(c->before, before->section);
	y = layout_section(c->after, after->section);
	if (x != NULL && y != NULL && x->address != y->address &&
	    y->address - x->address == after->address - before->address)
		unit->why = "its output section moved";
	else
		unit->why = "what lies before it outgrew its room";
}

static void count(struct holding *holding, const struct held_unit *unit)
{
	const struct layout_unit *before = unit->before, *after = unit->after;
	const struct layout_unit *any = after != NULL ? after : before;

	if (before != NULL && after != NULL) {
		holding->symbols += after->identity.symbol != NULL;
		holding->symbols_held += after->identity.symbol != NULL && unit->fate == FATE_HELD;
	}
	if (any->inner)
		return;
	holding->counts[unit->fate]++;
	holding->bytes[unit->fate] += any->size;
	holding->renamed += unit->renamed;
	if (before == NULL || after == NULL)
		return;
	holding->locked_bytes += after->size;
	holding->unheld += unit->fate != FATE_HELD && before->size == after->size &&
			   before->content == after->content;
}

static void compare_units(struct comparison *c)
{
	struct holding *holding = c->holding;
	struct lots lots = { VEC_INIT };
	struct namesakes namesakes;

	namesakes_open(&namesakes, c->before);
	for (size_t i = 0; i < c->after->units.count; i++) {
		const struct layout_unit *unit = &c->after->units.at[i];

		*vec_push(&holding->units) = (struct held_unit){
			.before = namesakes_find(&namesakes, &unit->identity, unit->merged ? 0 : unit->content),
			.after = unit, .why = "" };
	}
	for (size_t i = 0; i < c->after->units.count; i++) {
		struct held_unit *unit = &holding->units.at[i];

		if (unit->before == NULL) {
			unit->before = namesakes_find_renamed(&namesakes, i);
			unit->renamed = unit->before != NULL;
		}
		if (unit->before == NULL)
			unit->fate = FATE_NEW;
		else if (unit->before->size == 0 && unit->after->size == 0)
			unit->fate = FATE_HELD;	/* there is nothing of it to lie anywhere */
		else if (unit->after->merged ? !lot_held(&lots, c, unit->after) :
					       !same_place(c, unit->before->address, unit->after->address))
			judge_moved(c, unit);
		count(holding, unit);
	}
	for (size_t i = 0; i < c->before->units.count; i++) {
		const struct held_unit gone = { .fate = FATE_GONE, .before = &c->before->units.at[i],
						.why = "" };

		if (namesakes.used[i])
			continue;
		*vec_push(&holding->units) = gone;
		count(holding, &gone);
	}
	vec_release(&lots.list);
	namesakes_release(&namesakes);
}

/* --- Sections and symbols of the script ------------------------------------ */

static void compare_marks(struct comparison *c)
{
	for (size_t i = 0; i < c->before->marks.count; i++) {
		const struct layout_mark *before = &c->before->marks.at[i], *after = NULL;

		if (before->kind == MARK_SEAM)
			continue;
		for (size_t j = 0; j < c->after->marks.count && after == NULL; j++) {
			const struct layout_mark *other = &c->after->marks.at[j];

			if (other->kind == before->kind &&
			    (before->kind == MARK_SECTION ?
				     strcmp(other->section, before->section) == 0 :
				     strcmp(other->name, before->name) == 0))
				after = other;
		}
		if (after != NULL && !same_place(c, before->address, after->address))
			*vec_push(&c->holding->marks) = (struct held_mark){ before, after };
	}
}

void holding_compare(struct holding *holding, const struct layout *before,
		     const struct layout *after, uint64_t modulus)
{
	struct comparison comparison = { holding, before, after, modulus };

	*holding = (struct holding){ 0 };
	compare_units(&comparison);
	compare_marks(&comparison);
}

void holding_release(struct holding *holding)
{
	vec_release(&holding->units);
	vec_release(&holding->marks);
}
