/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One walk over the pieces of B.  Between two neighbours that are in both images
 * lie, in B, what is new and, in A, what is gone: with the growth of the first
 * of the two they account for the change of shift, up to the alignment.
 */
#include "config.h"

#include "diff/step.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* In place of a change: the piece was not told apart, or the other side need not have it. */
#define UNPAIRED UINT32_MAX

/* What lies between two neighbours and is in one image alone. */
struct between {
	uint64_t bytes;
	size_t count, unpaired;
	const struct change *largest;
};

struct walker {
	const struct comparison *comparison;
	struct steps *steps;
	uint32_t *change_a, *change_b;	/* piece -> change, or UNPAIRED */
	size_t *paired_a;		/* piece of A -> how many before it are in both */
	struct between added;		/* in B since BEFORE */
	const struct change *before;	/* in both: the one that reaches farthest in B */
	const struct change *last;	/* in both: the one before */
};

static void add_between(struct between *between, const struct walker *walker, uint32_t index,
			bool in_b)
{
	const struct change *change =
		index != UNPAIRED ? &walker->comparison->changes.at[index] : NULL;
	uint64_t size;

	if (change == NULL) {
		between->unpaired++;
		return;
	}
	size = in_b ? change->b->size : change->a->size;
	between->bytes += size;
	between->count++;
	if (between->largest == NULL || size > change_piece(between->largest)->size)
		between->largest = change;
}

/* The first piece of A at ADDRESS or, where BEHIND, behind it. */
static size_t search(const struct image *image, uint64_t address, bool behind)
{
	size_t low = 0, high = image->pieces.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		uint64_t at = image->pieces.at[middle].address;

		if (at < address || (behind && at == address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* What was in A between the pieces BEFORE and CHANGE.  False where it was another order. */
static bool find_removed(const struct walker *walker, const struct change *change,
			 struct between *removed)
{
	const struct image *a = walker->comparison->a;
	size_t begin = walker->before != NULL ? search(a, walker->before->a->address, true) : 0;
	size_t end = search(a, change->a->address, false);

	*removed = (struct between){ .bytes = 0 };
	if (walker->before != NULL && walker->before->a->address > change->a->address)
		return false;
	if (end <= begin)
		return true;
	if (walker->paired_a[end] != walker->paired_a[begin])
		return walker->before == NULL;
	for (size_t i = begin; i < end; i++)
		if (!a->pieces.at[i].empty)
			add_between(removed, walker, walker->change_a[i], false);
	return true;
}

/* X - Y, whatever they are. */
static int64_t difference(int64_t x, int64_t y)
{
	return (int64_t)((uint64_t)x - (uint64_t)y);
}

static uint64_t magnitude(int64_t x)
{
	return x < 0 ? -(uint64_t)x : (uint64_t)x;
}

/* Sets the cause where AMOUNT goes DELTA's way and is the most so far. */
static void offer(struct step *step, enum cause cause, int64_t amount,
		  const struct change *behind, size_t count)
{
	bool better = step->cause == CAUSE_GAP || magnitude(amount) > magnitude(step->amount);

	if (amount == 0 || (amount < 0) != (step->delta < 0) || !better)
		return;
	step->cause = cause;
	step->amount = amount;
	step->behind = behind;
	step->count = count;
}

/* Sections have addresses where both images know them by name. */
static bool section_shift(const struct comparison *comparison, const struct change *change,
			  int64_t *shift)
{
	const struct image_section *a = &comparison->a->sections.at[change->a->section];
	const struct image_section *b = &comparison->b->sections.at[change->b->section];

	*shift = (int64_t)(b->address - a->address);
	return comparison->a->kind != IMAGE_MAP && comparison->b->kind != IMAGE_MAP &&
	       strcmp(a->name, b->name) == 0;
}

/* The kinds that a map knows lie mixed. */
static bool begins_section(const struct walker *walker, const struct change *change)
{
	return walker->last == NULL || (strcmp(walker->last->section, change->section) != 0 &&
					(walker->comparison->a->kind != IMAGE_MAP ||
					 walker->comparison->b->kind != IMAGE_MAP));
}

static void explain(struct walker *walker, struct step *step, const struct change *change)
{
	const struct comparison *comparison = walker->comparison;
	const struct change *before = walker->before;
	struct between removed;
	int64_t moved = 0;

	step->cause = CAUSE_GAP;
	step->behind = before;
	if (begins_section(walker, change) && section_shift(comparison, change, &moved) &&
	    moved != 0) {
		step->cause = CAUSE_SECTION;
		step->amount = moved;
	} else if (!find_removed(walker, change, &removed)) {
		step->cause = CAUSE_ORDER;
		step->amount = step->delta;
	} else {
		if (before != NULL && before->b->address + before->b->size <= change->b->address)
			offer(step, CAUSE_GREW, change_growth(comparison, before), before, 1);
		offer(step, CAUSE_ADDED, (int64_t)walker->added.bytes, walker->added.largest,
		      walker->added.count);
		offer(step, CAUSE_REMOVED, difference(0, (int64_t)removed.bytes), removed.largest,
		      removed.count);
		if (step->cause == CAUSE_GAP && walker->added.unpaired + removed.unpaired > 0) {
			step->cause = CAUSE_UNKNOWN;
			step->count = walker->added.unpaired > removed.unpaired
					      ? walker->added.unpaired
					      : removed.unpaired;
		}
	}
	step->rest =
		difference(step->cause == CAUSE_SECTION ? step->shift : step->delta, step->amount);
}

static void take(struct walker *walker, const struct change *change)
{
	struct steps *steps = walker->steps;
	struct step *step = steps->runs.count > 0 ? &steps->runs.at[steps->runs.count - 1] : NULL;
	int64_t shift = step != NULL ? step->shift : 0;

	if (step == NULL || step->shift != change->shift || begins_section(walker, change)) {
		step = vec_push(&steps->runs);
		*step = (struct step){
			.section = change->section, .shift = change->shift,
			.delta = difference(change->shift, shift), .first = change,
		};
		explain(walker, step, change);
	}
	/* Several names of one address are one's bytes. */
	if (change->shown) {
		step->pieces++;
		if (walker->last == NULL || walker->last->b->address != change->b->address)
			step->bytes += change->b->size;
	}
	step->last = walker->last = change;
	if (walker->before == NULL || walker->before->b->address + walker->before->b->size <=
				      change->b->address + change->b->size)
		walker->before = change;
	walker->added = (struct between){ .bytes = 0 };
}

static int compare_moved(const void *a, const void *b)
{
	const struct step *x = *(const struct step *const *)a, *y = *(const struct step *const *)b;

	if (x->pieces != y->pieces)
		return x->pieces > y->pieces ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return (x > y) - (x < y);
}

static void index_changes(struct walker *walker)
{
	const struct comparison *comparison = walker->comparison;
	size_t count_a = comparison->a->pieces.count, count_b = comparison->b->pieces.count;

	walker->change_a = xcalloc(count_a + 1, sizeof *walker->change_a);
	walker->change_b = xcalloc(count_b + 1, sizeof *walker->change_b);
	walker->paired_a = xcalloc(count_a + 1, sizeof *walker->paired_a);
	memset(walker->change_a, 0xff, (count_a + 1) * sizeof *walker->change_a);
	memset(walker->change_b, 0xff, (count_b + 1) * sizeof *walker->change_b);
	for (size_t i = 0; i < comparison->changes.count; i++) {
		const struct change *change = &comparison->changes.at[i];

		if (change->a != NULL)
			walker->change_a[change->a - comparison->a->pieces.at] = (uint32_t)i;
		if (change->b != NULL)
			walker->change_b[change->b - comparison->b->pieces.at] = (uint32_t)i;
	}
	for (size_t i = 0; i < count_a; i++) {
		uint32_t index = walker->change_a[i];

		walker->paired_a[i + 1] = walker->paired_a[i] +
			(index != UNPAIRED && comparison->changes.at[index].b != NULL);
	}
}

void steps_find(struct steps *steps, const struct comparison *comparison)
{
	struct walker walker = { .comparison = comparison, .steps = steps };

	*steps = (struct steps){ .runs = VEC_INIT };
	index_changes(&walker);
	for (size_t i = 0; i < comparison->b->pieces.count; i++) {
		uint32_t index = walker.change_b[i];

		if (index == UNPAIRED && comparison->b->pieces.at[i].empty)
			continue;
		if (index == UNPAIRED || comparison->changes.at[index].a == NULL)
			add_between(&walker.added, &walker, index, true);
		else
			take(&walker, &comparison->changes.at[index]);
	}
	for (size_t i = 0; i < steps->runs.count; i++)
		if (steps->runs.at[i].shift != 0 && steps->runs.at[i].pieces > 0)
			*vec_push(&steps->moved) = &steps->runs.at[i];
	if (steps->moved.count > 1)
		qsort(steps->moved.at, steps->moved.count, sizeof *steps->moved.at, compare_moved);
	free(walker.change_a);
	free(walker.change_b);
	free(walker.paired_a);
}

void steps_release(struct steps *steps)
{
	vec_release(&steps->runs);
	vec_release(&steps->moved);
}

/* --- In words ----------------------------------------------------------- */

/* ", drivers/foo.o", ", foo.c" or "". */
static char *origin(const struct piece *piece)
{
	const char *from = piece->object != NULL ? piece->object : piece->file;

	return from != NULL && piece->symbol == piece->name ? xasprintf(", %s", from) : xstrdup("");
}

char *step_cause(const struct step *step, const struct comparison *comparison)
{
	const char *about = comparison->b->distances ? "about " : "";
	const struct piece *behind;
	char *from, *text, *more, *whole;

	if (step->behind == NULL && step->cause != CAUSE_SECTION)
		return xstrdup("at the beginning");
	behind = step->behind != NULL ? change_piece(step->behind) : NULL;
	from = behind != NULL ? origin(behind) : xstrdup("");
	more = step->count > 1 ? xasprintf(", with %zu more", step->count - 1) : xstrdup("");
	switch (step->cause) {
	case CAUSE_SECTION:
		text = xasprintf("section %s begins %+" PRId64, step->section, step->amount);
		break;
	case CAUSE_GREW:
		text = xasprintf("behind %s (%s by %s%" PRIu64 "%s)", behind->name,
				 step->amount > 0 ? "grew" : "shrank", about,
				 magnitude(step->amount), from);
		break;
	case CAUSE_ADDED:
		text = xasprintf("behind %s (new, %" PRIu64 " bytes%s%s)", behind->name,
				 magnitude(step->amount), more, from);
		break;
	case CAUSE_REMOVED:
		text = xasprintf("behind %s (gone, %" PRIu64 " bytes%s%s)", behind->name,
				 magnitude(step->amount), more, from);
		break;
	case CAUSE_ORDER:
		text = xasprintf("behind %s (another order%s)", behind->name, from);
		break;
	case CAUSE_UNKNOWN:
		text = xasprintf("behind %s (%zu between that could not be paired)", behind->name,
				 step->count);
		break;
	default:
		text = xasprintf("behind %s (gap%s)", behind->name, from);
		break;
	}
	free(from);
	free(more);
	if (step->rest == 0 || step->cause == CAUSE_GAP || step->cause == CAUSE_UNKNOWN)
		return text;
	whole = xasprintf("%s, gap %+" PRId64, text, step->rest);
	free(text);
	return whole;
}
