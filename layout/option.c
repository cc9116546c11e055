/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors in an option.
 */
#include "config.h"

#include "layout/option.h"

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

void option_error(const struct policy_option *option, const char *begin, const char *end,
		  struct diag *diag, const char *format, ...)
{
	struct span span = option->span;
	size_t length = strlen(option->text);
	va_list arguments;
	char *message;

	/* Where quotes were taken off, the columns are not the text's: point at it all. */
	if (span.end - span.begin == length) {
		span.begin += (uint32_t)(begin - option->text);
		if (end != NULL)
			span.end = option->span.begin + (uint32_t)(end - option->text);
	}
	va_start(arguments, format);
	if (vasprintf(&message, format, arguments) < 0)
		abort();
	va_end(arguments);
	diag_error_class(diag, DIAG_USAGE, &span, "\"%s\": %s", option->text, message);
	free(message);
}
