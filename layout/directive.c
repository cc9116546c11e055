/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and matching directives.
 */
#include "config.h"

#include "layout/directive.h"

#include <stdlib.h>
#include <string.h>

#include "layout/pattern.h"
#include "lib/memory.h"

/* What is named before the value. */
enum subject { SYMBOLS, TYPE, FIELD };

static const struct {
	const char *name, *shape;
	enum value_form form;
	enum subject subject;
} kinds[DIRECTIVE_KINDS] = {
	[DIRECTIVE_ALIGN_FUNCTION] = { "align-function", "align-function=NAMES:N",
				       VALUE_ALIGN, SYMBOLS },
	[DIRECTIVE_OFFSET_FUNCTION] = { "offset-function", "offset-function=NAMES:R/M",
					VALUE_RESIDUE, SYMBOLS },
	[DIRECTIVE_PAD_FUNCTION] = { "pad-function", "pad-function=NAMES:LO..HI/STEP",
				     VALUE_RANGE, SYMBOLS },
	[DIRECTIVE_ENTRY_PAD] = { "entry-pad", "entry-pad=NAMES:LO..HI/STEP", VALUE_RANGE, SYMBOLS },
	[DIRECTIVE_ALIGN_LOOP] = { "align-loop", "align-loop=NAMES:N", VALUE_ALIGN, SYMBOLS },
	[DIRECTIVE_PAD_LOOP] = { "pad-loop", "pad-loop=NAMES:LO..HI/STEP", VALUE_RANGE, SYMBOLS },
	[DIRECTIVE_ALIGN_VARIABLE] = { "align-variable", "align-variable=NAMES:N",
				       VALUE_ALIGN, SYMBOLS },
	[DIRECTIVE_OFFSET_VARIABLE] = { "offset-variable", "offset-variable=NAMES:R/M",
					VALUE_RESIDUE, SYMBOLS },
	[DIRECTIVE_PAD_VARIABLE] = { "pad-variable", "pad-variable=NAMES:LO..HI/STEP",
				     VALUE_RANGE, SYMBOLS },
	[DIRECTIVE_SPLIT] = { "split", "split=NAMES", VALUE_NONE, SYMBOLS },
	[DIRECTIVE_ALIGN_TYPE] = { "align-type", "align-type=TYPE:N", VALUE_ALIGN, TYPE },
	[DIRECTIVE_PAD_TYPE] = { "pad-type", "pad-type=TYPE:+N", VALUE_GROWTH, TYPE },
	[DIRECTIVE_OFFSET_FIELD] = { "offset-field", "offset-field=TYPE.FIELD:R/M",
				     VALUE_RESIDUE, FIELD },
};

const char *directive_kind_name(enum directive_kind kind)
{
	return kinds[kind].name;
}

int directive_kind_of(const char *option)
{
	size_t length = strcspn(option, "=");

	for (int i = 0; i < DIRECTIVE_KINDS; i++)
		if (strlen(kinds[i].name) == length && memcmp(kinds[i].name, option, length) == 0)
			return i;
	return -1;
}

static char *copy(const char *begin, const char *end)
{
	return xasprintf("%.*s", (int)(end - begin), begin);
}

static bool empty(const struct policy_option *option, const char *at, const char *what,
		  const char *shape, struct diag *diag)
{
	option_error(option, at, NULL, diag, "expected %s (%s)", what, shape);
	return false;
}

/* "TYPE" or "TYPE.FIELD"; the word that C writes before a tag may stand there. */
static bool parse_type(struct directive *directive, const char *begin, const char *end,
		       const char *shape, const struct policy_option *option, struct diag *diag)
{
	static const char *const words[] = { "struct ", "union ", "class " };
	const char *dot = end;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if ((size_t)(end - begin) > strlen(words[i]) &&
		    strncmp(begin, words[i], strlen(words[i])) == 0)
			begin += strlen(words[i]);
	if (kinds[directive->kind].subject == FIELD) {
		dot = memrchr(begin, '.', (size_t)(end - begin));
		if (dot == NULL || dot + 1 == end)
			return empty(option, end, "'.' and a field", shape, diag);
		directive->field = copy(dot + 1, end);
	}
	if (dot == begin)
		return empty(option, begin, "a type's name", shape, diag);
	directive->name = copy(begin, dot);
	directive->by_name = true;
	return true;
}

/* "NAMES" or "FILE:NAMES". */
static bool parse_names(struct directive *directive, const char *begin, const char *end,
			const char *shape, const struct policy_option *option, struct diag *diag)
{
	const char *colon = memrchr(begin, ':', (size_t)(end - begin));
	const char *name = colon != NULL ? colon + 1 : begin;

	if (name == end)
		return empty(option, end, "a function's or variable's name, or a glob", shape, diag);
	if (colon == begin)
		return empty(option, begin, "a source file before ':'", shape, diag);
	directive->name = copy(name, end);
	directive->file = colon != NULL ? copy(begin, colon) : NULL;
	directive->by_name = strpbrk(directive->name, "*?[\\") == NULL;
	return true;
}

bool directive_parse(struct directive *directive, enum directive_kind kind,
		     const struct policy_option *option, struct diag *diag)
{
	const char *end = option->text + strlen(option->text), *shape = kinds[kind].shape;
	const char *begin = option->text + strcspn(option->text, "="), *colon = end;
	bool ok;

	*directive = (struct directive){ .kind = kind, .span = option->span };
	if (begin == end)
		return empty(option, begin, "'='", shape, diag);
	begin++;
	if (kinds[kind].form != VALUE_NONE) {
		colon = value_colon(begin, end);
		if (colon == NULL)
			return empty(option, end, "':' and a value", shape, diag);
	}
	ok = kinds[kind].subject == SYMBOLS ?
	     parse_names(directive, begin, colon, shape, option, diag) :
	     parse_type(directive, begin, colon, shape, option, diag);
	ok = ok && value_parse(&directive->value, kinds[kind].form, colon < end ? colon + 1 : end,
			       end, shape, option, diag);
	directive->text = xstrdup(option->text);
	if (!ok)
		directive_release(directive);
	return ok;
}

void directive_release(struct directive *directive)
{
	free(directive->file);
	free(directive->name);
	free(directive->field);
	free(directive->text);
}

bool directive_names(const struct directive *directive, const char *file, const char *name)
{
	const char *slash;

	if (!glob_match(directive->name, name))
		return false;
	if (directive->file == NULL || glob_match(directive->file, file))
		return true;
	slash = strrchr(file, '/');
	return slash != NULL && strchr(directive->file, '/') == NULL &&
	       glob_match(directive->file, slash + 1);
}
