/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hardware and software counters of a run, by perf_event_open(2), where the machine and
 * its settings let them be.
 */
#ifndef KERNING_SWEEP_COUNTERS_H
#define KERNING_SWEEP_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTERS_MAX 16

struct counter {
	const char *name;	/* as perf(1) has it: "instructions:u"; "task-clock" is in ns */
	uint32_t type;
	uint64_t config;
	bool user_only;		/* what the kernel does is not counted: the ":u" */
};

struct counters {
	struct counter list[COUNTERS_MAX];	/* those that can be had here */
	size_t count;
	char *without;		/* for the user: "no hardware counters (why)"; NULL: all are there */
};

/*
 * Tries each counter on ourselves.  The kernel's part is left out where
 * /proc/sys/kernel/perf_event_paranoid asks for that.
 */
void counters_probe(struct counters *counters);
void counters_release(struct counters *counters);

/*
 * Opens all for the processes that the calling one starts from now on, and theirs: each
 * counts from when it executes a program.  FDS[i] is -1 where that fails.
 */
void counters_open(const struct counters *counters, int fds[COUNTERS_MAX]);
/*
 * Reads and closes them.  A counter that had to share the hardware is scaled to the whole
 * time, as perf stat does; one that never counted is NaN.
 */
void counters_read(const struct counters *counters, const int fds[COUNTERS_MAX],
		   double counts[COUNTERS_MAX]);

#endif
