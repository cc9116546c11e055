/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which statement takes an input section, decided as GNU ld decides it.
 *
 * ld walks the scripts' input section descriptions in the order in which it read
 * them and the first that matches takes the section.  A script with INSERT is
 * read before the default one, and its output sections move to where INSERT
 * says only after that: what it describes it takes, wherever it is inserted.
 * A file name is matched by fnmatch against the name that ld knows the file by:
 * the name of the link line, or the member's name for a member of an ordinary
 * archive; "archive:member" splits at the first ':'; a name without wildcards
 * is that one file of the link line, never a member.  Section names are matched
 * by fnmatch.
 *
 * With -r (and no --force-group-allocation) the members of a section group go
 * to no statement but those of /DISCARD/; the matcher does not know of -r.
 */
#ifndef KERNING_LDSCRIPTS_MATCH_H
#define KERNING_LDSCRIPTS_MATCH_H

#include "ldscripts/script.h"

/* An input section as the matcher sees it. */
struct match_section {
	const char *file;	/* as ld names it; for a member: the member */
	const char *archive;	/* as ld names it; NULL: not a member */
	const char *section;	/* name */
	uint64_t flags;		/* sh_flags */
	uint32_t type;		/* sh_type */
};

/*
 * One input section description of the link, in the order ld tries them.
 * Owned by the matcher.
 */
struct statement {
	unsigned index;				/* its place in that order */
	unsigned place;				/* its place in the output, after INSERT */
	const struct script *script;
	const struct stmt *stmt;		/* STMT_INPUT_SECTION */
	const struct stmt *output;		/* STMT_OUTPUT_SECTION around it */
	const char *output_name;		/* ".text", "/DISCARD/" */
};

struct matcher;

/*
 * A matcher for the COUNT scripts of a link: the default (or -T) script first,
 * then further ones, among which those with INSERT are tried before it.  The
 * scripts must outlive it.  NULL, reported to DIAG, where an INSERT names no output section.
 */
struct matcher *matcher_new(const struct script *const *scripts, size_t count,
			    struct diag *diag);
void matcher_free(struct matcher *matcher);
/* The scripts it was made for, *COUNT of them. */
const struct script *const *matcher_scripts(const struct matcher *matcher, size_t *count);

size_t matcher_count(const struct matcher *matcher);
const struct statement *matcher_statement(const struct matcher *matcher, unsigned index);

/*
 * The statement that takes SECTION, or NULL: none does, it is an orphan.
 * *PATTERN, where wanted, is the place of the pattern in the statement's list
 * (several patterns may match: the first).
 *
 * ONLY_IF_RO and ONLY_IF_RW depend on all the sections that an output section
 * would take; call matcher_resolve_constraints() with all of a link's sections
 * first where the script has them, or both are taken to hold.
 */
const struct statement *matcher_match(const struct matcher *matcher,
				      const struct match_section *section, unsigned *pattern);
void matcher_resolve_constraints(struct matcher *matcher, const struct match_section *sections,
				 size_t count);

/* The description as ld's map prints it: "*(.text .text.*)".  Into ARENA. */
const char *statement_text(const struct statement *statement, struct obstack *arena);

#endif
