/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An axis of a figure: from where to where, and at which round numbers it is marked.
 */
#ifndef KERNING_REPORT_AXIS_H
#define KERNING_REPORT_AXIS_H

#include <stdio.h>

struct axis {
	double low, high;	/* what was included so far; NaN: nothing */
	double step;
	int decimals;
};

void axis_init(struct axis *axis);
/* VALUE is to be on it; what is no finite number is not. */
void axis_include(struct axis *axis, double value);
/* Leaves a margin at both ends, and chooses a step for about MARKS marks. */
void axis_finish(struct axis *axis, unsigned marks);
/*
 * Writes gnuplot's commands for the axis NAME, "x" or "y": each mark is a number with SIGN
 * ("+" or "") and UNIT ("%%" for a percent sign).
 */
void axis_write(const struct axis *axis, const char *name, const char *sign, const char *unit,
		FILE *script);

#endif
