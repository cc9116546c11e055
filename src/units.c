/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning units: the pieces of objects and archives that a link lays out.
 */
#include "config.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ld/note.h"
#include "ld/tag.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "lib/table.h"
#include "src/command.h"
#include "src/study.h"

/* A section of an object, or a symbol that the compiler placed in one. */
struct row {
	struct identity identity;
	uint64_t size, align;
	uint32_t shndx;			/* its section in the object */
	enum shape_kind kind;
	const char *why;
};

struct units {
	struct study study;
	struct obstack arena;		/* identities of tagged sections */
	VEC(struct row) rows;
	int (*compare)(const void *, const void *); /* NULL: as the objects have them */
	struct diag *diag;
	bool json, files;
};

/* --- Sorting ------------------------------------------------------------ */

static int compare_identity(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return identity_compare(&x->identity, &y->identity);
}

static int compare_size(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size ? 1 : -1) : compare_identity(a, b);
}

static int compare_align(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->align != y->align ? (x->align < y->align ? 1 : -1) : compare_identity(a, b);
}

static const struct {
	const char *name;
	int (*compare)(const void *, const void *);
} keys[] = {
	{ "size", compare_size },
	{ "align", compare_align },
	{ "identity", compare_identity },
};

/* --- The command line --------------------------------------------------- */

static const struct argp_option options[] = {
	{ "script", 'T', "SCRIPT", 0, "Judge by this linker script (default: the one built into ld)",
	  0 },
	{ "library-path", 'L', "DIR", 0, "Look for INCLUDEd files in DIR too", 0 },
	{ "sort", 's', "KEY", 0, "Sort by size or align (both: largest first), or identity", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct units *units = state->input;

	switch (key) {
	case 'T':
	case 'L':
		study_word(&units->study, key == 'T' ? "-T" : "-L");
		study_word(&units->study, argument);
		return 0;
	case 's':
		for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
			if (strcmp(keys[i].name, argument) == 0) {
				units->compare = keys[i].compare;
				return 0;
			}
		}
		argp_error(state, "expected --sort=size, align or identity, got \"%s\"", argument);
		return EINVAL;
	case 'j':
		units->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!units->files)
			study_word(&units->study, "--whole-archive");
		units->files = true;
		study_word(&units->study, argument);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected an object or an archive");
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "FILE...",
	.doc = "Lists the pieces of objects and archives that a link lays out: size, alignment, "
	       "whether the linker script lets it move (see kerning explain), and the name that it "
	       "has in rules and layouts.\v"
	       "Examples:\n"
	       "  kerning units --sort=size prog.o libprog.a\n"
	       "  kerning units -T vmlinux.lds kernel/sched/core.o\n"
	       "\n" EXIT_STATUS_HELP,
};

/* --- Collecting --------------------------------------------------------- */

static void judge(struct units *units, struct row *row, const struct input_object *owner,
		  const struct object_section *section)
{
	const struct match_section key = {
		.file = owner->name, .archive = owner->archive, .section = row->identity.section,
		.flags = section->flags, .type = section->type,
	};
	const struct statement *statement =
		matcher_match(units->study.scripts.matcher, &key, NULL);
	struct shape shape;

	row->kind = SHAPE_FIXED;
	if (statement == NULL) {
		row->why = "no statement of the script takes it";
	} else if ((section->flags & SHF_MERGE) != 0) {
		row->why = "ld merges it with others";
	} else if (!tag_allowed(section, row->identity.section)) {
		row->why = "its name or type means something to ld or the program";
	} else {
		shape = study_shape(&units->study, statement);
		row->kind = shape.kind;
		row->why = shape.why;
	}
}

/* What a note says of a symbol, held against where it is. */
static const char *verdict(struct units *units, const struct note_symbol *symbol, uint64_t align)
{
	bool placed = note_symbol_placed(symbol, align);

	if (symbol->modulus <= 1)
		return obstack_format(&units->arena, "at 0x%" PRIx64 ", by the compiler", symbol->value);
	if (!placed)
		diag_error(units->diag, NULL, "'%s' is at 0x%" PRIx64 " of a section aligned to %"
			   PRIu64 ", expected %" PRIu64 " mod %" PRIu64, symbol->name, symbol->value, align,
			   symbol->residue, symbol->modulus);
	return obstack_format(&units->arena, "at 0x%" PRIx64 "%s %" PRIu64 " mod %" PRIu64,
			      symbol->value, placed ? ":" : ", not", symbol->residue, symbol->modulus);
}

static int compare_sections(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return x->shndx < y->shndx ? -1 : x->shndx > y->shndx;
}

/*
 * The symbols that the compiler placed: by themselves, or with the section that is
 * their own.  The object's sections are the rows [FIRST, END), in their order.
 */
static void collect_note(struct units *units, const struct input_object *owner, uint32_t shndx,
			 size_t first, size_t end)
{
	struct note note;

	if (!note_read(&note, &owner->place, shndx, units->diag))
		return;
	for (size_t i = 0; i < note.symbols.count; i++) {
		const struct note_symbol *symbol = &note.symbols.at[i];
		const struct row key = { .shndx = symbol->shndx };
		struct row row, *section = first == end ? NULL :
			bsearch(&key, units->rows.at + first, end - first, sizeof key,
				compare_sections);

		if (section == NULL)
			continue;
		row = *section;
		row.why = verdict(units, symbol, row.align);
		if (row.identity.symbol != NULL) {
			section->why = row.why;
			continue;
		}
		row.identity.symbol = obstack_strdup(&units->arena, symbol->name);
		row.size = symbol->size;
		row.align = symbol->modulus > 1 && symbol->residue == 0 ? symbol->modulus : 1;
		*vec_push(&units->rows) = row;
	}
	note_release(&note);
}

static void collect(struct units *units, const struct input_object *owner)
{
	const struct object *object = &owner->object;
	size_t first = units->rows.count, end;

	for (size_t i = 0; i < object->sections.count; i++) {
		const struct object_section *section = &object->sections.at[i];
		struct row row = {
			.identity = { .file = owner->file, .section = section->name, .ordinal = 1 },
			.size = section->size, .align = section->align, .shndx = section->shndx,
		};

		if ((section->flags & SHF_ALLOC) == 0)
			continue;
		if (!tag_parse(section->name, &row.identity, &units->arena))
			row.identity.ordinal = object->sections.at[i].ordinal;
		else if (row.identity.file[0] == '\0')
			row.identity.file = owner->file;
		judge(units, &row, owner, section);
		*vec_push(&units->rows) = row;
	}
	end = units->rows.count;
	for (size_t i = 0; i < object->sections.count; i++)
		if (is_note(&object->sections.at[i]))
			collect_note(units, owner, object->sections.at[i].shndx, first, end);
}

/* --- Printing ----------------------------------------------------------- */

static void print_table(const struct units *units)
{
	static const struct column columns[] = {
		{ "SIZE", true }, { "ALIGN", true }, { "KIND", false }, { "UNIT", false },
		{ "WHY", false },
	};
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < units->rows.count; i++) {
		const struct row *row = &units->rows.at[i];
		char *identity = identity_string(&row->identity);

		table_add(&table, "%" PRIu64, row->size);
		table_add(&table, "%" PRIu64, row->align);
		table_add(&table, "%s", shape_kind_name(row->kind));
		table_color(&table, shape_color(row->kind));
		table_add(&table, "%s", identity);
		table_add(&table, "%s", row->why);
		free(identity);
	}
	table_print(&table, stdout);
	table_release(&table);
}

static void print_json(const struct units *units)
{
	putchar('[');
	for (size_t i = 0; i < units->rows.count; i++) {
		const struct row *row = &units->rows.at[i];
		char *identity = identity_string(&row->identity);

		json_row(json_pack("{s:o, s:o, s:I, s:I, s:s, s:o}", "unit", json_text(identity),
				   "section", json_text(row->identity.section), "size",
				   (json_int_t)row->size, "align", (json_int_t)row->align, "kind",
				   shape_kind_name(row->kind), "why", json_text(row->why)), i);
		free(identity);
	}
	puts("\n]");
}

int command_units(int argc, char **argv)
{
	struct units units = { 0 };
	struct diag diag;

	diag_init(&diag, argv[0], stderr);
	units.diag = &diag;
	study_init(&units.study);
	obstack_init(&units.arena);
	argp_parse(&argp, argc, argv, 0, NULL, &units);
	if (study_read(&units.study, &diag)) {
		for (size_t i = 0; i < units.study.inputs.objects.count; i++)
			collect(&units, units.study.inputs.objects.at[i]);
		if (units.compare != NULL && units.rows.count > 1)
			qsort(units.rows.at, units.rows.count, sizeof *units.rows.at, units.compare);
		if (units.json)
			print_json(&units);
		else
			print_table(&units);
	}
	vec_release(&units.rows);
	obstack_free(&units.arena, NULL);
	study_release(&units.study);
	return (int)diag.status;
}
