/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fork that leaves the heap behind.
 *
 * The largest size of a process, as the kernel keeps it, counts what it was a copy of
 * before it executed its program; and to take that copy down is the program's first act.
 * So the smaller the copy, the truer what is measured.
 */
#ifndef KERNING_SWEEP_FORK_H
#define KERNING_SWEEP_FORK_H

#include <sys/types.h>

/*
 * As fork(2), without handlers.  The child may use nothing that was allocated, nor allocate:
 * it has its stack, static data and what is shared.
 */
pid_t fork_without_heap(void);

#endif
