/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a section holds, as one number: the same for two sections that differ
 * in no byte and in no relocation.  By it a unit is found again under another name.
 *
 * A relocation counts by its offset, its type, the name of its symbol and its
 * addend; of one to a section, or to a symbol that the compiler numbered, neither
 * name nor addend: these change when something else in the object does.
 */
#ifndef KERNING_LD_CONTENT_H
#define KERNING_LD_CONTENT_H

#include <libelf.h>

#include "ld/object.h"

/*
 * Sets the content of OBJECT's allocated sections, which have been read from ELF:
 * section headers are good, SYMTAB is the index of its symbols' table or 0.  What
 * cannot be read is left out: the number tells less, and no more.
 */
void content_hash(struct object *object, Elf *elf, size_t symtab);

#endif
