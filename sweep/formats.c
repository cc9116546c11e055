/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of formats, and what their readers share.
 */
#include "config.h"

#include "sweep/formats.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "lib/memory.h"

static const struct format formats[] = {
	{ "google-benchmark", format_google_benchmark, { NULL } },
	{ "hyperfine", format_hyperfine, { NULL } },
	{ "fio", format_fio, { NULL } },
	{ "stress-ng", format_stress_ng, { NULL } },
	{ "will-it-scale", format_will_it_scale, { NULL } },
	{ "lkp", format_lkp, { "stats.json", "matrix.json" } },
};

#define FORMATS (sizeof formats / sizeof formats[0])

const struct format *format_find(const char *name, size_t length)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strlen(formats[i].name) == length && memcmp(formats[i].name, name, length) == 0)
			return &formats[i];
	return NULL;
}

char *format_names(void)
{
	char *names = xstrdup(formats[0].name);

	for (size_t i = 1; i < FORMATS; i++) {
		char *more = xasprintf("%s, %s", names, formats[i].name);

		free(names);
		names = more;
	}
	return names;
}

bool reading_fails(struct reading *reading, const char *format, ...)
{
	struct obstack *arena = &reading->findings->arena;
	va_list arguments;

	va_start(arguments, format);
	obstack_vprintf(arena, format, arguments);
	va_end(arguments);
	obstack_1grow(arena, '\0');
	reading->why = obstack_finish(arena);
	return false;
}

bool reading_add(struct reading *reading, double value, const char *unit,
		 enum metric_better better, const char *format, ...)
{
	struct obstack *arena = &reading->findings->arena;
	va_list arguments;
	char *name;

	va_start(arguments, format);
	obstack_vprintf(arena, format, arguments);
	va_end(arguments);
	obstack_1grow(arena, '\0');
	name = obstack_finish(arena);
	for (char *p = name; *p != '\0'; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
	if (!isfinite(value))
		return reading_fails(reading, "expected a finite number for \"%s\"", name);
	*vec_push(&reading->findings->list) = (struct finding){
		.name = name, .unit = unit, .better = better, .value = value };
	return true;
}

const char *reading_name(struct reading *reading, struct used_names *used, const char *name)
{
	unsigned times = 1;

	for (size_t i = 0; i < used->list.count; i++)
		times += strcmp(used->list.at[i], name) == 0;
	*vec_push(&used->list) = name;
	return times == 1 ? name : obstack_format(&reading->findings->arena, "%s#%u", name, times);
}
