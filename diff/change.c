/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs looked at one by one; company, which is a matter of neighbours, is
 * company.c's.
 */
#include "config.h"

#include "diff/change.h"

#include <stdlib.h>
#include <string.h>

#include "diff/company.h"
#include "lib/memory.h"

static const struct image_section *section_of(const struct image *image, const struct piece *piece)
{
	return &image->sections.at[piece->section];
}

/* Where it says least wrong: names of sections before kinds, A before B. */
static void set_section(const struct comparison *comparison, struct change *change)
{
	const struct image_section *section;

	if (change->a != NULL && (change->b == NULL || comparison->a->kind != IMAGE_MAP ||
				  comparison->b->kind == IMAGE_MAP))
		section = section_of(comparison->a, change->a);
	else
		section = section_of(comparison->b, change->b);
	change->section = section->name;
	change->writable = section->writable;
	change->code = section->code;
}

static void look(const struct comparison *comparison, struct change *change)
{
	const struct piece *a = change->a, *b = change->b;

	change->shown = true;
	set_section(comparison, change);
	if (a == NULL || b == NULL) {
		change->what = a == NULL ? CHANGE_NEW : CHANGE_GONE;
		return;
	}
	change->shift = (int64_t)(b->address - a->address);
	if (change->shift != 0)
		change->what |= CHANGE_ADDRESS;
	if (((uint64_t)change->shift & (comparison->modulus - 1)) != 0)
		change->what |= CHANGE_RESIDUE;
	if (a->address / CHANGE_PAGE_SIZE != b->address / CHANGE_PAGE_SIZE)
		change->what |= CHANGE_PAGE;
	if (comparison->sizes && a->size != b->size && a->size > 0 && b->size > 0)
		change->what |= CHANGE_SIZE;
}

/* True if on neither side it has a byte. */
static bool is_empty(const struct pair *pair)
{
	return (pair->a == NULL || pair->a->empty) && (pair->b == NULL || pair->b->empty);
}

/* True if a piece may be in the program without being in the IMAGE, as seen from the other one. */
static bool is_partial(const struct image *image, const struct image *other)
{
	return (image->dynamic && !other->dynamic) ||
	       (image->kind == IMAGE_LAYOUT && other->kind != IMAGE_LAYOUT);
}

void comparison_make(struct comparison *comparison, const struct image *a, const struct image *b,
		     uint64_t modulus, uint64_t line)
{
	*comparison = (struct comparison){
		.a = a, .b = b, .modulus = modulus, .line = line,
		.sizes = a->kind == b->kind && a->distances == b->distances,
	};
	pairing_make(&comparison->pairing, a, b);
	for (size_t i = 0; i < comparison->pairing.pairs.count; i++) {
		const struct pair *pair = &comparison->pairing.pairs.at[i];
		struct change change = { .a = pair->a, .b = pair->b };

		if (is_empty(pair)) {
			comparison->empty++;
		} else if (pair->b == NULL && is_partial(b, a)) {
			comparison->unknown_a++;
		} else if (pair->a == NULL && is_partial(a, b)) {
			comparison->unknown_b++;
		} else {
			look(comparison, &change);
			*vec_push(&comparison->changes) = change;
			comparison->both += pair->a != NULL && pair->b != NULL;
		}
	}
	company_find(comparison);
}

void comparison_release(struct comparison *comparison)
{
	pairing_release(&comparison->pairing);
	vec_release(&comparison->changes);
	vec_release(&comparison->companions);
}

int64_t change_growth(const struct comparison *comparison, const struct change *change)
{
	if (change->a == NULL || change->b == NULL || !comparison->sizes || change->a->size == 0 ||
	    change->b->size == 0)
		return 0;
	return (int64_t)(change->b->size - change->a->size);
}

/* --- Harm --------------------------------------------------------------- */

enum harm change_harm(const struct change *change)
{
	if (change->what == 0)
		return HARM_NONE;
	if (change->heat > 0)
		return HARM_HOT;
	if (change->company.joined > 0 && change->a != NULL)
		return HARM_COMPANY;
	if ((change->what & CHANGE_RESIDUE) != 0)
		return HARM_RESIDUE;
	return (change->what & (CHANGE_SIZE | CHANGE_NEW | CHANGE_GONE)) != 0 ? HARM_SIZE
									      : HARM_ADDRESS;
}

/* Negative where X is greater: it comes first. */
static int descending(uint64_t x, uint64_t y)
{
	return x > y ? -1 : x < y;
}

static bool is_numbered(const struct change *change)
{
	return change_piece(change)->symbol != NULL &&
	       strchr(change_piece(change)->symbol, '.') != NULL;
}

int change_compare_harm(const struct change *x, const struct change *y)
{
	enum harm harm = change_harm(x), other = change_harm(y);
	int order = (harm > other) - (harm < other);

	if (order == 0)
		order = x->heat > y->heat ? -1 : x->heat < y->heat;
	if (order == 0 && harm == HARM_COMPANY) {
		order = descending(x->writable, y->writable);
		/* "done.3" is within a function, and most often a flag that is written once. */
		if (order == 0)
			order = is_numbered(x) - is_numbered(y);
		if (order == 0)
			order = descending(x->company.joined, y->company.joined);
	}
	if (order == 0)
		order = descending(change_piece(x)->size, change_piece(y)->size);
	if (order == 0)
		order = -descending(change_piece(x)->address, change_piece(y)->address);
	return order != 0 ? order : strcmp(change_piece(x)->name, change_piece(y)->name);
}
