/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perf's texts are for people, and change from version to version: lines that
 * are none of a sample are passed over.  A list is ours, and wrong lines are
 * errors.
 */
#include "config.h"

#include "diff/hot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/word.h"
#include "lib/memory.h"

struct reader {
	struct hot *hot;
	const struct source *source;
	struct diag *diag;
	bool in_sample;			/* perf script: the next line is where it hit */
};

/* Digits, perhaps with a point, that end in SUFFIX. */
static bool is_figure(const struct word *word, char suffix)
{
	const char *p = word->begin, *end = word->end;
	bool digits = false;

	if (suffix != '\0' && (p == end || *--end != suffix))
		return false;
	for (; p < end; p++) {
		if (*p >= '0' && *p <= '9')
			digits = true;
		else if (*p != '.')
			return false;
	}
	return digits;
}

static double figure(const struct word *word)
{
	char text[64];
	size_t size = (size_t)(word->end - word->begin);

	size = size < sizeof text ? size : sizeof text - 1;
	memcpy(text, word->begin, size);
	text[size] = '\0';
	return strtod(text, NULL);
}

static void add(struct reader *r, const struct word *name, double weight)
{
	*vec_push(&r->hot->symbols) = (struct hot_symbol){
		.name = obstack_strndup(&r->hot->arena, name->begin,
					(size_t)(name->end - name->begin)),
		.weight = weight,
	};
}

/* --- perf report -------------------------------------------------------- */

/* "12.34%": with --children a second one is the function's own part. */
static bool report_share(const char **at, const char *end, double *share)
{
	struct word word = word_next(at, end);
	const char *behind = *at;

	if (!is_figure(&word, '%'))
		return false;
	*share = figure(&word);
	word = word_next(&behind, end);
	if (is_figure(&word, '%')) {
		*share = figure(&word);
		*at = behind;
	}
	return true;
}

static bool read_report_line(struct reader *r, const char *at, const char *end)
{
	struct word name;
	double share;

	if (!report_share(&at, end, &share))
		return true;
	/* "[k] ", "[.] ": the letter says where it ran. */
	for (; end - at > 4; at++)
		if (at[0] == '[' && at[2] == ']' && at[3] == ' ' && word_is_blank(at[-1]))
			break;
	if (end - at <= 4)
		return true;
	at += 4;
	name = word_next(&at, end);
	if (name.begin < name.end &&
	    memchr(name.begin, '%', (size_t)(name.end - name.begin)) == NULL)
		add(r, &name, share);
	return true;
}

/* --- perf script -------------------------------------------------------- */

/* "12.345678:", the time of a sample. */
static bool has_time(const char *at, const char *end)
{
	for (;;) {
		struct word word = word_next(&at, end);

		if (word.begin == word.end)
			return false;
		if (is_figure(&word, ':') &&
		    memchr(word.begin, '.', (size_t)(word.end - word.begin)) != NULL)
			return true;
	}
}

static bool is_hex(const struct word *word)
{
	for (const char *p = word->begin; p < word->end; p++)
		if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f')))
			return false;
	return word->begin < word->end;
}

/* "ffffffff810a1b2c do_wp_page+0x4c ([kernel.kallsyms])" */
static bool add_hit(struct reader *r, const char *at, const char *end)
{
	struct word address = word_next(&at, end), name = word_next(&at, end);
	const char *plus;

	if (!is_hex(&address) || name.begin == name.end || *name.begin == '(' || *name.begin == '[')
		return false;
	plus = memrchr(name.begin, '+', (size_t)(name.end - name.begin));
	if (plus != NULL && plus > name.begin && name.end - plus > 2 && plus[1] == '0' &&
	    plus[2] == 'x')
		name.end = plus;
	add(r, &name, 1);
	return true;
}

/* What was hit stands behind the event's name, "cpu-clock:", or, with callers, in the next line. */
static bool read_script_line(struct reader *r, const char *at, const char *end)
{
	if (has_time(at, end)) {
		const char *event = end;

		while (event > at && !(event[-1] == ':' && (event == end || word_is_blank(*event))))
			event--;
		r->in_sample = event > at && !add_hit(r, event, end);
	} else if (r->in_sample) {
		r->in_sample = false;
		add_hit(r, at, end);
	}
	return true;
}

/* --- Lists -------------------------------------------------------------- */

static bool unexpected(const struct reader *r, const struct word *word, const char *expected)
{
	const struct span span = { r->source, (uint32_t)(word->begin - r->source->text),
				   (uint32_t)(word->end - r->source->text) };

	diag_error(r->diag, &span, "expected %s, got \"%.*s\"", expected,
		   (int)(word->end - word->begin), word->begin);
	return false;
}

static bool read_list_line(struct reader *r, const char *at, const char *end)
{
	struct word name = word_next(&at, end), count = word_next(&at, end);
	struct word rest = word_next(&at, end);

	if (name.begin == name.end)
		return true;
	if (count.begin < count.end && !is_figure(&count, '\0'))
		return unexpected(r, &count, "a symbol and perhaps a count (or perf's output)");
	if (rest.begin < rest.end)
		return unexpected(r, &rest, "the end of the line behind a symbol and a count");
	add(r, &name, count.begin < count.end ? figure(&count) : 1);
	return true;
}

/* --- All ---------------------------------------------------------------- */

static bool for_each_line(struct reader *r,
			  bool (*read_line)(struct reader *, const char *, const char *))
{
	const char *at = r->source->text, *all = at + r->source->size;
	unsigned bad = 0;

	while (at < all && bad < HOT_ERRORS_MAX) {
		const char *newline = memchr(at, '\n', (size_t)(all - at));
		const char *end = newline != NULL ? newline : all;
		const char *begin = at;

		while (begin < end && word_is_blank(*begin))
			begin++;
		if (begin == end)
			r->in_sample = false;
		else if (*begin != '#')
			bad += !read_line(r, at, end);
		at = end + 1;
	}
	return bad == 0;
}

/* The first line that is a report's or a script's says what the file is. */
static bool guess_line(struct reader *r, const char *at, const char *end)
{
	const char *begin = at;
	double share;

	if (r->hot->kind == HOT_LIST && report_share(&begin, end, &share))
		r->hot->kind = HOT_REPORT;
	else if (r->hot->kind == HOT_LIST && has_time(at, end))
		r->hot->kind = HOT_SCRIPT;
	return true;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct hot_symbol *)a)->name, ((const struct hot_symbol *)b)->name);
}

static void add_up(struct hot *hot)
{
	size_t kept = 0;

	if (hot->symbols.count > 1)
		qsort(hot->symbols.at, hot->symbols.count, sizeof *hot->symbols.at, compare_names);
	for (size_t i = 0; i < hot->symbols.count; i++) {
		hot->total += hot->symbols.at[i].weight;
		if (kept > 0 &&
		    strcmp(hot->symbols.at[kept - 1].name, hot->symbols.at[i].name) == 0)
			hot->symbols.at[kept - 1].weight += hot->symbols.at[i].weight;
		else
			hot->symbols.at[kept++] = hot->symbols.at[i];
	}
	hot->symbols.count = kept;
}

bool hot_read(struct hot *hot, const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	struct reader r = { .hot = hot, .source = source, .diag = diag };
	bool good;

	*hot = (struct hot){ .kind = HOT_LIST };
	obstack_init(&hot->arena);
	if (source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s", path,
				 strerror(errno));
		return false;
	}
	for_each_line(&r, guess_line);
	good = for_each_line(&r, hot->kind == HOT_REPORT ? read_report_line
			     : hot->kind == HOT_SCRIPT ? read_script_line : read_list_line);
	add_up(hot);
	if (good && hot->symbols.count == 0) {
		diag_error(diag, NULL, "\"%s\" names no symbol", path);
		good = false;
	}
	source_free(source);
	return good;
}

void hot_release(struct hot *hot)
{
	vec_release(&hot->symbols);
	obstack_free(&hot->arena, NULL);
}

static const struct hot_symbol *find(const struct hot *hot, const struct piece *piece)
{
	const struct hot_symbol key = { .name = piece != NULL ? piece->symbol : NULL };

	return key.name == NULL ? NULL
	     : bsearch(&key, hot->symbols.at, hot->symbols.count, sizeof key, compare_names);
}

size_t hot_apply(const struct hot *hot, struct comparison *comparison)
{
	bool *found = xcalloc(hot->symbols.count + 1, sizeof *found);
	size_t missing = 0;

	for (size_t i = 0; i < comparison->changes.count; i++) {
		struct change *change = &comparison->changes.at[i];
		const struct hot_symbol *symbol = find(hot, change->b);

		if (symbol == NULL)
			symbol = find(hot, change->a);
		if (symbol == NULL)
			continue;
		found[symbol - hot->symbols.at] = true;
		change->heat = hot->total > 0 ? symbol->weight / hot->total : 0;
	}
	for (size_t i = 0; i < hot->symbols.count; i++)
		missing += !found[i];
	free(found);
	return missing;
}
