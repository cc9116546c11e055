/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages as people read them: place, severity, what; then the line and a
 * mark under the bytes in question.
 */
#include "config.h"

#include "lib/diag.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name, *color;
} severities[] = {
	[DIAG_ERROR] = { "error", "\033[1;31m" },
	[DIAG_WARNING] = { "warning", "\033[1;35m" },
	[DIAG_NOTE] = { "note", "\033[1;36m" },
};

void diag_init(struct diag *diag, const char *program, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR");

	*diag = (struct diag){ .stream = stream, .program = program };
	if (stream != NULL && (no_color == NULL || no_color[0] == '\0'))
		diag->color = isatty(fileno(stream));
}

/* A byte that a terminal shows as one column. */
static char shown(char c)
{
	return (unsigned char)c < ' ' || c == '\177' ? ' ' : c;
}

/*
 * The line on which SPAN begins and a mark under it.  Tabs go out as tabs in
 * both rows so that they line up whatever the terminal makes of them.
 */
static void show_line(struct diag *diag, const struct span *span, struct position position)
{
	const struct source *source = span->source;
	size_t at = span->begin < source->size ? span->begin : source->size;
	size_t begin = at - (position.column - 1);
	const char *newline = memchr(source->text + begin, '\n', source->size - begin);
	size_t end = newline != NULL ? (size_t)(newline - source->text) : source->size;
	size_t mark_end = span->end < end ? span->end : end;

	/* A preprocessed script may hold it all in one line: show what is near. */
	if (at - begin > 160)
		begin = at - 80;
	if (end - at > 160)
		end = at + 160;
	if (mark_end > end)
		mark_end = end;

	fprintf(diag->stream, "%5u | ", position.line);
	for (size_t i = begin; i < end; i++)
		putc(source->text[i] == '\t' ? '\t' : shown(source->text[i]), diag->stream);
	fputs("\n      | ", diag->stream);
	for (size_t i = begin; i < at; i++)
		putc(source->text[i] == '\t' ? '\t' : ' ', diag->stream);
	if (diag->color)
		fputs(severities[DIAG_ERROR].color, diag->stream);
	putc('^', diag->stream);
	for (size_t i = at + 1; i < mark_end; i++)
		putc('~', diag->stream);
	fputs(diag->color ? "\033[0m\n" : "\n", diag->stream);
}

static void report(struct diag *diag, enum diag_severity severity, const char *name,
		   const struct span *span, const char *format, va_list arguments)
{
	struct position position = { 0, 0 };
	const char *color = diag->color ? severities[severity].color : "";

	if (diag->stream == NULL)
		return;
	if (span != NULL && span->source != NULL) {
		position = source_position(span->source, span->begin);
		fprintf(diag->stream, "%s:%u:%u: ", span->source->name, position.line,
			position.column);
	} else {
		fprintf(diag->stream, "%s: ", diag->program);
	}
	fprintf(diag->stream, "%s%s:%s ", color, severities[severity].name,
		diag->color ? "\033[0m" : "");
	vfprintf(diag->stream, format, arguments);
	if (name != NULL)
		fprintf(diag->stream, " [%s]", name);
	putc('\n', diag->stream);
	if (position.line != 0)
		show_line(diag, span, position);
}

static void report_error(struct diag *diag, enum diag_class class, const struct span *span,
			 const char *format, va_list arguments)
{
	diag->errors++;
	if (diag->status < class)
		diag->status = class;
	report(diag, DIAG_ERROR, NULL, span, format, arguments);
}

void diag_error(struct diag *diag, const struct span *span, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report_error(diag, DIAG_INPUT, span, format, arguments);
	va_end(arguments);
}

void diag_error_class(struct diag *diag, enum diag_class class, const struct span *span,
		      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report_error(diag, class, span, format, arguments);
	va_end(arguments);
}

void diag_warning(struct diag *diag, const char *name, const struct span *span,
		  const char *format, ...)
{
	va_list arguments;

	diag->warnings++;
	va_start(arguments, format);
	report(diag, DIAG_WARNING, name, span, format, arguments);
	va_end(arguments);
}

void diag_note(struct diag *diag, const struct span *span, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report(diag, DIAG_NOTE, NULL, span, format, arguments);
	va_end(arguments);
}
