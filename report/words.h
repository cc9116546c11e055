/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sentences: what is told of an analysis, in the same words in every form.
 *
 * All text is in the ARENA that is given, plain and unescaped: names may hold any byte.
 */
#ifndef KERNING_REPORT_WORDS_H
#define KERNING_REPORT_WORDS_H

#include <obstack.h>

#include "report/analysis.h"

/* What layout bias is, for somebody who never heard of it. */
extern const char words_lesson[];

/* --- Names ---------------------------------------------------------------- */

/* What tells a portrait from its metric's others, where there are some: "head, smt off, text". */
const char *words_which(struct obstack *arena, const struct analysis *analysis,
			const struct portrait *portrait, bool with_build);
const char *words_build(const struct record *record, size_t build);
const char *words_condition(const struct record *record, size_t condition);
const char *words_axis(const char *axis);
/* "failed", "timed out", "wrong output", "no metric". */
const char *words_run_state(enum run_state state);

/* --- Sentences ------------------------------------------------------------ */

/* What was measured: "30 layouts and the plain one of lua, 155 runs; ...". */
const char *words_what(struct obstack *arena, const struct analysis *analysis);
/* "every run", or what counts instead. */
const char *words_runs(struct obstack *arena, const struct analysis *analysis);
/* How much of one metric is layout. */
const char *words_portrait(struct obstack *arena, const struct analysis *analysis,
			   const struct portrait *portrait);
/* The verdict on one metric, without its name. */
const char *words_verdict(struct obstack *arena, const struct analysis *analysis,
			  const struct difference *difference);
/* What does not matter: "1%", or a number. */
const char *words_effect(struct obstack *arena, const struct analysis *analysis,
			 const struct difference *difference);
/* What one binary a side would have said: LKP's rule, and the U test.  NULL: not run. */
const char *words_single(struct obstack *arena, const struct difference *difference);
/* How the next sweep is best spent.  NULL: not known. */
const char *words_spending(struct obstack *arena, const struct analysis *analysis,
			   const struct portrait *portrait);
/* What failed: "Seed 7 of base: timed out in 2 of 5 runs".  The failure has why. */
const char *words_failure(struct obstack *arena, const struct analysis *analysis,
			  const struct failure *failure);
/*
 * The line of what was said that tells why: of a run the first one, of a layout the first with
 * "error:", else the last; "" where nothing was said.
 */
const char *words_reason(struct obstack *arena, const struct failure *failure);
/* What makes the machine noisy: "governor: powersave on 8 of 8 processors". */
const char *words_noise(struct obstack *arena, const struct noise *noise);

#endif
