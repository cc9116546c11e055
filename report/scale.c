/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times and bytes have units of their own; all else gets a prefix only where it is so
 * large that its digits would have to be counted.
 */
#include "config.h"

#include "report/scale.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 4

struct step {
	double least;		/* of the base unit */
	const char *name;
};

static const struct step times[] = {
	{ 1e-9, "ns" },
	{ 1e-6, "us" },
	{ 1e-3, "ms" },
	{ 1, "s" },
};

static const struct step sizes[] = {
	{ 1, "B" },
	{ 0x1p10, "KiB" },
	{ 0x1p20, "MiB" },
	{ 0x1p30, "GiB" },
};

static const struct step large[] = {
	{ 1, "" },
	{ 1e6, "M" },
	{ 1e9, "G" },
	{ 1e12, "T" },
};

/* What UNIT is in the unit that STEPS are meant in; 0: it is none of them. */
static double base_of(const char *unit, const struct step *steps, size_t count)
{
	if (steps == times && strcmp(unit, "\302\265s") == 0)
		return 1e-6;
	for (size_t i = 0; i < count; i++)
		if (strcmp(steps[i].name, unit) == 0)
			return steps[i].least;
	return 0;
}

static const struct step *step_for(const struct step *steps, size_t count, double magnitude)
{
	size_t i = count - 1;

	while (i > 0 && magnitude < steps[i].least)
		i--;
	return &steps[i];
}

#define COUNT(steps) (sizeof steps / sizeof steps[0])

void scale_choose(struct scale *scale, double magnitude, const char *unit)
{
	double time = base_of(unit, times, COUNT(times));
	double size = strcmp(unit, "bytes") == 0 ? 1 : base_of(unit, sizes, COUNT(sizes));
	const struct step *step;

	magnitude = isfinite(magnitude) ? fabs(magnitude) : 0;
	if (time > 0 && magnitude > 0) {
		step = step_for(times, COUNT(times), magnitude * time);
		scale->factor = time / step->least;
		snprintf(scale->unit, sizeof scale->unit, " %s", step->name);
	} else if (size > 0 && magnitude > 0) {
		step = step_for(sizes, COUNT(sizes), magnitude * size);
		scale->factor = size / step->least;
		snprintf(scale->unit, sizeof scale->unit, " %s", step->name);
	} else {
		step = step_for(large, COUNT(large), magnitude);
		scale->factor = 1 / step->least;
		snprintf(scale->unit, sizeof scale->unit, "%s%s%s", step->name,
			 unit[0] != '\0' ? " " : "", unit);
	}
	magnitude *= scale->factor;
	scale->decimals = magnitude > 0 ? DIGITS - 1 - (int)floor(log10(magnitude)) : 0;
	scale->decimals = scale->decimals < 0 ? 0 : scale->decimals > 12 ? 12 : scale->decimals;
}
