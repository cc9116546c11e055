/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that kerning sweep and kerning compare have in common: what is varied, how
 * often it is run, what is measured, and in which circumstances.
 */
#ifndef KERNING_SRC_SWEEP_OPTIONS_H
#define KERNING_SRC_SWEEP_OPTIONS_H

#include <argp.h>

#include "report/analysis.h"
#include "src/policy-options.h"
#include "sweep/sweep.h"

struct sweep_options {
	struct policy_options policy;	/* the child parser's */
	char *store;
	bool resume, quiet, plain, same_output;
	unsigned jobs, rounds, warmup, environment;
	size_t layouts;			/* 0: not said */
	uint64_t first_seed, chance;
	bool has_chance;
	double budget;			/* seconds; 0: none */
	double confidence;
	unsigned best_of;		/* 0: not said */
	VEC(char *) axes;
	VEC(struct condition) conditions;
	struct process_setup process;
	struct counters counters;
	struct extractor *extractor;
	VEC(const char *) judged;
	VEC(char *) measured;		/* the words of --metric and --results */
	const char *check;
	char **command;			/* NULL: none */
	struct obstack arena;
	struct diag diag;
};

/* The child parser; its input is a struct sweep_options. */
extern const struct argp sweep_options_argp;

void sweep_options_init(struct sweep_options *options, const char *program);
void sweep_options_release(struct sweep_options *options);

/* What is wrong about them together.  False, reported. */
bool sweep_options_check(struct sweep_options *options);

/*
 * Fills what of SPEC the options say (not its sides and waves).  ARGV: the call, to its
 * NULL.  False, reported.
 */
bool sweep_options_fill(struct sweep_options *options, struct sweep_spec *spec, char **argv);
void sweep_spec_release(struct sweep_spec *spec);

/*
 * The waves of a sweep that stops when it may: COUNT seeds in all, the first FIRST of them
 * in the first wave, each of the following GROWTH times as far; behind those that STORE
 * was begun with.
 */
void sweep_waves(struct sweep_spec *spec, struct store *store, size_t first, double growth,
		 size_t count);

/* Says on standard error why a sweep ended before its end. */
void sweep_tell_end(const struct sweep_options *options, enum sweep_end end);
/* What a process that was interrupted ends by: the signal. */
int end_status(enum sweep_end end, struct diag *diag);

#endif
