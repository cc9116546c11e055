/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Amounts as text, the same in every form.  In the ARENA given; "-" where one is not known.
 */
#ifndef KERNING_REPORT_AMOUNT_H
#define KERNING_REPORT_AMOUNT_H

#include <obstack.h>
#include <stdbool.h>

#include "stats/verdict.h"

/* "1.234 ms", "12.35M op/s". */
const char *amount_number(struct obstack *arena, double value, const char *unit);
/* "1.231 to 1.236 ms". */
const char *amount_range(struct obstack *arena, const struct interval *interval, const char *unit);
/* A ratio less 1, "+12.3%"; a part, "12.3%" (not SIGNED). */
const char *amount_percent(struct obstack *arena, double ratio, bool is_signed);
/* "-0.2% to +0.4%". */
const char *amount_percent_range(struct obstack *arena, const struct interval *interval,
				 bool is_signed);
/* A share of a whole: "62%", "31% to 82%". */
const char *amount_share(struct obstack *arena, double share);
const char *amount_share_range(struct obstack *arena, const struct interval *share);
/* "0.031", "< 0.001". */
const char *amount_p(struct obstack *arena, double p);
/* A change as JUDGEMENT has it, a percentage or a number in UNIT; with its sign. */
const char *amount_change(struct obstack *arena, const struct judgement *judgement, double change,
			  const char *unit);
const char *amount_change_range(struct obstack *arena, const struct judgement *judgement,
				const struct interval *change, const char *unit);

#endif
