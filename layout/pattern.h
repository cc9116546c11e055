/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * UNITS: which units a rule names, in ld's notation.
 *
 *	FILE(SECTION)		both are globs, where '*' also takes '/'
 *	SECTION			*(SECTION)
 *	archive:member(SECTION)	as in a linker script; "archive:" is any member,
 *				":file" a file that is no member
 *	archive(member)(SECTION) the same as an identity writes it
 *
 *	FILE(SECTION:SYMBOL)	what the compiler split off: a glob of assembler names
 *	SECTION:SYMBOL		*(SECTION:SYMBOL)
 *
 * FILE is matched against the identity's file ("liblua5.4.a(lvm.o)") and, for
 * a member, against the member's name alone ("lvm.o").  A FILE without '/' is
 * also matched against the last component: "core.o" names kernel/sched/core.o.
 * SECTION is matched against the section's name; "NAME#2" names the second of
 * that name in its object alone.
 */
#ifndef KERNING_LAYOUT_PATTERN_H
#define KERNING_LAYOUT_PATTERN_H

#include <stdbool.h>

#include "layout/option.h"
#include "layout/unit.h"

struct units_pattern {
	char *text;		/* as written */
	char *archive;		/* of archive:member; NULL where not written */
	char *file;		/* "*" where not written; the member where ARCHIVE is there */
	char *section;
	char *symbol;		/* NULL where not written: any, and none */
};

/* Reads the bytes [begin, end) of OPTION's text.  False, reported, where they are no UNITS. */
bool units_pattern_parse(struct units_pattern *pattern, const struct policy_option *option,
			 const char *begin, const char *end, struct diag *diag);
void units_pattern_release(struct units_pattern *pattern);

/* True if PATTERN names the unit; its file; its section. */
bool units_match(const struct units_pattern *pattern, const struct identity *identity);
bool units_match_file(const struct units_pattern *pattern, const struct identity *identity);
bool units_match_section(const struct units_pattern *pattern, const struct identity *identity);

/*
 * UNITS that name the unit IDENTITY and none of another name, for a line of a policy
 * file.  The caller frees it.  NULL where this notation has none: for the first of several
 * sections of a name too, which is for the caller to see, for it names them all.
 */
char *units_pattern_exact(const struct identity *identity);

/* fnmatch(3) without flags. */
bool glob_match(const char *glob, const char *text);

#endif
