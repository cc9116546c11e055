/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is measured, and how it is found in what a benchmark prints.
 *
 * A metric that the user names, --metric NAME=WHERE[:higher|lower][:UNIT], where WHERE is
 * a regular expression (extended, one group: the number), applied to each line by itself,
 * or a path into JSON ("$.benchmarks[*].real_time", see json-path.h); every match is one
 * value, in order.  Or a format whose metrics are found by themselves: what tools of the
 * trade print.
 *
 * An expression may have colons of its own.  So ":higher" and ":lower" are taken off its
 * end alone, ":UNIT" behind them whatever it is, and otherwise where it is known as a unit
 * (s, ms, us, ns, B, KiB, MB, %, Hz, ops, ...) or has a slash in it (MB/s, ns/op).  An
 * expression that ends so is written with "[:]" for its colon.
 *
 * Numbers are as strtod(3) takes them; what follows them in the group is left
 * ("12.5 ms"), but "1,234" and the like is no number.
 */
#ifndef KERNING_SWEEP_METRIC_H
#define KERNING_SWEEP_METRIC_H

#include <obstack.h>
#include <stdbool.h>

#include "lib/diag.h"
#include "lib/vec.h"

enum metric_better { BETTER_UNKNOWN, BETTER_LOWER, BETTER_HIGHER };

/* A value that was found.  Its metric is the one of that name; several values: iterations. */
struct finding {
	const char *name, *unit;	/* in the findings' arena, or the extractor's */
	enum metric_better better;
	double value;			/* finite */
};

struct findings {
	struct obstack arena;
	VEC(struct finding) list;
};

void findings_init(struct findings *findings);
void findings_release(struct findings *findings);

/* What the user asked for: --metric and --results options. */
struct extractor;

struct extractor *extractor_new(void);
void extractor_free(struct extractor *extractor);
/* Adds one; false, reported as usage with the option quoted and the byte pointed at. */
bool extractor_add_metric(struct extractor *extractor, const char *option, struct diag *diag);
/*
 * google-benchmark, hyperfine, fio, stress-ng, will-it-scale, lkp, each with ":FILE" where
 * it is not standard output; lkp's is a result folder.
 */
bool extractor_add_format(struct extractor *extractor, const char *option, struct diag *diag);
bool extractor_is_empty(const struct extractor *extractor);

/*
 * To be called before a run: notes how the files that formats name are now.  A file that
 * the run leaves as it was is then not taken for what it measured.
 */
void extractor_begin(struct extractor *extractor);

/*
 * What is found in OUTPUT (SIZE bytes of a run's standard output) and in files that formats
 * name.  False where a metric asked for is not there, or is no finite number; WHY (in the
 * findings' arena) then says which, and the findings are those up to there.
 */
bool extractor_find(const struct extractor *extractor, const char *output, size_t size,
		    struct findings *findings, const char **why);

#endif
