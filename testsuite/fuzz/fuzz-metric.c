/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: the first line is a --metric option, the rest an output.  An option is taken
 * or reported; a metric is found, with finite values of its name, or it is said why not.
 * Expressions that repeat much are left out: the C library takes "a+++++++" to its end.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "sweep/metric.h"

static void find(const struct extractor *extractor, const char *option, const uint8_t *output,
		 size_t size)
{
	struct findings findings;
	const char *why = NULL;
	bool found;

	findings_init(&findings);
	found = extractor_find(extractor, (const char *)output, size, &findings, &why);
	fuzz_check(found ? findings.list.count > 0 : why != NULL && why[0] != '\0');
	for (size_t i = 0; i < findings.list.count; i++) {
		const struct finding *finding = &findings.list.at[i];

		fuzz_check(isfinite(finding->value));
		fuzz_check(strncmp(finding->name, option, strlen(finding->name)) == 0);
	}
	findings_release(&findings);
}

static bool repeats_much(const char *option)
{
	unsigned count = 0;

	while ((option = strpbrk(option, "*+?{\\")) != NULL) {
		count++;
		option++;
	}
	return count > 5;
}

static void try(const char *option, const uint8_t *output, size_t size)
{
	struct extractor *extractor = extractor_new();
	FILE *messages = fuzz_messages();
	struct diag diag;

	diag_init(&diag, "fuzz", messages);
	if (extractor_add_metric(extractor, option, &diag)) {
		fuzz_check(diag.errors == 0 && !extractor_is_empty(extractor));
		find(extractor, option, output, size);
	} else {
		fuzz_check(diag.errors == 1 && diag.status == DIAG_USAGE);
	}
	extractor_free(extractor);
	fclose(messages);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *newline = size > 0 ? memchr(bytes, '\n', size) : NULL;
	size_t length = newline != NULL ? (size_t)(newline - bytes) : size;
	char *option = xasprintf("%.*s", (int)length, (const char *)bytes);

	if (newline != NULL)
		length++;
	if (!repeats_much(option))
		try(option, bytes + length, size - length);
	free(option);
	return 0;
}
