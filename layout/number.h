/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as ld writes them.
 */
#ifndef KERNING_LAYOUT_NUMBER_H
#define KERNING_LAYOUT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * 64, 0x40, 0100 (octal), 16K, 2M.  False where TEXT (to END, or to its NUL
 * where END is NULL) is no such number or does not fit.
 */
bool parse_number(const char *text, const char *end, uint64_t *value);

static inline bool is_power_of_two(uint64_t value)
{
	return value != 0 && (value & (value - 1)) == 0;
}

#endif
