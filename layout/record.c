/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layout files, written and read.  Reading trusts nothing: a layout may come
 * from another machine, cut short by a full disk or mangled by an editor.
 */
#include "config.h"

#include "layout/record.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "layout/escape.h"
#include "layout/number.h"
#include "lib/memory.h"

#define MAGIC "# kerning-layout 1"

void layout_init(struct layout *layout)
{
	*layout = (struct layout){ 0 };
	obstack_init(&layout->arena);
}

void layout_release(struct layout *layout)
{
	vec_release(&layout->units);
	obstack_free(&layout->arena, NULL);
}

static int compare_units(const void *a, const void *b)
{
	const struct layout_unit *x = a, *y = b;
	int order;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	order = strcmp(x->section, y->section);
	return order != 0 ? order : identity_compare(&x->identity, &y->identity);
}

void layout_sort(struct layout *layout)
{
	if (layout->units.count > 1)
		qsort(layout->units.at, layout->units.count, sizeof *layout->units.at,
		      compare_units);
}

/* --- Writing ------------------------------------------------------------ */

/* What nearly every name fits in. */
#define NAME_SIZE 512

static void write_escaped(FILE *stream, const char *text, enum escape escape)
{
	char buffer[NAME_SIZE], *escaped = buffer;
	size_t length = escape_text(buffer, sizeof buffer, text, escape);

	if (length >= sizeof buffer) {
		escaped = xmalloc(length + 1);
		escape_text(escaped, length + 1, text, escape);
	}
	fwrite(escaped, 1, length, stream);
	if (escaped != buffer)
		free(escaped);
}

static void write_identity(FILE *stream, const struct identity *identity)
{
	char buffer[NAME_SIZE], *name = buffer;

	if (identity_format(buffer, sizeof buffer, identity) >= sizeof buffer)
		name = identity_string(identity);
	fputs(name, stream);
	if (name != buffer)
		free(name);
}

static void write_header(FILE *stream, const char *name, const char *value)
{
	if (value == NULL)
		return;
	fprintf(stream, "# %s: ", name);
	write_escaped(stream, value, ESCAPE_LINE);
	putc('\n', stream);
}

void layout_write(const struct layout *layout, FILE *stream)
{
	fputs(MAGIC "\n", stream);
	write_header(stream, "tool", layout->tool);
	write_header(stream, "linker", layout->linker);
	if (layout->has_seed)
		fprintf(stream, "# seed: %" PRIu64 "\n", layout->seed);
	write_header(stream, "policy", layout->policy);
	write_header(stream, "output", layout->output);
	write_header(stream, "build-id", layout->build_id);
	for (size_t i = 0; i < layout->units.count; i++) {
		const struct layout_unit *unit = &layout->units.at[i];

		fprintf(stream, "0x%016" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t", unit->address,
			unit->size, unit->align);
		write_escaped(stream, unit->section, ESCAPE_WORD);
		putc('\t', stream);
		write_identity(stream, &unit->identity);
		putc('\n', stream);
	}
}

/* --- Reading ------------------------------------------------------------ */

/* The ordinal "#2" at the end of a section's name, whose '#' becomes *END; 1 where none is. */
static unsigned take_ordinal(const char *begin, const char **end)
{
	const char *hash = memrchr(begin, '#', (size_t)(*end - begin));
	uint64_t ordinal;

	if (hash == NULL || hash[1] == '0' || !parse_number(hash + 1, *end, &ordinal) ||
	    ordinal < 2 || ordinal > UINT32_MAX)
		return 1;
	*end = hash;
	return (unsigned)ordinal;
}

static bool parse_identity(const char *begin, const char *end, struct identity *identity,
			   struct obstack *arena)
{
	const char *open = end > begin && end[-1] == ')' ? opening_parenthesis(begin, end - 1) : NULL;
	const char *section_end = end - 1, *colon;

	if (open == NULL || open == begin)
		return false;
	identity->ordinal = take_ordinal(open + 1, &section_end);
	if (section_end == open + 1)
		return false;
	colon = memchr(open + 1, ':', (size_t)(section_end - (open + 1)));
	identity->symbol = NULL;
	if (colon != NULL) {
		if (colon == open + 1 || colon + 1 == section_end)
			return false;
		identity->symbol = unescape_text(colon + 1, section_end, arena);
		section_end = colon;
	}
	identity->file = unescape_text(begin, open, arena);
	identity->section = unescape_text(open + 1, section_end, arena);
	return identity->file != NULL && identity->section != NULL &&
	       (colon == NULL || identity->symbol != NULL);
}

bool identity_parse(const char *text, struct identity *identity, struct obstack *arena)
{
	return parse_identity(text, text + strlen(text), identity, arena);
}

struct reader {
	struct layout *layout;
	const struct source *source;
	struct diag *diag;
};

/* Reports that [begin, end) is not what was EXPECTED. */
static bool unexpected(const struct reader *r, const char *begin, const char *end,
		       const char *expected)
{
	const struct span span = { r->source, (uint32_t)(begin - r->source->text),
				   (uint32_t)(end - r->source->text) };

	if (begin == end)
		diag_error(r->diag, &span, "expected %s, got nothing", expected);
	else
		diag_error(r->diag, &span, "expected %s, got \"%.*s\"", expected,
			   (int)(end - begin), begin);
	return false;
}

/* "# name: value"; names that are not known are those of another version. */
static bool read_header(struct reader *r, const char *begin, const char *end)
{
	const struct {
		const char *name;
		const char **value;
	} texts[] = {
		{ "# tool: ", &r->layout->tool },
		{ "# linker: ", &r->layout->linker },
		{ "# policy: ", &r->layout->policy },
		{ "# output: ", &r->layout->output },
		{ "# build-id: ", &r->layout->build_id },
	};
	const char seed[] = "# seed: ";
	size_t length = strlen(seed);

	if ((size_t)(end - begin) >= length && memcmp(begin, seed, length) == 0) {
		r->layout->has_seed = parse_number(begin + length, end, &r->layout->seed);
		return r->layout->has_seed || unexpected(r, begin + length, end, "a seed");
	}
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		length = strlen(texts[i].name);
		if ((size_t)(end - begin) < length || memcmp(begin, texts[i].name, length) != 0)
			continue;
		*texts[i].value = unescape_text(begin + length, end, &r->layout->arena);
		return *texts[i].value != NULL ||
		       unexpected(r, begin + length, end, "text with '%' as %25");
	}
	return true;
}

#define FIELDS 5

/* Splits a line at its tabs.  False, reported, where it has not five fields. */
static bool split(struct reader *r, const char *begin, const char *end,
		  const char *fields[FIELDS + 1])
{
	size_t count = 0;

	fields[count++] = begin;
	for (const char *p = begin; p < end; p++) {
		if (*p != '\t')
			continue;
		if (count == FIELDS)
			return unexpected(r, p, end, "the end of the line after 5 fields");
		fields[count++] = p + 1;
	}
	fields[count] = end + 1;
	return count == FIELDS ||
	       unexpected(r, end, end,
			  "5 fields parted by tabs (address, size, alignment, output section, identity)");
}

static bool read_number(struct reader *r, const char *begin, const char *end,
			const char *expected, uint64_t *value)
{
	return parse_number(begin, end, value) || unexpected(r, begin, end, expected);
}

static bool read_unit(struct reader *r, const char *begin, const char *end)
{
	const char *fields[FIELDS + 1];
	struct layout_unit unit;

	if (!split(r, begin, end, fields) ||
	    !read_number(r, fields[0], fields[1] - 1, "an address", &unit.address) ||
	    !read_number(r, fields[1], fields[2] - 1, "a size", &unit.size) ||
	    !read_number(r, fields[2], fields[3] - 1, "an alignment", &unit.align))
		return false;
	if (!is_power_of_two(unit.align))
		return unexpected(r, fields[2], fields[3] - 1,
				  "an alignment that is a power of two");
	if (unit.size > 0 && unit.address + (unit.size - 1) < unit.address)
		return unexpected(r, fields[1], fields[2] - 1,
				  "a size that ends within 64 bits of address");
	unit.section = unescape_text(fields[3], fields[4] - 1, &r->layout->arena);
	if (unit.section == NULL || unit.section[0] == '\0')
		return unexpected(r, fields[3], fields[4] - 1, "an output section");
	if (!parse_identity(fields[4], fields[5] - 1, &unit.identity, &r->layout->arena))
		return unexpected(r, fields[4], fields[5] - 1, "an identity, FILE(SECTION)");
	*vec_push(&r->layout->units) = unit;
	return true;
}

static bool read_line(struct reader *r, const char *begin, const char *end)
{
	if (begin == r->source->text)
		return ((size_t)(end - begin) == strlen(MAGIC) &&
			memcmp(begin, MAGIC, strlen(MAGIC)) == 0) ||
		       unexpected(r, begin, end, "\"" MAGIC "\" as the first line");
	return *begin == '#' ? read_header(r, begin, end) : read_unit(r, begin, end);
}

bool layout_read(struct layout *layout, const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	struct reader r = { layout, source, diag };
	const char *at, *all;
	unsigned bad = 0;

	if (source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s", path,
				 strerror(errno));
		return false;
	}
	at = source->text;
	all = at + source->size;
	if (at == all)
		bad += !read_line(&r, at, at);
	while (at < all && bad < LAYOUT_ERRORS_MAX) {
		const char *newline = memchr(at, '\n', (size_t)(all - at));
		const char *end = newline != NULL ? newline : all;
		bool first = at == source->text;

		bad += !read_line(&r, at, end);
		if (bad > 0 && first)	/* then the other lines are no layout's either */
			break;
		if (newline == NULL)
			bad += !unexpected(&r, end, end, "a newline at the end of the file");
		at = end + 1;
	}
	source_free(source);
	return bad == 0;
}
