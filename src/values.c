/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "src/values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/number.h"

bool parse_seconds(const char *text, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = { { "ms", 1e-3 }, { "s", 1 }, { "min", 60 }, { "m", 60 }, { "h", 3600 } };
	double sum = 0;

	do {
		size_t unit = 0, count = sizeof units / sizeof *units;
		char *end;
		double number;

		if (!isdigit((unsigned char)*text))
			return false;
		number = strtod(text, &end);
		while (unit < count && strncmp(end, units[unit].name, strlen(units[unit].name)) != 0)
			unit++;
		if (unit == count && *end != '\0')
			return false;
		sum += number * (unit < count ? units[unit].seconds : 1);
		text = unit < count ? end + strlen(units[unit].name) : end;
	} while (*text != '\0');
	*seconds = sum;
	return isfinite(sum);
}

bool parse_ratio(const char *text, double *ratio)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || !isfinite(number))
		return false;
	if (*end == '%') {
		number /= 100;
		end++;
	}
	*ratio = number;
	return *end == '\0';
}

bool parse_count(const char *text, uint64_t max, uint64_t *value)
{
	return parse_number(text, NULL, value) && *value <= max;
}

bool parse_cpus(const char *text, cpu_set_t *cpus)
{
	CPU_ZERO(cpus);
	do {
		char *end;
		unsigned long first, last;

		if (!isdigit((unsigned char)*text))
			return false;
		first = last = strtoul(text, &end, 10);
		if (*end == '-') {
			if (!isdigit((unsigned char)end[1]))
				return false;
			last = strtoul(end + 1, &end, 10);
		}
		if (first > last || last >= CPU_SETSIZE || (*end != '\0' && *end != ','))
			return false;
		for (; first <= last; first++)
			CPU_SET(first, cpus);
		text = *end == ',' ? end + 1 : end;
	} while (*text != '\0');
	return true;
}
