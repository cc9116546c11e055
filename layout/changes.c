/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of changes.  Names of objects are looked up by every end of a unit's
 * path, so that a history of any length costs little.
 */
#include "config.h"

#include "layout/changes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "layout/number.h"
#include "lib/memory.h"

/* --- Reading ------------------------------------------------------------ */

/* The length of a file's name without the suffix that a compiler takes or gives. */
static size_t stem_length(const char *name, size_t length)
{
	const char *dot = memrchr(name, '.', length), *slash = memrchr(name, '/', length);

	return dot != NULL && dot > name && (slash == NULL || dot > slash + 1) ? (size_t)(dot - name)
									       : length;
}

static bool is_source(const char *name, size_t length)
{
	static const char *const suffixes[] = { ".c", ".S", ".s", ".cc", ".cpp", ".cxx", ".C", ".rs",
						".o", ".lo", ".f90" };
	size_t stem = stem_length(name, length);

	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strlen(suffixes[i]) == length - stem &&
		    memcmp(suffixes[i], name + stem, length - stem) == 0)
			return true;
	return false;
}

static int compare_changes(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Sorts the names and makes one of those that are the same; returns how many there are then. */
static size_t collect(struct change *names, size_t count)
{
	size_t kept = 0;

	if (count > 1)
		qsort(names, count, sizeof *names, compare_changes);
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && strcmp(names[kept - 1].name, names[i].name) == 0) {
			names[kept - 1].count += names[i].count;
			free(names[i].name);
		} else {
			names[kept++] = names[i];
		}
	}
	return kept;
}

static void add_name(struct changes *changes, const char *name, size_t length, double count)
{
	const char *slash = memrchr(name, '/', length);

	*vec_push(&changes->names) = (struct change){
		.name = xasprintf("%.*s", (int)length, name), .count = count };
	if (slash != NULL)
		*vec_push(&changes->last_parts) = (struct change){
			.name = xasprintf("%.*s", (int)(name + length - (slash + 1)), slash + 1),
			.count = count };
}

/* "[COUNT] NAME", without blanks at its ends. */
static bool read_line(struct changes *changes, const struct source *source, const char *begin,
		      const char *end, struct diag *diag)
{
	struct change change = { .count = 1 };
	const char *blank = begin;
	uint64_t count;

	while (blank < end && !isspace((unsigned char)*blank))
		blank++;
	if (blank < end && parse_number(begin, blank, &count)) {
		change.count = (double)count;
		for (begin = blank; isspace((unsigned char)*begin);)
			begin++;
	}
	if (end[-1] == ')') {
		char *text = xasprintf("%.*s", (int)(end - begin), begin);
		const struct policy_option option = {
			.text = text, .origin = source->name,
			.span = { source, (uint32_t)(begin - source->text),
				  (uint32_t)(end - source->text) },
		};
		bool good = units_pattern_parse(&change.units, &option, text, text + strlen(text),
						diag);

		if (good)
			*vec_push(&changes->patterns) = change;
		free(text);
		return good;
	}
	if (is_source(begin, (size_t)(end - begin)))
		add_name(changes, begin, stem_length(begin, (size_t)(end - begin)), change.count);
	return true;
}

bool changes_read(struct changes *changes, const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	const char *at, *all;
	bool good = true;

	*changes = (struct changes){ 0 };
	if (source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s", path,
				 strerror(errno));
		return false;
	}
	all = source->text + source->size;
	for (at = source->text; at < all;) {
		const char *newline = memchr(at, '\n', (size_t)(all - at));
		const char *begin = at, *end = newline != NULL ? newline : all;

		at = end + 1;
		while (begin < end && isspace((unsigned char)*begin))
			begin++;
		while (begin < end && isspace((unsigned char)end[-1]))
			end--;
		if (begin < end && *begin != '#')
			good = read_line(changes, source, begin, end, diag) && good;
	}
	changes->names.count = collect(changes->names.at, changes->names.count);
	changes->last_parts.count = collect(changes->last_parts.at, changes->last_parts.count);
	source_free(source);
	return good;
}

void changes_release(struct changes *changes)
{
	for (size_t i = 0; i < changes->names.count; i++)
		free(changes->names.at[i].name);
	for (size_t i = 0; i < changes->last_parts.count; i++)
		free(changes->last_parts.at[i].name);
	for (size_t i = 0; i < changes->patterns.count; i++)
		units_pattern_release(&changes->patterns.at[i].units);
	vec_release(&changes->names);
	vec_release(&changes->last_parts);
	vec_release(&changes->patterns);
}

/* --- Looking up --------------------------------------------------------- */

static double count_of(const struct change *names, size_t count, char *name)
{
	const struct change key = { .name = name };
	const struct change *found;

	found = count == 0 ? NULL : bsearch(&key, names, count, sizeof key, compare_changes);
	return found != NULL ? found->count : 0;
}

/* The object at [file, end), "src/vm.o" or "src/vm.c.o", by what names its path or an end of it. */
static double count_of_object(const struct changes *changes, const char *file, const char *end)
{
	size_t length = stem_length(file, (size_t)(end - file));
	char *stem = xasprintf("%.*s", (int)length, file);
	double count = 0;

	if (is_source(stem, length))
		stem[stem_length(stem, length)] = '\0';
	for (char *part = stem; part != NULL && count == 0;) {
		char *slash = strchr(part, '/');

		count = count_of(changes->names.at, changes->names.count, part);
		part = slash != NULL ? slash + 1 : NULL;
	}
	if (strchr(stem, '/') == NULL)
		count += count_of(changes->last_parts.at, changes->last_parts.count, stem);
	free(stem);
	return count;
}

double changes_of(const struct changes *changes, const struct identity *identity)
{
	const char *file = identity->file, *end = file + strlen(file);
	const char *open = end > file && end[-1] == ')' ? opening_parenthesis(file, end - 1) : NULL;
	double count = open != NULL ? count_of_object(changes, open + 1, end - 1)
				    : count_of_object(changes, file, end);

	for (size_t i = 0; i < changes->patterns.count; i++)
		if (units_match(&changes->patterns.at[i].units, identity))
			count += changes->patterns.at[i].count;
	return count;
}
