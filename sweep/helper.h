/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command of the user's beside the benchmark: it enters or leaves a condition, or checks
 * what a run printed.
 */
#ifndef KERNING_SWEEP_HELPER_H
#define KERNING_SWEEP_HELPER_H

#include <signal.h>
#include <stdbool.h>

struct helper {
	const char *command;			/* for sh */
	const char *const *variables;		/* "NAME=VALUE", NULL-terminated; NULL: none */
	int input;				/* its standard input; -1: empty */
	double timeout;				/* seconds; 0: none */
	const volatile sig_atomic_t *interrupt;	/* ends it when set; NULL: nothing does */
	bool timed_out;				/* what was found */
};

/*
 * Runs it, in a session of its own: what a terminal sends does not reach it.  What it prints
 * goes to standard error.  Its status, as wait(2) has it; -1 with errno where it cannot be
 * started.  What has to end gets SIGTERM, and SIGKILL a second later, with its whole group.
 */
int helper_run(struct helper *helper);

#endif
