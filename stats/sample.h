/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was measured of one metric: layouts, in each runs, in each values.
 *
 * The levels of Kalibera & Jones, "Rigorous benchmarking in reasonable time"
 * (ISMM 2013), highest first: a layout is one draw from the space of layouts, a
 * run is one start of the program (of a kernel: a boot), a value one iteration
 * within it.  Most programs give one value a run.  Layouts may have unlike numbers
 * of runs, runs of values.
 */
#ifndef KERNING_STATS_SAMPLE_H
#define KERNING_STATS_SAMPLE_H

#include <stdint.h>

#include "lib/vec.h"

struct sample_run {
	unsigned round;		/* runs of one round followed close on each other */
	size_t first, count;	/* of the values */
};

struct sample_layout {
	int64_t key;		/* what pairs layouts of two samples: the seed */
	size_t first, count;	/* of the runs */
};

struct sample {
	VEC(double) values;
	VEC(struct sample_run) runs;
	VEC(struct sample_layout) layouts;
};

void sample_init(struct sample *sample);
void sample_release(struct sample *sample);

/* What follows belongs to a new layout, a new run of the layout begun last; one more value of it. */
void sample_layout(struct sample *sample, int64_t key);
void sample_run(struct sample *sample, unsigned round);
void sample_value(struct sample *sample, double value);

/* The mean of a run's values, of a layout's runs' means.  NaN where there is none. */
double sample_run_mean(const struct sample *sample, size_t run);
double sample_layout_mean(const struct sample *sample, size_t layout);
/* The mean of the layouts' means. */
double sample_mean(const struct sample *sample);

#endif
