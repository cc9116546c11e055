/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The driver's part in "kerning capture": a link is made as always, and where it was a
 * final one, what it opened is kept.
 *
 * KERNING_CAPTURE names the folder where a bundle is being made:
 *
 *	staged/		files, each under a name that tells where and when it was
 *	links/		a record of each link, in the order in which they ended
 *	work/		what a link under way needs
 *	whole		removed by a driver that could not keep something
 */
#ifndef KERNING_LD_CAPTURE_H
#define KERNING_LD_CAPTURE_H

#include "ld/linkline.h"
#include "lib/diag.h"

#define CAPTURE_VARIABLE "KERNING_CAPTURE"

/*
 * Makes the link of LINE, whose words are ARGV, by this very program without
 * KERNING_CAPTURE; LD: the linker behind it.  Returns the exit status.
 */
int capture_link(const char *folder, const struct linkline *line, char *const *argv,
		 const char *ld, struct diag *diag);

/* The environment variables that ld reads and that change what it links; NULL at the end. */
extern const char *const capture_variables[];

#endif
