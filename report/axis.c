/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps are 1, 2 or 5 times a power of ten.
 */
#include "config.h"

#include "report/axis.h"

#include <math.h>

#define MARGIN 0.06	/* of what is between the ends */

void axis_init(struct axis *axis)
{
	*axis = (struct axis){ .low = NAN, .high = NAN };
}

void axis_include(struct axis *axis, double value)
{
	if (!isfinite(value))
		return;
	axis->low = fmin(axis->low, value);	/* of a number and NaN it is the number */
	axis->high = fmax(axis->high, value);
}

void axis_finish(struct axis *axis, unsigned marks)
{
	double margin, power, parts;

	if (isnan(axis->low))
		axis->low = axis->high = 0;
	margin = MARGIN * (axis->high - axis->low);
	/* Of one value: as much around it as shows that nothing else was there. */
	if (margin <= 1e-9 * fmax(fabs(axis->low), fabs(axis->high)))
		margin = axis->low != 0 ? 0.01 * fabs(axis->low) : 1;
	axis->low -= margin;
	axis->high += margin;
	parts = (axis->high - axis->low) / marks;
	power = pow(10, floor(log10(parts)));
	axis->step = power * (parts / power < 1.5   ? 1
			      : parts / power < 3.5 ? 2
			      : parts / power < 7.5 ? 5
						    : 10);
	axis->decimals = (int)fmax(0, -floor(log10(axis->step) + 1e-9));
}

void axis_write(const struct axis *axis, const char *name, const char *sign, const char *unit,
		FILE *script)
{
	fprintf(script,
		"set %srange [%.17g:%.17g]\n"
		"set %stics %.17g\n"
		"set format %s '%%%s.%df%s'\n",
		name, axis->low, axis->high, name, axis->step, name, sign, axis->decimals, unit);
	if (sign[0] != '\0')	/* 0 has none */
		fprintf(script, "set %stics add ('0%s' 0)\n", name, unit);
}
