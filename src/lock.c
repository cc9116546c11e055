/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning lock: how much of a reference's layout a link holds.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/holding.h"
#include "layout/number.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "lib/table.h"
#include "src/command.h"

/* Without --all, no more units than this are listed. */
#define LISTED 40

struct lock_command {
	const char *reference, *path;
	uint64_t modulus;		/* 0: by address */
	bool json, all, strict;
	struct diag diag;
};

enum { OPTION_MODULUS = 256, OPTION_STRICT };

static const struct argp_option options[] = {
	{ "all", 'a', NULL, 0, "List every unit that is not held, and those that are", 0 },
	{ "modulus", OPTION_MODULUS, "N", 0, "Held is what has its address modulo N (a lock of the "
	  "strength residue:N)", 0 },
	{ "strict", OPTION_STRICT, NULL, 0, "Exit with 1 where a unit that did not change is not held",
	  0 },
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct lock_command *command = state->input;

	switch (key) {
	case 'a':
		command->all = true;
		return 0;
	case 'j':
		command->json = true;
		return 0;
	case OPTION_STRICT:
		command->strict = true;
		return 0;
	case OPTION_MODULUS:
		if (!parse_number(argument, NULL, &command->modulus) ||
		    !is_power_of_two(command->modulus))
			argp_error(state, "expected a modulus that is a power of two, got \"%s\"",
				   argument);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 1)
			argp_error(state, "expected two layout files, got \"%s\" as well", argument);
		*(state->arg_num == 0 ? &command->reference : &command->path) = argument;
		return 0;
	case ARGP_KEY_END:
		if (state->arg_num < 2)
			argp_error(state, "expected two layout files: the reference's and the link's");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "REFERENCE LAYOUT",
	.doc = "Shows how much of a reference's layout a link holds: what was held, what went into "
	       "the room that the reference had left (spilled), what is new, gone or renamed, and "
	       "what moved though it had not grown, each with the reason.\v"
	       "A reference is any layout file; it holds best where it was linked with \"reserve\".\n"
	       "\n"
	       "Examples:\n"
	       "  KERNING_FLAGS=reserve make && cp prog.layout reference\n"
	       "  KERNING_FLAGS=lock=reference make && kerning lock reference prog.layout\n"
	       "  kerning lock --json reference prog.layout | jq '.units[] | select(.fate == \"moved\")'\n"
	       "\n" EXIT_STATUS_HELP,
};

/* --- The table ------------------------------------------------------------ */

/* The figures of one output section. */
struct tally {
	const char *section;
	size_t counts[FATES];
	uint64_t bytes, held_bytes;	/* of units that are in both links */
};

struct tallies { VEC(struct tally) list; };

static const struct layout_unit *any(const struct held_unit *unit)
{
	return unit->after != NULL ? unit->after : unit->before;
}

static void add_unit(struct tallies *tallies, const struct held_unit *unit)
{
	const char *section = any(unit)->section;
	struct tally *tally = NULL;

	if (any(unit)->inner)
		return;
	for (size_t i = 0; i < tallies->list.count && tally == NULL; i++)
		if (strcmp(tallies->list.at[i].section, section) == 0)
			tally = &tallies->list.at[i];
	if (tally == NULL) {
		tally = vec_push(&tallies->list);
		*tally = (struct tally){ .section = section };
	}
	tally->counts[unit->fate]++;
	if (unit->before == NULL || unit->after == NULL)
		return;
	tally->bytes += unit->after->size;
	tally->held_bytes += unit->fate == FATE_HELD ? unit->after->size : 0;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 100.0 : 100.0 * (double)part / (double)whole;
}

static void print_tallies(const struct holding *holding)
{
	static const struct column columns[] = {
		{ "SECTION", false }, { "HELD", true }, { "SPILLED", true }, { "MOVED", true },
		{ "NEW", true }, { "GONE", true }, { "BYTES HELD", true },
	};
	struct tallies tallies = { VEC_INIT };
	struct table table;

	for (size_t i = 0; i < holding->units.count; i++)
		add_unit(&tallies, &holding->units.at[i]);
	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < tallies.list.count; i++) {
		const struct tally *tally = &tallies.list.at[i];

		table_add(&table, "%s", tally->section);
		for (int fate = 0; fate < FATES; fate++)
			table_add(&table, "%zu", tally->counts[fate]);
		table_add(&table, "%.2f%%", percent(tally->held_bytes, tally->bytes));
		table_color(&table, tally->held_bytes == tally->bytes ? TABLE_GREEN : TABLE_YELLOW);
	}
	table_print(&table, stdout);
	table_release(&table);
	vec_release(&tallies.list);
}

static void add_address(struct table *table, const struct layout_unit *unit)
{
	if (unit != NULL)
		table_add(table, "0x%" PRIx64, unit->address);
	else
		table_add(table, "-");
}

static void add_shift(struct table *table, const struct held_unit *unit)
{
	char *shift = unit->before == NULL || unit->after == NULL ? xstrdup("-") :
		      holding_shift(unit->before->address, unit->after->address);

	table_add(table, "%s", shift);
	free(shift);
}

static void print_units(const struct lock_command *command, const struct holding *holding)
{
	static const struct column columns[] = {
		{ "FATE", false }, { "REFERENCE", true }, { "HERE", true }, { "SHIFT", true },
		{ "SIZE", true }, { "UNIT", false }, { "WHY", false },
	};
	size_t listed = 0, left = 0;
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < holding->units.count; i++) {
		const struct held_unit *unit = &holding->units.at[i];
		char *identity, *old;

		if (unit->fate == FATE_HELD && !unit->renamed && !command->all)
			continue;
		if (listed == LISTED && !command->all) {
			left++;
			continue;
		}
		listed++;
		identity = identity_string(&any(unit)->identity);
		table_add(&table, "%s", unit->renamed ? "renamed" : fate_name(unit->fate));
		table_color(&table, unit->fate == FATE_MOVED ? TABLE_RED :
				    unit->fate == FATE_HELD ? TABLE_GREEN : TABLE_YELLOW);
		add_address(&table, unit->before);
		add_address(&table, unit->after);
		add_shift(&table, unit);
		table_add(&table, "%" PRIu64, any(unit)->size);
		table_add(&table, "%s", identity);
		if (unit->renamed) {
			old = identity_string(&unit->before->identity);
			table_add(&table, "it was \"%s\"%s%s", old, unit->why[0] != '\0' ? "; " : "",
				  unit->why);
			free(old);
		} else {
			table_add(&table, "%s", unit->why);
		}
		free(identity);
	}
	if (listed > 0) {
		putchar('\n');
		table_print(&table, stdout);
	}
	if (left > 0)
		printf("and %zu more, which --all lists\n", left);
	table_release(&table);
}

static void print_marks(const struct holding *holding)
{
	for (size_t i = 0; i < holding->marks.count; i++) {
		const struct held_mark *mark = &holding->marks.at[i];
		uint64_t before = mark->before->address, after = mark->after->address;
		bool section = mark->before->kind == MARK_SECTION;
		char *shift = holding_shift(before, after);

		printf("%s%s %s moved by %s, from 0x%" PRIx64 " to 0x%" PRIx64 "\n",
		       i == 0 ? "\n" : "", section ? "output section" : "symbol",
		       section ? mark->before->section : mark->before->name, shift, before, after);
		free(shift);
	}
}

static void print_table(const struct lock_command *command, const struct holding *holding)
{
	print_tallies(holding);
	print_units(command, holding);
	print_marks(holding);
	printf("\n%zu of %zu units held, %.2f%% of their bytes", holding->counts[FATE_HELD],
	       holding->counts[FATE_HELD] + holding->counts[FATE_SPILLED] +
		       holding->counts[FATE_MOVED],
	       percent(holding->bytes[FATE_HELD], holding->locked_bytes));
	if (holding->symbols > 0)
		printf("; %zu of %zu functions and variables", holding->symbols_held,
		       holding->symbols);
	putchar('\n');
}

/* --- JSON ------------------------------------------------------------------ */

static json_t *address_of(const struct layout_unit *unit)
{
	return unit != NULL ? json_address(unit->address) : json_null();
}

static void print_json(const struct lock_command *command, const struct holding *holding)
{
	size_t rows = 0;

	putchar('{');
	for (int fate = 0; fate < FATES; fate++)
		printf("\"%s\": %zu, \"%s_bytes\": %" PRIu64 ",\n ", fate_name((enum fate)fate),
		       holding->counts[fate], fate_name((enum fate)fate), holding->bytes[fate]);
	printf("\"renamed\": %zu, \"bytes\": %" PRIu64 ", \"symbols\": %zu, \"symbols_held\": %zu, "
	       "\"unchanged_not_held\": %zu,\n \"units\": [", holding->renamed,
	       holding->locked_bytes, holding->symbols, holding->symbols_held, holding->unheld);
	for (size_t i = 0; i < holding->units.count; i++) {
		const struct held_unit *unit = &holding->units.at[i];
		char *identity, *old;

		if (unit->fate == FATE_HELD && !unit->renamed && !command->all)
			continue;
		identity = identity_string(&any(unit)->identity);
		old = unit->renamed ? identity_string(&unit->before->identity) : NULL;
		json_row(json_pack("{s:s, s:o, s:o, s:o, s:I, s:o, s:o, s:s}", "fate",
				   fate_name(unit->fate), "unit", json_text(identity), "reference",
				   address_of(unit->before), "address", address_of(unit->after),
				   "size", (json_int_t)any(unit)->size, "section",
				   json_text(any(unit)->section), "renamed_from", json_text(old),
				   "why", unit->why), rows++);
		free(old);
		free(identity);
	}
	fputs("\n],\n \"moved_marks\": [", stdout);
	for (size_t i = 0; i < holding->marks.count; i++) {
		const struct held_mark *mark = &holding->marks.at[i];
		bool section = mark->before->kind == MARK_SECTION;

		json_row(json_pack("{s:s, s:o, s:o, s:o}", "kind",
				   section ? "output section" : "symbol", "name",
				   json_text(section ? mark->before->section : mark->before->name),
				   "reference", json_address(mark->before->address), "address",
				   json_address(mark->after->address)), i);
	}
	puts("\n]}");
}

int command_lock(int argc, char **argv)
{
	struct lock_command command = { 0 };
	struct layout reference, layout;
	struct holding holding;

	diag_init(&command.diag, argv[0], stderr);
	argp_parse(&argp, argc, argv, 0, NULL, &command);
	layout_init(&reference);
	layout_init(&layout);
	if (layout_read(&reference, command.reference, &command.diag) &&
	    layout_read(&layout, command.path, &command.diag)) {
		layout_sort(&reference);
		layout_sort(&layout);
		holding_compare(&holding, &reference, &layout, command.modulus);
		if (command.json)
			print_json(&command, &holding);
		else
			print_table(&command, &holding);
		if (command.strict && holding.unheld > 0)
			diag_error(&command.diag, NULL, "%zu units did not change and are not held",
				   holding.unheld);
		holding_release(&holding);
	}
	layout_release(&reference);
	layout_release(&layout);
	return (int)command.diag.status;
}
