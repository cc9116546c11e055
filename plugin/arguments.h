/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plugin's arguments, read into a policy.  C, for C++: what GCC's headers
 * and those of layout/ both name is kept apart here.
 */
#ifndef KERNING_PLUGIN_ARGUMENTS_H
#define KERNING_PLUGIN_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include "layout/symbol.h"

/* Called with each message about the arguments, and with each directive. */
typedef void arguments_report(const char *message);
typedef void arguments_each(const char *text, size_t matched, void *data);

/* An empty policy, for the life of the process. */
struct policy *arguments_policy(void);
/*
 * Adds -fplugin-arg-kerning-KEY=VALUE (VALUE NULL: no '=').  Words that are the
 * driver's alone are taken, and mean nothing here.  False, each error reported,
 * where it is not understood.
 */
bool arguments_add(struct policy *policy, const char *key, const char *value,
		   arguments_report *report);
/* True if the policy asks anything of a compiler. */
bool arguments_ask(const struct policy *policy);
/* True if it asks anything of functions, of variables, of types. */
bool arguments_ask_functions(const struct policy *policy);
bool arguments_ask_variables(const struct policy *policy);
bool arguments_ask_types(const struct policy *policy);
/* The folder that sources are named from, or NULL. */
const char *arguments_root(const struct policy *policy);
/* Warns of directives that answer one question about the same names differently. */
void arguments_check(const struct policy *policy, arguments_report *report);
void arguments_each_directive(const struct policy *policy, arguments_each *each, void *data);

#ifdef __cplusplus
}
#endif

#endif
