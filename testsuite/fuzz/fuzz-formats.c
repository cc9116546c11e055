/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: the first line names a format, the rest is its text.  It is read, with finite
 * values and names of one line, or it is said what is wrong.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "sweep/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	const uint8_t *newline = size > 0 ? memchr(bytes, '\n', size) : NULL;
	size_t length = newline != NULL ? (size_t)(newline - bytes) : size;
	const struct format *format = format_find((const char *)bytes, length);
	struct findings findings;
	struct reading reading = { .findings = &findings };

	if (format == NULL || newline == NULL)
		return 0;
	findings_init(&findings);
	reading.text = (const char *)newline + 1;
	reading.size = size - length - 1;
	if (!format->read(&reading))
		fuzz_check(reading.why != NULL && reading.why[0] != '\0');
	for (size_t i = 0; i < findings.list.count; i++) {
		const struct finding *finding = &findings.list.at[i];

		fuzz_check(isfinite(finding->value) && finding->unit != NULL);
		fuzz_check(strpbrk(finding->name, "\n\t\r\033") == NULL);
	}
	findings_release(&findings);
	return 0;
}
