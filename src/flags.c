/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning flags: how to tell a build to link with kerning-ld.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "layout/policy.h"
#include "src/command.h"
#include "src/libexec.h"

struct flags {
	struct policy policy;
	VEC(const char *) options;
	bool kernel;
	struct diag diag;
};

static const struct argp_option options[] = {
	{ "kernel", 'k', NULL, 0, "Print the variables of make for a Linux kernel instead", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct flags *flags = state->input;

	switch (key) {
	case 'k':
		flags->kernel = true;
		return 0;
	case ARGP_KEY_ARG:
		*vec_push(&flags->options) = argument;
		policy_add(&flags->policy, argument, "command line", &flags->diag);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[OPTION...]",
	.doc = "Prints the flags that make gcc or clang link with kerning-ld; with OPTIONs, which "
	       "are checked, those that hand them to it.\v"
	       "OPTIONs:\n"
	       "  seed=N                  what pad, jitter and shuffle choose by\n"
	       "  align=UNITS:N           begin at a multiple of N\n"
	       "  offset=UNITS:R/M        begin at R modulo M\n"
	       "  jitter=UNITS:M/STEP     begin at a random multiple of STEP modulo M\n"
	       "  pad=UNITS:LO..HI/STEP   a random gap before each\n"
	       "  shuffle=UNITS           change places at random\n"
	       "  fix=UNITS, move=UNITS   leave alone; move although the script does not let it\n"
	       "  null                    move nothing, but list every unit in the layout file\n"
	       "  output=GLOB             place these outputs only\n"
	       "  kernel                  place Linux: vmlinux and its passes, not vdso and boot stub\n"
	       "  layout=FILE, keep=DIR   where the layout file, and what ld was given, are put\n"
	       "  policy=FILE             more options, one a line\n"
	       "UNITS is FILE(SECTION) with globs as in a linker script, or a SECTION alone; see "
	       "kerning-ld(1).\n"
	       "\n"
	       "Examples:\n"
	       "  gcc $(kerning flags seed=7 'pad=.text*:0..4080/16') -o prog *.o\n"
	       "  kerning flags --kernel seed=7 'align=.data*:4K'   (words to put behind make)\n"
	       "\n" EXIT_STATUS_HELP,
};

static void print_kernel(const struct flags *flags)
{
	fputs("LD=kerning-ld KERNING_FLAGS=\"kernel", stdout);
	for (size_t i = 0; i < flags->options.count; i++)
		printf(" %s", flags->options.at[i]);
	puts("\"");
}

/* -Xlinker and not -Wl, for which a ',' parts words. */
static void print_compiler(struct flags *flags)
{
	char *folder = libexec_folder(&flags->diag);

	if (folder == NULL)
		return;
	printf("-B%s", folder);
	for (size_t i = 0; i < flags->options.count; i++)
		printf(" -Xlinker --kerning-%s", flags->options.at[i]);
	putchar('\n');
	free(folder);
}

int command_flags(int argc, char **argv)
{
	struct flags flags = { 0 };

	diag_init(&flags.diag, argv[0], stderr);
	policy_init(&flags.policy);
	argp_parse(&argp, argc, argv, 0, NULL, &flags);
	if (flags.diag.errors == 0) {
		if (flags.kernel)
			print_kernel(&flags);
		else
			print_compiler(&flags);
	}
	vec_release(&flags.options);
	policy_release(&flags.policy);
	return (int)flags.diag.status;
}
