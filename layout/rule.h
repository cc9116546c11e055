/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rule of the policy: what to do with the units that a pattern names.
 *
 *	align=UNITS:N			offset=UNITS:R/M	jitter=UNITS:M/STEP
 *	pad=UNITS:LO..HI/STEP		shuffle=UNITS		fix=UNITS	move=UNITS
 *	reserve=UNITS:ROOM		reserve-end=SECTIONS:ROOM	apart=UNITS
 *
 * ROOM is a number of bytes or a share of the size, "2%".  SECTIONS are output
 * sections, written as a unit's section is.
 */
#ifndef KERNING_LAYOUT_RULE_H
#define KERNING_LAYOUT_RULE_H

#include "layout/option.h"
#include "layout/pattern.h"
#include "layout/value.h"

enum rule_kind {
	RULE_ALIGN, RULE_OFFSET, RULE_PAD, RULE_JITTER, RULE_SHUFFLE, RULE_FIX, RULE_MOVE,
	RULE_RESERVE, RULE_RESERVE_END, RULE_APART,
};
#define RULE_KINDS 10

struct rule {
	enum rule_kind kind;
	struct units_pattern units;
	char *text;		/* the whole rule as written: "pad=.data*:0..64/16" */
	const char *origin;	/* "command line", "KERNING_FLAGS", or FILE:LINE; owned by the policy */
	struct span span;	/* where it is written; of a preset's rule: nowhere */
	bool preset;		/* made by a preset ("kernel"), not written by the user */
	struct value value;
};

/* The kind that OPTION's name (what is before '=') says, or -1. */
int rule_kind_of(const char *option);
const char *rule_kind_name(enum rule_kind kind);
/* True if rules of that kind say where units go: not of output sections, or a partial link. */
bool rule_kind_places(enum rule_kind kind);

/*
 * Reads OPTION, whose kind is KIND; its origin is kept, not copied.  False,
 * reported as a usage error, where the rest is not of that kind's form.
 */
bool rule_parse(struct rule *rule, enum rule_kind kind, const struct policy_option *option,
		struct diag *diag);
void rule_release(struct rule *rule);

#endif
