/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An axis: what may be moved apart from the rest, by the names that sections begin with.
 * A sweep of one axis takes of a policy's rules of chance (pad, jitter, shuffle) those of
 * that axis alone; what else a policy says holds on every axis.
 */
#ifndef KERNING_SWEEP_AXIS_H
#define KERNING_SWEEP_AXIS_H

#include <obstack.h>
#include <stdbool.h>

#include "layout/policy.h"

/* True if NAME is that of an axis: text, rodata, data, bss, percpu. */
bool axis_is(const char *name);
/* "text, rodata, data, bss, percpu": for messages. */
#define AXIS_NAMES "text, rodata, data, bss, percpu"

/*
 * What of POLICY is for the AXIS ("": all), as a KERNING_FLAGS string in ARENA.  Where
 * POLICY has no rule of chance, each unit of the axis has a jitter modulo 4096, by 16; of
 * every axis but percpu, which is within .data, where AXIS is "".  NULL, reported as
 * usage, where a rule of chance names sections of more axes than one, or of none.
 */
const char *axis_flags(const char *axis, const struct policy *policy, struct obstack *arena,
		       struct diag *diag);

#endif
