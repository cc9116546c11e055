/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a change real, is it layout, or can we not tell?
 *
 * From two samples of the same metric: for each layout that both have, ln(b / a) (b - a
 * where a metric is not above 0 throughout); the pseudomedian of these with its interval;
 * and what a comparison of single builds would have shown, whose spread is that of ln(b_i /
 * a_j) of the means of unlike layouts i, j.
 *
 * A layout's ln(b / a) is the median of that of its runs, round by round: the two runs of a
 * round followed on each other (where a run is the best of some: nearly), so that what else
 * the machine did met both.  It is that of the layout's means where the two sides were not
 * measured so or have no round in common, and where some runs are not above 0 but all
 * layouts' means are.
 *
 * A median is blind to what less than half of the rounds show, such as a lock that is
 * seldom waited for.  So a change is not layout where the interval of the pairs' means lies
 * beyond the effect.
 *
 * The effect E is a band, 1 / (1 + E) to 1 + E, so that A against B says the same as B
 * against A.  Of differences it is E times |mean of a|; where that is 0, E times the mean
 * of all |layouts' means|; only where that is 0 too has the band no width, and nothing to
 * be within.
 */
#ifndef KERNING_STATS_VERDICT_H
#define KERNING_STATS_VERDICT_H

#include <stdbool.h>

#include "lib/vec.h"
#include "stats/interval.h"
#include "stats/sample.h"

enum verdict { VERDICT_REAL, VERDICT_LAYOUT, VERDICT_CANNOT_TELL };

enum verdict_why {
	WHY_BEYOND,		/* REAL: the interval lies beyond the effect */
	WHY_WITHIN,		/* LAYOUT: it lies within, and what was reported is within the spread */
	WHY_WIDE,		/* the interval has both: more layouts would tell, see more_layouts */
	WHY_UNEXPLAINED,	/* it lies within, but no layout shows what was reported */
	WHY_MEANS,		/* it lies within, but that of the layouts' means beyond */
	WHY_FEW,		/* too few layouts for any interval at this confidence */
	WHY_UNPAIRED,		/* the two sides have no layout in common */
	WHY_CONSTANT,		/* LAYOUT: neither side ever varied, and both are the same */
};

struct judgement {
	enum verdict verdict;
	enum verdict_why why;
	size_t pairs;
	bool relative;			/* change and spread are ratios less 1; else differences */
	struct interval change;		/* of b against a; NaN: no pairs; an unbounded ratio's: -1, INFINITY */
	double confidence;		/* of CHANGE: judged together it may be another than asked */
	struct interval means;		/* as CHANGE, of the layouts' means; NaN: no pairs */
	struct interval spread;		/* 95% of comparisons of single builds lie there; estimate: s.d. */
	double reported;		/* what is to be explained, as CHANGE is; NaN: nothing is */
	double p_real, p_within;	/* against "within the effect", "beyond it"; NaN: no question */
	double q_real, q_within;	/* the same, adjusted for the other metrics judged */
	size_t more_layouts;		/* how many in all would probably tell; 0: not known, or too many */
	VEC(double) differences;	/* of the pairs, by key: logarithms where RELATIVE */
	double effect;			/* half of the band's width, as DIFFERENCES are */
};

struct verdict_question {
	double effect;		/* changes up to this size do not matter: 0.01 */
	double confidence;	/* 0.95 */
	bool apart;		/* the sides' rounds were at unlike times */
};

/*
 * Judges by its own, without regard to other metrics: q = p.  REPORTED is the change that a
 * comparison of single builds showed, as a ratio less 1 (NaN: none); of a metric that is
 * not above 0 it is a part of the mean of A, and says nothing where that is 0.
 *
 * Both p-values are two-sided ones of the signed-rank test, so that p <= 1 - confidence just
 * where the interval lies beyond, or within, the band.  A constant metric is no question,
 * from two layouts on.  MORE_LAYOUTS is how many, at the present spread, tell with a power
 * of 80% if the change is what it seems to be; more than 100 times as many as there are is too
 * many: the change then seems to be just the effect.
 *
 * The spread's interval holds the middle 95% of what is seen, and is at least as wide as
 * Student's prediction for one comparison more.  What is in JUDGEMENT goes with
 * judgement_release().
 */
void verdict_judge(struct judgement *judgement, const struct sample *a, const struct sample *b,
		   double reported, const struct verdict_question *question);
void judgement_release(struct judgement *judgement);

/*
 * Several metrics judged together: q-values over all of them by Benjamini & Hochberg, the
 * real ones apart from those within, and the verdicts by these: of all "real" at most 1 -
 * confidence are false, in the mean, and of all "layout".  Where R of M are found, their
 * intervals are at 1 - (1 - confidence) R / M, so that as few of these are wrong (Benjamini &
 * Yekutieli, "False discovery rate-adjusted multiple confidence intervals for selected
 * parameters", 2005); those of the others are no narrower.
 */
void verdict_judge_all(struct judgement *const *judgements, size_t count,
		       const struct verdict_question *question);

const char *verdict_name(enum verdict verdict);		/* "real", "layout", "cannot tell" */

#endif
