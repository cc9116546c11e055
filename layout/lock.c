/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Putting a plan's units where a reference has them, run by run:
 *
 *	match	each unit with the reference's, by identity, content or name
 *	hold	those that fit their slots
 *	spill	the others, into what the run's room has free
 */
#include "config.h"

#include "layout/lock.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "layout/namesake.h"
#include "layout/reserve.h"
#include "layout/spill.h"
#include "lib/memory.h"

/* --- The reference ------------------------------------------------------- */

static bool check_reference(const struct lock *lock, struct diag *diag)
{
	const struct layout *layout = &lock->reference;
	const struct layout_unit *before = NULL;
	struct namesakes namesakes;
	bool good = true;

	for (size_t i = 0; i < layout->units.count && good; i++) {
		const struct layout_unit *unit = &layout->units.at[i];

		/* The sizes of merged ones are of before they were. */
		if (unit->size == 0 || unit->inner || unit->merged)
			continue;
		if (before != NULL && strcmp(before->section, unit->section) == 0 &&
		    before->address + before->size > unit->address) {
			char *x = identity_string(&before->identity);
			char *y = identity_string(&unit->identity);

			diag_error(diag, NULL, "\"%s\" is no layout of a link: \"%s\" and \"%s\" "
				   "overlap at 0x%" PRIx64, lock->path, x, y, unit->address);
			free(x);
			free(y);
			good = false;
		}
		before = unit;
	}
	if (!good)
		return false;
	namesakes_open(&namesakes, layout);
	if (namesakes.twice != NULL) {
		char *name = identity_string(&namesakes.twice->identity);

		diag_error(diag, NULL, "\"%s\" is no layout of a link: \"%s\" is there twice",
			   lock->path, name);
		free(name);
		good = false;
	}
	namesakes_release(&namesakes);
	return good;
}

bool lock_read(struct lock *lock, const char *path, uint64_t modulus, struct diag *diag)
{
	*lock = (struct lock){ .path = path, .modulus = modulus };
	layout_init(&lock->reference);
	if (!layout_read(&lock->reference, path, diag))
		return false;
	layout_sort(&lock->reference);
	return check_reference(lock, diag);
}

void lock_release(struct lock *lock)
{
	layout_release(&lock->reference);
}

static bool differs(bool force, struct diag *diag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reports; returns whether that is a reason to stop. */
static bool differs(bool force, struct diag *diag, const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = xvasprintf(format, arguments);
	va_end(arguments);
	if (force)
		diag_warning(diag, "lock", NULL, "%s", text);
	else
		diag_error(diag, NULL, "%s; 'lock-force' goes on", text);
	free(text);
	return !force;
}

bool lock_check(const struct lock *lock, const struct layout *made, bool force, struct diag *diag)
{
	const struct layout *reference = &lock->reference;
	bool stop = false;

	if (reference->machine != made->machine && reference->machine != 0 && made->machine != 0)
		stop |= differs(force, diag, "the lock \"%s\" is of another architecture: "
				"expected machine %u, got %u", lock->path, made->machine,
				reference->machine);
	if (reference->script != made->script && reference->script != 0 && made->script != 0)
		stop |= differs(force, diag, "the lock \"%s\" is of another linker script",
				lock->path);
	if (reference->linker != NULL && made->linker != NULL &&
	    strcmp(reference->linker, made->linker) != 0)
		stop |= differs(force, diag, "the lock \"%s\" is of another linker: expected "
				"\"%s\", got \"%s\"", lock->path, made->linker, reference->linker);
	return !stop;
}

/* --- One run ------------------------------------------------------------- */

struct holder {
	const struct lock *lock;
	struct plan *plan;
	const struct unit *units;
	const struct layout_unit **match;	/* by placement; NULL: the reference has none */
	const uint64_t *slot_ends;		/* by the reference's unit */
	struct diag *diag;
};

static uint64_t slot_end(const struct holder *holder, const struct layout_unit *old)
{
	return holder->slot_ends[old - holder->lock->reference.units.at];
}

/* Of placements. */
struct indices { VEC(size_t) list; };

/* The reference's seam at the end of ROOM's run, or behind its section; NULL: none. */
static const struct layout_mark *find_seam(const struct layout *layout, const struct room *room)
{
	const struct layout_mark *found = NULL;

	for (size_t i = 0; i < layout->marks.count; i++) {
		const struct layout_mark *mark = &layout->marks.at[i];

		if (mark->kind != MARK_SEAM || strcmp(mark->section, room->section) != 0)
			continue;
		if (room->inside ? mark->number > room->first && mark->number <= room->last + 1 :
				   mark->number == room->number)
			found = mark;
	}
	return found;
}

/* A merged unit of a run: the placement's index. */
struct merged {
	const struct unit *unit;
	size_t placement;
};

static int compare_merged(const void *a, const void *b)
{
	const struct merged *x = a, *y = b;
	int order = unit_compare_lots(x->unit, y->unit);

	return order != 0 ? order : x->placement < y->placement ? -1 : 1;
}

/* What a lock says is all that is said of a placement. */
static void clear(struct placement *placement)
{
	placement->pad = placement->behind = placement->residue = 0;
	placement->modulus = 1;
}

static void hold(struct placement *placement, uint64_t address)
{
	clear(placement);
	placement->held = true;
	placement->address = address;
}

/* A lot of merged units in the reference. */
struct lot {
	uint64_t begin;		/* 0: there is none */
	bool mixed;		/* other units lie among them: each has its own place */
};

/* The lot of units like UNIT, within [from, to). */
static struct lot find_lot(const struct layout *reference, const struct unit *unit,
			   const char *section, uint64_t from, uint64_t to)
{
	struct lot lot = { 0 };
	bool parted = false;

	for (size_t i = 0; i < reference->units.count; i++) {
		const struct layout_unit *other = &reference->units.at[i];

		if (other->address < from || other->address >= to || other->size == 0 ||
		    strcmp(other->section, section) != 0)
			continue;
		if (other->merged && other->align == unit->align &&
		    strcmp(other->identity.section, unit->identity.section) == 0) {
			lot.mixed |= parted;
			if (lot.begin == 0)
				lot.begin = other->address;
		} else {
			parted = lot.begin != 0;
		}
	}
	return lot;
}

/* One lot of merged units, [at, end), of ROOM's run. */
static void hold_lot(struct holder *holder, const struct merged *at, const struct merged *end,
		     const struct lot *lot, struct gaps *gaps)
{
	uint64_t size = 0, address;

	for (const struct merged *merged = at; merged < end; merged++)
		size += merged->unit->size;
	address = lot->begin;
	if (address == 0 && !gaps_take(gaps, size, 0, at->unit->align, &address))
		address = gaps_append(gaps, size, at->unit->align);
	for (const struct merged *merged = at; merged < end; merged++) {
		struct placement *placement = &holder->plan->placements.at[merged->placement];
		const struct layout_unit *old = holder->match[merged->placement];

		if (lot->mixed) {
			if (old != NULL && old->size > 0)
				hold(placement, old->address);
			continue;
		}
		placement->address = address;
		placement->held = merged == at;
	}
}

/* Places the merged units of ROOM's run, which the reference has within [from, to): each lot where it was. */
static void hold_merged(struct holder *holder, struct merged *at, size_t count,
			const struct room *room, uint64_t from, uint64_t to, struct gaps *gaps)
{
	if (count > 1)
		qsort(at, count, sizeof *at, compare_merged);
	for (size_t i = 0, end; i < count; i = end) {
		struct lot lot = find_lot(&holder->lock->reference, at[i].unit, room->section, from, to);

		for (end = i + 1; end < count && unit_compare_lots(at[i].unit, at[end].unit) == 0;)
			end++;
		hold_lot(holder, at + i, at + end, &lot, gaps);
	}
}

/* True if UNIT can stay where OLD was: a slot that reaches to END. */
static bool stays(const struct unit *unit, const struct layout_unit *old, const char *section,
		  uint64_t end)
{
	return strcmp(old->section, section) == 0 && (old->size > 0 || unit->size == 0) &&
	       old->address % unit->align == 0 && end - old->address >= unit->size;
}

/* The placements AT[...] are those of ROOM's run, in their order. */
static void hold_run(struct holder *holder, const struct indices *list, struct room *room)
{
	const struct layout *reference = &holder->lock->reference;
	const struct layout_mark *section = layout_section(reference, room->section);
	const struct layout_mark *seam = find_seam(reference, room);
	struct placement *placements = holder->plan->placements.at;
	uint32_t index = (uint32_t)(room - holder->plan->rooms.at) + 1;
	uint64_t from = UINT64_MAX, last = 0;
	struct gaps gaps = { VEC_INIT };
	struct spills spills = { VEC_INIT };
	VEC(struct merged) merged = VEC_INIT;

	if (section == NULL)
		return;
	room->size = room->lead = 0;
	if (seam != NULL) {
		room->number = seam->number;
		room->held = true;
		room->end = seam->address + seam->size;
	}
	for (size_t i = 0; i < list->list.count; i++) {
		struct placement *placement = &placements[list->list.at[i]];
		const struct unit *unit = &holder->units[placement->unit];
		const struct layout_unit *old = holder->match[list->list.at[i]];
		uint64_t end;

		clear(placement);
		placement->room = index;
		if (old != NULL && strcmp(old->section, room->section) == 0) {
			from = old->address < from ? old->address : from;
			last = old->address + old->size > last ? old->address + old->size : last;
		}
		if (!unit->tagged)
			continue;
		if (unit->merged) {
			*vec_push(&merged) = (struct merged){ unit, list->list.at[i] };
			continue;
		}
		/* Nothing follows on what it follows on, as in the reference. */
		if (unit->size == 0 && old != NULL && old->size == 0)
			continue;
		end = old != NULL ? slot_end(holder, old) : 0;
		/* The last before the room may grow into it. */
		if (seam != NULL && end == seam->address)
			end = room->end;
		if (old == NULL || !stays(unit, old, room->section, end)) {
			bool left = old != NULL && old->size > 0 && !old->merged &&
				    strcmp(old->section, room->section) == 0;

			*vec_push(&spills.list) = (struct spilled){
				.placement = list->list.at[i], .unit = unit, .old = old,
				.slot_end = left ? slot_end(holder, old) : 0 };
			continue;
		}
		hold(placement, old->address);
		last = old->address + unit->size > last ? old->address + unit->size : last;
	}
	if (seam != NULL)
		*vec_push(&gaps.list) = (struct gap){ last > seam->address ? last : seam->address,
						      room->end };
	else
		*vec_push(&gaps.list) = (struct gap){ last > section->address ? last : section->address, 0 };
	if (gaps.list.at[0].end < gaps.list.at[0].begin)
		gaps.list.at[0].end = gaps.list.at[0].begin;
	if (from == UINT64_MAX)
		from = section->address;
	hold_merged(holder, merged.at, merged.count, room, from,
		    seam != NULL ? room->end : section->address + section->size, &gaps);
	spills_place(&spills, &gaps);
	for (size_t i = 0; i < spills.list.count; i++)
		hold(&placements[spills.list.at[i].placement], spills.list.at[i].address);
	vec_release(&merged);
	vec_release(&spills.list);
	vec_release(&gaps.list);
}

/* --- All of it ------------------------------------------------------------ */

/* How far down an output section the walk of find_slot_ends() has come. */
struct walk {
	const char *section;
	uint64_t at, behind;	/* the boundary met last, and the one behind it */
};

struct walks { VEC(struct walk) list; };

static struct walk *find_walk(struct walks *walks, const struct layout *layout, const char *section)
{
	const struct layout_mark *mark;
	struct walk *walk;

	/* Most often it is the section of the unit before. */
	for (size_t i = walks->list.count; i-- > 0;)
		if (strcmp(walks->list.at[i].section, section) == 0)
			return &walks->list.at[i];
	mark = layout_section(layout, section);
	walk = vec_push(&walks->list);
	*walk = (struct walk){ .section = section };
	walk->at = walk->behind = mark != NULL ? mark->address + mark->size : UINT64_MAX;
	return walk;
}

static void pass_boundary(struct walk *walk, uint64_t address)
{
	if (address >= walk->at)
		return;
	walk->behind = walk->at;
	walk->at = address;
}

/*
 * By the reference's unit: where its slot ends, which is the first boundary behind
 * its beginning: another unit of its output section, a seam, or the section's end.
 */
static uint64_t *find_slot_ends(const struct layout *layout)
{
	uint64_t *ends = xcalloc(layout->units.count + 1, sizeof *ends);
	struct walks walks = { VEC_INIT };
	size_t mark = layout->marks.count;

	for (size_t i = layout->units.count; i-- > 0;) {
		const struct layout_unit *unit = &layout->units.at[i];
		struct walk *walk;

		for (; mark > 0 && layout->marks.at[mark - 1].address >= unit->address; mark--)
			if (layout->marks.at[mark - 1].kind == MARK_SEAM)
				pass_boundary(find_walk(&walks, layout, layout->marks.at[mark - 1].section),
					      layout->marks.at[mark - 1].address);
		walk = find_walk(&walks, layout, unit->section);
		ends[i] = walk->at > unit->address ? walk->at : walk->behind;
		if (ends[i] == UINT64_MAX)	/* no section is known to hold it */
			ends[i] = unit->address + unit->size;
		if (!unit->inner)
			pass_boundary(walk, unit->address);
	}
	vec_release(&walks.list);
	return ends;
}

/* Warns of what the policy asks for and the lock does not give. */
static void tell_contradictions(const struct holder *holder, const struct placement *asked,
				size_t count)
{
	size_t told = 0, more = 0, pads = 0;

	for (size_t i = 0; i < count; i++) {
		const struct layout_unit *old = holder->match[i];
		char *name;

		if (old == NULL)
			continue;
		pads += asked[i].pad != 0;
		if (asked[i].modulus <= 1 || holder->units[asked[i].unit].merged ||
		    (old->address & (asked[i].modulus - 1)) == asked[i].residue)
			continue;
		if (told == 20) {
			more++;
			continue;
		}
		told++;
		name = identity_string(&holder->units[asked[i].unit].identity);
		diag_warning(holder->diag, "lock-wins", NULL, "'%s' is held at 0x%" PRIx64
			     ", where the policy asks for %" PRIu64 " mod %" PRIu64, name,
			     old->address, asked[i].residue, asked[i].modulus);
		free(name);
	}
	if (more > 0)
		diag_warning(holder->diag, "lock-wins", NULL, "so are %zu more", more);
	if (pads > 0)
		diag_warning(holder->diag, "lock-wins", NULL,
			     "the pads of %zu units that are held are the reference's", pads);
}

static void hold_residues(struct holder *holder)
{
	uint64_t modulus = holder->lock->modulus;

	for (size_t i = 0; i < holder->plan->placements.count; i++) {
		struct placement *placement = &holder->plan->placements.at[i];
		const struct unit *unit = &holder->units[placement->unit];
		const struct layout_unit *old = holder->match[i];

		if (old == NULL || unit->merged || old->address % unit->align != 0)
			continue;
		clear(placement);
		if (unit->align >= modulus)
			continue;
		placement->modulus = modulus;
		placement->residue = old->address & (modulus - 1);
	}
}

static void hold_addresses(struct holder *holder)
{
	struct plan *plan = holder->plan;
	struct indices *runs = xcalloc(plan->rooms.count + 1, sizeof *runs);
	unsigned statement = (unsigned)-1;
	uint32_t room = 0;

	for (size_t i = 0; i < plan->placements.count; i++) {
		const struct unit *unit = &holder->units[plan->placements.at[i].unit];

		if (unit->statement != statement)
			room = room_of(plan, unit->statement);
		statement = unit->statement;
		if (room != 0)
			*vec_push(&runs[room - 1].list) = i;
	}
	for (size_t i = 0; i < plan->rooms.count; i++) {
		struct room *at = &plan->rooms.at[i];
		const struct layout_mark *seam;

		if (at->inside) {
			hold_run(holder, &runs[i], at);
			continue;
		}
		seam = find_seam(&holder->lock->reference, at);
		at->size = at->share = 0;
		at->held = seam != NULL;
		if (seam != NULL)
			at->end = seam->address + seam->size;
	}
	for (size_t i = 0; i < plan->rooms.count; i++)
		vec_release(&runs[i].list);
	free(runs);
}

/* What has no address of its own follows on what it followed on. */
static void sort_held(struct plan *plan, const struct unit *units)
{
	uint64_t address = 0;
	uint32_t room = 0;

	for (size_t i = 0; i < plan->placements.count; i++) {
		struct placement *placement = &plan->placements.at[i];

		if (placement->room != room)
			address = 0;
		room = placement->room;
		if (placement->address == 0)
			placement->address = address;
		address = placement->address;
	}
	plan_sort(plan, units);
}

void lock_apply(const struct lock *lock, struct plan *plan, const struct unit *units,
		struct diag *diag)
{
	size_t count = plan->placements.count;
	struct placement *asked = xcalloc(count + 1, sizeof *asked);
	struct holder holder = { .lock = lock, .plan = plan, .units = units, .diag = diag };
	const struct layout_unit **match = xcalloc(count + 1, sizeof *match);
	struct namesakes namesakes;

	if (count > 0)
		memcpy(asked, plan->placements.at, count * sizeof *asked);
	namesakes_open(&namesakes, &lock->reference);
	for (size_t i = 0; i < count; i++) {
		const struct unit *unit = &units[plan->placements.at[i].unit];

		match[i] = namesakes_find(&namesakes, &unit->identity, unit->content);
	}
	for (size_t i = 0; i < count; i++)
		if (match[i] == NULL)
			match[i] = namesakes_find_renamed(&namesakes, i);
	holder.match = match;
	holder.slot_ends = find_slot_ends(&lock->reference);
	if (lock->modulus != 0) {
		hold_residues(&holder);
	} else {
		hold_addresses(&holder);
		sort_held(plan, units);
	}
	/* The order is another one now: what was asked is told of by the order of before. */
	tell_contradictions(&holder, asked, count);
	namesakes_release(&namesakes);
	free((void *)holder.slot_ends);
	free(match);
	free(asked);
}
