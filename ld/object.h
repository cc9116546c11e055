/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an object file holds: its sections, groups and symbols, read with
 * libelf from a file of its own or from inside an archive.
 */
#ifndef KERNING_LD_OBJECT_H
#define KERNING_LD_OBJECT_H

#include <obstack.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/diag.h"
#include "lib/vec.h"

/* Where an object's bytes are. */
struct object_place {
	const char *path;	/* the file to open: the object, or the archive that holds it */
	off_t offset;		/* of its first byte in that file */
	off_t size;		/* bytes; 0 with offset 0: the whole file */
	const char *label;	/* for messages: "libm.a(e.o)"; NULL: the path */
};

struct object_section {
	const char *name;
	uint32_t shndx;
	uint32_t ordinal;	/* among those of its name: 1, 2, ... */
	uint32_t type;		/* sh_type */
	uint64_t flags;		/* sh_flags */
	uint64_t size, align;	/* bytes; align >= 1, a power of two */
	const char *symbol;	/* its first, where others bear its name; NULL: none */
	uint32_t symbol_ordinal; /* among those of its name and symbol: 1, 2, ... */
	uint64_t content;	/* hash of bytes and relocations, see content.h; 0: holds none */
	uint32_t group;		/* index into groups + 1; 0: none */
	bool names_group;	/* its name is a group's signature too */
};

struct object_group {
	const char *signature;
	bool comdat;
};

enum object_binding { OBJECT_UNDEFINED, OBJECT_UNDEFINED_WEAK, OBJECT_DEFINED,
		      OBJECT_DEFINED_WEAK, OBJECT_COMMON };

struct object_symbol {		/* global or weak; locals are not listed */
	const char *name;
	uint32_t shndx;		/* of the defining section; 0: undefined, absolute or common */
	uint64_t value;		/* of a relocatable object: offset in that section */
	enum object_binding binding;
	bool function;		/* STT_FUNC or STT_GNU_IFUNC */
};

struct object {
	struct obstack arena;		/* owns every name */
	unsigned machine, elf_class, data; /* e_machine, EI_CLASS, EI_DATA; 0: LLVM bitcode */
	unsigned elf_type;		/* ET_REL, ET_DYN, ... */
	const char *source_file;	/* the first STT_FILE symbol; NULL: none */
	bool lto;			/* link-time bytecode of GCC or LLVM, and no code */
	bool fat_lto;			/* bytecode beside code: linked instead, where a plugin is */
	VEC(struct object_section) sections; /* in header order, without SHT_NULL */
	VEC(struct object_group) groups;
	VEC(struct object_symbol) symbols; /* empty unless asked for */
};

enum object_status {
	OBJECT_OK,
	OBJECT_NOT_ELF,		/* some other kind of file: not reported */
	OBJECT_BAD,		/* truncated or corrupt, or not to be read: reported */
};

/*
 * Reads PLACE into OBJECT (object_release() it on OBJECT_OK).  Every offset,
 * size and index of the file is checked before it is used.  SYMBOLS asks for
 * the symbols too.  Of an ET_DYN only symbols (of .dynsym, without those of
 * a hidden version, to which no object can be linked anew) are read.
 */
enum object_status object_read(struct object *object, const struct object_place *place,
			       bool symbols, struct diag *diag);
void object_release(struct object *object);

/* The section with that header index; NULL: none. */
struct object_section *object_section(const struct object *object, uint32_t shndx);

#endif
