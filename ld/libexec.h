/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the driver is, under the name "ld": what a compiler's -B is given.
 */
#ifndef KERNING_LD_LIBEXEC_H
#define KERNING_LD_LIBEXEC_H

#include "lib/diag.h"

/*
 * The folder, which the caller frees: that of the build tree which this program
 * was made in, else the installed one.  NULL, reported, where no driver is in
 * either: a compiler would pass over the folder without a word, and link plainly.
 */
char *libexec_folder(struct diag *diag);

/*
 * Has what this process starts find the driver as "ld": FOLDER goes to the front of PATH
 * and of COMPILER_PATH, where gcc and clang look for it first.
 */
void libexec_export(const char *folder);

/* The plugin for GCC, the same way: a file, which the caller frees.  NULL, reported: none was built. */
char *plugin_file(struct diag *diag);

#endif
