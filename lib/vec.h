/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A growing array of any type:
 *
 *	VEC(struct unit) units = VEC_INIT;
 *	*vec_push(&units) = unit;
 *	for (size_t i = 0; i < units.count; i++) units.at[i]...
 *	vec_release(&units);
 */
#ifndef KERNING_LIB_VEC_H
#define KERNING_LIB_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "lib/memory.h"

#define VEC(type) struct { type *at; size_t count, capacity; }
#define VEC_INIT { NULL, 0, 0 }

/* Makes room for one more and returns its address; the new element is uninitialised. */
#define vec_push(v) \
	((v)->count == (v)->capacity ? \
	 (void)((v)->at = xrealloc_array((v)->at, (v)->capacity = (v)->capacity ? 2 * (v)->capacity : 8, \
					 sizeof *(v)->at)) : (void)0, \
	 &(v)->at[(v)->count++])

#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->count = (v)->capacity = 0)

#endif
