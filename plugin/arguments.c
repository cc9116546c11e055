/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the plugin's arguments to a policy.
 */
#include "config.h"

#include "plugin/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "layout/policy.h"
#include "lib/memory.h"

struct policy *arguments_policy(void)
{
	struct policy *policy = xmalloc(sizeof *policy);

	policy_init(policy);
	return policy;
}

/* Gives each line that says what is wrong to REPORT, without what shows where: an argument is one line. */
static void report_text(char *text, arguments_report *report)
{
	static const char mark[] = "error: ";

	for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		const char *message = strstr(line, mark);

		if (message == NULL)
			continue;
		/* A policy file's line is worth saying. */
		if (strncmp(line, "command line:", 13) == 0)
			report(message + strlen(mark));
		else
			report(line);
	}
}

bool arguments_add(struct policy *policy, const char *key, const char *value,
		   arguments_report *report)
{
	char *option = value != NULL ? xasprintf("%s=%s", key, value) : xstrdup(key);
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	struct diag diag;
	bool ok;

	diag_init(&diag, "kerning", stream);
	ok = policy_add(policy, option, "command line", &diag);
	fclose(stream);
	if (!ok)
		report_text(text, report);
	free(text);
	free(option);
	return ok;
}

static unsigned kinds_asked(const struct policy *policy)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < policy->directives.count; i++)
		kinds |= 1u << policy->directives.at[i].kind;
	return kinds;
}

bool arguments_ask(const struct policy *policy)
{
	return policy->directives.count > 0;
}

bool arguments_ask_functions(const struct policy *policy)
{
	return (kinds_asked(policy) & (1u << DIRECTIVE_ALIGN_FUNCTION | 1u << DIRECTIVE_OFFSET_FUNCTION |
				       1u << DIRECTIVE_PAD_FUNCTION | 1u << DIRECTIVE_ENTRY_PAD |
				       1u << DIRECTIVE_ALIGN_LOOP | 1u << DIRECTIVE_PAD_LOOP |
				       1u << DIRECTIVE_SPLIT)) != 0;
}

bool arguments_ask_variables(const struct policy *policy)
{
	return (kinds_asked(policy) & (1u << DIRECTIVE_ALIGN_VARIABLE | 1u << DIRECTIVE_OFFSET_VARIABLE |
				       1u << DIRECTIVE_PAD_VARIABLE | 1u << DIRECTIVE_SPLIT)) != 0;
}

bool arguments_ask_types(const struct policy *policy)
{
	return (kinds_asked(policy) & (1u << DIRECTIVE_ALIGN_TYPE | 1u << DIRECTIVE_PAD_TYPE |
				       1u << DIRECTIVE_OFFSET_FIELD)) != 0;
}

const char *arguments_root(const struct policy *policy)
{
	return policy->root;
}

/* The question that a directive answers: those of one kind have the last word of each other. */
static int question(enum directive_kind kind)
{
	switch (kind) {
	case DIRECTIVE_OFFSET_FUNCTION:
		return DIRECTIVE_ALIGN_FUNCTION;
	case DIRECTIVE_OFFSET_VARIABLE:
		return DIRECTIVE_ALIGN_VARIABLE;
	default:
		return kind;
	}
}

static bool same_text(const char *a, const char *b)
{
	return (a == NULL && b == NULL) || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

void arguments_check(const struct policy *policy, arguments_report *report)
{
	for (size_t i = 0; i < policy->directives.count; i++) {
		const struct directive *later = &policy->directives.at[i];

		for (size_t j = 0; j < i; j++) {
			const struct directive *earlier = &policy->directives.at[j];
			char *message;

			if (question(earlier->kind) != question(later->kind) ||
			    strcmp(earlier->name, later->name) != 0 ||
			    !same_text(earlier->file, later->file) ||
			    !same_text(earlier->field, later->field) ||
			    strcmp(earlier->text, later->text) == 0)
				continue;
			message = xasprintf("\"%s\" takes the place of \"%s\"", later->text,
					    earlier->text);
			report(message);
			free(message);
		}
	}
}

void arguments_each_directive(const struct policy *policy, arguments_each *each, void *data)
{
	for (size_t i = 0; i < policy->directives.count; i++)
		each(policy->directives.at[i].text, policy->directives.at[i].matched, data);
}
