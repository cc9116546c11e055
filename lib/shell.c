/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "lib/shell.h"

#include <stdbool.h>
#include <string.h>

#include "lib/memory.h"

static void grow(struct obstack *arena, const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789%+,-./:=@_^";
	bool plain = *word != '\0' && word[strspn(word, safe)] == '\0';

	if (!plain)
		obstack_1grow(arena, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			obstack_grow(arena, "'\\''", 4);
		else
			obstack_1grow(arena, *word);
	}
	if (!plain)
		obstack_1grow(arena, '\'');
}

char *shell_word(struct obstack *arena, const char *word)
{
	grow(arena, word);
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

char *shell_words(struct obstack *arena, char *const *argv)
{
	for (size_t i = 0; argv[i] != NULL; i++) {
		if (i > 0)
			obstack_1grow(arena, ' ');
		grow(arena, argv[i]);
	}
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}
