/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as a picture.
 */
#ifndef KERNING_DIFF_SVG_H
#define KERNING_DIFF_SVG_H

#include "diff/step.h"

/*
 * Draws the sections in which something moved, A above B, to PATH.  The size is
 * bounded: steps that are narrower than a stroke are drawn as one.  False,
 * reported, where it cannot be written.
 */
bool svg_write(const char *path, const struct comparison *comparison, const struct steps *steps,
	       struct diag *diag);

#endif
