/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plugin's parts, and what they share.
 */
#ifndef KERNING_PLUGIN_PLUGIN_H
#define KERNING_PLUGIN_PLUGIN_H

#include "plugin/gcc.h"

#include "plugin/arguments.h"

/* What the user asked for. */
extern struct policy *kerning_policy;

/* The source that is compiled, named alike wherever it is built: "kernel/fork.c". */
const char *source_name();

/* A declaration's name in assembler, without the '*' of one that is final. */
const char *assembler_name(tree decl);

/* True if DECL or its type is one that nothing may be done to: kerning_fixed. */
bool is_fixed(tree decl);
/* What DECL's kerning_align asks for, in bytes; 0: nothing. */
uint64_t attribute_alignment(tree decl);

/* Reports a residue that the symbol's own alignment does not allow, at DECL.  True if there is one. */
bool report_contradiction(tree decl, const struct symbol_choice *choice, uint64_t align);

/* Writes directives for the place of what comes next: PAD bytes of FILL (-1: zeros), then the residue. */
void write_place(FILE *file, uint64_t pad, uint64_t modulus, uint64_t residue, int fill);

/*
 * By DECL_UID: what GCC collects may give its address to another declaration, and
 * never its number.
 */
template <class T> using decl_map = hash_map<int_hash<int, -1, -2>, T>;

/* Each part says with these that it takes part in the compilation. */
void functions_begin(const char *plugin_name);
void variables_begin(const char *plugin_name);
void types_begin(const char *plugin_name);

/* True if NAME can stand in a section's name as it is. */
bool may_split(const char *name);

/* What was done to a symbol, for the object's note; written at the end of the unit. */
void note_symbol(char kind, const char *name, const struct symbol_choice *choice);
void note_type(const char *name, const char *what, uint64_t size);
void note_write();

#endif
