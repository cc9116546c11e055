/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan as linker script: each statement that takes units gets an INCLUDE
 * of a fragment before it, which names the units one by one and says what
 * stands before each.
 *
 *	*(.data .data.*)
 *
 * becomes
 *
 *	INCLUDE ".kerning/work/vmlinux-4711/0012.ld"
 *	*(.data .data.*)
 *
 * where 0012.ld has, unit by unit,
 *
 *	. += 192;
 *	. += (64 + (ALIGN(4096) - .)) & 4095;
 *	*(".data@kernel/sched/core.o")
 *
 * The statement itself stays, for what the census does not know (sections that
 * ld makes itself).
 *
 * At each seam stands
 *
 *	. = 17 ? . + 4096 : .;
 *
 * which leaves its room free.  The condition does nothing but say which seam this
 * is: ld's map shows it, and the address.  A lock holds the seam's end instead:
 *
 *	. = 17 ? . + (. > END ? (END - .) & 4095 : END - .) : .;
 *
 * What cannot keep its address so keeps it modulo 4096.  Addresses within output
 * sections count from their beginning, which is held in the same way.
 */
#ifndef KERNING_LD_FRAGMENT_H
#define KERNING_LD_FRAGMENT_H

#include "layout/plan.h"
#include "layout/record.h"
#include "ld/rooms.h"

/*
 * Writes into the folder DIR the fragments and the rewritten scripts of a
 * link.  COPIES[i] is set to the path of what replaces script i of SCRIPTS (in
 * ARENA).  SEAMS are those of PLAN's rooms.  REFERENCE is what a lock holds to, or
 * NULL.  False, reported, where that cannot be written.
 */
bool fragments_write(const char *dir, const struct census *census, const struct plan *plan,
		     const struct seams *seams, const struct layout *reference,
		     const struct link_scripts *scripts, const char **copies,
		     struct obstack *arena, struct diag *diag);

#endif
