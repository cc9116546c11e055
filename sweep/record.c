/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/record.h"

#include <math.h>

#include "lib/memory.h"

void record_init(struct record *record)
{
	*record = (struct record){ .benchmark = "", .confidence = NAN, .effect = NAN };
	obstack_init(&record->arena);
}

void record_release(struct record *record)
{
	vec_release(&record->sessions);
	vec_release(&record->builds);
	vec_release(&record->conditions);
	vec_release(&record->metrics);
	vec_release(&record->layouts);
	vec_release(&record->runs);
	vec_release(&record->values);
	obstack_free(&record->arena, NULL);
}
