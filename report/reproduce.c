/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle's layout is a link, a build's is that build with other flags; all else, such as
 * a kernel's, is a sweep of one layout.
 */
#include "config.h"

#include "report/reproduce.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/shell.h"

/* What stands behind OPTION and a blank, if TEXT begins so; else NULL. */
static const char *behind(const char *text, const char *option)
{
	size_t length = strlen(option);

	return strncmp(text, option, length) == 0 && text[length] == ' ' ? text + length + 1 : NULL;
}

/* How many bytes the shell's word at TEXT has: up to a blank outside quotes. */
static size_t word_length(const char *text)
{
	char quote = '\0';
	size_t i;

	for (i = 0; text[i] != '\0' && (quote != '\0' || text[i] != ' '); i++) {
		if (quote != '\'' && text[i] == '\\' && text[i + 1] != '\0')
			i++;
		else if (text[i] == quote)
			quote = '\0';
		else if (quote == '\0' && (text[i] == '\'' || text[i] == '"'))
			quote = text[i];
	}
	return i;
}

/* The benchmark: what stands behind the word "--".  NULL: there is none. */
static const char *benchmark(const char *command)
{
	while (*command != '\0') {
		size_t length = word_length(command);
		bool found = length == 2 && memcmp(command, "--", 2) == 0;

		command += length;
		command += strspn(command, " ");
		if (found)
			return *command != '\0' ? command : NULL;
	}
	return NULL;
}

/* The policy's words as options: " --pad='.text*:0..4080/16'". */
static const char *policy_options(struct obstack *arena, const char *policy)
{
	const char *options = "";

	while (*(policy += strspn(policy, " ")) != '\0') {
		size_t length = strcspn(policy, " ");
		size_t name = strcspn(policy, "= ");

		options = obstack_format(arena, "%s --%.*s", options, (int)name, policy);
		if (name < length)
			options = obstack_format(
				arena, "%s=%s", options,
				shell_word(arena, obstack_strndup(arena, policy + name + 1,
								  length - name - 1)));
		policy += length;
	}
	return options;
}

/* The output's own name and the seed: "lua.7". */
static const char *output_name(struct obstack *arena, const struct swept_layout *layout)
{
	const char *slash = layout->output != NULL ? strrchr(layout->output, '/') : NULL;
	const char *name = slash != NULL ? slash + 1 : layout->output;

	if (name == NULL || name[0] == '\0')
		name = "out";
	if (layout->plain)
		return shell_word(arena, obstack_format(arena, "%s.plain", name));
	return shell_word(arena, obstack_format(arena, "%s.%" PRIu64, name, layout->seed));
}

/* What the layout has beside its seed: a build's policy has a line for each axis of the sweep. */
static const char *policy_of(struct obstack *arena, const struct record *record,
			     const struct swept_layout *layout)
{
	const char *policy = record->builds.at[layout->build].policy;
	const char *axis = record->axes != NULL ? record->axes : "";

	while (*axis != '\0') {
		size_t length = strcspn(axis, ",");

		if (strlen(layout->axis) == length && memcmp(axis, layout->axis, length) == 0)
			break;
		axis += length + (axis[length] == ',');
		policy += strcspn(policy, "\n");
		policy += *policy == '\n';
	}
	return obstack_strndup(arena, policy, strcspn(policy, "\n"));
}

static const char *flags(struct obstack *arena, const struct record *record,
			 const struct swept_layout *layout)
{
	if (layout->plain)
		return "null";
	return obstack_format(arena, "seed=%" PRIu64 " %s", layout->seed,
			      policy_of(arena, record, layout));
}

/* A sweep of this layout alone; the plain one comes with the first seed's. */
static const char *sweep_of(struct obstack *arena, const struct record *record,
			    const struct swept_layout *layout, const char *words)
{
	const char *options = policy_options(arena, policy_of(arena, record, layout));
	uint64_t seed = layout->plain ? 1 : layout->seed;

	return obstack_format(arena,
			      "kerning sweep --store again.db %s%s --seeds %" PRIu64 "..%" PRIu64
			      "%s --runs 1 -- %s",
			      record->builds.at[layout->build].source, options, seed, seed,
			      layout->plain ? "" : " --no-plain", words);
}

const char *reproduce_layout(struct obstack *arena, const struct record *record, size_t layout)
{
	const struct swept_layout *swept = &record->layouts.at[layout];
	const char *source = record->builds.at[swept->build].source;
	const char *bundle = behind(source, "--bundle"), *command = behind(source, "--build");

	if (bundle != NULL)
		return obstack_format(arena, "kerning link %s%s -o %s", bundle,
				      policy_options(arena, flags(arena, record, swept)),
				      output_name(arena, swept));
	if (command != NULL)
		return obstack_format(arena, "KERNING_FLAGS=%s sh -c %.*s",
				      shell_word(arena, flags(arena, record, swept)),
				      (int)word_length(command), command);
	return sweep_of(arena, record, swept, "true");
}

const char *reproduce_run(struct obstack *arena, const struct record *record, size_t run)
{
	size_t layout = record->runs.at[run].layout;
	const struct swept_layout *swept = &record->layouts.at[layout];
	const char *called = record->sessions.at[record->runs.at[run].session].command;
	const char *words = called != NULL ? benchmark(called) : NULL;

	if (words == NULL)
		return reproduce_layout(arena, record, layout);
	if (behind(record->builds.at[swept->build].source, "--bundle") == NULL)
		return sweep_of(arena, record, swept, words);
	return obstack_format(arena, "%s && KERNING_OUTPUT=./%s KERNING_SEED=%" PRIu64 " %s",
			      reproduce_layout(arena, record, layout), output_name(arena, swept),
			      swept->seed, words);
}

const char *reproduce_failure(struct obstack *arena, const struct record *record,
			      const struct failure *failure)
{
	return failure->made ? reproduce_run(arena, record, failure->run)
			     : reproduce_layout(arena, record, failure->layout);
}
