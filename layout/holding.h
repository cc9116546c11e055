/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What became of a lock: a link's layout beside its reference's, unit by unit.
 */
#ifndef KERNING_LAYOUT_HOLDING_H
#define KERNING_LAYOUT_HOLDING_H

#include "layout/record.h"

enum fate {
	FATE_HELD,	/* at its address (or residue) */
	FATE_SPILLED,	/* outgrew its slot, or wants a higher alignment: lies in the room */
	FATE_MOVED,	/* lies elsewhere though it did not grow */
	FATE_NEW,
	FATE_GONE,
};
#define FATES 5

struct held_unit {
	enum fate fate;
	const struct layout_unit *before, *after; /* NULL: NEW; GONE */
	bool renamed;			/* known by content or by its name without numbers */
	const char *why;		/* static; "": nothing to be said */
};

struct held_mark {			/* an output section, or a symbol of the script, that moved */
	const struct layout_mark *before, *after;
};

struct holding {
	VEC(struct held_unit) units;	/* the later link's in its order; then those that are gone */
	VEC(struct held_mark) marks;
	size_t counts[FATES], renamed;	/* units */
	uint64_t bytes[FATES];		/* sizes as the later link has them; GONE: as the reference has */
	size_t symbols, symbols_held;	/* units of one function or variable that are in both; those held */
	uint64_t locked_bytes;		/* of units that are in both */
	size_t unheld;			/* units of the same content and size that were not held */
};

/*
 * Compares AFTER with BEFORE, both sorted, modulo MODULUS (0: by address).  The
 * caller releases both lists; what they point to is the layouts'.
 */
void holding_compare(struct holding *holding, const struct layout *before,
		     const struct layout *after, uint64_t modulus);
void holding_release(struct holding *holding);

/* "+4096" or "-16": how far AFTER is from BEFORE, in bytes.  The caller frees it. */
char *holding_shift(uint64_t before, uint64_t after);

const char *fate_name(enum fate fate);

#endif
