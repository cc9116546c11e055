/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a rule: NAME=UNITS[:VALUE].  The ':' is the last one outside of
 * parentheses, for UNITS may hold others (archive:member).
 */
#include "config.h"

#include "layout/rule.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

static const struct {
	const char *name, *shape;
	enum value_form form;
} kinds[RULE_KINDS] = {
	[RULE_ALIGN] = { "align", "align=UNITS:N", VALUE_ALIGN },
	[RULE_OFFSET] = { "offset", "offset=UNITS:R/M", VALUE_RESIDUE },
	[RULE_PAD] = { "pad", "pad=UNITS:LO..HI/STEP", VALUE_RANGE },
	[RULE_JITTER] = { "jitter", "jitter=UNITS:M/STEP", VALUE_JITTER },
	[RULE_SHUFFLE] = { "shuffle", "shuffle=UNITS", VALUE_NONE },
	[RULE_FIX] = { "fix", "fix=UNITS", VALUE_NONE },
	[RULE_MOVE] = { "move", "move=UNITS", VALUE_NONE },
	[RULE_RESERVE] = { "reserve", "reserve=UNITS:BYTES|PERCENT", VALUE_ROOM },
	[RULE_RESERVE_END] = { "reserve-end", "reserve-end=SECTIONS:BYTES|PERCENT", VALUE_ROOM },
	[RULE_APART] = { "apart", "apart=UNITS", VALUE_NONE },
};

const char *rule_kind_name(enum rule_kind kind)
{
	return kinds[kind].name;
}

bool rule_kind_places(enum rule_kind kind)
{
	return kind != RULE_RESERVE_END && kind != RULE_APART;
}

int rule_kind_of(const char *option)
{
	size_t length = strcspn(option, "=");

	for (int i = 0; i < RULE_KINDS; i++) {
		if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, option, length) == 0)
			return i;
	}
	return -1;
}

bool rule_parse(struct rule *rule, enum rule_kind kind, const struct policy_option *option,
		struct diag *diag)
{
	const char *end = option->text + strlen(option->text);
	const char *units = option->text + strcspn(option->text, "="), *units_end = end;
	const char *value = end, *shape = kinds[kind].shape;
	bool has_value = kinds[kind].form != VALUE_NONE;

	*rule = (struct rule){ .kind = kind, .origin = option->origin, .span = option->span };
	if (units == end) {
		option_error(option, option->text, NULL, diag, "expected '=' and UNITS (%s)",
			     shape);
		return false;
	}
	units++;
	if (has_value) {
		const char *colon = value_colon(units, end);

		if (colon != NULL) {
			units_end = colon;
			value = colon + 1;
		}
	}
	if (!units_pattern_parse(&rule->units, option, units, units_end, diag))
		return false;
	if (has_value && units_end == end) {
		option_error(option, end, NULL, diag, "expected ':' and a value after UNITS (%s)",
			     shape);
		goto fail;
	}
	if (!value_parse(&rule->value, kinds[kind].form, value, end, shape, option, diag))
		goto fail;
	rule->text = xstrdup(option->text);
	return true;
fail:
	units_pattern_release(&rule->units);
	return false;
}

void rule_release(struct rule *rule)
{
	units_pattern_release(&rule->units);
	free(rule->text);
}
