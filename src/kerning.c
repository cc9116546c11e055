/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning: what kerning-ld will do, and what it did.
 *
 * The tree, from here inwards: a subcommand (src/) looks at a link as the
 * driver does (ld/), which reads linker scripts (ldscripts/) and decides where
 * units go (layout/); lib/ is under them all.  This file only finds the
 * subcommand.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout/nearest.h"
#include "lib/diag.h"
#include "lib/memory.h"
#include "src/command.h"
#include "ld/libexec.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "explain", command_explain },
	{ "units", command_units },
	{ "show", command_show },
	{ "diff", command_diff },
	{ "lock", command_lock },
	{ "firewall", command_firewall },
	{ "capture", command_capture },
	{ "link", command_link },
	{ "flags", command_flags },
	{ "sweep", command_sweep },
	{ "compare", command_compare },
	{ "report", command_report },
};

enum { OPTION_LIBEXEC = 256 };

static const struct argp_option options[] = {
	{ "print-libexec", OPTION_LIBEXEC, NULL, 0,
	  "Print the folder that holds the driver as \"ld\", for gcc's -B", 0 },
	{ 0 },
};

/* The command and its words; argp stops there. */
struct invocation {
	int argc;
	char **argv;
};

static int print_libexec(void)
{
	struct diag diag;
	char *folder;

	diag_init(&diag, "kerning", stderr);
	folder = libexec_folder(&diag);
	if (folder != NULL)
		puts(folder);
	free(folder);
	return (int)diag.status;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct invocation *invocation = state->input;

	switch (key) {
	case OPTION_LIBEXEC:
		exit(print_libexec());
	case ARGP_KEY_ARG:
		(void)argument;
		invocation->argc = state->argc - state->next + 1;
		invocation->argv = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected a command, as in \"kerning sweep\": --help lists them");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "COMMAND [ARGUMENT...]",
	.doc = "Places the code and data of a link, and tells how much of a benchmark is where they lie.\n"
	       "\n"
	       "To place, and see where things are:\n"
	       "  flags [OPTION...]           the compiler flags that select the driver\n"
	       "  explain SCRIPT [OBJECT...]  what a linker script lets move, and why\n"
	       "  units FILE...               the placeable pieces of objects and archives\n"
	       "  show LAYOUT [UNITS...]      where a link put its units\n"
	       "  diff A B                    what moved between two links, and why\n"
	       "  lock REFERENCE LAYOUT       how much of a reference a locked link holds\n"
	       "  firewall LAYOUT             gaps that keep a change from moving the rest\n"
	       "\n"
	       "To measure:\n"
	       "  capture -o BUNDLE -- make   keep the links of a build\n"
	       "  link BUNDLE -o FILE         make one again, placed as you say\n"
	       "  sweep --store=DB -- BENCH   run a benchmark in many layouts\n"
	       "  compare A B                 is a change real, or is it layout\n"
	       "  report DB -o FILE           what a sweep found, as a page\n"
	       "\n"
	       "Options:\v"
	       "Examples:\n"
	       "  gcc $(kerning flags seed=7 'pad=.text*:0..4080/16') -o prog *.o\n"
	       "  kerning show --sort=size prog.layout\n"
	       "  kerning capture -o prog.bundle -- make\n"
	       "  kerning sweep --store=prog.db --bundle=prog.bundle -- sh -c '\"$KERNING_OUTPUT\" input'\n"
	       "\n"
	       "\"kerning COMMAND --help\" tells more of each.\n" EXIT_STATUS_HELP,
};

static int unknown_command(const char *name)
{
	struct nearest nearest;
	struct diag diag;
	char *near;

	diag_init(&diag, "kerning", stderr);
	nearest_init(&nearest, name);
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		nearest_offer(&nearest, commands[i].name);
	near = nearest_format(&nearest);
	diag_error_class(&diag, DIAG_USAGE, NULL, "unknown command \"%s\"%s%s", name,
			 nearest.count > 0 ? "; near it: " : "", near);
	free(near);
	return (int)diag.status;
}

/* However the program ends, --help included: what was not written was not done. */
static void close_stdout(void)
{
	bool failed = ferror(stdout) != 0;

	if (fclose(stdout) == 0 && !failed)
		return;
	perror("kerning: error: cannot write standard output");
	_exit(DIAG_ENVIRONMENT);
}

int main(int argc, char **argv)
{
	struct invocation invocation = { 0 };

	atexit(close_stdout);
	argp_program_version = PACKAGE_STRING;
	argp_err_exit_status = DIAG_USAGE;
	if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &invocation) != 0)
		return DIAG_USAGE;
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		int status;

		if (strcmp(commands[i].name, invocation.argv[0]) != 0)
			continue;
		invocation.argv[0] = xasprintf("kerning %s", commands[i].name);
		status = commands[i].run(invocation.argc, invocation.argv);
		free(invocation.argv[0]);
		return status;
	}
	return unknown_command(invocation.argv[0]);
}
