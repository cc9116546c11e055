/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a run said what it should: a program that is wrong under some layout is a
 * finding, and its time is none.
 */
#ifndef KERNING_SWEEP_CHECK_H
#define KERNING_SWEEP_CHECK_H

#include "sweep/inner.h"

enum check_end {
	CHECK_RIGHT,
	CHECK_WRONG,
	CHECK_NOT_DONE,			/* interrupted; or it cannot be, which was reported */
};

/*
 * Checks the output of a run of LAYOUT as the sweep is to: by a command, or against that of the
 * build's first run, which the store keeps.  Where it is wrong WHY says how, and lives as
 * long as the store.
 */
enum check_end check_output(struct sweep *sweep, const struct swept_layout *layout,
			    const struct process_result *result, const char **why);

#endif
