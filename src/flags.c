/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning flags: how to tell a build to link with kerning-ld, and to compile with
 * the plugin.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "layout/policy.h"
#include "src/command.h"
#include "ld/libexec.h"

struct flags {
	struct policy policy;
	VEC(const char *) options;
	bool kernel, plugin;
	struct diag diag;
};

static const struct argp_option options[] = {
	{ "kernel", 'k', NULL, 0, "Print the variables of make for a Linux kernel instead", 0 },
	{ "plugin", 'p', NULL, 0, "Print the flags that make gcc compile with the plugin instead", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct flags *flags = state->input;

	switch (key) {
	case 'k':
		flags->kernel = true;
		return 0;
	case 'p':
		flags->plugin = true;
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
	       "OPTIONs for the linker:\n"
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
	       "OPTIONs for the compiler (--plugin), which has seed, root and policy too:\n"
	       "  align-function=NAMES:N, offset-function=NAMES:R/M, pad-function=NAMES:LO..HI/STEP\n"
	       "  align-variable=NAMES:N, offset-variable=NAMES:R/M, pad-variable=NAMES:LO..HI/STEP\n"
	       "                          where it begins; room before a function, behind a variable\n"
	       "  entry-pad=NAMES:LO..HI/STEP  NOPs behind the function's entry\n"
	       "  align-loop=NAMES:N, pad-loop=NAMES:LO..HI/STEP  the heads of its loops\n"
	       "  split=NAMES             a section of its own, for the linker to place\n"
	       "  pad-type=TYPE:+N, align-type=TYPE:N, offset-field=TYPE.FIELD:R/M\n"
	       "                          a struct's size, alignment, and where a field begins\n"
	       "UNITS is FILE(SECTION) with globs as in a linker script, or a SECTION alone; see "
	       "kerning-ld(1). NAMES is a glob of assembler names; FILE:NAMES narrows it to sources.\n"
	       "\n"
	       "Examples:\n"
	       "  gcc $(kerning flags seed=7 'pad=.text*:0..4080/16') -o prog *.o\n"
	       "  kerning flags --kernel seed=7 'align=.data*:4K'   (words to put behind make)\n"
	       "  make KCFLAGS=\"$(kerning flags --plugin seed=7 'pad-function=*:0..112/16')\"\n"
	       "\n" EXIT_STATUS_HELP,
};

static bool is_directive(const char *option)
{
	return directive_kind_of(option) >= 0;
}

/* What both have: chance, names, and a file of both's words. */
static bool is_for_both(const char *option)
{
	return strncmp(option, "seed=", 5) == 0 || strncmp(option, "root=", 5) == 0 ||
	       strncmp(option, "policy=", 7) == 0;
}

static void print_plugin(struct flags *flags, const char *before)
{
	char *file = plugin_file(&flags->diag);

	if (file == NULL)
		return;
	printf("%s-fplugin=%s", before, file);
	for (size_t i = 0; i < flags->options.count; i++)
		if (is_directive(flags->options.at[i]) || is_for_both(flags->options.at[i]))
			printf(" -fplugin-arg-kerning-%s", flags->options.at[i]);
	free(file);
}

static void print_kernel(struct flags *flags)
{
	bool plugin = flags->plugin;

	fputs("LD=kerning-ld KERNING_FLAGS=\"kernel", stdout);
	for (size_t i = 0; i < flags->options.count; i++) {
		if (is_directive(flags->options.at[i]))
			plugin = true;
		else
			printf(" %s", flags->options.at[i]);
	}
	putchar('"');
	if (plugin) {
		print_plugin(flags, " KCFLAGS=\"");
		putchar('"');
	}
	putchar('\n');
}

/* -Xlinker and not -Wl, for which a ',' parts words. */
static void print_linker(struct flags *flags)
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

/* A word that the program which is to get it would pass over, or not get whole. */
static void check_options(struct flags *flags)
{
	for (size_t i = 0; i < flags->options.count; i++) {
		const char *option = flags->options.at[i];

		if (strpbrk(option, " \t\n") != NULL)
			diag_error_class(&flags->diag, DIAG_USAGE, NULL,
					 "\"%s\": the shell would part it at its blanks: write it to a file, "
					 "and hand on policy=FILE", option);
		if (!flags->kernel && !is_for_both(option) && is_directive(option) != flags->plugin)
			diag_error_class(&flags->diag, DIAG_USAGE, NULL, flags->plugin ?
					 "\"%s\" is for the linker: leave out --plugin" :
					 "\"%s\" is for the compiler: add --plugin", option);
	}
}

int command_flags(int argc, char **argv)
{
	struct flags flags = { 0 };

	diag_init(&flags.diag, argv[0], stderr);
	policy_init(&flags.policy);
	argp_parse(&argp, argc, argv, 0, NULL, &flags);
	if (flags.diag.errors == 0)
		check_options(&flags);
	if (flags.diag.errors == 0) {
		if (flags.kernel) {
			print_kernel(&flags);
		} else if (flags.plugin) {
			print_plugin(&flags, "");
			putchar('\n');
		} else {
			print_linker(&flags);
		}
	}
	vec_release(&flags.options);
	policy_release(&flags.policy);
	return (int)flags.diag.status;
}
