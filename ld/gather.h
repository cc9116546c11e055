/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bundle of a build that has ended, from what each of its links has left (see
 * capture.h).
 */
#ifndef KERNING_LD_GATHER_H
#define KERNING_LD_GATHER_H

#include "ld/bundle.h"

struct gathered {
	size_t links;		/* that ended well */
	size_t gone;		/* of which the output is not there any more */
	size_t again;		/* of which the output was linked once more */
	size_t unkept;		/* that could not be kept: reported */
};

/* Makes what drivers need in FOLDER, which is there.  False, reported. */
bool gather_prepare(const char *folder, struct diag *diag);

/*
 * Makes of FOLDER a bundle; BUNDLE has the build's command, folder and time, and gets the
 * links.  False, reported.
 */
bool gather(struct bundle *bundle, const char *folder, struct gathered *gathered,
	    struct diag *diag);

#endif
