/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the map of a link said, kept for the next link of the same inputs, so
 * that it is planned right at once: where --gc-sections drops units, say.
 */
#ifndef KERNING_LD_RECALL_H
#define KERNING_LD_RECALL_H

#include "ld/inputs.h"
#include "ld/resolve.h"
#include "ld/scripts.h"

/*
 * A number for a link's inputs: the words of its line, its scripts' text, and
 * the size and time of each file.
 */
uint64_t recall_key(const struct linkline *line, const struct inputs *inputs,
		    const struct link_scripts *scripts);

/*
 * Reads what PATH says of the link KEY into CORRECTION, strings in ARENA.
 * False where it says nothing of it.
 */
bool recall_read(struct correction *correction, const char *path, uint64_t key,
		 const struct inputs *inputs, struct obstack *arena);
/* Writes it.  A failure is no harm: the next link takes two passes again. */
void recall_write(const struct correction *correction, const char *path, uint64_t key);

#endif
