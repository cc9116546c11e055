/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two records of one build each as one record of two builds.
 */
#ifndef KERNING_SWEEP_JOIN_H
#define KERNING_SWEEP_JOIN_H

#include "lib/diag.h"
#include "sweep/record.h"

/*
 * JOINED has build 0 of A, then that of B; conditions and metrics of one name are one.  Its
 * strings are A's and B's, which must outlive it.  False, reported, where one has more
 * builds than one, or none, or a metric is not in the same unit and direction in both.  What
 * only one of them measured is told as a note; another benchmark, policy or axes are warned of.
 */
bool record_join(struct record *joined, const struct record *a, const struct record *b,
		 struct diag *diag);

#endif
