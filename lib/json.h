/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON on standard output, one row of a list a line, so that a list of any
 * length is never in memory whole and still reads well without a tool.
 */
#ifndef KERNING_LIB_JSON_H
#define KERNING_LIB_JSON_H

#include <jansson.h>
#include <stdint.h>

/* TEXT as a string; bytes that are no UTF-8 as %XX; NULL as null. */
json_t *json_text(const char *text);
/* An address as "0xffffffff82400000": JSON's numbers end at 53 bits in many readers. */
json_t *json_address(uint64_t address);
/* Writes ROW (and frees it) as one more of a list that has had COUNT. */
void json_row(json_t *row, size_t count);

#endif
