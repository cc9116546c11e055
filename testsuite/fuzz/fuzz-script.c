/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parser against any bytes: no crash, no endless loop, and what it takes it
 * prints unchanged.  Not built by make; in the source tree, with empty config.h in /tmp/fuzz:
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I/tmp/fuzz -I. \
 *		testsuite/fuzz/fuzz-script.c lib/[dms]*.c ldscripts/{lex,parse*,script,edit}.c
 *	./a.out -max_len=4096 CORPUS testsuite/ldscripts
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ldscripts/edit.h"
#include "ldscripts/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct script_options options = { .skip_includes = true };
	struct source *source = source_from_memory("fuzz", (const char *)data, size);
	FILE *messages = fopen("/dev/null", "w");
	struct script *script;
	struct diag diag;

	if (messages == NULL)
		abort();
	diag_init(&diag, "fuzz", messages);
	script = script_parse(source, &options, &diag);
	if ((script == NULL) != (diag.errors > 0))
		abort();
	if (script != NULL) {
		struct edits *edits = edits_new(script->source);
		char *text = NULL;
		size_t length = 0;
		FILE *stream = open_memstream(&text, &length);

		if (stream == NULL || !edits_write(edits, stream) || fclose(stream) != 0 ||
		    length != size || memcmp(text, data, size) != 0)
			abort();
		free(text);
		edits_free(edits);
		script_free(script);
	}
	fclose(messages);
	return 0;
}
