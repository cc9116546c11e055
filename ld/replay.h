/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A link of a bundle, made again: by the driver, placed as options say, or by ld alone.
 */
#ifndef KERNING_LD_REPLAY_H
#define KERNING_LD_REPLAY_H

#include "ld/bundle.h"

struct replay {
	const struct bundle *bundle;
	const struct bundle_link *link;
	/* Where units go.  Neither one nor the other: ld alone, and no layout. */
	const char *flags;	/* as in KERNING_FLAGS; NULL or "": none */
	const char *const *options; /* "seed=7", NULL at the end; NULL: none */
	const char *output;	/* what is written */
	const char *layout;	/* NULL: OUTPUT.layout */
	const char *cache;	/* what makes the next one faster; NULL: .kerning beside OUTPUT */
};

/*
 * Makes OUTPUT and its layout, which are whole or as before; what failed is removed, as ld
 * does.  Nothing is written to the bundle, so several may be made at a time, with one cache
 * too.  Returns the exit status: 0 done, else reported.  A signal that would end this process
 * ends the link first.
 */
int replay_run(const struct replay *replay, struct diag *diag);

#endif
