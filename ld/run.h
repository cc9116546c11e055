/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the real ld.
 */
#ifndef KERNING_LD_RUN_H
#define KERNING_LD_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/diag.h"
#include "lib/source.h"

/*
 * The linker to run: KERNING_LD of the environment, else the one found at
 * configure time.  NULL, reported (environment), where there is none or it is
 * this program itself.  The caller frees it.
 */
char *real_ld(struct diag *diag);

/*
 * What ARGV prints on its standard output, and its standard error is dropped.
 * NULL, reported, where it cannot be run or fails.
 */
struct source *run_capture(char *const *argv, struct diag *diag);

/* Called with each line of what ld says, without its newline; writes it to STREAM as it sees fit. */
typedef void run_line(const char *line, FILE *stream, void *data);

/* Called with what a process has written, as it comes. */
typedef void run_take(const char *bytes, size_t size, void *data);

/* Who hears what a process says. */
struct run_listener {
	run_line *line;		/* each line of its standard output and error */
	int file;		/* a file that it writes, open for reading; -1: none */
	run_take *take;		/* what it has written there, read while it writes on */
	void *data;		/* for both */
};

/*
 * Runs ARGV with this process's standard input; each line of its standard
 * output goes to LISTENER with stdout, of its standard error with stderr.
 * Returns its exit status; 128 + N where signal N ended it, reported unless it
 * came through run_signal(); -1, reported, where it could not be started.
 */
int run_filtered(char *const *argv, const struct run_listener *listener, struct diag *diag);

/*
 * Runs PROGRAM, whose words are ARGV, with all that this process has: input, outputs,
 * environment.  Returns as run_filtered() does.
 */
int run_as_is(const char *program, char *const *argv, struct diag *diag);

/* Sends SIGNAL to the process that run_filtered() or run_as_is() waits for, if any.  For signal handlers. */
void run_signal(int signal);

#endif
