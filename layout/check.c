/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rule that did nothing is a mistake that a benchmark would not show: say so,
 * and what may have been meant.
 */
#include "config.h"

#include "layout/check.h"

#include <inttypes.h>
#include <string.h>

#include "layout/nearest.h"
#include "lib/memory.h"

/* The last component of a path, and of a member's name: "lvm.o" of "lib/liblua5.4.a(lvm.o)". */
static char *short_file(const char *file)
{
	const char *name = file;
	size_t length;

	for (const char *p = file; *p != '\0'; p++) {
		if ((*p == '/' || *p == '(') && p[1] != '\0')
			name = p + 1;
	}
	length = strlen(name);
	if (name > file && length > 0 && name[length - 1] == ')')
		length--;
	return xasprintf("%.*s", (int)length, name);
}

/*
 * Names near those of a rule that names no unit.  Where its FILE names some
 * files, it is the SECTION that is wrong: sections of these files.  Else it is
 * the FILE: files, of those that have such a section where any has.
 */
static char *near_misses(const struct units_pattern *pattern, const struct unit *units,
			 size_t count)
{
	VEC(char *) names = VEC_INIT;
	struct nearest nearest;
	size_t files = 0, sections = 0;
	char *text;

	for (size_t i = 0; i < count; i++) {
		files += units_match_file(pattern, &units[i].identity);
		sections += units_match_section(pattern, &units[i].identity);
	}
	nearest_init(&nearest, files > 0 ? pattern->section : pattern->file);
	for (size_t i = 0; i < count; i++) {
		const struct identity *identity = &units[i].identity;

		if (files > 0) {
			if (units_match_file(pattern, identity))
				nearest_offer(&nearest, identity->section);
		} else if (sections == 0 || units_match_section(pattern, identity)) {
			char *name = short_file(identity->file);

			*vec_push(&names) = name;
			nearest_offer(&nearest, identity->file);
			nearest_offer(&nearest, name);
		}
	}
	text = nearest_format(&nearest);
	for (size_t i = 0; i < names.count; i++)
		free(names.at[i]);
	vec_release(&names);
	return text;
}

/* A FILE alone was read as a SECTION: say how it is written, if that is what it names. */
static char *file_hint(const struct units_pattern *pattern, const struct unit *units, size_t count)
{
	const struct units_pattern file = { .file = pattern->text, .section = (char[]){ "*" } };

	for (size_t i = 0; i < count; i++) {
		if (units_match(&file, &units[i].identity))
			return xasprintf("\"%s(*)\"", pattern->text);
	}
	return NULL;
}

static bool unmatched(const struct rule *rule, const struct unit *units, size_t count,
		      struct diag *diag)
{
	char *near;
	const char *hint;

	if (rule->preset)
		return true;
	near = file_hint(&rule->units, units, count);
	if (near == NULL)
		near = near_misses(&rule->units, units, count);
	hint = near[0] != '\0' ? "; near it: " : "";
	if (rule->kind == RULE_FIX || rule->kind == RULE_MOVE)
		diag_warning(diag, "unmatched-rule", &rule->span,
			     "\"%s\": \"%s\" names none of the %zu units%s%s", rule->text,
			     rule->units.text, count, hint, near);
	else
		diag_error_class(diag, DIAG_USAGE, &rule->span,
				 "\"%s\": \"%s\" names none of the %zu units%s%s", rule->text,
				 rule->units.text, count, hint, near);
	free(near);
	return rule->kind == RULE_FIX || rule->kind == RULE_MOVE;
}

static void unmovable(const struct rule *rule, const struct tally *tally, struct diag *diag)
{
	if (rule->preset || rule->kind == RULE_FIX || rule->kind == RULE_MOVE)
		return;
	diag_warning(diag, "unmovable", &rule->span,
		     "\"%s\": none of the %zu units that it names may move (see kerning explain)",
		     rule->text, tally->named);
}

static void contradicts(const struct rule *rule, const struct tally *tally,
			const struct unit *units, struct diag *diag)
{
	const struct unit *unit = &units[tally->contradicted];
	char *name = identity_string(&unit->identity);
	char *more = tally->contradictions > 1
			     ? xasprintf(" and of %zu more", tally->contradictions - 1)
			     : xstrdup("");

	diag_error_class(diag, DIAG_USAGE, &rule->span,
			 "\"%s\": expected a residue that is a multiple of the alignment %" PRIu64
			 " of \"%s\"%s, got %" PRIu64, rule->text, unit->align, name, more,
			 rule->value.residue);
	free(more);
	free(name);
}

bool check_rules(const struct policy *policy, const struct tally *tallies,
		 const struct unit *units, size_t count, struct diag *diag)
{
	bool good = true;

	for (size_t i = 0; i < policy->rules.count; i++) {
		const struct rule *rule = &policy->rules.at[i];
		const struct tally *tally = &tallies[i];

		if (!rule_kind_places(rule->kind))
			continue;
		if (tally->named == 0) {
			good = unmatched(rule, units, count, diag) && good;
		} else if (tally->movable == 0) {
			unmovable(rule, tally, diag);
		} else if (tally->contradictions > 0) {
			contradicts(rule, tally, units, diag);
			good = false;
		}
	}
	return good;
}
