/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of a benchmark: started alone, in an environment that is known, and what it
 * took.
 *
 * It has a session of its own without a terminal, an empty standard input, usual signal
 * handling, no other file of ours open, and files without a name in TMPDIR for what it
 * prints: nobody who reads a pipe wakes up beside it.  (So a shell's "> /dev/stderr" begins
 * that file anew.)  Nothing that it starts outlives it, not even where we are killed.
 */
#ifndef KERNING_SWEEP_PROCESS_H
#define KERNING_SWEEP_PROCESS_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/diag.h"
#include "sweep/counters.h"

/* Of more standard output than this no run is; of standard error the last part is kept. */
#define PROCESS_OUTPUT_MAX (256u << 20)
#define PROCESS_ERRORS_MAX 4096

enum process_aslr { ASLR_AS_IT_IS, ASLR_OFF, ASLR_ON };

struct process_setup {
	cpu_set_t cpus;			/* where it may run, if pinned */
	bool pinned;
	enum process_aslr aslr;
	double timeout;			/* seconds; 0: none */
	const struct counters *counters; /* NULL: none */
	/*
	 * Set by a signal handler, it ends the run as PROCESS_INTERRUPTED, or the next one
	 * as soon as it begins.  NULL: nothing does.
	 */
	const volatile sig_atomic_t *interrupt;
};

enum process_end { PROCESS_DONE, PROCESS_FAILED, PROCESS_TIMED_OUT, PROCESS_INTERRUPTED };

struct process_result {
	enum process_end end;		/* DONE: exit status 0 */
	int status, signal;		/* exit status; or the signal that ended it, else 0 */
	char *why;			/* where not DONE: "exit status 3", "Segmentation fault" */
	double wall, user, sys;		/* seconds; with what it started that ended before it */
	/*
	 * Bytes, of the largest process.  A new process is a copy of ours first, and counts
	 * as that: 0 where it was not larger, so that nothing is known.
	 */
	uint64_t max_rss;
	char *output;			/* standard output, SIZE bytes and a NUL */
	size_t size;
	char *errors;			/* the last part of standard error, whole lines, a NUL */
	double counts[COUNTERS_MAX];	/* by counter; NaN: not counted */
};

/*
 * Runs ARGV, found in PATH, with the variables VARIABLES ("NAME=VALUE", NULL-terminated;
 * NULL: none) added to the environment or in place of what it has.  A program that cannot
 * be executed is a run that FAILED, with the exit status that a shell gives: 127 not
 * found, 126 otherwise.  False, reported, where no process can be started or set up as SETUP wants
 * it.  Either way RESULT is to be released.
 *
 * What it has left running when it ends, its time is out or it is interrupted gets SIGTERM,
 * and SIGKILL a second later.
 */
bool process_run(char *const *argv, const char *const *variables,
		 const struct process_setup *setup, struct process_result *result,
		 struct diag *diag);
void process_result_release(struct process_result *result);

#endif
