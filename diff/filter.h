/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which changes are shown.
 */
#ifndef KERNING_DIFF_FILTER_H
#define KERNING_DIFF_FILTER_H

#include "diff/change.h"

struct filter {
	const char *section, *symbol;	/* globs; NULL: all */
	unsigned what;			/* one of these CHANGE_... at least; 0: any */
	bool unchanged_size;
	const char *near;		/* SYMBOL or SYMBOL:BYTES; NULL: anywhere */
	uint64_t distance;		/* bytes, where NEAR says none */
};

/*
 * Sets change->shown.  False, reported, where NEAR or a glob names nothing: the
 * names nearest to NEAR are said.
 */
bool filter_apply(const struct filter *filter, struct comparison *comparison, struct diag *diag);

#endif
