/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four digits of what was measured, two or three of how it changed: more would be noise.
 */
#include "config.h"

#include "report/amount.h"

#include <math.h>
#include <stdio.h>

#include "lib/memory.h"
#include "report/scale.h"

static const char unknown[] = "-";

/* "LOW to HIGH" and what the unit adds; an end that is not bounded is left out. */
static const char *ends(struct obstack *arena, const struct interval *interval, const char *low,
			const char *high, const char *unit)
{
	if (isnan(interval->low) || isnan(interval->high))
		return unknown;
	if (isinf(interval->low) && isinf(interval->high))
		return "unbounded";
	if (isinf(interval->low))
		return obstack_format(arena, "at most %s%s", high, unit);
	if (isinf(interval->high))
		return obstack_format(arena, "at least %s%s", low, unit);
	return obstack_format(arena, "%s to %s%s", low, high, unit);
}

/* Nothing is "-0.0". */
static double without_zero_sign(double value, int decimals)
{
	return fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value;
}

static const char *scaled(struct obstack *arena, double value, const struct scale *scale,
			  bool is_signed)
{
	value = without_zero_sign(value * scale->factor, scale->decimals);
	if (value == 0)
		is_signed = false;
	return obstack_format(arena, is_signed ? "%+.*f" : "%.*f", scale->decimals, value);
}

const char *amount_number(struct obstack *arena, double value, const char *unit)
{
	struct scale scale;

	if (!isfinite(value))
		return unknown;
	scale_choose(&scale, value, unit);
	return obstack_format(arena, "%s%s", scaled(arena, value, &scale, false), scale.unit);
}

static const char *range(struct obstack *arena, const struct interval *interval, const char *unit,
			 bool is_signed)
{
	double magnitude = fmax(fabs(interval->low), fabs(interval->high));
	struct scale scale;

	scale_choose(&scale, isfinite(magnitude) ? magnitude : interval->estimate, unit);
	return ends(arena, interval, scaled(arena, interval->low, &scale, is_signed),
		    scaled(arena, interval->high, &scale, is_signed), scale.unit);
}

const char *amount_range(struct obstack *arena, const struct interval *interval, const char *unit)
{
	return range(arena, interval, unit, false);
}

static const char *percent(struct obstack *arena, double ratio, int decimals, bool is_signed)
{
	double value = 100 * ratio;

	if (isnan(ratio))
		return unknown;
	value = without_zero_sign(value, decimals);
	if (value == 0)
		is_signed = false;
	return obstack_format(arena, is_signed ? "%+.*f%%" : "%.*f%%", decimals, value);
}

static int percent_decimals(double ratio)
{
	return fabs(ratio) < 0.00995 ? 2 : fabs(ratio) < 0.9995 ? 1 : 0;
}

const char *amount_percent(struct obstack *arena, double ratio, bool is_signed)
{
	return percent(arena, ratio, percent_decimals(ratio), is_signed);
}

/* Both ends with the decimals of the larger. */
const char *amount_percent_range(struct obstack *arena, const struct interval *interval,
				 bool is_signed)
{
	double largest = fmax(isinf(interval->low) ? 0 : fabs(interval->low),
			      isinf(interval->high) ? 0 : fabs(interval->high));
	int decimals = percent_decimals(largest);

	return ends(arena, interval, percent(arena, interval->low, decimals, is_signed),
		    percent(arena, interval->high, decimals, is_signed), "");
}

const char *amount_share(struct obstack *arena, double share)
{
	return percent(arena, share, 0, false);
}

const char *amount_share_range(struct obstack *arena, const struct interval *share)
{
	return ends(arena, share, percent(arena, share->low, 0, false),
		    percent(arena, share->high, 0, false), "");
}

const char *amount_p(struct obstack *arena, double p)
{
	if (isnan(p))
		return unknown;
	if (p < 0.001)
		return "< 0.001";
	return obstack_format(arena, p < 0.1 ? "%.3f" : "%.2f", p);
}

const char *amount_change(struct obstack *arena, const struct judgement *judgement, double change,
			  const char *unit)
{
	struct scale scale;

	if (judgement->relative)
		return amount_percent(arena, change, true);
	if (!isfinite(change))
		return unknown;
	scale_choose(&scale, change, unit);
	return obstack_format(arena, "%s%s", scaled(arena, change, &scale, true), scale.unit);
}

const char *amount_change_range(struct obstack *arena, const struct judgement *judgement,
				const struct interval *change, const char *unit)
{
	return judgement->relative ? amount_percent_range(arena, change, true)
				   : range(arena, change, unit, true);
}
