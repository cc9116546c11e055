/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far long work has come: on a terminal a bar with the time that is left, which
 * changes in place; elsewhere a plain line now and then.
 */
#ifndef KERNING_SWEEP_PROGRESS_H
#define KERNING_SWEEP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct progress {
	FILE *stream;		/* NULL: quiet */
	bool terminal;
	const char *what;	/* "runs" */
	size_t done, all;
	double begin, shown;	/* seconds, monotonic */
	size_t begun;		/* what was done before this process */
	double limit;		/* seconds from begin, when it ends in any case; 0: none */
};

/* ALL things are to be done, of which DONE are. */
void progress_begin(struct progress *progress, FILE *stream, const char *what, size_t done,
		    size_t all);
/* One more is. */
void progress_step(struct progress *progress);
/* The last line: how many there were, in which time. */
void progress_end(struct progress *progress);

/* Seconds since some moment, never set back. */
double progress_now(void);
/* "41 s", "3 min 20 s", "2 h 5 min": SECONDS for people, in BUFFER. */
const char *progress_time(double seconds, char *buffer, size_t size);

#endif
