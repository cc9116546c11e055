/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An image: a linked file seen as pieces, each with a name, a place and a size.
 * What the file is shows in its content:
 *
 *	program		an ELF file: the symbols of .symtab, or else of .dynsym
 *	map		a System.map, what nm prints: symbols without sizes
 *	layout		a layout file: units; or, beside one of the others, what
 *			was split off by symbols
 */
#ifndef KERNING_DIFF_IMAGE_H
#define KERNING_DIFF_IMAGE_H

#include <obstack.h>
#include <stdbool.h>
#include <stdint.h>

#include "layout/unit.h"
#include "lib/diag.h"
#include "lib/vec.h"

enum image_kind { IMAGE_PROGRAM, IMAGE_MAP, IMAGE_LAYOUT };

struct image_section {
	const char *name;	/* of an output section; of a map "text", "rodata", "data", "bss" */
	uint64_t address;	/* of its first byte; of a map or layout of its first piece */
	bool writable, code;	/* false where not known */
};

/* A symbol or a unit. */
struct piece {
	uint64_t address, size;	/* bytes; size 0: not known */
	const char *name;	/* in assembler; of a unit its identity */
	const char *symbol;	/* the same; of a unit what it was split off for, or NULL */
	const char *file;	/* source (STT_FILE) or module of a local symbol; NULL: unknown */
	const char *object;	/* of its unit, by a layout; NULL: not known */
	uint32_t section;	/* index into sections */
	uint32_t order;		/* in the symbol table */
	bool empty;		/* an object without a byte: left out if it is on both sides */
	bool global;		/* bears a name that the program has once */
};

/* What of a file is no piece, and why. */
struct image_left_out {
	size_t labels;		/* without type and size: marks of scripts and assembler */
	size_t tables;		/* entries of tables that go by another symbol: __ksymtab_*, ... */
	size_t absolute, thread;/* absolute; thread-local */
	size_t units;		/* not split off by a symbol; without a byte */
};

struct image {
	const char *path;
	enum image_kind kind;
	struct obstack arena;	/* owns every name */
	VEC(struct image_section) sections;
	VEC(struct piece) pieces; /* by address, then size (largest first), then order */
	struct image_left_out left_out;
	bool distances;		/* sizes are distances to the next address of the section */
	bool dynamic;		/* of .dynsym: a symbol may be there without being in it */
	bool units;		/* pieces are units */
	char *layout;		/* the layout file that objects are from; NULL: none */

	struct source *source;	/* its text until it is read; NULL: a program */
};

/* What of a file to read; it depends on the other file. */
struct image_want {
	bool labels;		/* of programs: as nm does, for the other one is a map */
	bool dynamic;		/* .dynsym rather than .symtab: the other one has no more */
	bool units;		/* of layouts: units, not symbols */
};

/*
 * Opens PATH and says in image->kind what it is.  image_release() it either way.
 * False, reported, where it cannot be read or is nothing of the three.
 */
bool image_open(struct image *image, const char *path, struct diag *diag);
/* Reads its pieces.  False, reported, where it is broken.  May be called again. */
bool image_read(struct image *image, const struct image_want *want, struct diag *diag);
void image_release(struct image *image);

/* "ELF file", "System.map", "layout". */
const char *image_kind_name(enum image_kind kind);

/* --- For what reads one kind (program.c, system-map.c) ---------------------  */

bool program_read(struct image *image, const struct image_want *want, struct diag *diag);
#define MAP_ERRORS_MAX 20
bool map_read(struct image *image, struct diag *diag);
/* True if NAME is an entry of a table that the kernel makes of other symbols. */
bool image_is_table_entry(const char *name);
/* SIZE; or 0, not known, where nothing at ADDRESS can be that large: a quarter of all addresses. */
uint64_t piece_size(uint64_t address, uint64_t size);
/* Sorts the pieces as the struct says. */
void image_sort(struct image *image);

#endif
