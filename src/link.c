/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning link: a link of a bundle made again, placed as options say.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ld/bundle.h"
#include "ld/replay.h"
#include "lib/memory.h"
#include "src/bundle-list.h"
#include "src/command.h"
#include "src/policy-options.h"

struct link_command {
	const char *bundle, *output, *layout, *cache;
	bool list, json;
	struct policy_options policy;
	struct diag diag;
};

enum { OPTION_LAYOUT = 256, OPTION_CACHE, OPTION_LIST };

static const struct argp_option options[] = {
	{ "output", 'o', "OUT", 0, "Write the output to OUT", 1 },
	{ "layout", OPTION_LAYOUT, "FILE", 0, "Write the layout to FILE (OUT.layout)", 1 },
	{ "cache", OPTION_CACHE, "DIR", 0, "Keep what makes the next link fast in DIR (.kerning beside "
	  "OUT)", 1 },
	{ "list", OPTION_LIST, NULL, 0, "List the links of the bundle instead", 1 },
	{ "json", 'j', NULL, 0, "List them as JSON", 1 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct link_command *command = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->policy;
		return 0;
	case 'o':
		command->output = argument;
		return 0;
	case OPTION_LAYOUT:
		command->layout = argument;
		return 0;
	case OPTION_CACHE:
		command->cache = argument;
		return 0;
	case OPTION_LIST:
		command->list = true;
		return 0;
	case 'j':
		command->list = command->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (command->bundle != NULL)
			argp_error(state, "expected one bundle, got \"%s\" too", argument);
		command->bundle = argument;
		return 0;
	case ARGP_KEY_END:
		if (command->bundle == NULL)
			argp_error(state, "expected a bundle, which kerning capture makes");
		if (command->output == NULL && !command->list)
			argp_error(state, "expected -o OUT");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{ &policy_options_argp, 0, "Where its units go, as kerning-ld(1) has it:", 2 },
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.children = children,
	.args_doc = "BUNDLE[:OUTPUT]",
	.doc = "Makes a link of a bundle again, on any machine that has the linker: its objects and "
	       "libraries come from the bundle.  OUTPUT says which link, where there are several: its "
	       "path, or the end of it.\v"
	       "Without an option of placing it is ld's own link, byte for byte that of the build. "
	       "KERNING_FLAGS of the environment is not looked at.\n"
	       "\n"
	       "Examples:\n"
	       "  kerning capture -o lua.bundle -- make -C lua\n"
	       "  kerning link --list lua.bundle\n"
	       "  kerning link lua.bundle:lua --seed=7 --pad='.text*:0..4080/16' -o lua-7\n"
	       "\n" EXIT_STATUS_HELP,
};

static int link_again(struct link_command *command, const struct bundle *bundle,
		      const struct bundle_link *link)
{
	const struct replay replay = {
		.bundle = bundle, .link = link, .output = command->output,
		.options = policy_options_words(&command->policy),
		.layout = command->layout, .cache = command->cache,
	};

	return replay_run(&replay, &command->diag);
}

int command_link(int argc, char **argv)
{
	struct link_command command = { 0 };
	const struct bundle_link *link;
	struct bundle bundle;
	int status = 0;

	diag_init(&command.diag, argv[0], stderr);
	policy_options_init(&command.policy, &command.diag);
	bundle_init(&bundle);
	argp_parse(&argp, argc, argv, 0, NULL, &command);
	if (command.diag.errors == 0 && command.list) {
		if (bundle_read(&bundle, command.bundle, &command.diag))
			bundle_list(&bundle, command.json);
	} else if (command.diag.errors == 0) {
		link = bundle_open(&bundle, command.bundle, &command.diag);
		if (link != NULL)
			status = link_again(&command, &bundle, link);
	}
	bundle_release(&bundle);
	policy_options_release(&command.policy);
	return status != 0 ? status : (int)command.diag.status;
}
