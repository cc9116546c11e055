/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over the tags.  What is not known goes through as it is, so that a later gnuplot
 * draws at worst in colours of its own.
 *
 * A label's hypertext, which gnuplot hands to a script of its own, becomes the title of what
 * it is the label of: readers show that where the pointer is.
 */
#include "config.h"

#include "report/drawing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/markup.h"

struct drawing {
	const char *at, *end;
	const char *const *texts;
	size_t count;
	FILE *stream;
};

/* Whether what stands at AT begins with TEXT. */
static bool begins(const struct drawing *drawing, const char *at, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(drawing->end - at) >= length && memcmp(at, text, length) == 0;
}

/* Behind TEXT, from AT on; the end where it is not there. */
static const char *behind(const struct drawing *drawing, const char *at, const char *text)
{
	const char *found = memmem(at, (size_t)(drawing->end - at), text, strlen(text));

	return found != NULL ? found + strlen(text) : drawing->end;
}

/* --- Attributes --------------------------------------------------------- */

/* "rgb(  1,   0,  3)" as an ink; returns what is behind it, or NULL where it is none. */
static const char *read_ink(const char *at, const char *end, enum ink *ink)
{
	unsigned long numbers[3];
	char *next;

	if (end - at < 10 || memcmp(at, "rgb(", 4) != 0)
		return NULL;
	at += 4;
	for (size_t i = 0; i < 3; i++) {
		numbers[i] = strtoul(at, &next, 10);
		if (next == at || next >= end || *next != (i < 2 ? ',' : ')'))
			return NULL;
		at = next + 1;
	}
	if (numbers[0] != 1 || numbers[1] != 0 || numbers[2] >= INKS)
		return NULL;
	*ink = (enum ink)numbers[2];
	return at;
}

/* What the page says, or nobody needs. */
static bool is_idle(const char *name, size_t name_size, const char *value, size_t value_size)
{
	static const struct {
		const char *name, *value;	/* NULL: any */
	} idle[] = {
		{ "font-family", NULL },
		{ "font-size", NULL },
		{ "onmouseout", NULL },
		{ "id", NULL },
		{ "class", NULL },
		{ "stroke-linecap", NULL },
		{ "stroke-linejoin", NULL },
		{ "color", "black" },
		{ "color", "white" },
		{ "color", "gray" },
		{ "stroke", "currentColor" },
		{ "shape-rendering", NULL },
	};

	for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++)
		if (strlen(idle[i].name) == name_size &&
		    memcmp(idle[i].name, name, name_size) == 0 &&
		    (idle[i].value == NULL || (strlen(idle[i].value) == value_size &&
					       memcmp(idle[i].value, value, value_size) == 0)))
			return true;
	return false;
}

static void write_value(struct drawing *drawing, const char *at, const char *end)
{
	const char *next;
	enum ink ink;

	while (at < end) {
		next = *at == 'r' ? read_ink(at, end, &ink) : NULL;
		if (next != NULL) {
			fprintf(drawing->stream, "var(%s)", gnuplot_ink_name(ink));
			at = next;
		} else {
			putc(*at == '"' ? '\'' : *at, drawing->stream);
			at++;
		}
	}
}

/* The tag [AT, END), of which NAME was written already, without its '>'. */
static void write_attributes(struct drawing *drawing, const char *at, const char *end)
{
	while (at < end) {
		const char *name, *value, *close;
		size_t length;

		while (at < end && isspace((unsigned char)*at))
			at++;
		name = at;
		while (at < end && *at != '=' && !isspace((unsigned char)*at))
			at++;
		length = (size_t)(at - name);
		while (at < end && *at != '"' && *at != '\'')
			at++;
		if (at == end)
			return;
		value = at + 1;
		close = memchr(value, *at, (size_t)(end - value));
		if (close == NULL)
			return;
		at = close + 1;
		if (is_idle(name, length, value, (size_t)(close - value)))
			continue;
		if (length == 10 && memcmp(name, "xlink:href", 10) == 0) {
			name += 6;
			length = 4;
		}
		fprintf(drawing->stream, " %.*s=\"", (int)length, name);
		write_value(drawing, value, close);
		putc('"', drawing->stream);
	}
}

/* --- Tags and text ------------------------------------------------------ */

/* Text between tags: blanks alone are not worth their bytes; words become what they stand for. */
static void write_text(struct drawing *drawing, const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	while (at < end) {
		char *next = NULL;
		size_t number = 0;

		if (*at == '@' && isdigit((unsigned char)at[1]))
			number = strtoul(at + 1, &next, 10);
		if (next != NULL && *next == '@' && number < drawing->count) {
			markup_text(drawing->stream, drawing->texts[number]);
			at = next + 1;
		} else {
			if (*at != '\n' && *at != '\t')
				putc(*at, drawing->stream);
			at++;
		}
	}
}

static void write_hypertext(struct drawing *drawing, const char *tag, const char *end)
{
	const char *quote = memchr(tag, '\'', (size_t)(end - tag));
	size_t number = quote != NULL ? strtoul(quote + 1, NULL, 10) : drawing->count;

	fputs("<g>", drawing->stream);
	if (number >= drawing->count)
		return;
	fputs("<title>", drawing->stream);
	markup_text(drawing->stream, drawing->texts[number]);
	fputs("</title>", drawing->stream);
}

/* Behind the group's end, if it is empty; else NULL. */
static const char *behind_empty(const struct drawing *drawing, const char *at)
{
	while (at < drawing->end && isspace((unsigned char)*at))
		at++;
	return begins(drawing, at, "</g>") ? at + 4 : NULL;
}

static void write_tag(struct drawing *drawing)
{
	const char *tag = drawing->at, *end = behind(drawing, tag, ">"), *next, *name_end;
	bool alone = end - tag > 2 && end[-2] == '/';

	drawing->at = end;
	if (begins(drawing, tag, "<defs")) {
		drawing->at = behind(drawing, tag, "</defs>");
	} else if (begins(drawing, tag, "<title")) {
		drawing->at = behind(drawing, tag, "</title>");
	} else if (begins(drawing, tag, "<desc")) {
		drawing->at = behind(drawing, tag, "</desc>");
	} else if (begins(drawing, tag, "<rect")) {	/* the canvas */
		drawing->at = end;
	} else if (begins(drawing, tag, "<g onmousemove")) {
		write_hypertext(drawing, tag, end);
	} else if (begins(drawing, tag, "<g") && (next = behind_empty(drawing, end)) != NULL) {
		drawing->at = next;
	} else {
		name_end = tag + 1;
		while (name_end < end && !isspace((unsigned char)*name_end) && *name_end != '>')
			name_end++;
		fwrite(tag, 1, (size_t)(name_end - tag), drawing->stream);
		write_attributes(drawing, name_end, end - (alone ? 2 : 1));
		fputs(alone && name_end < end ? "/>" : ">", drawing->stream);
	}
}

void drawing_write(const struct gnuplot_figure *figure, const char *const *texts, size_t count,
		   FILE *stream)
{
	struct drawing drawing = { .at = figure->svg,
				   .end = figure->svg + figure->size,
				   .texts = texts,
				   .count = count,
				   .stream = stream };
	const char *text;

	fprintf(stream,
		"<svg class=\"figure\" viewBox=\"0 0 %u %u\" role=\"img\" tabindex=\"0\" "
		"aria-label=\"",
		figure->width, figure->height);
	markup_text(stream, figure->label);
	fputs("\">", stream);
	drawing.at = behind(&drawing, drawing.at, ">");
	drawing.end -= strlen("</svg>");
	while (drawing.at < drawing.end) {
		text = drawing.at;
		drawing.at = memchr(text, '<', (size_t)(drawing.end - text));
		if (drawing.at == NULL)
			drawing.at = drawing.end;
		write_text(&drawing, text, drawing.at);
		if (drawing.at < drawing.end)
			write_tag(&drawing);
	}
	fputs("</svg>\n", stream);
}
