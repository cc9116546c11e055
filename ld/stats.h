/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a link's time went.
 */
#ifndef KERNING_LD_STATS_H
#define KERNING_LD_STATS_H

#include <stdio.h>
#include <time.h>

#define STATS_PHASES 16

struct stats {
	struct {
		const char *name;	/* static */
		double wall, processor;	/* seconds; of processor time the driver's own */
	} phases[STATS_PHASES];
	unsigned count;
	struct timespec wall, processor; /* of the last call */
};

/* Starts the clock. */
void stats_begin(struct stats *stats);
/* The time since the last call went into the phase NAME, which may come again. */
void stats_phase(struct stats *stats, const char *name);
/* Writes a line a phase: its milliseconds of both kinds, and its name. */
void stats_write(const struct stats *stats, FILE *stream);

#endif
