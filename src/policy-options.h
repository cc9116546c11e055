/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver's options as options of a command: --seed=7, --pad='.text*:0..4080/16',
 * --policy=FILE.  An argp parser to be a child of the command's own:
 *
 *	static const struct argp_child children[] = { { &policy_options_argp, 0, "...", 0 }, { 0 } };
 *	case ARGP_KEY_INIT: state->child_inputs[0] = &policy_options;
 */
#ifndef KERNING_SRC_POLICY_OPTIONS_H
#define KERNING_SRC_POLICY_OPTIONS_H

#include <argp.h>

#include "layout/policy.h"

struct policy_options {
	struct policy policy;		/* what they say, together */
	VEC(char *) words;		/* "seed=7", each checked; files in them are absolute */
	struct diag *diag;
};

extern const struct argp policy_options_argp;

/* Where what is wrong with an option goes; command_xxx() looks at diag->errors behind argp_parse(). */
void policy_options_init(struct policy_options *options, struct diag *diag);
void policy_options_release(struct policy_options *options);

/* All of them, "seed=7", NULL at the end; they belong to OPTIONS. */
const char *const *policy_options_words(struct policy_options *options);
/* The same as KERNING_FLAGS has them; "" where none was given.  The caller frees it. */
char *policy_options_flags(const struct policy_options *options);

#endif
