/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and matching UNITS.
 */
#include "config.h"

#include "layout/pattern.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* --- Reading ------------------------------------------------------------ */

static char *copy(const char *begin, const char *end)
{
	return xasprintf("%.*s", (int)(end - begin), begin);
}

/* SECTION [":" SYMBOL]; false, reported, where one of both is empty. */
static bool parse_section(struct units_pattern *pattern, const struct policy_option *option,
			  const char *begin, const char *end, struct diag *diag)
{
	const char *colon = memchr(begin, ':', (size_t)(end - begin));

	if (colon != NULL && (colon == begin || colon + 1 == end)) {
		option_error(option, colon, colon + 1, diag, "expected a name or '*' %s ':'",
			     colon == begin ? "before" : "behind");
		return false;
	}
	pattern->section = copy(begin, colon != NULL ? colon : end);
	pattern->symbol = colon != NULL ? copy(colon + 1, end) : NULL;
	return true;
}

/* UNITS = [FILE] "(" SECTION ")" | SECTION */
bool units_pattern_parse(struct units_pattern *pattern, const struct policy_option *option,
			 const char *begin, const char *end, struct diag *diag)
{
	const char *open, *colon;

	*pattern = (struct units_pattern){ 0 };
	if (begin == end) {
		option_error(option, begin, end, diag,
			     "expected UNITS, such as \"foo.o(.data)\" or \".data*\", got nothing");
		return false;
	}
	if (end[-1] != ')') {
		const char *stray = begin + strcspn(begin, "()");

		if (stray < end && *stray == '(') {
			option_error(option, end - 1, end, diag, "expected ')' at the end of \"%.*s\"",
				     (int)(end - begin), begin);
			return false;
		}
		if (stray < end) {
			option_error(option, stray, stray + 1, diag, "expected '(' before ')'");
			return false;
		}
		if (!parse_section(pattern, option, begin, end, diag))
			return false;
		pattern->text = copy(begin, end);
		pattern->file = xstrdup("*");
		return true;
	}
	open = opening_parenthesis(begin, end - 1);
	if (open == NULL) {
		option_error(option, end - 1, end, diag, "expected '(' before ')'");
		return false;
	}
	if (open == begin) {
		option_error(option, open, open + 1, diag,
			     "expected a file name or '*' before '('");
		return false;
	}
	if (open + 2 == end) {
		option_error(option, open, end, diag,
			     "expected a section name or '*' between '(' and ')'");
		return false;
	}
	if (!parse_section(pattern, option, open + 1, end - 1, diag))
		return false;
	colon = memchr(begin, ':', (size_t)(open - begin));
	pattern->text = copy(begin, end);
	pattern->archive = colon != NULL ? copy(begin, colon) : NULL;
	pattern->file = copy(colon != NULL ? colon + 1 : begin, open);
	return true;
}

void units_pattern_release(struct units_pattern *pattern)
{
	free(pattern->text);
	free(pattern->archive);
	free(pattern->file);
	free(pattern->section);
	free(pattern->symbol);
}

/* --- Writing ------------------------------------------------------------ */

/* True if every '(' of TEXT has its ')': what is read from its end then finds the right one. */
static bool is_balanced(const char *text)
{
	int depth = 0;

	for (; *text != '\0' && depth >= 0; text++)
		depth += (*text == '(') - (*text == ')');
	return depth == 0;
}

/*
 * Puts TEXT at TO as a glob of itself alone; '#' too, which would begin a comment.  The
 * byte at BRACKET, if there is one, is written [x/]: that is the same byte where no
 * '/' is, and a glob with a '/' is matched against whole paths only.
 */
static char *put_glob(char *to, const char *text, const char *bracket)
{
	for (; *text != '\0'; text++) {
		if (text == bracket) {
			to += sprintf(to, "[%c/]", *text);
			continue;
		}
		if (strchr("*?[\\#", *text) != NULL)
			*to++ = '\\';
		*to++ = *text;
	}
	return to;
}

char *units_pattern_exact(const struct identity *identity)
{
	const char *file = identity->file, *symbol = identity->symbol, *bracket = NULL;
	size_t size = strlen(file) + strlen(identity->section) +
		      (symbol != NULL ? strlen(symbol) : 0);
	char *pattern, *to;

	if (strpbrk(file, ":\n") != NULL || !is_balanced(file) ||
	    strpbrk(identity->section, ":()\n") != NULL ||
	    (symbol != NULL && (identity->ordinal > 1 || strpbrk(symbol, "()\n") != NULL)))
		return NULL;
	for (const char *c = file; strchr(file, '/') == NULL && *c != '\0'; c++)
		if (isalnum((unsigned char)*c))
			bracket = c;
	to = pattern = xmalloc(2 * size + 32);
	to = put_glob(to, file, bracket);
	*to++ = '(';
	to = put_glob(to, identity->section, NULL);
	if (identity->ordinal > 1)
		to += sprintf(to, "#%u", identity->ordinal);
	if (symbol != NULL) {
		*to++ = ':';
		to = put_glob(to, symbol, NULL);
	}
	strcpy(to, ")");
	return pattern;
}

/* --- Matching ----------------------------------------------------------- */

/*
 * Most globs begin with plain bytes and most names differ in these, so they
 * are compared here; fnmatch sees what is left.
 */
bool glob_match(const char *glob, const char *text)
{
	for (; *glob != '\0' && strchr("*?[\\", *glob) == NULL; glob++, text++) {
		if (*glob != *text)
			return false;
	}
	if (*glob == '\0')
		return *text == '\0';
	size_t plain = strcspn(glob, "*?[\\");

	/* fnmatch(3) takes its time to say no: what is plain in front is compared first. */
	if (strncmp(glob, text, plain) != 0)
		return false;
	glob += plain;
	text += plain;
	if (glob[0] == '\0' || strcmp(glob, "*") == 0)
		return glob[0] != '\0' || text[0] == '\0';
	return fnmatch(glob, text, 0) == 0;
}

/* TEXT is a path; [begin, end) of it is matched, whole and by its last component. */
static bool path_match(const char *glob, const char *begin, const char *end)
{
	char path[PATH_MAX];
	const char *slash;

	if ((size_t)(end - begin) >= sizeof path)	/* could not be opened either */
		return false;
	memcpy(path, begin, (size_t)(end - begin));
	path[end - begin] = '\0';
	if (glob_match(glob, path))
		return true;
	slash = strrchr(path, '/');
	return slash != NULL && strchr(glob, '/') == NULL && glob_match(glob, slash + 1);
}

bool units_match_file(const struct units_pattern *pattern, const struct identity *identity)
{
	const char *file = identity->file, *end = file + strlen(file);
	const char *open = end > file && end[-1] == ')' ? opening_parenthesis(file, end - 1) : NULL;
	const char *slash;

	if (pattern->archive != NULL && pattern->archive[0] == '\0')
		return open == NULL && path_match(pattern->file, file, end);
	if (pattern->archive != NULL)
		return open != NULL && path_match(pattern->archive, file, open) &&
		       (pattern->file[0] == '\0' || path_match(pattern->file, open + 1, end - 1));
	if (open == NULL)
		return path_match(pattern->file, file, end);
	if (glob_match(pattern->file, file) || path_match(pattern->file, open + 1, end - 1))
		return true;
	/* The archive's last component with its member: "liblua5.4.a(lvm.o)" of a path. */
	slash = memrchr(file, '/', (size_t)(open - file));
	return slash != NULL && strchr(pattern->file, '/') == NULL &&
	       glob_match(pattern->file, slash + 1);
}

bool units_match_section(const struct units_pattern *pattern, const struct identity *identity)
{
	char numbered[PATH_MAX];

	if (pattern->symbol != NULL &&
	    (identity->symbol == NULL || !glob_match(pattern->symbol, identity->symbol)))
		return false;
	if (glob_match(pattern->section, identity->section))
		return true;
	if (identity->ordinal < 2 || strchr(pattern->section, '#') == NULL)
		return false;
	snprintf(numbered, sizeof numbered, "%s#%u", identity->section, identity->ordinal);
	return glob_match(pattern->section, numbered);
}

bool units_match(const struct units_pattern *pattern, const struct identity *identity)
{
	return units_match_section(pattern, identity) && units_match_file(pattern, identity);
}
