/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path is a list of steps; each leads from a value to some of those in it.
 */
#include "config.h"

#include "sweep/json-path.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* --- Reading -------------------------------------------------------------- */

struct reader {
	const char *at;
	struct obstack *arena;
	const char *expected;	/* at AT, where that is wrong */
};

static bool wrong(struct reader *r, const char *expected)
{
	r->expected = expected;
	return false;
}

static bool take(struct reader *r, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(r->at, text, length) != 0)
		return false;
	r->at += length;
	return true;
}

/* Letters, digits, and what else needs no quotes. */
static bool read_name(struct reader *r, const char **name)
{
	const char *begin = r->at;

	while (isalnum((unsigned char)*r->at) || (unsigned char)*r->at >= 0x80 ||
	       (*r->at != '\0' && strchr("_-/%", *r->at) != NULL))
		r->at++;
	if (r->at == begin)
		return wrong(r, "a member's name");
	*name = obstack_strndup(r->arena, begin, (size_t)(r->at - begin));
	return true;
}

/* 'x' or "x", a backslash before what is to be taken as it is. */
static bool read_quoted(struct reader *r, const char **text)
{
	char quote = *r->at++;

	for (; *r->at != quote; r->at++) {
		if (*r->at == '\\' && r->at[1] != '\0')
			r->at++;
		if (*r->at == '\0') {
			obstack_free(r->arena, obstack_finish(r->arena));
			return wrong(r, "a closing quote");
		}
		obstack_1grow(r->arena, *r->at);
	}
	r->at++;
	obstack_1grow(r->arena, '\0');
	*text = obstack_finish(r->arena);
	return true;
}

/* "@.name=='x')]", behind "[?(" */
static bool read_selection(struct reader *r, struct json_step *step)
{
	char *end;

	step->kind = STEP_SELECT;
	if (!take(r, "@."))
		return wrong(r, "\"@.\" and a member's name");
	if (!read_name(r, &step->name))
		return false;
	if (!take(r, "=="))
		return wrong(r, "\"==\"");
	if (*r->at == '\'' || *r->at == '"') {
		if (!read_quoted(r, &step->text))
			return false;
	} else {
		step->value = strtod(r->at, &end);
		if (end == r->at || !isfinite(step->value))
			return wrong(r, "a text in quotes or a number");
		r->at = end;
	}
	return take(r, ")]") || wrong(r, "\")]\"");
}

/* Behind "[". */
static bool read_bracket(struct reader *r, struct json_step *step)
{
	char *end;

	if (take(r, "?("))
		return read_selection(r, step);
	if (take(r, "*")) {
		step->kind = STEP_ALL;
	} else if (*r->at == '\'' || *r->at == '"') {
		step->kind = STEP_MEMBER;
		if (!read_quoted(r, &step->name))
			return false;
	} else {
		step->kind = STEP_ELEMENT;
		if (!isdigit((unsigned char)*r->at) && *r->at != '-')
			return wrong(r, "a number, '*', a name in quotes or \"?(@.NAME==VALUE)\"");
		step->index = strtol(r->at, &end, 10);
		if (end == r->at)
			return wrong(r, "a number");
		r->at = end;
	}
	return take(r, "]") || wrong(r, "']'");
}

static bool read_step(struct reader *r, struct json_step *step)
{
	*step = (struct json_step){ 0 };
	if (take(r, "["))
		return read_bracket(r, step);
	if (take(r, ".*")) {
		step->kind = STEP_ALL;
		return true;
	}
	if (!take(r, "."))
		return wrong(r, "'.' or '['");
	step->kind = STEP_MEMBER;
	return read_name(r, &step->name);
}

bool json_path_parse(struct json_path *path, const char *text, struct obstack *arena,
		     const char **bad, const char **expected)
{
	struct reader r = { .at = text, .arena = arena };
	bool good = take(&r, "$") || wrong(&r, "'$'");

	*path = (struct json_path){ 0 };
	while (good && *r.at != '\0')
		good = read_step(&r, vec_push(&path->steps));
	if (good)
		return true;
	json_path_release(path);
	*bad = r.at;
	*expected = r.expected;
	return false;
}

void json_path_release(struct json_path *path)
{
	vec_release(&path->steps);
}

/* --- Finding -------------------------------------------------------------- */

static bool is_selected(const json_t *value, const struct json_step *step)
{
	const json_t *member = json_object_get(value, step->name);

	if (step->text != NULL)
		return json_is_string(member) && strcmp(json_string_value(member), step->text) == 0;
	return json_is_number(member) && json_number_value(member) == step->value;
}

static void follow(const struct json_step *step, const struct json_step *end, const json_t *value,
		   struct json_matches *matches);

/* Each of VALUE's elements or members, or those that are selected. */
static void follow_all(const struct json_step *step, const struct json_step *end,
		       const json_t *value, struct json_matches *matches)
{
	const char *name;
	json_t *inner;
	size_t i;

	json_array_foreach(value, i, inner)
		if (step->kind == STEP_ALL || is_selected(inner, step))
			follow(step + 1, end, inner, matches);
	json_object_foreach((json_t *)value, name, inner)
		if (step->kind == STEP_ALL || is_selected(inner, step))
			follow(step + 1, end, inner, matches);
}

static void follow(const struct json_step *step, const struct json_step *end, const json_t *value,
		   struct json_matches *matches)
{
	size_t count = json_array_size(value);

	if (value == NULL)
		return;
	if (step == end) {
		*vec_push(&matches->list) = value;
		return;
	}
	switch (step->kind) {
	case STEP_MEMBER:
		follow(step + 1, end, json_object_get(value, step->name), matches);
		break;
	case STEP_ELEMENT:
		if (step->index >= 0)
			value = json_array_get(value, (size_t)step->index);
		else if (step->index >= -(long)count)
			value = json_array_get(value, count - (size_t)-step->index);
		else
			value = NULL;
		follow(step + 1, end, value, matches);
		break;
	case STEP_ALL:
	case STEP_SELECT:
		follow_all(step, end, value, matches);
		break;
	}
}

void json_path_find(const struct json_path *path, const json_t *document,
		    struct json_matches *matches)
{
	follow(path->steps.at, path->steps.at + path->steps.count, document, matches);
}
