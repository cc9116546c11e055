/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the real ld.
 */
#ifndef KERNING_LD_RUN_H
#define KERNING_LD_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/diag.h"
#include "lib/source.h"

/*
 * The linker to run: KERNING_LD of the environment, else the one found at
 * configure time.  NULL, reported (environment), where there is none or it is
 * this program itself.  The caller frees it.
 */
char *real_ld(struct diag *diag);

/*
 * What ARGV prints on its standard output, and its standard error is dropped.
 * NULL, reported, where it cannot be run or fails.
 */
struct source *run_capture(char *const *argv, struct diag *diag);

/* Called with each line of standard error, without its newline; writes it out as it sees fit. */
typedef void run_line(const char *line, void *data);

/*
 * Runs ARGV with this process's standard input and output; each line of its
 * standard error goes to FILTER.  Returns its exit status; 128 + N where
 * signal N ended it; -1, reported, where it could not be started.
 */
int run_filtered(char *const *argv, run_line *filter, void *data, struct diag *diag);

#endif
