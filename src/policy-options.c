/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of the command line become words of KERNING_FLAGS: the same names, values and
 * messages.
 */
#include "config.h"

#include "src/policy-options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"

enum { FIRST = 0x1000 };

static const struct argp_option argp_options[] = {
	{ "seed", FIRST, "N", 0, "What pad, jitter and shuffle choose by", 0 },
	{ "pad", FIRST + 1, "UNITS:LO..HI/STEP", 0, "A random gap before each", 0 },
	{ "jitter", FIRST + 2, "UNITS:M/STEP", 0, "Begin at a random multiple of STEP modulo M", 0 },
	{ "align", FIRST + 3, "UNITS:N", 0, "Begin at a multiple of N", 0 },
	{ "offset", FIRST + 4, "UNITS:R/M", 0, "Begin at R modulo M", 0 },
	{ "shuffle", FIRST + 5, "UNITS", 0, "Change places at random", 0 },
	{ "fix", FIRST + 6, "UNITS", 0, "Leave alone", 0 },
	{ "move", FIRST + 7, "UNITS", 0, "Move although the script does not let it", 0 },
	{ "null", FIRST + 8, NULL, 0, "Move nothing, but list all", 0 },
	{ "policy", FIRST + 9, "FILE", 0, "More of these, one a line", 0 },
	{ "kernel", FIRST + 10, NULL, 0, "What Linux needs", 0 },
	{ "reserve", FIRST + 11, "UNITS:ROOM", OPTION_ARG_OPTIONAL, "Leave room for later links", 0 },
	{ "reserve-end", FIRST + 12, "SECTIONS:ROOM", 0, "Leave room behind sections", 0 },
	{ "lock", FIRST + 13, "FILE", 0, "Hold to the layout FILE", 0 },
	{ "lock-strict", FIRST + 14, NULL, 0, "What cannot be held is an error", 0 },
	{ "lock-force", FIRST + 15, NULL, 0, "Hold to a layout of another linker or script", 0 },
	{ "apart", FIRST + 16, "UNITS", OPTION_HIDDEN, NULL, 0 },
	{ "root", FIRST + 17, "DIR", 0, "Name units by their paths from DIR", 0 },
	{ "strict", FIRST + 18, NULL, 0, "What cannot be placed is an error", 0 },
	{ "keep-notes", FIRST + 19, NULL, OPTION_HIDDEN, NULL, 0 },
	{ 0 },
};

/* Those whose value is a file, which the link will look for from another folder. */
static bool takes_file(const char *name)
{
	return strcmp(name, "policy") == 0 || strcmp(name, "lock") == 0;
}

static char *make_word(const char *name, const char *value)
{
	char *folder, *word;

	if (value == NULL)
		return xstrdup(name);
	if (!takes_file(name) || value[0] == '/' || value[0] == '\0')
		return xasprintf("%s=%s", name, value);
	folder = getcwd(NULL, 0);
	word = xasprintf("%s=%s/%s", name, folder != NULL ? folder : ".", value);
	free(folder);
	return word;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct policy_options *options = state->input;
	const size_t count = sizeof argp_options / sizeof *argp_options - 1;
	char *word;

	if (key < FIRST || key >= FIRST + (int)count)
		return ARGP_ERR_UNKNOWN;
	word = make_word(argp_options[key - FIRST].name, argument);
	*vec_push(&options->words) = word;
	policy_add(&options->policy, word, "command line", options->diag);
	return 0;
}

const struct argp policy_options_argp = { .options = argp_options, .parser = parse };

void policy_options_init(struct policy_options *options, struct diag *diag)
{
	*options = (struct policy_options){ .diag = diag };
	policy_init(&options->policy);
}

void policy_options_release(struct policy_options *options)
{
	for (size_t i = 0; i < options->words.count; i++)
		free(options->words.at[i]);
	vec_release(&options->words);
	policy_release(&options->policy);
}

const char *const *policy_options_words(struct policy_options *options)
{
	*vec_push(&options->words) = NULL;
	options->words.count--;
	return (const char *const *)options->words.at;
}

char *policy_options_flags(const struct policy_options *options)
{
	char *flags = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&flags, &size);
	bool first = true;

	if (stream == NULL)
		abort();
	for (size_t i = 0; i < options->words.count; i++)
		policy_put_word(stream, "", options->words.at[i], &first);
	if (fclose(stream) != 0)
		abort();
	return flags;
}
