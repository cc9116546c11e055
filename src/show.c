/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning show: a layout file as a table.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/pattern.h"
#include "layout/record.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "lib/table.h"
#include "src/command.h"

struct show {
	const char *path;
	VEC(const char *) names;		/* UNITS as written */
	VEC(struct units_pattern) patterns;	/* none: every unit */
	int (*compare)(const void *, const void *); /* NULL: as the file has them */
	bool json;
	struct diag diag;
};

/* --- Sorting ------------------------------------------------------------ */

static int compare_address(const void *a, const void *b)
{
	const struct layout_unit *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return identity_compare(&x->identity, &y->identity);
}

static int compare_size(const void *a, const void *b)
{
	const struct layout_unit *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size ? 1 : -1) : compare_address(a, b);
}

static int compare_align(const void *a, const void *b)
{
	const struct layout_unit *x = a, *y = b;

	return x->align != y->align ? (x->align < y->align ? 1 : -1) : compare_address(a, b);
}

static int compare_section(const void *a, const void *b)
{
	const struct layout_unit *x = a, *y = b;
	int order = strcmp(x->section, y->section);

	return order != 0 ? order : compare_address(a, b);
}

static int compare_identity(const void *a, const void *b)
{
	const struct layout_unit *x = a, *y = b;

	return identity_compare(&x->identity, &y->identity);
}

static const struct {
	const char *name;
	int (*compare)(const void *, const void *);
} keys[] = {
	{ "address", compare_address },
	{ "size", compare_size },
	{ "align", compare_align },
	{ "section", compare_section },
	{ "identity", compare_identity },
};

/* --- The command line --------------------------------------------------- */

static const struct argp_option options[] = {
	{ "sort", 's', "KEY", 0, "Sort by address, size or align (both: largest first), section or "
	  "identity", 0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct show *show = state->input;

	switch (key) {
	case 's':
		for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
			if (strcmp(keys[i].name, argument) == 0) {
				show->compare = keys[i].compare;
				return 0;
			}
		}
		argp_error(state, "expected --sort=address, size, align, section or identity, "
			   "got \"%s\"", argument);
		return EINVAL;
	case 'j':
		show->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (show->path == NULL)
			show->path = argument;
		else
			*vec_push(&show->names) = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected a layout file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "LAYOUT [UNITS...]",
	.doc = "Shows where a link put its units, from the layout file that it left "
	       "(OUTPUT.layout).\v"
	       "UNITS choose some: \"FILE(SECTION)\" with globs, or a SECTION.\n"
	       "\n"
	       "Examples:\n"
	       "  kerning show vmlinux.layout '.data*'\n"
	       "  kerning show --sort=size lua.layout 'lvm.o(*)'\n"
	       "\n" EXIT_STATUS_HELP,
};

/* --- Choosing ----------------------------------------------------------- */

static bool read_patterns(struct show *show)
{
	bool good = true;

	for (size_t i = 0; i < show->names.count; i++) {
		const char *text = show->names.at[i];
		struct source *source = source_from_memory("command line", text, strlen(text));
		const struct policy_option option = { .text = text, .origin = "command line",
					       .span = { source, 0, (uint32_t)source->size } };
		struct units_pattern pattern;

		if (units_pattern_parse(&pattern, &option, text, text + strlen(text), &show->diag))
			*vec_push(&show->patterns) = pattern;
		else
			good = false;
		source_free(source);
	}
	return good;
}

/* Leaves in LAYOUT the units that a pattern names.  A pattern that names none is an error. */
static void choose(struct show *show, struct layout *layout)
{
	bool *used = xcalloc(show->patterns.count + 1, sizeof *used);
	size_t kept = 0;

	for (size_t i = 0; i < layout->units.count; i++) {
		bool chosen = show->patterns.count == 0;

		for (size_t j = 0; j < show->patterns.count; j++) {
			if (units_match(&show->patterns.at[j], &layout->units.at[i].identity))
				chosen = used[j] = true;
		}
		if (chosen)
			layout->units.at[kept++] = layout->units.at[i];
	}
	for (size_t j = 0; j < show->patterns.count; j++) {
		if (!used[j])
			diag_error(&show->diag, NULL, "\"%s\" names none of the %zu units of \"%s\"",
				   show->patterns.at[j].text, layout->units.count, show->path);
	}
	layout->units.count = kept;
	free(used);
}

/* --- Printing ----------------------------------------------------------- */

static void print_table(const struct layout *layout)
{
	static const struct column columns[] = {
		{ "ADDRESS", true }, { "SIZE", true }, { "ALIGN", true }, { "SECTION", false },
		{ "UNIT", false },
	};
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < layout->units.count; i++) {
		const struct layout_unit *unit = &layout->units.at[i];
		char *identity = identity_string(&unit->identity);

		table_add(&table, "0x%" PRIx64, unit->address);
		table_add(&table, "%" PRIu64, unit->size);
		table_add(&table, "%" PRIu64, unit->align);
		table_add(&table, "%s", unit->section);
		table_add(&table, "%s", identity);
		free(identity);
	}
	table_print(&table, stdout);
	table_release(&table);
}

static void print_member(const char *name, json_t *value)
{
	printf("\"%s\": ", name);
	json_dumpf(value, stdout, JSON_ENCODE_ANY);
	fputs(",\n ", stdout);
	json_decref(value);
}

static void print_json(const struct layout *layout)
{
	putchar('{');
	print_member("tool", json_text(layout->tool));
	print_member("linker", json_text(layout->linker));
	print_member("seed", layout->has_seed ? json_sprintf("%" PRIu64, layout->seed)
					      : json_null());
	print_member("policy", json_text(layout->policy));
	print_member("output", json_text(layout->output));
	print_member("build_id", json_text(layout->build_id));
	fputs("\"units\": [", stdout);
	for (size_t i = 0; i < layout->units.count; i++) {
		const struct layout_unit *unit = &layout->units.at[i];
		char *identity = identity_string(&unit->identity);

		json_row(json_pack("{s:o, s:I, s:I, s:o, s:o}", "address",
				   json_address(unit->address), "size", (json_int_t)unit->size,
				   "align", (json_int_t)unit->align, "section",
				   json_text(unit->section), "unit", json_text(identity)), i);
		free(identity);
	}
	puts("\n]}");
}

int command_show(int argc, char **argv)
{
	struct show show = { 0 };
	struct layout layout;

	diag_init(&show.diag, argv[0], stderr);
	layout_init(&layout);
	argp_parse(&argp, argc, argv, 0, NULL, &show);
	if (read_patterns(&show) && layout_read(&layout, show.path, &show.diag)) {
		choose(&show, &layout);
		if (show.compare != NULL && layout.units.count > 1)
			qsort(layout.units.at, layout.units.count, sizeof *layout.units.at,
			      show.compare);
	}
	if (show.diag.errors == 0) {
		if (show.json)
			print_json(&layout);
		else
			print_table(&layout);
	}
	layout_release(&layout);
	for (size_t i = 0; i < show.patterns.count; i++)
		units_pattern_release(&show.patterns.at[i]);
	vec_release(&show.patterns);
	vec_release(&show.names);
	return (int)show.diag.status;
}
