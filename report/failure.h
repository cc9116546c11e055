/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What failed: a layout that cannot be made, or whose program fails, is a finding.
 */
#ifndef KERNING_REPORT_FAILURE_H
#define KERNING_REPORT_FAILURE_H

#include "report/analysis.h"

/*
 * Lists ANALYSIS's failures: layouts that were not made, then runs, those of one layout that
 * ended alike as one.
 */
void failures_find(struct analysis *analysis);

#endif
