/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The link line, word by word, as GNU ld reads it: which words are options,
 * which are inputs, and what state (whole archives, groups, static or dynamic
 * libraries, input format) each input stands in.
 */
#ifndef KERNING_LD_LINKLINE_H
#define KERNING_LD_LINKLINE_H

#include <obstack.h>
#include <stdbool.h>

#include "lib/vec.h"

enum word_kind {
	WORD_OPTION,		/* passed on as it is */
	WORD_INPUT,		/* a file */
	WORD_LIBRARY,		/* -lNAME, -l:FILE: value is NAME or :FILE */
	WORD_SCRIPT,		/* -T FILE */
	WORD_DEFAULT_SCRIPT,	/* -dT FILE */
	WORD_OUTPUT,		/* -o FILE */
	WORD_MAP,		/* -Map FILE; -M: value is NULL */
	WORD_DEPENDENCIES,	/* --dependency-file */
	WORD_KERNING,		/* --kerning-OPTION: value is OPTION */
};

/* What a word means to who takes the link elsewhere: which words name files, and which of them. */
enum word_role {
	ROLE_NONE,
	ROLE_READS,		/* value: a file that ld reads, found from its own folder or -L */
	ROLE_WRITES,		/* value: a file that ld writes beside the output, or a program that it runs */
	ROLE_FOLDER,		/* -L */
	ROLE_RPATH,		/* a folder of the output's, where ld looks for shared libraries too */
	ROLE_RPATH_LINK,	/* where ld alone looks */
	ROLE_JUST_SYMBOLS,	/* -R: ROLE_READS, or where value is a folder ROLE_RPATH */
	ROLE_SYSROOT,
	ROLE_PLUGIN,		/* -plugin, -plugin-opt */
};

struct input_state {
	bool whole_archive, as_needed, is_static;
	bool plain_format;	/* false inside -b FORMAT: not an object of the target */
	unsigned group;		/* number of the --start-group it is in; 0: none */
};

/* One option with its argument, or one input. */
struct word {
	enum word_kind kind;
	enum word_role role;
	const char *value;	/* within text[0] or text[1] */
	const char *text[2];	/* as to pass on; text[1] NULL: one word */
	struct input_state state;
};

struct linkline {
	struct obstack arena;
	VEC(struct word) words;		/* without argv[0]; @FILE expanded */
	VEC(const char *) search_dirs;	/* -L, in order; "=" and $SYSROOT not yet replaced */
	VEC(const char *) undefined;	/* -u, --require-defined */
	const char *output;		/* NULL where not given */
	const char *dependencies;	/* --dependency-file; NULL */
	const char *entry;		/* -e; NULL */
	const char *sysroot;		/* --sysroot; NULL */
	bool relocatable;		/* -r, -i, -Ur */
	bool plugin;			/* -plugin: a compiler's, for its bytecode */
	bool informational;		/* --help, --version: not a link */
	bool mri_script;		/* -c FILE */
	const char *unsupported;	/* an option that kerning cannot place under; NULL */
};

/* Reads ARGC words at ARGV (argv[0] is skipped); what is wrong in them is left for ld to say. */
void linkline_parse(struct linkline *line, int argc, char *const *argv);
void linkline_release(struct linkline *line);

#endif
