/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict on a locked link: a line of figures, and a few for what was not held.
 */
#include "config.h"
#include "ld/verdict.h"

#include <inttypes.h>
#include <stdlib.h>

#include "layout/holding.h"
#include "lib/memory.h"

/* Of each kind of thing that moved, no more are named. */
#define NAMED_MAX 8

static void tell(bool strict, struct diag *diag, const char *text)
{
	if (strict)
		diag_error(diag, NULL, "%s", text);
	else
		diag_note(diag, NULL, "%s", text);
}

static void tell_marks(const struct holding *holding, struct diag *diag)
{
	for (size_t i = 0; i < holding->marks.count && i < NAMED_MAX; i++) {
		const struct held_mark *mark = &holding->marks.at[i];
		bool section = mark->before->kind == MARK_SECTION;
		char *by = holding_shift(mark->before->address, mark->after->address);

		diag_note(diag, NULL, "%s '%s' moved by %s bytes, to 0x%" PRIx64,
			  section ? "output section" : "the script's symbol",
			  section ? mark->before->section : mark->before->name, by,
			  mark->after->address);
		free(by);
	}
	if (holding->marks.count > NAMED_MAX)
		diag_note(diag, NULL, "so did %zu more output sections and symbols",
			  holding->marks.count - NAMED_MAX);
}

static void tell_units(const struct holding *holding, bool strict, struct diag *diag)
{
	size_t told = 0;

	for (size_t i = 0; i < holding->units.count && told < NAMED_MAX; i++) {
		const struct held_unit *unit = &holding->units.at[i];
		char *name, *by, *text;

		if (unit->fate != FATE_MOVED)
			continue;
		told++;
		name = identity_string(&unit->after->identity);
		by = holding_shift(unit->before->address, unit->after->address);
		text = xasprintf("'%s' is not held, it moved by %s bytes: %s", name, by, unit->why);
		tell(strict, diag, text);
		free(text);
		free(by);
		free(name);
	}
	if (holding->counts[FATE_MOVED] > told)
		diag_note(diag, NULL, "nor are %zu more units", holding->counts[FATE_MOVED] - told);
}

bool verdict_tell(const struct layout *reference, const struct layout *layout,
		  const struct policy *policy, const char *output, struct diag *diag)
{
	struct holding holding;
	size_t both;
	bool ok;

	holding_compare(&holding, reference, layout, policy->lock_modulus);
	both = holding.counts[FATE_HELD] + holding.counts[FATE_SPILLED] + holding.counts[FATE_MOVED];
	ok = !policy->lock_strict || holding.unheld == 0;
	diag_note(diag, NULL, "'%s' holds %zu of %zu units, %.2f%% of their bytes; %zu spilled, %zu "
		  "moved, %zu new, %zu gone, %zu renamed", output, holding.counts[FATE_HELD], both,
		  holding.locked_bytes == 0 ? 100.0 :
			100.0 * (double)holding.bytes[FATE_HELD] / (double)holding.locked_bytes,
		  holding.counts[FATE_SPILLED], holding.counts[FATE_MOVED],
		  holding.counts[FATE_NEW], holding.counts[FATE_GONE], holding.renamed);
	tell_marks(&holding, diag);
	tell_units(&holding, !ok, diag);
	holding_release(&holding);
	return ok;
}
