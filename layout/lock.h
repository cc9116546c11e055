/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lock: a reference's layout, held by a later link.
 *
 * A unit has a slot: from its address to what came next in the reference.  A unit
 * that fits its slot stays.  One that outgrew it, or that the reference did not
 * have, goes into the room at the end of its run, at the residue that it had
 * modulo 4096 where that is free, else modulo 64, else at its own alignment.  Where
 * not all find a place so, the room is filled densely, and with it the slots that these
 * units left.  The slot of a unit that is gone stays empty.  So nothing that did not
 * change itself is moved, however many links are held to one reference.
 *
 * Seams (ldscripts/seam.h) are held at their ends: tables and what lies behind
 * them keep their addresses while there is room before the seam.  Where there is
 * not, what follows moves by a multiple of 4096 bytes, up to the next gap that takes
 * it in.
 *
 * A unit whose identity the reference does not have may be one of it that was renamed:
 * see namesake.h.
 */
#ifndef KERNING_LAYOUT_LOCK_H
#define KERNING_LAYOUT_LOCK_H

#include "layout/plan.h"
#include "layout/record.h"

/* What cannot keep its address keeps it modulo this, in bytes. */
#define LOCK_MODULUS 4096
/* ... or at least modulo this, if it can. */
#define LOCK_LEAST 64

struct lock {
	const char *path;
	struct layout reference;
	uint64_t modulus;	/* addresses are held modulo this; 0: addresses themselves */
};

/*
 * Reads the reference.  False, reported, where it is no layout, or no link could
 * have made it: two units overlap or bear one identity.  lock_release() in any case.
 */
bool lock_read(struct lock *lock, const char *path, uint64_t modulus, struct diag *diag);
void lock_release(struct lock *lock);

/*
 * Holds the reference against this link: MADE has its machine, script and linker.
 * Each difference is reported, as an error, or with FORCE as the warning [lock];
 * false where there was an error.
 */
bool lock_check(const struct lock *lock, const struct layout *made, bool force, struct diag *diag);

/*
 * Puts the units of PLAN where the reference has them.  Rules that ask for other
 * residues than the lock gives are told of, by the warning [lock-wins].
 */
void lock_apply(const struct lock *lock, struct plan *plan, const struct unit *units,
		struct diag *diag);

#endif
