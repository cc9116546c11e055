/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An estimate with the interval that it lies in.
 */
#ifndef KERNING_STATS_INTERVAL_H
#define KERNING_STATS_INTERVAL_H

/* low and high are NaN where there is too little to tell, -INFINITY and INFINITY where unbounded. */
struct interval {
	double estimate, low, high;
};

#endif
