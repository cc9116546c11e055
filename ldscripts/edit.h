/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Changing a script's text without touching what is not changed: a list of
 * insertions and replacements by offset, applied in one go when the text is
 * written.  Bytes that no edit covers come out as they went in.
 */
#ifndef KERNING_LDSCRIPTS_EDIT_H
#define KERNING_LDSCRIPTS_EDIT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/source.h"

struct edits;

/* Edits of SOURCE, which must outlive them. */
struct edits *edits_new(const struct source *source);
void edits_free(struct edits *edits);

/* Inserts TEXT (copied) before the byte at OFFSET; several at one offset keep their order. */
void edit_insert(struct edits *edits, uint32_t offset, const char *text);
/* Puts TEXT (copied) in the place of SPAN.  Replacements must not overlap: a bug, aborts. */
void edit_replace(struct edits *edits, struct span span, const char *text);

/* Writes the edited text.  False with errno set on a write error. */
bool edits_write(struct edits *edits, FILE *stream);

#endif
