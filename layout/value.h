/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands behind the ':' of a rule or a directive.
 */
#ifndef KERNING_LAYOUT_VALUE_H
#define KERNING_LAYOUT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/option.h"

enum value_form {
	VALUE_NONE,
	VALUE_ALIGN,		/* N: a power of two, >= 1 */
	VALUE_RESIDUE,		/* R/M: R < M, M a power of two */
	VALUE_RANGE,		/* LO..HI/STEP: LO <= HI, STEP >= 1 */
	VALUE_JITTER,		/* M/STEP: M a power of two, 1 <= STEP < M */
	VALUE_GROWTH,		/* +N: N >= 1 */
	VALUE_ROOM,		/* N or P%, P with up to two decimals */
};

struct value {			/* bytes; only what the form has is set */
	uint64_t align;			/* ALIGN */
	uint64_t residue, modulus;	/* RESIDUE; JITTER: the modulus */
	uint64_t low, high, step;	/* RANGE; JITTER: the step; GROWTH, ROOM: low */
	uint64_t share;			/* ROOM in percent: hundredths of one */
};

/* No number is above this (1 TiB), so that sums of some never overflow. */
#define VALUE_NUMBER_MAX ((uint64_t)1 << 40)

/*
 * Reads the bytes [begin, end) of OPTION's text.  False, reported as a usage
 * error, where they are not of that form; SHAPE ("pad=UNITS:LO..HI/STEP") says
 * in a message how the option is written.
 */
bool value_parse(struct value *value, enum value_form form, const char *begin, const char *end,
		 const char *shape, const struct policy_option *option, struct diag *diag);

/* The bytes that a value of the form ROOM asks for beside SIZE bytes. */
uint64_t value_room(const struct value *value, uint64_t size);

/* The last ':' in [begin, end) outside of parentheses, behind which a value stands; NULL: none. */
const char *value_colon(const char *begin, const char *end);

#endif
