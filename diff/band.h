/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a picture shows of a section: its pieces in A and in B, each at its offset
 * from the section's first one.
 */
#ifndef KERNING_DIFF_BAND_H
#define KERNING_DIFF_BAND_H

#include "diff/change.h"

/* How far a piece moved within its section. */
enum bucket {
	SAME, UP_1, UP_16, UP_64, UP_4096, DOWN_1, DOWN_16, DOWN_64, DOWN_4096, ONLY_B, ONLY_A,
	BUCKETS,
};

/* A piece and the offset that it is drawn at. */
struct spot {
	const struct piece *piece;
	const struct change *change;
	uint64_t at;
};

struct strip {
	VEC(struct spot) spots;		/* by address */
	uint64_t extent;		/* bytes */
};

struct band {
	const char *section;
	size_t changed;			/* pieces that moved within the section, are new or gone */
	size_t shifted;			/* that moved with it */
	int64_t shift;			/* of the section's beginning */
	struct strip a, b;
};

struct bands {
	VEC(struct band) list;		/* most changed first */
};

/* The sections of the changes that are shown.  bands_release() them. */
void bands_find(struct bands *bands, const struct comparison *comparison);
void bands_release(struct bands *bands);

enum bucket band_bucket(const struct band *band, const struct change *change);
/* Where a piece is drawn; NULL: it is not in the strip. */
const struct spot *strip_spot(const struct strip *strip, const struct piece *piece);

#endif
