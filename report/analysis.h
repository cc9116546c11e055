/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a record says: for each build, condition, axis and metric how much is layout; and
 * for two builds, what of a change is the change's.
 *
 * The one thing that all forms of a report (text, Markdown, HTML, JSON, LKP's table) are
 * made from: none of them computes.
 */
#ifndef KERNING_REPORT_ANALYSIS_H
#define KERNING_REPORT_ANALYSIS_H

#include "lib/diag.h"
#include "stats/components.h"
#include "stats/verdict.h"
#include "sweep/machine.h"
#include "sweep/record.h"

/* What a round's runs have in common: the mean of their distances from their layouts' means. */
struct told_round {
	unsigned first, last;		/* the places of its runs in the sweep */
	double distance;
};

/* One metric of one build, under one condition, on one axis. */
struct portrait {
	size_t build, condition, metric;
	const char *axis;		/* "": all at once */
	struct sample sample;		/* of the seeded layouts; keys are seeds */
	VEC(size_t) layouts, runs;	/* what the sample's are in the record */
	VEC(size_t) sorted;		/* the sample's layouts by the median of their runs */
	VEC(double) medians;		/* these */
	VEC(struct told_round) rounds;	/* the drift from round to round */
	bool constant;			/* no value is unlike another */
	struct components components;
	double q;			/* p of COMPONENTS among the primary metrics' */
	bool matters;			/* layout does, by that */
	struct {
		double layout, run, iteration;
	} parts;			/* of one run's variance; NaN: not told */
	struct spending spending;	/* what would have been best for this metric */
	struct sample plain_sample;	/* of the plain layout; empty: not run */
	VEC(size_t) plain_runs;		/* what its runs are in the record */
	size_t plain_rank;		/* how many layouts' medians are below its own */
	double plain, plain_deviation;	/* the plain layout's mean, its runs' s.d.; NaN: not run */
	double layout_cost, run_cost;	/* seconds, mean */
	size_t failed;			/* runs that did not end well */
};

/* One metric of build 1 against build 0 under one condition, on one axis. */
struct difference {
	size_t condition, metric;
	bool judged;			/* a primary metric: it counts among all */
	size_t a, b;			/* the portraits */
	struct judgement judgement;
	VEC(uint64_t) seeds;		/* of the judgement's differences */
	struct interval unpaired;	/* Fieller's interval of the ratio, less 1 */
	double plain;			/* what the plain builds show, as JUDGEMENT; NaN: not run */
	bool lkp_changed;		/* what LKP's rule says of the plain builds' runs */
	double u_test;			/* Mann & Whitney's p of the same; NaN: they were not run */
};

/* A layout that could not be made, or whose runs ended badly in one way. */
struct failure {
	size_t layout;
	bool made;
	size_t condition, run;		/* of a layout that was made: the first such run */
	enum run_state state;
	size_t count, all;		/* runs that ended so, of all under the condition */
	const char *why;
};

struct analysis {
	const struct record *record;
	double confidence, effect, reported;	/* as asked; CONFIDENCE is that of the look */
	size_t waves;			/* runs of so many are told of; SIZE_MAX: all */
	unsigned best_of;		/* of so many rounds' runs the best one is told of */
	VEC(struct portrait) portraits;	/* by metric (primary first), condition, build, axis */
	VEC(struct difference) differences; /* empty where there is one build */
	VEC(struct failure) failures;	/* layouts first */
	size_t unmatched;		/* portraits of primary metrics that one build alone has */
	size_t failed_layouts, failed_runs;
	VEC(struct machine) machines;	/* by session; cpu is NULL where nothing is known of it */
};

struct analysis_question {
	double confidence, effect;	/* NaN: as the store was begun, else 0.95 and 0.01 */
	double reported;		/* to be explained, a ratio less 1; NaN: the plain ones' */
	const char *metrics;		/* a glob: these are kept, judged among all; NULL: all */
	size_t waves;			/* look at so many; 0: at all, of a comparison all whole ones */
	unsigned best_of;		/* 0: as the store was begun, else 1 */
};

/* What is asked where nobody says: NaN, NULL, 0. */
struct analysis_question analysis_question_default(void);

/*
 * A comparison that looks at its data as they grow is told of at the confidence of its last
 * look, and as of that: runs of a wave that is not whole are left out.
 *
 * Where the best of K is asked for, each K rounds of a wave are one: of a layout's runs in them
 * the best one counts, by the direction of each metric (of one without a direction all count).
 * Where not all K ended well none does: the best of fewer is another thing.
 *
 * RECORD must outlive ANALYSIS.  False, reported, where there is nothing to tell: no metric
 * has the name asked for, no run ended well.  ANALYSIS then has what is known all the same.
 */
bool analysis_make(struct analysis *analysis, const struct record *record,
		   const struct analysis_question *question, struct diag *diag);
void analysis_release(struct analysis *analysis);

/* Whether METRIC is told of where little is: it is a primary one, or no primary one is there. */
bool analysis_tells(const struct analysis *analysis, size_t metric);
/* How many verdicts, or of one build portraits, are told of then. */
size_t analysis_told(const struct analysis *analysis);

#endif
