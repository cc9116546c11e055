/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An option is read from both ends: the name up to the first '=', then what can be taken
 * off the end for sure; the expression is what is left.
 */
#include "config.h"

#include "sweep/metric-option.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* --- Reading -------------------------------------------------------------- */

struct reader {
	const char *text;
	struct diag *diag;
};

static bool wrong(const struct reader *r, const char *begin, const char *end,
		  const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Reports that [begin, end) is wrong.  Always false. */
static bool wrong(const struct reader *r, const char *begin, const char *end,
		  const char *format, ...)
{
	struct source *source = source_from_memory("--metric", r->text, strlen(r->text));
	const struct span span = { source, (uint32_t)(begin - r->text), (uint32_t)(end - r->text) };
	va_list arguments;
	char *message;

	va_start(arguments, format);
	message = xvasprintf(format, arguments);
	va_end(arguments);
	diag_error_class(r->diag, DIAG_USAGE, &span, "\"%s\": %s", r->text, message);
	free(message);
	source_free(source);
	return false;
}

static bool is_word(const char *begin, const char *end, const char *word)
{
	return (size_t)(end - begin) == strlen(word) && memcmp(begin, word, strlen(word)) == 0;
}

/* One that is known as such, or has a slash and else letters ("MB/s"). */
static bool is_unit(const char *begin, const char *end)
{
	static const char *const known[] = {
		"s", "sec", "ms", "us", "\302\265s", "\316\274s", "ns", "ps", "min", "h", "%",
		"B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "bytes",
		"b", "kb", "Mb", "Gb", "Hz", "kHz", "MHz", "GHz", "J", "mJ", "uJ", "W", "mW",
		"ops", "cycles", "instructions", "iterations", "events", "fps", "FPS", "IOPS",
		"iops", "bps", "kbps", "Mbps", "Gbps", "MIPS", "FLOPS", "MFLOPS", "GFLOPS", "x",
	};
	unsigned slashes = 0;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (is_word(begin, end, known[i]))
			return true;
	for (const char *p = begin; p < end; p++) {
		if (*p == '/' && p > begin && p + 1 < end)
			slashes++;
		else if (!isalpha((unsigned char)*p) && (unsigned char)*p < 0x80)
			return false;
	}
	return slashes == 1;
}

/* The colon before the last word of [begin, end), NULL where there is none. */
static const char *last_colon(const char *begin, const char *end)
{
	return memrchr(begin, ':', (size_t)(end - begin));
}

static enum metric_better better_of(const char *begin, const char *end)
{
	if (is_word(begin, end, "higher"))
		return BETTER_HIGHER;
	return is_word(begin, end, "lower") ? BETTER_LOWER : BETTER_UNKNOWN;
}

/* Takes ":higher|lower" and ":UNIT" off the end of [begin, end).  Returns the new end. */
static const char *read_suffixes(struct metric_option *option, const char *begin, const char *end,
				 struct obstack *arena)
{
	const char *colon = last_colon(begin, end), *before;

	if (colon == NULL)
		return end;
	option->better = better_of(colon + 1, end);
	if (option->better != BETTER_UNKNOWN)
		return colon;
	before = last_colon(begin, colon);
	if (before != NULL)
		option->better = better_of(before + 1, colon);
	if (option->better == BETTER_UNKNOWN && !is_unit(colon + 1, end))
		return end;
	option->unit = obstack_strndup(arena, colon + 1, (size_t)(end - colon - 1));
	return option->better != BETTER_UNKNOWN ? before : colon;
}

static bool read_name(struct metric_option *option, const struct reader *r, const char *equals,
		      struct obstack *arena)
{
	if (equals == NULL)
		return wrong(r, r->text, r->text + strlen(r->text),
			     "expected NAME=REGEX or NAME=$PATH, got no '='");
	if (equals == r->text)
		return wrong(r, equals, equals + 1, "expected a name before '='");
	for (const char *p = r->text; p < equals; p++)
		if (iscntrl((unsigned char)*p))
			return wrong(r, p, p + 1, "expected a name without control characters");
	option->name = obstack_strndup(arena, r->text, (size_t)(equals - r->text));
	return true;
}

static bool read_path(struct metric_option *option, const struct reader *r, const char *begin,
		      struct obstack *arena)
{
	const char *bad, *expected;

	option->is_path = true;
	if (json_path_parse(&option->path, option->where, arena, &bad, &expected))
		return true;
	begin += bad - option->where;
	return wrong(r, begin, begin + 1, "expected %s", expected);
}

static bool read_regex(struct metric_option *option, const struct reader *r, const char *begin)
{
	const char *end = begin + strlen(option->where);
	int error = regcomp(&option->regex, option->where, REG_EXTENDED);
	char message[256];
	size_t groups;

	if (error != 0) {
		regerror(error, &option->regex, message, sizeof message);
		return wrong(r, begin, end, "not a regular expression: %s", message);
	}
	groups = option->regex.re_nsub;
	if (groups == 1)
		return true;
	regfree(&option->regex);
	return wrong(r, begin, end, "expected one group in parentheses, the number, got %zu",
		     groups);
}

bool metric_option_parse(struct metric_option *option, const char *text, struct obstack *arena,
			 struct diag *diag)
{
	const struct reader r = { text, diag };
	const char *equals = strchr(text, '='), *begin, *end;

	*option = (struct metric_option){ .unit = "" };
	if (!read_name(option, &r, equals, arena))
		return false;
	begin = equals + 1;
	end = read_suffixes(option, begin, begin + strlen(begin), arena);
	if (begin == end)
		return wrong(&r, equals, equals + 1, "expected a regular expression or a path "
						     "(\"$...\") behind '='");
	option->where = obstack_strndup(arena, begin, (size_t)(end - begin));
	return *begin == '$' ? read_path(option, &r, begin, arena) : read_regex(option, &r, begin);
}

void metric_option_release(struct metric_option *option)
{
	if (option->is_path)
		json_path_release(&option->path);
	else
		regfree(&option->regex);
}

/* --- Finding -------------------------------------------------------------- */

struct search {
	const struct metric_option *option;
	struct findings *findings;
	char *text;			/* a line of LENGTH bytes, and a NUL */
	size_t length, room;
	unsigned line;			/* its number; 0: not in lines */
	size_t found;
	const char *why;
};

static bool fails(struct search *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says why not.  Always false. */
static bool fails(struct search *s, const char *format, ...)
{
	struct obstack *arena = &s->findings->arena;
	va_list arguments;

	obstack_printf(arena, "metric \"%s\": ", s->option->name);
	va_start(arguments, format);
	obstack_vprintf(arena, format, arguments);
	va_end(arguments);
	if (s->line > 0)
		obstack_printf(arena, " in line %u", s->line);
	obstack_1grow(arena, '\0');
	s->why = obstack_finish(arena);
	return false;
}

/* TEXT is in the arena. */
static bool take_text(struct search *s, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	/* "1,234" is neither 1 nor 1234 for sure. */
	if (end == text || (*end != '\0' && strchr(".,'_", *end) != NULL &&
			    isdigit((unsigned char)end[1])))
		return fails(s, "expected a number, got \"%.100s\"", text);
	if (!isfinite(value))
		return fails(s, "expected a finite number, got \"%.100s\"", text);
	*vec_push(&s->findings->list) = (struct finding){
		.name = s->option->name, .unit = s->option->unit, .better = s->option->better,
		.value = value };
	s->found++;
	return true;
}

/* All matches of a line; none behind all of it, where "(.*)" matches once more. */
static bool search_line(struct search *s)
{
	const char *begin = s->text, *end = begin + s->length, *at = begin;

	while (at < end || at == begin) {
		regmatch_t match[2] = { { .rm_so = 0, .rm_eo = (regoff_t)(end - at) } };
		const char *text;

		if (regexec(&s->option->regex, at, 2, match,
			    REG_STARTEND | (at > begin ? REG_NOTBOL : 0)) != 0)
			return true;
		if (match[1].rm_so >= 0) {	/* else one of its other branches matched */
			text = obstack_strndup(&s->findings->arena, at + match[1].rm_so,
					       (size_t)(match[1].rm_eo - match[1].rm_so));
			if (!take_text(s, text))
				return false;
		}
		at += match[0].rm_eo + (match[0].rm_eo == match[0].rm_so);
	}
	return true;
}

/* A copy, for there may be a NUL in it, but none behind it. */
static void take_line(struct search *s, const char *begin, const char *end)
{
	s->length = (size_t)(end - begin);
	if (s->length > 0 && end[-1] == '\r')
		s->length--;
	if (s->room <= s->length)
		s->text = xrealloc(s->text, s->room = 2 * s->length + 1);
	memcpy(s->text, begin, s->length);
	s->text[s->length] = '\0';
	s->line++;
}

static bool search_lines(struct search *s, const char *output, size_t size)
{
	const char *at = output, *all = output + size;

	while (at < all) {
		const char *newline = memchr(at, '\n', (size_t)(all - at));
		const char *end = newline != NULL ? newline : all;

		take_line(s, at, end);
		if (!search_line(s))
			return false;
		at = end + 1;
	}
	s->line = 0;
	return s->found > 0 || fails(s, "no line matches \"%s\"", s->option->where);
}

static bool take_value(struct search *s, const json_t *value)
{
	static const char *const types[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_TRUE] = "true",
		[JSON_FALSE] = "false", [JSON_NULL] = "null",
	};

	if (json_is_string(value))
		return take_text(s, obstack_strdup(&s->findings->arena, json_string_value(value)));
	if (!json_is_number(value))
		return fails(s, "expected a number at \"%s\", got %s", s->option->where,
			     types[json_typeof(value)]);
	*vec_push(&s->findings->list) = (struct finding){
		.name = s->option->name, .unit = s->option->unit, .better = s->option->better,
		.value = json_number_value(value) };
	s->found++;
	return true;
}

static bool search_json(struct search *s, const struct json_text *json)
{
	struct json_matches matches = { 0 };
	bool good = true;

	if (json->documents.count == 0)
		return fails(s, "expected JSON, got %s", json->why);
	for (size_t i = 0; i < json->documents.count; i++)
		json_path_find(&s->option->path, json->documents.at[i], &matches);
	for (size_t i = 0; i < matches.list.count && good; i++)
		good = take_value(s, matches.list.at[i]);
	vec_release(&matches.list);
	if (!good)
		return false;
	return s->found > 0 || fails(s, "nothing at \"%s\"", s->option->where);
}

bool metric_option_find(const struct metric_option *option, const char *output, size_t size,
			const struct json_text *json, struct findings *findings,
			const char **why)
{
	struct search s = { .option = option, .findings = findings };
	bool found = option->is_path ? search_json(&s, json) : search_lines(&s, output, size);

	if (!found)
		*why = s.why;
	free(s.text);
	return found;
}
