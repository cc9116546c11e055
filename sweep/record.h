/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a store holds, in memory: builds, their layouts, the runs of these, their values.
 * Nothing that is in a store is ever taken out, so the row of number N is here at N - 1.
 */
#ifndef KERNING_SWEEP_RECORD_H
#define KERNING_SWEEP_RECORD_H

#include <obstack.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"
#include "sweep/metric.h"

struct swept_metric {
	const char *name, *unit;
	enum metric_better better;
	bool primary;			/* asked for, and judged; others are what every run has: wall, user, ... */
};

/* One call of kerning sweep (or compare) that wrote to the store. */
struct session {
	const char *command;		/* its words, as a shell would take them */
	const char *folder;		/* where it was called */
	const char *started, *ended;	/* UTC, "2026-11-30 22:36:01"; ended NULL: it was cut short */
	const char *machine;		/* JSON, see machine.h */
};

/* One state of the source: what is linked anew for each layout. */
struct build {
	const char *name;		/* "base", "head", or the revision's */
	const char *source;		/* how its layouts are made: "--bundle lua.bundle" */
	const char *policy;		/* what each has beside its seed: "pad=.text*:0..4080/16 ..." */
};

/* A second factor: the same layouts under other circumstances. */
struct condition {
	const char *name;		/* "" for the usual one */
	const char *enter, *leave;	/* commands */
};

enum layout_state { LAYOUT_MADE, LAYOUT_FAILED };

/* One placing of a build: a seed's on one axis, or the plain one, which no policy touched. */
struct swept_layout {
	size_t build;
	bool plain;
	uint64_t seed;
	const char *axis;		/* "" : all that the policy names */
	enum layout_state state;
	const char *why;		/* FAILED: what was said */
	const char *output;		/* path, below the store's folder */
	const char *layout;		/* path of its layout file; NULL: none */
	const char *build_id;		/* NULL: none */
	const char *hash;		/* of the output's bytes; NULL where FAILED */
	double seconds;			/* what making it took */
};

/* Rounds are numbered SWEEP_ROUNDS_MAX * wave + round, so that a number is one stretch of time. */
#define SWEEP_ROUNDS_MAX 1000

enum run_state { RUN_DONE, RUN_FAILED, RUN_TIMED_OUT, RUN_WRONG, RUN_NO_METRIC };

struct swept_value {
	size_t metric;
	double value;
};

struct swept_run {
	size_t session, layout, condition;
	unsigned round;			/* from 0; warm-up runs are not kept */
	unsigned order;			/* its place in the sweep, from 0 */
	const char *started;
	enum run_state state;
	const char *why;		/* where not DONE: what went wrong, and the end of what it said */
	double seconds;			/* wall */
	unsigned environment;		/* bytes by which the environment was made larger */
	size_t first, count;		/* of the values */
};

struct record {
	struct obstack arena;
	const char *path;		/* of the store */
	VEC(struct session) sessions;
	VEC(struct build) builds;
	VEC(struct condition) conditions;
	VEC(struct swept_metric) metrics;
	VEC(struct swept_layout) layouts;
	VEC(struct swept_run) runs;	/* in their order */
	VEC(struct swept_value) values;	/* of a run one after another, iterations in order */
	bool apart;			/* its two builds were run at unlike times, not in turns */
	const char *axes;		/* "text,data": one at a time; "": none were */
	const char *benchmark;		/* as a shell would take it */
	unsigned looks;			/* how often a comparison may look at the data that grow; 0: it is none */
	size_t waves;			/* whole ones: what a comparison may look at */
	double confidence, effect;	/* it was begun with these; NaN: not said */
	unsigned best_of;		/* so many rounds are one run, which is the best of them; 0: not said */
};

void record_init(struct record *record);
void record_release(struct record *record);

#endif
