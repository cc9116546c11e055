/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks at data that grow: the level to use at each, so that all together err no more
 * often than one look would.
 */
#ifndef KERNING_STATS_LOOK_H
#define KERNING_STATS_LOOK_H

/*
 * The level to use at look LOOK (from 1) of LOOKS, such that all looks together err no more
 * often than 1 - CONFIDENCE.  Each comes after as many layouts more as the others, or the
 * first after more.  Look k has spent the part (k / LOOKS)^2 of the error, by which early
 * looks find what is large, and the last one has most of its level left (Kim & DeMets,
 * "Design and analysis of group sequential tests based on the type I error spending rate
 * function", 1987).
 */
double look_confidence(double confidence, unsigned look, unsigned looks);

/*
 * BOUNDS[k]: the absolute value that a standard normal statistic, of k + 1 steps' data, must
 * be beyond, so that SPENT[k] is the probability that one look up to that one finds it there
 * by chance (Lan & DeMets, "Discrete sequential boundaries for clinical trials", 1983).
 */
void look_bounds(double *bounds, const double *spent, unsigned looks);

#endif
