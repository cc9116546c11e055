/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading values: the numbers behind the ':' of a rule or a directive.
 */
#include "config.h"

#include "layout/value.h"

#include <stdio.h>
#include <string.h>

#include "layout/number.h"

/* The part of an option that is still to be read. */
struct reader {
	const struct policy_option *option;
	const char *at, *end;
	const char *shape;
	struct diag *diag;
};

/* The number from here to SEPARATOR (or the end, where it is ""), both passed. */
static bool take_number(struct reader *r, const char *separator, uint64_t *value)
{
	const char *begin = r->at;
	const char *end = *separator != '\0' ? memmem(begin, (size_t)(r->end - begin), separator,
						       strlen(separator))
					     : r->end;

	if (end == NULL) {
		option_error(r->option, r->end, NULL, r->diag, "expected '%s' after \"%.*s\" (%s)",
			     separator, (int)(r->end - begin), begin, r->shape);
		return false;
	}
	if (!parse_number(begin, end, value)) {
		option_error(r->option, begin, end, r->diag,
			     "expected a number (64, 0x40, 16K), got \"%.*s\"", (int)(end - begin),
			     begin);
		return false;
	}
	if (*value > VALUE_NUMBER_MAX) {
		option_error(r->option, begin, end, r->diag,
			     "expected a number up to 0x%llx, got \"%.*s\"",
			     (unsigned long long)VALUE_NUMBER_MAX, (int)(end - begin), begin);
		return false;
	}
	r->at = end + strlen(separator);
	return true;
}

/* Reports that the number read last, which began at BEGIN, is not what was EXPECTED. */
static bool unexpected(const struct reader *r, const char *begin, const char *expected)
{
	const char *end = begin + strcspn(begin, "./");

	option_error(r->option, begin, end, r->diag, "expected %s, got \"%.*s\"", expected,
		     (int)(end - begin), begin);
	return false;
}

static bool take_power_of_two(struct reader *r, const char *separator, const char *what,
			      uint64_t *value)
{
	const char *begin = r->at;
	char expected[80];

	if (!take_number(r, separator, value))
		return false;
	snprintf(expected, sizeof expected, "%s that is a power of two", what);
	return is_power_of_two(*value) || unexpected(r, begin, expected);
}

static bool parse_offset(struct reader *r, struct value *value)
{
	const char *begin = r->at;

	return take_number(r, "/", &value->residue) &&
	       take_power_of_two(r, "", "a modulus", &value->modulus) &&
	       (value->residue < value->modulus ||
		unexpected(r, begin, "a residue below the modulus"));
}

static bool parse_pad(struct reader *r, struct value *value)
{
	const char *high, *step;

	if (!take_number(r, "..", &value->low))
		return false;
	high = r->at;
	if (!take_number(r, "/", &value->high))
		return false;
	step = r->at;
	if (!take_number(r, "", &value->step))
		return false;
	if (value->high < value->low)
		return unexpected(r, high, "a HI that is not below LO");
	return value->step > 0 || unexpected(r, step, "a step of at least 1");
}

static bool parse_jitter(struct reader *r, struct value *value)
{
	const char *step;

	if (!take_power_of_two(r, "/", "a modulus", &value->modulus))
		return false;
	step = r->at;
	if (!take_number(r, "", &value->step))
		return false;
	if (value->step == 0)
		return unexpected(r, step, "a step of at least 1");
	return value->step < value->modulus || unexpected(r, step, "a step below the modulus");
}

static bool parse_growth(struct reader *r, struct value *value)
{
	const char *begin = r->at;

	if (r->at == r->end || *r->at != '+') {
		option_error(r->option, begin, r->end, r->diag, "expected '+' and a number, got \"%.*s\"",
			     (int)(r->end - begin), begin);
		return false;
	}
	r->at++;
	begin = r->at;
	return take_number(r, "", &value->low) &&
	       (value->low > 0 || unexpected(r, begin, "at least 1"));
}

/* "2%", "0.25%" in hundredths of a percent. */
static bool parse_share(struct reader *r, struct value *value)
{
	const char *end = r->end - 1, *point = memchr(r->at, '.', (size_t)(end - r->at));
	const char *whole_end = point != NULL ? point : end;
	uint64_t whole, part = 0;
	size_t decimals = point != NULL ? (size_t)(end - point - 1) : 0;

	if (!parse_number(r->at, whole_end, &whole) || whole > 1000 || decimals > 2 ||
	    (point != NULL && (decimals == 0 || point[1] < '0' || point[1] > '9' ||
			       !parse_number(point[1] == '0' ? point + decimals : point + 1, end, &part)))) {
		option_error(r->option, r->at, r->end, r->diag,
			     "expected a share up to 1000%% (2%%, 0.25%%), got \"%.*s\"",
			     (int)(r->end - r->at), r->at);
		return false;
	}
	value->share = 100 * whole + (decimals == 1 ? 10 * part : part);
	return true;
}

static bool parse_room(struct reader *r, struct value *value)
{
	return r->at < r->end && r->end[-1] == '%' ? parse_share(r, value) :
						     take_number(r, "", &value->low);
}

uint64_t value_room(const struct value *value, uint64_t size)
{
	return value->low + (size / 10000) * value->share + (size % 10000) * value->share / 10000;
}

bool value_parse(struct value *value, enum value_form form, const char *begin, const char *end,
		 const char *shape, const struct policy_option *option, struct diag *diag)
{
	struct reader r = { option, begin, end, shape, diag };

	*value = (struct value){ 0 };
	switch (form) {
	case VALUE_NONE:
		return true;
	case VALUE_ALIGN:
		return take_power_of_two(&r, "", "an alignment", &value->align);
	case VALUE_RESIDUE:
		return parse_offset(&r, value);
	case VALUE_RANGE:
		return parse_pad(&r, value);
	case VALUE_JITTER:
		return parse_jitter(&r, value);
	case VALUE_GROWTH:
		return parse_growth(&r, value);
	case VALUE_ROOM:
		return parse_room(&r, value);
	}
	return false;
}

const char *value_colon(const char *begin, const char *end)
{
	const char *colon = NULL;
	int depth = 0;

	for (const char *p = begin; p < end; p++) {
		depth += (*p == '(') - (*p == ')');
		if (*p == ':' && depth == 0)
			colon = p;
	}
	return colon;
}
