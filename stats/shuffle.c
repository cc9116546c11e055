/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The permutation test.  Runs count by how they differ from their round's mean, which no
 * permutation within rounds changes; layouts are apart by the sum of their runs' squared,
 * over the number of these.
 */
#include "config.h"

#include "stats/shuffle.h"

#include <gsl/gsl_rng.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/memory.h"

#define PERMUTATIONS 1999
#define ENOUGH 20
/* Of a sample of 1,000 runs and more, as many as move two million of them; and some, always. */
#define MOVES 2000000
#define FEWEST 199

struct shuffle {
	size_t count, layouts;
	double *value;			/* sorted by round */
	size_t *layout;			/* of each */
	size_t *first;			/* of each round, and behind the last */
	double *runs;			/* of each layout */
	double *sum;
};

static double apart(struct shuffle *shuffle)
{
	double apart = 0;

	for (size_t i = 0; i < shuffle->layouts; i++)
		shuffle->sum[i] = 0;
	for (size_t i = 0; i < shuffle->count; i++)
		shuffle->sum[shuffle->layout[i]] += shuffle->value[i];
	for (size_t i = 0; i < shuffle->layouts; i++)
		apart += shuffle->sum[i] * shuffle->sum[i] / shuffle->runs[i];
	return apart;
}

/* One of the first COUNT places; the generator gives 32 bits. */
static size_t place(gsl_rng *rng, size_t count)
{
	return (size_t)((uint64_t)gsl_rng_get(rng) * count >> 32);
}

static void permute(struct shuffle *shuffle, size_t rounds, gsl_rng *rng)
{
	for (size_t i = 0; i < rounds; i++) {
		double *value = shuffle->value + shuffle->first[i];

		for (size_t left = shuffle->first[i + 1] - shuffle->first[i]; left > 1; left--) {
			size_t other = place(rng, left);
			double kept = value[left - 1];

			value[left - 1] = value[other];
			value[other] = kept;
		}
	}
}

static void fill(struct shuffle *shuffle, const struct drift_cell *cells, size_t rounds,
		 bool by_round)
{
	size_t *next = xcalloc(rounds + 1, sizeof *next);

	for (size_t i = 0; i < shuffle->count; i++)
		shuffle->first[(by_round ? cells[i].round : 0) + 1]++;
	for (size_t i = 0; i < rounds; i++)
		next[i] = shuffle->first[i + 1] += shuffle->first[i];
	for (size_t i = shuffle->count; i-- > 0;) {
		size_t at = --next[by_round ? cells[i].round : 0];

		shuffle->value[at] = cells[i].mean;
		shuffle->layout[at] = cells[i].layout;
		shuffle->runs[cells[i].layout]++;
	}
	for (size_t i = 0; i < rounds; i++) {
		double sum = 0;
		size_t size = shuffle->first[i + 1] - shuffle->first[i];

		for (size_t j = shuffle->first[i]; j < shuffle->first[i + 1]; j++)
			sum += shuffle->value[j];
		for (size_t j = shuffle->first[i]; j < shuffle->first[i + 1]; j++)
			shuffle->value[j] -= sum / (double)size;
	}
	free(next);
}

double shuffle_test(const struct drift_cell *cells, size_t count, size_t layouts, size_t rounds,
		    bool by_round, unsigned long seed)
{
	struct shuffle shuffle = { .count = count, .layouts = layouts };
	size_t most = MOVES / count, done = 0, further = 0;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	double true_one;

	if (most > PERMUTATIONS)
		most = PERMUTATIONS;
	if (most < FEWEST)
		most = FEWEST;
	if (!by_round)
		rounds = 1;
	gsl_rng_set(rng, seed);
	shuffle.value = xmalloc(count * sizeof *shuffle.value);
	shuffle.layout = xmalloc(count * sizeof *shuffle.layout);
	shuffle.first = xcalloc(rounds + 1, sizeof *shuffle.first);
	shuffle.runs = xcalloc(layouts, sizeof *shuffle.runs);
	shuffle.sum = xmalloc(layouts * sizeof *shuffle.sum);
	fill(&shuffle, cells, rounds, by_round);
	/* Sums in another order are not the same to the last bit. */
	true_one = apart(&shuffle) * (1 - 1e-9);
	while (done < most && further < ENOUGH) {
		permute(&shuffle, rounds, rng);
		further += apart(&shuffle) >= true_one;
		done++;
	}
	gsl_rng_free(rng);
	free(shuffle.value);
	free(shuffle.layout);
	free(shuffle.first);
	free(shuffle.runs);
	free(shuffle.sum);
	return further == ENOUGH ? (double)further / (double)done :
	       (double)(further + 1) / (double)(done + 1);
}
