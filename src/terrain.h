/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layout as walls see it: output section by output section, which units lie
 * there, how often each changes, what each is worth, and where a wall may stand.
 */
#ifndef KERNING_SRC_TERRAIN_H
#define KERNING_SRC_TERRAIN_H

#include "layout/changes.h"
#include "layout/policy.h"
#include "layout/record.h"
#include "layout/ripple.h"

struct terrain_section {
	const char *name;
	size_t first, count;		/* of the units */
	uint64_t bytes;
	double value;			/* the bytes that are to be protected */
};

struct terrain {
	VEC(const struct layout_unit *) units;	/* by output section and address */
	VEC(struct ripple_unit) ripples;	/* the same units */
	VEC(struct terrain_section) sections;
	uint64_t bytes;			/* of them all */
};

/* What the user asks for. */
struct terrain_wishes {
	VEC(const char *) sections;	/* globs of output sections; none: all */
	VEC(struct units_pattern) protect; /* none: every unit */
	const struct changes *changes;	/* NULL: every unit that is not empty is as likely as any other */
};

/*
 * LAYOUT, which must outlive TERRAIN, under POLICY, the one that it was linked with:
 * what that fixes gets no wall; neither does what has no name of its own in a rule, what
 * ld merges with others, nor what is empty.  What the plugin placed within a unit is none.
 */
void terrain_survey(struct terrain *terrain, const struct layout *layout,
		    const struct policy *policy, const struct terrain_wishes *wishes);
void terrain_release(struct terrain *terrain);

#endif
