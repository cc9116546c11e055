/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One --metric option: NAME=WHERE[:higher|lower][:UNIT], read, and looked for in an output.
 */
#ifndef KERNING_SWEEP_METRIC_OPTION_H
#define KERNING_SWEEP_METRIC_OPTION_H

#include <regex.h>

#include "sweep/json-path.h"
#include "sweep/json-text.h"
#include "sweep/metric.h"

struct metric_option {
	const char *name, *unit, *where;	/* in the arena given */
	enum metric_better better;
	bool is_path;
	regex_t regex;
	struct json_path path;
};

/* False, reported: then there is nothing to be released. */
bool metric_option_parse(struct metric_option *option, const char *text, struct obstack *arena,
			 struct diag *diag);
void metric_option_release(struct metric_option *option);

/*
 * Adds what is found in the SIZE bytes of OUTPUT, or in JSON for a path.  False where that
 * is nothing, or no number; WHY says so.
 */
bool metric_option_find(const struct metric_option *option, const char *output, size_t size,
			const struct json_text *json, struct findings *findings,
			const char **why);

#endif
