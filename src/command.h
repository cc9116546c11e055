/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands of kerning.  Each parses its own words (argv[0] is
 * "kerning NAME") and returns the exit status.
 */
#ifndef KERNING_SRC_COMMAND_H
#define KERNING_SRC_COMMAND_H

#include <argp.h>

int command_explain(int argc, char **argv);
int command_units(int argc, char **argv);
int command_show(int argc, char **argv);
int command_firewall(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_flags(int argc, char **argv);
int command_lock(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_report(int argc, char **argv);
int command_capture(int argc, char **argv);
int command_link(int argc, char **argv);

/* What every help text ends with. */
#define EXIT_STATUS_HELP \
	"Exit status: 0 done; 1 the input is wrong; 2 the command line is; 3 the environment is " \
	"(a file that cannot be read, no linker)."

#endif
