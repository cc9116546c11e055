/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: each line a word of a link line, of which none may get lost, come
 * twice or change places.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "ld/linkline.h"
#include "lib/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *text = xcalloc(size + 1, 1), *rest, *word;
	VEC(char *) words = VEC_INIT;
	struct linkline line;
	size_t at = 1;

	memcpy(text, bytes, size);
	*vec_push(&words) = (char *)"ld";
	for (word = strtok_r(text, "\n", &rest); word != NULL; word = strtok_r(NULL, "\n", &rest))
		if (word[0] != '@')	/* would open what the bytes say */
			*vec_push(&words) = word;
	*vec_push(&words) = NULL;
	linkline_parse(&line, (int)words.count - 1, words.at);
	for (size_t i = 0; i < line.words.count; i++)
		for (size_t k = 0; k < 2 && line.words.at[i].text[k] != NULL; k++)
			fuzz_check(at < words.count - 1 &&
				   strcmp(line.words.at[i].text[k], words.at[at++]) == 0);
	fuzz_check(at == words.count - 1);
	linkline_release(&line);
	vec_release(&words);
	free(text);
	return 0;
}
