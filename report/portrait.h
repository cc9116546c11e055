/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Portraits: for each metric, condition, build and axis the runs that a record has of it,
 * as a sample, and what stats/ says of that.
 */
#ifndef KERNING_REPORT_PORTRAIT_H
#define KERNING_REPORT_PORTRAIT_H

#include "report/analysis.h"

/* Adds the portraits of those metrics that METRICS has, by metric, in analysis.h's order. */
void portraits_make(struct analysis *analysis, const bool *metrics);
void portrait_release(struct portrait *portrait);

#endif
