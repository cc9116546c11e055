/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep under way: what its parts, begin.c (what a store keeps to), once.c (one run) and
 * sweep.c (rounds and waves), have in common.
 */
#ifndef KERNING_SWEEP_INNER_H
#define KERNING_SWEEP_INNER_H

#include "sweep/progress.h"
#include "sweep/sweep.h"
#include "sweep/workshop.h"

/* What every run has, whatever else is asked for. */
enum { METRIC_WALL, METRIC_CPU, METRIC_USER, METRIC_SYS, METRIC_RSS, METRICS };

/* So many first runs that do not end by themselves are enough. */
#define SWEEP_STUCK_RUNS 3

struct sweep {
	const struct sweep_spec *spec;
	struct store *store;
	struct diag *diag;
	struct obstack arena;
	VEC(struct order) orders;	/* of the wave: what its rounds run */
	size_t session;
	size_t metrics[METRICS];	/* the store's numbers of those */
	size_t counters[COUNTERS_MAX];	/* and of the counters */
	struct process_setup setup;	/* the spec's, which a signal interrupts */
	bool ended, good;		/* a run did by itself; one did well */
	unsigned stuck;			/* runs that did not */
	const char *why;		/* of the last one that did not end well */
	struct progress progress;
	double begin;			/* progress_now() then */
};

/* 64 bits from the sweep's chance and what they are for: PURPOSE is of up to 8 letters. */
uint64_t sweep_draw(const struct sweep_spec *spec, const char *purpose, uint64_t a, uint64_t b,
		    uint64_t c);

/*
 * Has a new store say what it is begun with, and an old one that this is the same; adds the
 * session.  False, reported.
 */
bool sweep_begin(struct sweep *sweep);

/*
 * Runs the layout of that INDEX once under CONDITION, and has the store KEEP it.  False where
 * the sweep ends: by a signal, or by what was reported.
 */
bool sweep_once(struct sweep *sweep, size_t index, size_t condition, unsigned round, bool keep);

#endif
