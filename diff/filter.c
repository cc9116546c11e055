/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filters are joined by "and".
 */
#include "config.h"

#include "diff/filter.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/nearest.h"
#include "layout/number.h"
#include "layout/pattern.h"
#include "lib/memory.h"

static bool named(const struct piece *piece, const char *glob)
{
	return piece != NULL && (glob_match(glob, piece->name) ||
				 (piece->symbol != NULL && glob_match(glob, piece->symbol)));
}

static bool is(const struct piece *piece, const char *name)
{
	return piece != NULL && (strcmp(piece->name, name) == 0 ||
				 (piece->symbol != NULL && strcmp(piece->symbol, name) == 0));
}

/* True if a byte of PIECE is less than DISTANCE from CENTRE. */
static bool is_near(const struct piece *piece, const struct piece *centre, uint64_t distance)
{
	if (piece == NULL || centre == NULL)
		return false;
	return piece->address >= centre->address
	     ? piece->address - centre->address < centre->size + distance || piece == centre
	     : centre->address - piece->address < piece->size + distance;
}

/* Splits "SYMBOL:BYTES"; an identity may have a ':' of its own, with no number behind it. */
static char *split_near(const struct filter *filter, uint64_t *distance)
{
	const char *colon = strrchr(filter->near, ':');
	char *name = xstrdup(filter->near);

	*distance = filter->distance;
	if (colon != NULL && parse_number(colon + 1, NULL, distance))
		name[colon - filter->near] = '\0';
	return name;
}

static bool report_unknown(const struct comparison *comparison, const char *name, struct diag *diag)
{
	struct nearest nearest;
	char *near;

	nearest_init(&nearest, name);
	for (size_t i = 0; i < comparison->changes.count; i++)
		nearest_offer(&nearest, change_piece(&comparison->changes.at[i])->name);
	near = nearest_format(&nearest);
	diag_error(diag, NULL, "\"%s\" is in neither file, or could not be paired%s%s", name,
		   nearest.count > 0 ? "; near it: " : "", near);
	free(near);
	return false;
}

static bool apply_near(const struct filter *filter, struct comparison *comparison,
		       struct diag *diag)
{
	VEC(const struct change *) centres = VEC_INIT;
	uint64_t distance;
	char *name = split_near(filter, &distance);
	bool good;

	for (size_t i = 0; i < comparison->changes.count; i++) {
		const struct change *change = &comparison->changes.at[i];

		if (is(change->a, name) || is(change->b, name))
			*vec_push(&centres) = change;
	}
	for (size_t i = 0; i < comparison->changes.count; i++) {
		struct change *change = &comparison->changes.at[i];
		bool near = false;

		for (size_t j = 0; j < centres.count && !near; j++)
			near = is_near(change->a, centres.at[j]->a, distance) ||
			       is_near(change->b, centres.at[j]->b, distance);
		change->shown = change->shown && near;
	}
	good = centres.count > 0 || report_unknown(comparison, name, diag);
	vec_release(&centres);
	free(name);
	return good;
}

bool filter_apply(const struct filter *filter, struct comparison *comparison, struct diag *diag)
{
	bool section = filter->section == NULL, symbol = filter->symbol == NULL;

	for (size_t i = 0; i < comparison->changes.count; i++) {
		struct change *change = &comparison->changes.at[i];
		bool in_section =
			filter->section == NULL || glob_match(filter->section, change->section);
		bool has_name = filter->symbol == NULL || named(change->a, filter->symbol) ||
				named(change->b, filter->symbol);

		section |= in_section;
		symbol |= has_name;
		change->shown = in_section && has_name &&
				(filter->what == 0 || (change->what & filter->what) != 0) &&
				!(filter->unchanged_size && (change->what & CHANGE_SIZE) != 0);
	}
	if (!section)
		diag_error(diag, NULL, "\"%s\" names no section of the two files", filter->section);
	if (!symbol)
		diag_error(diag, NULL, "\"%s\" names no symbol or unit of the two files",
			   filter->symbol);
	if (!section || !symbol)
		return false;
	return filter->near == NULL || apply_near(filter, comparison, diag);
}
