/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is to be said about a policy's rules once they have met the units.
 */
#ifndef KERNING_LAYOUT_CHECK_H
#define KERNING_LAYOUT_CHECK_H

#include "layout/policy.h"
#include "layout/unit.h"

/* What one rule did. */
struct tally {
	size_t named, movable;		/* units that it names; those of them that may move */
	size_t contradictions;		/* units whose own alignment it contradicts */
	size_t contradicted;		/* the first of these: index */
};

/* TALLIES[i] is of policy->rules.at[i].  False where there was an error (all are usage errors). */
bool check_rules(const struct policy *policy, const struct tally *tallies,
		 const struct unit *units, size_t count, struct diag *diag);

#endif
