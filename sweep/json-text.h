/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON in what a program prints: one document, one a line, or some of them among other
 * text.
 */
#ifndef KERNING_SWEEP_JSON_TEXT_H
#define KERNING_SWEEP_JSON_TEXT_H

#include <jansson.h>
#include <obstack.h>
#include <stdbool.h>

#include "lib/vec.h"

/*
 * A document begins with '{' or '[', at the beginning of a line or behind another one.
 * Numbers are all reals: what tools count does not always fit 63 bits.
 */
struct json_text {
	VEC(json_t *) documents;
	const char *why;	/* where there are none; in the arena given */
};

void json_text_read(struct json_text *json, const char *text, size_t size, struct obstack *arena);
void json_text_release(struct json_text *json);

#endif
