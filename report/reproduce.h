/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands that do again what a record tells of.
 */
#ifndef KERNING_REPORT_REPRODUCE_H
#define KERNING_REPORT_REPRODUCE_H

#include <obstack.h>

#include "report/analysis.h"

/* Makes LAYOUT again: one line for sh, in ARENA.  For the folder that the sweep was called in. */
const char *reproduce_layout(struct obstack *arena, const struct record *record, size_t layout);
/* Makes RUN's layout again and runs the benchmark on it. */
const char *reproduce_run(struct obstack *arena, const struct record *record, size_t run);
/* Whichever of the two FAILURE is of. */
const char *reproduce_failure(struct obstack *arena, const struct record *record,
			      const struct failure *failure);

#endif
