/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer: what a report says first.
 */
#ifndef KERNING_REPORT_ANSWER_H
#define KERNING_REPORT_ANSWER_H

#include <obstack.h>

#include "report/analysis.h"

/* The answer to it all, in ARENA: one sentence, or of one metric its own, with its name. */
const char *answer_text(struct obstack *arena, const struct analysis *analysis);

#endif
