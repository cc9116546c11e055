/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes layouts, several at a time, and puts them into a store.
 */
#ifndef KERNING_SWEEP_WORKSHOP_H
#define KERNING_SWEEP_WORKSHOP_H

#include <signal.h>

#include "sweep/maker.h"
#include "sweep/progress.h"
#include "sweep/store.h"

/* A layout that is wanted. */
struct order {
	size_t build;
	bool plain;
	uint64_t seed;
	const char *axis;
	const char *flags;		/* the driver's options, without the seed */
	const struct maker *maker;
	size_t layout;			/* its index in the store's record, once it is there */
};

/*
 * Makes what of COUNT ORDERS is not in the store, in their order there however they end;
 * what is there but whose output is gone is made again, and must be the same.  An order
 * whose maker fails is in the store as failed.  False, reported: the machine failed (no
 * space), a remade output differs, or *STOP became true.
 */
bool workshop_make(struct order *orders, size_t count, struct store *store,
		   struct progress *progress, const volatile sig_atomic_t *stop,
		   struct diag *diag);

#endif
