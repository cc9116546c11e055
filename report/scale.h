/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The unit that a figure is best written in: 0.0012 s is 1.2 ms.
 */
#ifndef KERNING_REPORT_SCALE_H
#define KERNING_REPORT_SCALE_H

struct scale {
	double factor;		/* what a value is multiplied with */
	char unit[64];		/* what follows the number, with a blank where one is due */
	int decimals;		/* for four digits */
};

/* For values about MAGNITUDE in UNIT ("" where there is none). */
void scale_choose(struct scale *scale, double magnitude, const char *unit);

#endif
