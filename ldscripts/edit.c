/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits are kept as they come and sorted when the text is written.
 */
#include "config.h"

#include "ldscripts/edit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/vec.h"

struct edit {
	uint32_t begin, end;	/* what goes; nothing where an insertion */
	size_t order;		/* of arrival */
	char *text;
};

struct edits {
	const struct source *source;
	VEC(struct edit) list;
};

struct edits *edits_new(const struct source *source)
{
	struct edits *edits = xcalloc(1, sizeof *edits);

	edits->source = source;
	return edits;
}

void edits_free(struct edits *edits)
{
	if (edits == NULL)
		return;
	for (size_t i = 0; i < edits->list.count; i++)
		free(edits->list.at[i].text);
	vec_release(&edits->list);
	free(edits);
}

static void add(struct edits *edits, uint32_t begin, uint32_t end, const char *text)
{
	struct edit *edit;

	if (begin > end || end > edits->source->size)
		abort();
	edit = vec_push(&edits->list);
	*edit = (struct edit){ begin, end, edits->list.count, xstrdup(text) };
}

void edit_insert(struct edits *edits, uint32_t offset, const char *text)
{
	add(edits, offset, offset, text);
}

void edit_replace(struct edits *edits, struct span span, const char *text)
{
	add(edits, span.begin, span.end, text);
}

/* By place; what is inserted at a place stands before what replaces it. */
static int compare(const void *left, const void *right)
{
	const struct edit *a = left, *b = right;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if ((a->end == a->begin) != (b->end == b->begin))
		return a->end == a->begin ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

bool edits_write(struct edits *edits, FILE *stream)
{
	const struct source *source = edits->source;
	uint32_t at = 0;

	if (edits->list.count > 0)
		qsort(edits->list.at, edits->list.count, sizeof *edits->list.at, compare);
	for (size_t i = 0; i < edits->list.count; i++) {
		const struct edit *edit = &edits->list.at[i];

		if (edit->begin < at)	/* inside what another replaces */
			abort();
		fwrite(source->text + at, 1, edit->begin - at, stream);
		fputs(edit->text, stream);
		at = edit->end;
	}
	fwrite(source->text + at, 1, source->size - at, stream);
	return !ferror(stream);
}
