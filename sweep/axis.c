/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/axis.h"

#include <string.h>

#include "lib/memory.h"

/* The first that fits is it. */
static const struct {
	const char *name, *begin;
	const char *rule;		/* where the policy has none */
} axes[] = {
	{ "text", ".text", "jitter=.text*:4096/16" },
	{ "rodata", ".rodata", "jitter=.rodata*:4096/16" },
	{ "percpu", ".data..percpu", "jitter=.data..percpu*:4096/16" },
	{ "data", ".data", "jitter=.data*:4096/16" },
	{ "bss", ".bss", "jitter=.bss*:4096/16" },
};

#define AXES (sizeof axes / sizeof *axes)

bool axis_is(const char *name)
{
	for (size_t i = 0; i < AXES; i++)
		if (strcmp(axes[i].name, name) == 0)
			return true;
	return false;
}

static bool is_chance(const struct rule *rule)
{
	return rule->kind == RULE_PAD || rule->kind == RULE_JITTER || rule->kind == RULE_SHUFFLE;
}

/* The axis of the sections that RULE names; NULL: of several, or of none. */
static const char *axis_of(const struct rule *rule)
{
	for (size_t i = 0; i < AXES; i++)
		if (strncmp(rule->units.section, axes[i].begin, strlen(axes[i].begin)) == 0)
			return axes[i].name;
	return NULL;
}

static bool wanted(const struct rule *rule, const void *axis)
{
	const char *own = axis_of(rule);

	return !is_chance(rule) || (own != NULL && strcmp(own, axis) == 0);
}

/* The usual rules, of one axis or of all. */
static void add_usual(struct obstack *arena, const char *axis)
{
	const char *blank = "";

	for (size_t i = 0; i < AXES; i++) {
		if (*axis == '\0' ? strcmp(axes[i].name, "percpu") == 0 :
				    strcmp(axes[i].name, axis) != 0)
			continue;
		obstack_grow(arena, blank, strlen(blank));
		obstack_grow(arena, axes[i].rule, strlen(axes[i].rule));
		blank = " ";
	}
}

const char *axis_flags(const char *axis, const struct policy *policy, struct obstack *arena,
		       struct diag *diag)
{
	size_t chances = 0;
	char *text;

	for (size_t i = 0; i < policy->rules.count; i++) {
		const struct rule *rule = &policy->rules.at[i];

		if (!is_chance(rule))
			continue;
		chances++;
		if (*axis != '\0' && axis_of(rule) == NULL) {
			diag_error_class(diag, DIAG_USAGE, &rule->span, "\"%s\": expected sections of "
					 "one axis (" AXIS_NAMES "), as .text* or .data*, for --axis "
					 "takes one at a time", rule->text);
			return NULL;
		}
	}
	text = policy_format_some(policy, *axis == '\0' ? NULL : wanted, axis);
	obstack_grow(arena, text, strlen(text));
	if (chances == 0) {
		if (*text != '\0')
			obstack_1grow(arena, ' ');
		add_usual(arena, axis);
	}
	free(text);
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}
