/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two-way least squares, layout and round.  Layouts are eliminated, which leaves a system
 * as large as there are rounds.  It has a free constant for each island: rounds that
 * layouts tie together.  That is fixed by having the rounds of an island sum, over its
 * runs, to 0.
 */
#include "config.h"

#include "stats/drift.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"

struct fit {
	const struct drift_cell *cells;
	size_t count, layouts, rounds;
	size_t *island;			/* of a round: the number of one round of it */
	double *runs;			/* of a layout: how many */
	double *weight;			/* of a round: the same */
	gsl_matrix *part;		/* layouts x rounds: of a layout's runs, the part in the round */
};

static size_t find(size_t *island, size_t round)
{
	while (island[round] != round)
		round = island[round] = island[island[round]];
	return round;
}

/* The number of islands. */
static size_t find_islands(const struct fit *fit)
{
	size_t *seen = xmalloc(fit->layouts * sizeof *seen), islands = 0;

	for (size_t i = 0; i < fit->layouts; i++)
		seen[i] = fit->rounds;
	for (size_t i = 0; i < fit->rounds; i++)
		fit->island[i] = i;
	for (size_t i = 0; i < fit->count; i++) {
		const struct drift_cell *cell = &fit->cells[i];
		size_t *other = &seen[cell->layout];

		if (*other == fit->rounds)
			*other = cell->round;
		else
			fit->island[find(fit->island, cell->round)] = find(fit->island, *other);
	}
	for (size_t i = 0; i < fit->rounds; i++) {
		fit->island[i] = find(fit->island, i);
		islands += fit->island[i] == i;
	}
	free(seen);
	return islands;
}

/* --- The rounds' system ----------------------------------------------------- */

/* What of the rounds is not in the layouts: D - N' diag(1 / runs) N. */
static gsl_matrix *make_system(const struct fit *fit)
{
	gsl_matrix *system = gsl_matrix_calloc(fit->rounds, fit->rounds);
	gsl_matrix *scaled = gsl_matrix_alloc(fit->layouts, fit->rounds);

	for (size_t i = 0; i < fit->rounds; i++)
		gsl_matrix_set(system, i, i, fit->weight[i]);
	gsl_matrix_memcpy(scaled, fit->part);
	for (size_t i = 0; i < fit->layouts; i++) {
		gsl_vector_view row = gsl_matrix_row(scaled, i);

		gsl_vector_scale(&row.vector, fit->runs[i]);
	}
	gsl_blas_dgemm(CblasTrans, CblasNoTrans, -1, fit->part, scaled, 1, system);
	gsl_matrix_free(scaled);
	return system;
}

/* Its inverse, where each island's weighted sum is held at 0. */
static gsl_matrix *invert(const struct fit *fit, const gsl_matrix *system)
{
	gsl_matrix *inverse = gsl_matrix_alloc(fit->rounds, fit->rounds);
	double total = 0;

	for (size_t i = 0; i < fit->rounds; i++)
		total += fit->weight[i];
	gsl_matrix_memcpy(inverse, system);
	for (size_t i = 0; i < fit->rounds; i++) {
		for (size_t j = 0; j < fit->rounds; j++) {
			if (fit->island[i] == fit->island[j])
				*gsl_matrix_ptr(inverse, i, j) +=
					fit->weight[i] * fit->weight[j] / total;
		}
	}
	gsl_linalg_cholesky_decomp1(inverse);
	gsl_linalg_cholesky_invert(inverse);
	return inverse;
}

/* The rounds' effects. */
static gsl_vector *solve(const struct fit *fit, const gsl_matrix *inverse, const double *means)
{
	gsl_vector *sums = gsl_vector_calloc(fit->rounds);
	gsl_vector *effects = gsl_vector_alloc(fit->rounds);

	for (size_t i = 0; i < fit->count; i++) {
		const struct drift_cell *cell = &fit->cells[i];

		*gsl_vector_ptr(sums, cell->round) += cell->mean - means[cell->layout];
	}
	gsl_blas_dsymv(CblasLower, 1, inverse, sums, 0, effects);
	gsl_vector_free(sums);
	return effects;
}

/*
 * Variance that the rounds' effects, of variance INVERSE SYSTEM INVERSE, bring into the
 * layouts' means: the trace of what is left of it when their mean is taken out.
 */
static double brought_in(const struct fit *fit, const gsl_matrix *inverse, const gsl_matrix *system)
{
	gsl_matrix *half = gsl_matrix_alloc(fit->rounds, fit->rounds);
	gsl_matrix *whole = gsl_matrix_alloc(fit->rounds, fit->rounds);
	gsl_matrix *parts = gsl_matrix_alloc(fit->layouts, fit->rounds);
	double trace = 0;

	/* Of each round, how the layouts differ in it. */
	gsl_matrix_memcpy(parts, fit->part);
	for (size_t i = 0; i < fit->rounds; i++) {
		gsl_vector_view column = gsl_matrix_column(parts, i);
		double sum = 0;

		for (size_t j = 0; j < fit->layouts; j++)
			sum += gsl_vector_get(&column.vector, j);
		gsl_vector_add_constant(&column.vector, -sum / (double)fit->layouts);
	}
	gsl_blas_dsymm(CblasLeft, CblasLower, 1, system, inverse, 0, half);
	gsl_blas_dsymm(CblasLeft, CblasLower, 1, inverse, half, 0, whole);
	gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, parts, parts, 0, half);
	for (size_t i = 0; i < fit->rounds; i++) {
		for (size_t j = 0; j < fit->rounds; j++)
			trace += gsl_matrix_get(whole, i, j) * gsl_matrix_get(half, i, j);
	}
	gsl_matrix_free(half);
	gsl_matrix_free(whole);
	gsl_matrix_free(parts);
	return trace;
}

/* --- The whole -------------------------------------------------------------- */

static void take_out_rounds(struct fit *fit, struct drift *drift)
{
	gsl_matrix *system, *inverse;
	gsl_vector *effects;

	fit->part = gsl_matrix_calloc(fit->layouts, fit->rounds);
	for (size_t i = 0; i < fit->count; i++) {
		const struct drift_cell *cell = &fit->cells[i];

		*gsl_matrix_ptr(fit->part, cell->layout, cell->round) +=
			1 / fit->runs[cell->layout];
	}
	system = make_system(fit);
	inverse = invert(fit, system);
	effects = solve(fit, inverse, drift->means);
	for (size_t i = 0; i < fit->layouts; i++) {
		for (size_t j = 0; j < fit->rounds; j++)
			drift->means[i] -= gsl_matrix_get(fit->part, i, j) *
					   gsl_vector_get(effects, j);
	}
	for (size_t i = 0; i < fit->count; i++)
		drift->rest[i] -= gsl_vector_get(effects, fit->cells[i].round);
	if (fit->layouts > 1)
		drift->share += brought_in(fit, inverse, system) / (double)(fit->layouts - 1);
	gsl_vector_free(effects);
	gsl_matrix_free(inverse);
	gsl_matrix_free(system);
	gsl_matrix_free(fit->part);
}

void drift_remove(struct drift *drift, const struct drift_cell *cells, size_t count,
		  size_t layouts, size_t rounds)
{
	struct fit fit = { .cells = cells, .count = count, .layouts = layouts, .rounds = rounds };
	size_t freedom = count - layouts, lost;

	*drift = (struct drift){
		.means = xcalloc(layouts, sizeof *drift->means),
		.rest = xmalloc(count * sizeof *drift->rest),
	};
	fit.runs = xcalloc(layouts, sizeof *fit.runs);
	fit.weight = xcalloc(rounds, sizeof *fit.weight);
	fit.island = xmalloc(rounds * sizeof *fit.island);
	for (size_t i = 0; i < count; i++) {
		fit.runs[cells[i].layout]++;
		fit.weight[cells[i].round]++;
		drift->means[cells[i].layout] += cells[i].mean;
	}
	for (size_t i = 0; i < layouts; i++) {
		drift->means[i] /= fit.runs[i];
		drift->share += 1 / fit.runs[i] / (double)layouts;
	}
	for (size_t i = 0; i < count; i++)
		drift->rest[i] = cells[i].mean;
	lost = rounds - find_islands(&fit);
	if (lost > 0 && lost * 4 <= freedom * 3) {
		drift->removed = true;
		freedom -= lost;
		take_out_rounds(&fit, drift);
	}
	for (size_t i = 0; i < count; i++)
		drift->rest[i] -= drift->means[cells[i].layout];
	drift->freedom = (double)freedom;
	free(fit.runs);
	free(fit.weight);
	free(fit.island);
}

void drift_release(struct drift *drift)
{
	free(drift->means);
	free(drift->rest);
}
