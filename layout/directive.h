/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A directive of the policy: what the compiler is to do with the functions,
 * variables and types that it names.  The linker has rules (rule.h).
 *
 *	align-function=NAMES:N		offset-function=NAMES:R/M	pad-function=NAMES:LO..HI/STEP
 *	align-variable=NAMES:N		offset-variable=NAMES:R/M	pad-variable=NAMES:LO..HI/STEP
 *	align-loop=NAMES:N		pad-loop=NAMES:LO..HI/STEP	entry-pad=NAMES:LO..HI/STEP
 *	split=NAMES
 *	align-type=TYPE:N		pad-type=TYPE:+N		offset-field=TYPE.FIELD:R/M
 *
 * NAMES is a glob of assembler names; FILE:NAMES narrows it to source files,
 * by a glob of their paths (or, without a '/', of their last components).
 */
#ifndef KERNING_LAYOUT_DIRECTIVE_H
#define KERNING_LAYOUT_DIRECTIVE_H

#include "layout/option.h"
#include "layout/value.h"

enum directive_kind {
	DIRECTIVE_ALIGN_FUNCTION, DIRECTIVE_OFFSET_FUNCTION, DIRECTIVE_PAD_FUNCTION,
	DIRECTIVE_ENTRY_PAD, DIRECTIVE_ALIGN_LOOP, DIRECTIVE_PAD_LOOP,
	DIRECTIVE_ALIGN_VARIABLE, DIRECTIVE_OFFSET_VARIABLE, DIRECTIVE_PAD_VARIABLE,
	DIRECTIVE_SPLIT,
	DIRECTIVE_ALIGN_TYPE, DIRECTIVE_PAD_TYPE, DIRECTIVE_OFFSET_FIELD,
};
#define DIRECTIVE_KINDS 13

struct directive {
	enum directive_kind kind;
	char *file;		/* glob; NULL where not written */
	char *name;		/* glob of assembler names; of a type its name */
	char *field;		/* OFFSET_FIELD; else NULL */
	bool by_name;		/* NAME is no glob: asks even for what is left alone otherwise */
	struct value value;
	char *text;		/* as written: "align-function=f*:64" */
	struct span span;
	size_t matched;		/* how many symbols or types of this object it named: whoever asks counts */
};

/* The kind that OPTION's name (what is before '=') says, or -1. */
int directive_kind_of(const char *option);
const char *directive_kind_name(enum directive_kind kind);

/* False, reported as a usage error, where the rest is not of that kind's form. */
bool directive_parse(struct directive *directive, enum directive_kind kind,
		     const struct policy_option *option, struct diag *diag);
void directive_release(struct directive *directive);

/* True if DIRECTIVE names the symbol NAME of the source FILE. */
bool directive_names(const struct directive *directive, const char *file, const char *name);

#endif
