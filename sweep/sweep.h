/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: one build or two, each in many layouts, each layout run several times.
 *
 *	spec -> layouts (workshop) -> runs, in rounds (process, metric) -> store
 *
 * The layouts come in waves, so that one can stop when enough is known.  In each of a
 * wave's rounds every layout of the wave, of all builds, and the plain ones, run once, in
 * an order drawn anew: what the machine does meanwhile meets all of them alike.  All that
 * is drawn comes from hash(chance, what it is for), so a sweep that was cut short goes on
 * as it would have.
 */
#ifndef KERNING_SWEEP_SWEEP_H
#define KERNING_SWEEP_SWEEP_H

#include "sweep/maker.h"
#include "sweep/metric.h"
#include "sweep/process.h"
#include "sweep/store.h"

struct sweep_side {
	const char *name;		/* of the build: "base" */
	struct maker *maker;
};

struct sweep_axis {
	const char *name;		/* "": all */
	const char *flags;		/* the driver's options: see axis.h */
};

struct sweep_spec {
	VEC(struct sweep_side) sides;
	VEC(struct sweep_axis) axes;
	VEC(struct condition) conditions;	/* the usual one, "", first */
	VEC(size_t) waves;		/* how many seeds have had their turn at the end of each; rising */
	uint64_t first_seed;
	unsigned rounds;		/* in each wave; at most SWEEP_ROUNDS_MAX */
	unsigned warmup;		/* runs of each layout that are not kept */
	bool plain;			/* with the layout that no policy touched */
	double budget;			/* seconds for it all; 0: no bound */
	uint64_t chance;		/* what order and environment are drawn by */
	char **command;			/* the benchmark */
	struct extractor *extractor;
	const char *measured;		/* what is taken of its output, as the options say it */
	VEC(const char *) judged;	/* of what every run has: wall, cpu, user, sys, max-rss, and counters */
	struct process_setup process;
	unsigned environment;		/* at most so many bytes are added to it, at random */
	const char *check;		/* a command that gets a run's output, and fails where that is wrong; NULL */
	bool same_output;		/* a build's runs must all print the same */
	const char *command_line, *folder; /* for the session */
	FILE *said;			/* where progress goes; NULL: nowhere */
	/* Asked after each wave, and told whether it was the last one: is enough known? */
	bool (*enough)(const struct record *record, size_t wave, void *data);
	void *data;
};

enum sweep_end {
	SWEEP_DONE,			/* all that was asked for */
	SWEEP_ENOUGH,			/* before that, enough() said so */
	SWEEP_OUT_OF_TIME,
	SWEEP_INTERRUPTED,		/* by a signal: see sweep_signal() */
	SWEEP_FAILED,			/* reported */
};

/*
 * Sweeps, from where the store is.  What of the store was begun otherwise (another
 * benchmark, policy, ...) is an error.
 */
enum sweep_end sweep_run(const struct sweep_spec *spec, struct store *store, struct diag *diag);

/* True if NAME, of SIZE bytes, is a metric that every run has: wall, cpu, user, sys, max-rss. */
bool sweep_has_metric(const char *name, size_t size);

/* The signal that interrupted the sweep; 0: none. */
int sweep_signal(void);

#endif
