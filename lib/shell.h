/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words as a shell takes them: what a user can paste.
 */
#ifndef KERNING_LIB_SHELL_H
#define KERNING_LIB_SHELL_H

#include <obstack.h>

/* WORD, in single quotes where it must be.  In ARENA. */
char *shell_word(struct obstack *arena, const char *word);
/* The words of ARGV (to its NULL), parted by blanks.  In ARENA. */
char *shell_words(struct obstack *arena, char *const *argv);

#endif
