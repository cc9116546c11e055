/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the runs of one round have in common, taken out: a machine that grows warm or busy
 * is neither layout nor run.
 *
 * The mean of a run is its layout's, plus its round's, plus what is left: both are fixed
 * effects, fitted by least squares, so that any drift from round to round, in whatever
 * runs of a round are missing, leaves no trace in what is left; and as many degrees of
 * freedom are lost as there are rounds to tell apart.
 */
#ifndef KERNING_STATS_DRIFT_H
#define KERNING_STATS_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

/* One run. */
struct drift_cell {
	size_t layout, round;	/* from 0; each number has a cell */
	double mean;
};

struct drift {
	bool removed;		/* false: rounds say nothing, or too much of what there is */
	double *means;		/* of layouts, without drift */
	double *rest;		/* of cells, what is left */
	double freedom;		/* degrees of it in that; 0: nothing is left */
	double share;		/* of what is left's variance, how much is in that of MEANS: 1 / runs, about */
};

/*
 * Drift is left where removing it would take more than three quarters of the degrees of
 * freedom: in rounds of one run each it could not be told from runs.  Rounds that no layout ties
 * together (of two sweeps) are each taken to be level.
 */
void drift_remove(struct drift *drift, const struct drift_cell *cells, size_t count,
		  size_t layouts, size_t rounds);
void drift_release(struct drift *drift);

#endif
