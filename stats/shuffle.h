/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does it matter which layout a run was of?  Where not, the runs of a round could as well
 * bear each other's labels.
 */
#ifndef KERNING_STATS_SHUFFLE_H
#define KERNING_STATS_SHUFFLE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/drift.h"

/*
 * The p-value of the permutation test: how often labels that are permuted at random, within
 * rounds where BY_ROUND, part the layouts' means at least as far as the true ones do, which
 * count as one such permutation; so it is never 0.  CELLS are sorted by layout.  2,000
 * permutations, fewer of large samples, or until 20 have done so (Besag & Clifford,
 * "Sequential Monte Carlo p-values", 1991).
 */
double shuffle_test(const struct drift_cell *cells, size_t count, size_t layouts, size_t rounds,
		    bool by_round, unsigned long seed);

#endif
