/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process between us and a run: it starts the program, waits for it, and ends what the
 * program leaves.
 *
 * Being a process of its own it can adopt whatever the program abandons, and nothing of
 * what we may have started beside; and when we are killed it is told, and ends the run.
 * What it finds it writes into memory that we share.
 */
#ifndef KERNING_SWEEP_GUARD_H
#define KERNING_SWEEP_GUARD_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <time.h>

#include "sweep/process.h"

/* What has failed, with an errno, before the program could be executed. */
enum guard_step {
	GUARD_STARTED,		/* nothing has */
	GUARD_FORK,
	GUARD_AFFINITY,
	GUARD_ASLR,
	GUARD_SETUP,		/* signals, files */
	GUARD_EXEC,
};

/* All of it in memory that is shared, what it points to too. */
struct guard {
	size_t mapped;			/* bytes */

	/* What is asked for. */
	char **argv, **environment;
	struct process_setup setup;
	struct counters counters;	/* where setup has some */
	int output, errors;		/* files */

	/* What was found. */
	enum guard_step step;
	int error;
	bool timed_out, interrupted, too_large;
	bool ended;			/* with STATUS, as wait(2) has it */
	int status;
	struct timespec begin, end;	/* monotonic */
	pid_t leader;			/* the program */
	struct rusage before;		/* of the new process when it becomes the program */
	struct rusage usage;		/* in all */
	double counts[COUNTERS_MAX];
};

/* A copy of what is asked for, without files.  NULL with errno: no memory can be shared. */
struct guard *guard_new(char *const *argv, char *const *environment,
			const struct process_setup *setup);
void guard_free(struct guard *guard);

/*
 * What the new process does, a child of PARENT with all signals blocked.  SIGTERM
 * interrupts the run.  It uses nothing of the heap.
 */
_Noreturn void guard_main(struct guard *guard, pid_t parent);

#endif
