/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep-extract OUTPUT OPTION...: what is found in the file OUTPUT, a value a line: name,
 * value, unit, which is better.  An OPTION is a --metric, or with "format=" before it a
 * --results; "begin" is the beginning of a run.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "lib/source.h"
#include "sweep/metric.h"

static void tell(const struct findings *findings)
{
	static const char *const better[] = {
		[BETTER_UNKNOWN] = "-", [BETTER_LOWER] = "lower", [BETTER_HIGHER] = "higher",
	};

	for (size_t i = 0; i < findings->list.count; i++) {
		const struct finding *finding = &findings->list.at[i];

		printf("%s\t%.12g\t%s\t%s\n", finding->name, finding->value,
		       finding->unit[0] != '\0' ? finding->unit : "-", better[finding->better]);
	}
}

int main(int argc, char **argv)
{
	struct extractor *extractor = extractor_new();
	struct findings findings;
	struct source *output;
	const char *why = NULL;
	struct diag diag;
	int status;

	diag_init(&diag, "sweep-extract", stderr);
	if (argc < 3)
		return 2;
	for (int i = 2; i < argc; i++) {
		if (strncmp(argv[i], "format=", 7) == 0)
			extractor_add_format(extractor, argv[i] + 7, &diag);
		else if (strcmp(argv[i], "begin") == 0)
			extractor_begin(extractor);
		else
			extractor_add_metric(extractor, argv[i], &diag);
	}
	status = (int)diag.status;
	output = source_read(argv[1]);
	if (output == NULL)
		return 3;
	if (status == 0) {
		findings_init(&findings);
		if (!extractor_find(extractor, output->text, output->size, &findings, &why)) {
			fprintf(stderr, "%s\n", why);
			status = 1;
		}
		tell(&findings);
		findings_release(&findings);
	}
	source_free(output);
	extractor_free(extractor);
	return status;
}
