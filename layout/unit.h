/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A unit: one placeable piece of a link, an input section of one object.
 */
#ifndef KERNING_LAYOUT_UNIT_H
#define KERNING_LAYOUT_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A unit's name that stays the same from build to build:
 *
 *	kernel/sched/core.o(.data)		object, section
 *	liblua5.4.a(lvm.o)(.text)		archive(member), section
 *	foo.o(.text#2)				the second of that name in foo.o
 *	kernel/fork.o(.text:copy_process)	a function that the compiler split off
 *
 * FILE is the object's part ("liblua5.4.a(lvm.o)"), SECTION the section's
 * name, ORDINAL 1 for the first (not written), 2, 3, ...
 */
struct identity {
	const char *file;
	const char *section;
	unsigned ordinal;
	const char *symbol;		/* what a section of its own was made for; NULL: a section as it is */
};

struct unit {
	struct identity identity;
	uint64_t size;			/* bytes */
	uint64_t align;			/* the object's own alignment, a power of two, >= 1 */
	bool executable;
	bool merged;			/* SHF_MERGE: keeps its place, its size may shrink */
	bool tagged;			/* it bears a name of its own while it is linked */
	uint64_t content;		/* hash of its bytes and relocations; 0: not known */
	unsigned statement;		/* which statement takes it (index of the matcher) */
	uint32_t shndx;			/* in its object: for the link's own use */
};

/*
 * The identity as text.  Returns the length that it has (as snprintf does).
 *
 * Blanks, controls and '%' are written %XX, and so are '(', ')', '#' and
 * ':' in the section's name: the text is one word, and identity_parse() reads it back.
 */
size_t identity_format(char *buffer, size_t size, const struct identity *identity);

/* The same on the heap; the caller frees it. */
char *identity_string(const struct identity *identity);

/* The '(' at or after BEGIN that the ')' at LAST closes, or NULL: how identities are split. */
const char *opening_parenthesis(const char *begin, const char *last);

/*
 * Orders merged units by lot: ld merges with each other those of one section name and
 * alignment.  0: they are of one lot.
 */
int unit_compare_lots(const struct unit *a, const struct unit *b);

/* Orders by file, section, symbol, ordinal: negative, 0 or positive. */
int identity_compare(const struct identity *a, const struct identity *b);

#endif
