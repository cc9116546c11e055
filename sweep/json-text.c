/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cannot be read as a document may be a line of a log, "[ 0.1] ...": the next line is
 * tried.  Only where there is none at all the error counts, that of what looked most like
 * one: what got furthest.
 */
#include "config.h"

#include "sweep/json-text.h"

#include <string.h>

#include "lib/memory.h"

/* So many lines may look like a document and be none: each could be read to the end. */
#define FAILURES_MAX 1000

struct cursor {
	const char *at, *end;
	unsigned line;		/* of AT, from 1 */
};

static void advance(struct cursor *cursor, const char *to)
{
	for (; cursor->at < to; cursor->at++)
		cursor->line += *cursor->at == '\n';
}

/* To the beginning of the next line. */
static void skip_line(struct cursor *cursor)
{
	while (cursor->at < cursor->end && *cursor->at++ != '\n')
		;
	cursor->line++;
}

/* At the beginning of a line: goes to the first from here on that may begin a document. */
static bool find_document(struct cursor *cursor)
{
	while (cursor->at < cursor->end) {
		while (cursor->at < cursor->end && strchr(" \t\r", *cursor->at) != NULL &&
		       *cursor->at != '\0')
			cursor->at++;
		if (cursor->at < cursor->end && (*cursor->at == '{' || *cursor->at == '['))
			return true;
		skip_line(cursor);
	}
	return false;
}

void json_text_read(struct json_text *json, const char *text, size_t size, struct obstack *arena)
{
	struct cursor cursor = { text, text + size, 1 };
	const char *furthest = NULL;
	unsigned failures = 0;

	*json = (struct json_text){ 0 };
	while (failures < FAILURES_MAX && find_document(&cursor)) {
		size_t left = (size_t)(cursor.end - cursor.at);
		const char *stopped;
		json_error_t error;
		json_t *document = json_loadb(cursor.at, left,
					      JSON_DISABLE_EOF_CHECK | JSON_DECODE_INT_AS_REAL,
					      &error);

		if (document != NULL) {
			*vec_push(&json->documents) = document;
			advance(&cursor, cursor.at + error.position);
			continue;
		}
		failures++;
		stopped = cursor.at + (error.position > 0 ? (size_t)error.position : 0);
		if (stopped > furthest) {
			furthest = stopped;
			json->why = obstack_format(arena, "line %u, column %d: %s",
						   cursor.line + (unsigned)error.line - 1,
						   error.column, error.text);
		}
		skip_line(&cursor);
	}
	if (json->documents.count > 0)
		json->why = NULL;
	else if (json->why == NULL)
		json->why = "no JSON";
}

void json_text_release(struct json_text *json)
{
	for (size_t i = 0; i < json->documents.count; i++)
		json_decref(json->documents.at[i]);
	vec_release(&json->documents);
}
