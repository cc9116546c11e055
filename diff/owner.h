/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose a symbol is: the unit of a layout in which it lies.
 */
#ifndef KERNING_DIFF_OWNER_H
#define KERNING_DIFF_OWNER_H

#include "diff/image.h"

/*
 * The layout of the program IMAGE: PATH, or, where PATH is NULL, what lies
 * beside it under the name that a link gives.  NULL where none lies there, or
 * one of another build; that of a PATH is reported.  The caller frees it.
 */
char *owner_find(const struct image *image, const char *path, struct diag *diag);

/*
 * Gives each piece of IMAGE the object of its unit by the layout at PATH, and
 * keeps PATH (from owner_find()) in image->layout.  False, reported, where the
 * layout is broken.
 */
bool owner_read(struct image *image, char *path, struct diag *diag);

#endif
