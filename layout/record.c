/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layout files, written and read.  Reading trusts nothing: a layout may come
 * from another machine, cut short by a full disk or mangled by an editor.
 */
#include "config.h"

#include "layout/record.h"

#include <ctype.h>
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
	vec_release(&layout->marks);
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

/* A section stands before what begins it, a seam behind what it follows on. */
static int compare_marks(const void *a, const void *b)
{
	const struct layout_mark *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (strcmp(x->section, y->section) != 0)
		return strcmp(x->section, y->section);
	if (x->kind == MARK_SYMBOL)
		return strcmp(x->name, y->name);
	return x->number < y->number ? -1 : x->number > y->number;
}

static void find_inner(struct layout *layout)
{
	const struct layout_unit *outer = NULL;

	for (size_t i = 0; i < layout->units.count; i++) {
		struct layout_unit *unit = &layout->units.at[i];

		unit->inner = unit->identity.symbol != NULL && outer != NULL &&
			      unit->address - outer->address < outer->size &&
			      strcmp(unit->identity.section, outer->identity.section) == 0 &&
			      strcmp(unit->identity.file, outer->identity.file) == 0;
		if (unit->identity.symbol == NULL && unit->size > 0)
			outer = unit;
	}
}

void layout_sort(struct layout *layout)
{
	if (layout->units.count > 1)
		qsort(layout->units.at, layout->units.count, sizeof *layout->units.at,
		      compare_units);
	if (layout->marks.count > 1)
		qsort(layout->marks.at, layout->marks.count, sizeof *layout->marks.at,
		      compare_marks);
	find_inner(layout);
}

const struct layout_mark *layout_section(const struct layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->marks.count; i++)
		if (layout->marks.at[i].kind == MARK_SECTION &&
		    strcmp(layout->marks.at[i].section, name) == 0)
			return &layout->marks.at[i];
	return NULL;
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

static void write_place(FILE *stream, uint64_t address, uint64_t size, uint64_t align,
			const char *section)
{
	fprintf(stream, "0x%016" PRIx64 "\t%" PRIu64 "\t%" PRIu64 "\t", address, size, align);
	write_escaped(stream, section, ESCAPE_WORD);
	putc('\t', stream);
}

static void write_unit(FILE *stream, const struct layout_unit *unit)
{
	write_place(stream, unit->address, unit->size, unit->align, unit->section);
	write_identity(stream, &unit->identity);
	if (unit->merged)
		fputs("\tmerged", stream);
	else if (unit->content != 0)
		fprintf(stream, "\t%016" PRIx64, unit->content);
	putc('\n', stream);
}

static void write_mark(FILE *stream, const struct layout_mark *mark)
{
	write_place(stream, mark->address, mark->size, mark->align, mark->section);
	if (mark->kind == MARK_SECTION)
		putc('-', stream);
	else if (mark->kind == MARK_SEAM)
		fprintf(stream, "[%u]", mark->number);
	else
		write_escaped(stream, mark->name, ESCAPE_WORD);
	putc('\n', stream);
}

/* True if MARK is written before a unit at ADDRESS. */
static bool is_before(const struct layout_mark *mark, uint64_t address)
{
	return mark->address < address || (mark->address == address && mark->kind != MARK_SEAM);
}

void layout_write(const struct layout *layout, FILE *stream)
{
	size_t mark = 0;

	fputs(MAGIC "\n", stream);
	write_header(stream, "tool", layout->tool);
	write_header(stream, "linker", layout->linker);
	if (layout->has_seed)
		fprintf(stream, "# seed: %" PRIu64 "\n", layout->seed);
	write_header(stream, "policy", layout->policy);
	write_header(stream, "output", layout->output);
	write_header(stream, "build-id", layout->build_id);
	if (layout->machine != 0)
		fprintf(stream, "# machine: %u\n", layout->machine);
	if (layout->script != 0)
		fprintf(stream, "# script: %016" PRIx64 "\n", layout->script);
	fprintf(stream, "# entries: %zu\n", layout->units.count + layout->marks.count);
	for (size_t i = 0; i < layout->units.count; i++) {
		for (; mark < layout->marks.count &&
		     is_before(&layout->marks.at[mark], layout->units.at[i].address); mark++)
			write_mark(stream, &layout->marks.at[mark]);
		write_unit(stream, &layout->units.at[i]);
	}
	for (; mark < layout->marks.count; mark++)
		write_mark(stream, &layout->marks.at[mark]);
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
	uint64_t entries;		/* as the header has it */
	bool has_entries;
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

static bool has_prefix(const char *begin, const char *end, const char *prefix)
{
	size_t length = strlen(prefix);

	return (size_t)(end - begin) >= length && memcmp(begin, prefix, length) == 0;
}

static bool equals(const char *begin, const char *end, const char *text)
{
	return (size_t)(end - begin) == strlen(text) && has_prefix(begin, end, text);
}

#define HASH_EXPECTED "a hash of 16 hexadecimal digits"

static bool parse_hash(const char *begin, const char *end, uint64_t *hash)
{
	*hash = 0;
	if (end - begin != 16)
		return false;
	for (; begin < end; begin++) {
		if (!isxdigit((unsigned char)*begin) || isupper((unsigned char)*begin))
			return false;
		*hash = *hash << 4 | (uint64_t)(*begin <= '9' ? *begin - '0' : *begin - 'a' + 10);
	}
	return *hash != 0;
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
	const char seed[] = "# seed: ", machine[] = "# machine: ", script[] = "# script: ",
		   entries[] = "# entries: ";
	uint64_t number;
	size_t length;

	if (has_prefix(begin, end, seed)) {
		begin += strlen(seed);
		r->layout->has_seed = parse_number(begin, end, &r->layout->seed);
		return r->layout->has_seed || unexpected(r, begin, end, "a seed");
	}
	if (has_prefix(begin, end, machine)) {
		begin += strlen(machine);
		if (!parse_number(begin, end, &number) || number > UINT16_MAX)
			return unexpected(r, begin, end, "a machine's number");
		r->layout->machine = (unsigned)number;
		return true;
	}
	if (has_prefix(begin, end, entries)) {
		begin += strlen(entries);
		r->has_entries = parse_number(begin, end, &r->entries);
		return r->has_entries || unexpected(r, begin, end, "a number of entries");
	}
	if (has_prefix(begin, end, script)) {
		begin += strlen(script);
		return parse_hash(begin, end, &r->layout->script) ||
		       unexpected(r, begin, end, HASH_EXPECTED);
	}
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (!has_prefix(begin, end, texts[i].name))
			continue;
		length = strlen(texts[i].name);
		*texts[i].value = unescape_text(begin + length, end, &r->layout->arena);
		return *texts[i].value != NULL ||
		       unexpected(r, begin + length, end, "text with '%' as %25");
	}
	return true;
}

#define FIELDS 5	/* and a sixth that may be there */

/* Splits a line at its tabs.  Returns how many fields it has; 0, reported, where that is not 5 or 6. */
static size_t split(struct reader *r, const char *begin, const char *end,
		    const char *fields[FIELDS + 2])
{
	size_t count = 0;

	fields[count++] = begin;
	for (const char *p = begin; p < end; p++) {
		if (*p != '\t')
			continue;
		if (count == FIELDS + 1) {
			unexpected(r, p, end, "the end of the line after 6 fields");
			return 0;
		}
		fields[count++] = p + 1;
	}
	fields[count] = end + 1;
	if (count >= FIELDS)
		return count;
	unexpected(r, end, end,
		   "5 fields parted by tabs (address, size, alignment, output section, identity)");
	return 0;
}

static bool read_number(struct reader *r, const char *begin, const char *end,
			const char *expected, uint64_t *value)
{
	return parse_number(begin, end, value) || unexpected(r, begin, end, expected);
}

/* "-", "[17]" or a symbol.  False: it is none of them. */
static bool parse_mark(const char *begin, const char *end, struct layout_mark *mark,
		       struct obstack *arena)
{
	uint64_t number;

	if (end - begin == 1 && *begin == '-') {
		mark->kind = MARK_SECTION;
		return true;
	}
	if (begin < end && *begin == '[') {
		mark->kind = MARK_SEAM;
		if (end[-1] != ']' || !parse_number(begin + 1, end - 1, &number) || number == 0 ||
		    number > UINT32_MAX)
			return false;
		mark->number = (unsigned)number;
		return true;
	}
	if (begin == end || memchr(begin, '(', (size_t)(end - begin)) != NULL ||
	    memchr(begin, ')', (size_t)(end - begin)) != NULL)
		return false;
	mark->kind = MARK_SYMBOL;
	mark->name = unescape_text(begin, end, arena);
	return mark->name != NULL;
}

static bool read_entry(struct reader *r, const char *begin, const char *end)
{
	const char *fields[FIELDS + 2];
	size_t count = split(r, begin, end, fields);
	struct layout_mark mark = { 0 };
	struct layout_unit unit = { 0 };

	if (count == 0 ||
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
	if (count == FIELDS && parse_mark(fields[4], fields[5] - 1, &mark, &r->layout->arena)) {
		mark.address = unit.address;
		mark.size = unit.size;
		mark.align = unit.align;
		mark.section = unit.section;
		*vec_push(&r->layout->marks) = mark;
		return true;
	}
	if (!parse_identity(fields[4], fields[5] - 1, &unit.identity, &r->layout->arena))
		return unexpected(r, fields[4], fields[5] - 1,
				  "an identity, FILE(SECTION), or \"-\", a symbol, [N]");
	unit.merged = count > FIELDS && equals(fields[5], fields[6] - 1, "merged");
	if (count > FIELDS && !unit.merged && !parse_hash(fields[5], fields[6] - 1, &unit.content))
		return unexpected(r, fields[5], fields[6] - 1, HASH_EXPECTED ", or \"merged\"");
	*vec_push(&r->layout->units) = unit;
	return true;
}

static bool read_line(struct reader *r, const char *begin, const char *end)
{
	if (begin == r->source->text)
		return ((size_t)(end - begin) == strlen(MAGIC) &&
			memcmp(begin, MAGIC, strlen(MAGIC)) == 0) ||
		       unexpected(r, begin, end, "\"" MAGIC "\" as the first line");
	return *begin == '#' ? read_header(r, begin, end) : read_entry(r, begin, end);
}

bool layout_read(struct layout *layout, const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	struct reader r = { .layout = layout, .source = source, .diag = diag };
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
	if (bad == 0 && r.has_entries && r.entries != layout->units.count + layout->marks.count) {
		diag_error(diag, NULL, "\"%s\": expected %" PRIu64 " entries, as its header has it, "
			   "got %zu: it was cut short, or lines were added", path, r.entries,
			   layout->units.count + layout->marks.count);
		bad++;
	}
	source_free(source);
	return bad == 0;
}
