/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two sides of a comparison: files of any two kinds, read so that they have
 * something in common.
 *
 *	layout, layout		units
 *	layout, program		units where the program's layout is there; else symbols
 *	layout, map		symbols, which the layout knows of what is split off
 *	else			symbols
 */
#ifndef KERNING_DIFF_SIDES_H
#define KERNING_DIFF_SIDES_H

#include "diff/image.h"

struct sides {
	struct image a, b;
};

/*
 * Opens and reads PATH_A and PATH_B.  LAYOUT_A and LAYOUT_B are the layouts of
 * programs; NULL: what lies beside them, if it is theirs.  False, reported, where
 * one cannot be read, or the two have nothing in common.  sides_release() it
 * either way.
 */
bool sides_read(struct sides *sides, const char *path_a, const char *path_b,
		const char *layout_a, const char *layout_b, struct diag *diag);
void sides_release(struct sides *sides);

#endif
