/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What tools of the trade print, and the metrics in it.
 *
 *	google-benchmark  NAME.real_time, .cpu_time, .items_per_second, .bytes_per_second
 *	hyperfine         COMMAND.time, folders left out of what is an absolute path
 *	fio               JOB.read.iops, .bw, .lat, .clat; the same of write and trim
 *	stress-ng         STRESSOR.bogo-ops-per-second-usr-sys-time, -real-time
 *	will-it-scale     TASKS.per_process_ops, .per_thread_ops of runtest.py's table;
 *			  TESTCASE.average of a program, or .total where it was cut short
 *	lkp               whatever stats.json has, or else matrix.json
 *
 * Means and the like that a tool has computed are left out where it has the values too.  A
 * second hyperfine command or testcase of one name is NAME#2.
 */
#ifndef KERNING_SWEEP_FORMATS_H
#define KERNING_SWEEP_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

#include "sweep/json-text.h"
#include "sweep/metric.h"

/* A text to be read. */
struct reading {
	const char *text;
	size_t size;
	struct findings *findings;	/* where values go */
	const char *why;		/* in their arena: what is wrong with the text, and where */
};

struct format {
	const char *name;
	/* False, with WHY, where the text is not that tool's. */
	bool (*read)(struct reading *reading);
	/* Where it is a folder, the files in it that hold the text: the first that is there. */
	const char *in_folder[3];
};

/* NULL: there is none of this name. */
const struct format *format_find(const char *name, size_t length);
/* "fio, hyperfine, ...".  free() it. */
char *format_names(void);

/* --- For readers ---------------------------------------------------------- */

/*
 * Adds a value of the metric of the name that is formatted, its UNIT a constant or in the
 * arena; false where the value is not finite.
 */
bool reading_add(struct reading *reading, double value, const char *unit,
		 enum metric_better better, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
/* Says what is wrong.  Always false. */
bool reading_fails(struct reading *reading, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Names that were used; the caller's, = { 0 }, vec_release(). */
struct used_names {
	VEC(const char *) list;
};

/* NAME, or "NAME#2" and so on where it was used; in the arena. */
const char *reading_name(struct reading *reading, struct used_names *used, const char *name);

/* The formats. */
bool format_google_benchmark(struct reading *reading);
bool format_hyperfine(struct reading *reading);
bool format_fio(struct reading *reading);
bool format_lkp(struct reading *reading);
bool format_stress_ng(struct reading *reading);
bool format_will_it_scale(struct reading *reading);

#endif
