/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a rule: NAME=UNITS[:VALUE].  The ':' is the last one outside of
 * parentheses, for UNITS may hold others (archive:member).
 */
#include "config.h"

#include "layout/rule.h"

#include <stdlib.h>
#include <string.h>

#include "layout/number.h"
#include "lib/memory.h"

/* The part of an option that is still to be read. */
struct reader {
	const struct policy_option *option;
	const char *at, *end;
	const char *form;
	struct diag *diag;
};

static const struct {
	const char *name, *form;
	bool has_value;
} kinds[RULE_KINDS] = {
	[RULE_ALIGN] = { "align", "align=UNITS:N", true },
	[RULE_OFFSET] = { "offset", "offset=UNITS:R/M", true },
	[RULE_PAD] = { "pad", "pad=UNITS:LO..HI/STEP", true },
	[RULE_JITTER] = { "jitter", "jitter=UNITS:M/STEP", true },
	[RULE_SHUFFLE] = { "shuffle", "shuffle=UNITS", false },
	[RULE_FIX] = { "fix", "fix=UNITS", false },
	[RULE_MOVE] = { "move", "move=UNITS", false },
};

const char *rule_kind_name(enum rule_kind kind)
{
	return kinds[kind].name;
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

/* --- Values ------------------------------------------------------------- */

/* The number from here to SEPARATOR (or the end, where it is ""), both passed. */
static bool take_number(struct reader *r, const char *separator, uint64_t *value)
{
	const char *begin = r->at;
	const char *end = *separator != '\0' ? memmem(begin, (size_t)(r->end - begin), separator,
						       strlen(separator))
					     : r->end;

	if (end == NULL) {
		option_error(r->option, r->end, NULL, r->diag, "expected '%s' after \"%.*s\" (%s)",
			     separator, (int)(r->end - begin), begin, r->form);
		return false;
	}
	if (!parse_number(begin, end, value)) {
		option_error(r->option, begin, end, r->diag,
			     "expected a number (64, 0x40, 16K), got \"%.*s\"", (int)(end - begin),
			     begin);
		return false;
	}
	if (*value > RULE_NUMBER_MAX) {
		option_error(r->option, begin, end, r->diag,
			     "expected a number up to 0x%llx, got \"%.*s\"",
			     (unsigned long long)RULE_NUMBER_MAX, (int)(end - begin), begin);
		return false;
	}
	r->at = end + strlen(separator);
	return true;
}

/* Reports that the number read last, which began at BEGIN, is not what was EXPECTED. */
static bool unexpected(const struct reader *r, const char *begin, const char *expected)
{
	const char *end = begin + strcspn(begin, "./");

	option_error(r->option, begin, end, r->diag, "expected %s, got \"%.*s\"", expected,
		     (int)(end - begin), begin);
	return false;
}

static bool take_power_of_two(struct reader *r, const char *separator, const char *what,
			      uint64_t *value)
{
	const char *begin = r->at;
	char expected[80];

	if (!take_number(r, separator, value))
		return false;
	snprintf(expected, sizeof expected, "%s that is a power of two", what);
	return is_power_of_two(*value) || unexpected(r, begin, expected);
}

static bool parse_offset(struct reader *r, struct rule *rule)
{
	const char *begin = r->at;

	return take_number(r, "/", &rule->residue) &&
	       take_power_of_two(r, "", "a modulus", &rule->modulus) &&
	       (rule->residue < rule->modulus ||
		unexpected(r, begin, "a residue below the modulus"));
}

static bool parse_pad(struct reader *r, struct rule *rule)
{
	const char *high, *step;

	if (!take_number(r, "..", &rule->low))
		return false;
	high = r->at;
	if (!take_number(r, "/", &rule->high))
		return false;
	step = r->at;
	if (!take_number(r, "", &rule->step))
		return false;
	if (rule->high < rule->low)
		return unexpected(r, high, "a HI that is not below LO");
	return rule->step > 0 || unexpected(r, step, "a step of at least 1");
}

static bool parse_jitter(struct reader *r, struct rule *rule)
{
	const char *step;

	if (!take_power_of_two(r, "/", "a modulus", &rule->modulus))
		return false;
	step = r->at;
	if (!take_number(r, "", &rule->step))
		return false;
	if (rule->step == 0)
		return unexpected(r, step, "a step of at least 1");
	return rule->step < rule->modulus || unexpected(r, step, "a step below the modulus");
}

static bool parse_value(struct reader *r, struct rule *rule)
{
	switch (rule->kind) {
	case RULE_ALIGN:
		return take_power_of_two(r, "", "an alignment", &rule->align);
	case RULE_OFFSET:
		return parse_offset(r, rule);
	case RULE_PAD:
		return parse_pad(r, rule);
	case RULE_JITTER:
		return parse_jitter(r, rule);
	default:
		return true;
	}
}

/* --- The whole ---------------------------------------------------------- */

static const char *last_colon(const char *begin, const char *end)
{
	const char *colon = NULL;
	int depth = 0;

	for (const char *p = begin; p < end; p++) {
		depth += (*p == '(') - (*p == ')');
		if (*p == ':' && depth == 0)
			colon = p;
	}
	return colon;
}

bool rule_parse(struct rule *rule, enum rule_kind kind, const struct policy_option *option,
		struct diag *diag)
{
	const char *end = option->text + strlen(option->text);
	const char *units = option->text + strcspn(option->text, "="), *units_end = end;
	struct reader r = { option, end, end, kinds[kind].form, diag };

	*rule = (struct rule){ .kind = kind, .origin = option->origin, .span = option->span };
	if (units == end) {
		option_error(option, option->text, NULL, diag, "expected '=' and UNITS (%s)",
			     r.form);
		return false;
	}
	units++;
	if (kinds[kind].has_value) {
		const char *colon = last_colon(units, end);

		if (colon != NULL) {
			units_end = colon;
			r.at = colon + 1;
		}
	}
	if (!units_pattern_parse(&rule->units, option, units, units_end, diag))
		return false;
	if (kinds[kind].has_value && units_end == end) {
		option_error(option, end, NULL, diag, "expected ':' and a value after UNITS (%s)",
			     r.form);
		goto fail;
	}
	if (!parse_value(&r, rule))
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
