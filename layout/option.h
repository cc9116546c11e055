/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One option as it was written, and where, so that a message can quote it and
 * point at the byte in question.
 */
#ifndef KERNING_LAYOUT_OPTION_H
#define KERNING_LAYOUT_OPTION_H

#include "lib/diag.h"
#include "lib/source.h"

/* Not "struct option": that is getopt's. */
struct policy_option {
	const char *text;	/* "pad=.data*:0..64/16" */
	const char *origin;	/* "command line", "KERNING_FLAGS", "FILE:LINE" */
	struct span span;	/* where it stands in its source */
};

/*
 * Reports a usage error about the bytes [begin, end) of the option's text; to
 * its end where END is NULL.
 */
void option_error(const struct policy_option *option, const char *begin, const char *end,
		  struct diag *diag, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

#endif
