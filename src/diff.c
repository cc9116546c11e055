/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning diff: what moved between two links, and why.
 */
#include "config.h"

#include "src/diff.h"

#include <errno.h>
#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "diff/sides.h"
#include "diff/svg.h"
#include "layout/number.h"
#include "lib/memory.h"
#include "src/command.h"

#define DEFAULT_LIMIT 8

struct command {
	const char *paths[2], *layouts[2];
	size_t count;			/* of paths */
	uint64_t modulus, line;
	const char *hot, *svg;
	bool json, exit_code;
	struct diff diff;
};

/* --- The command line --------------------------------------------------- */

enum { OPTION_LAYOUT_A = 256, OPTION_LAYOUT_B, OPTION_SECTION, OPTION_SYMBOL, OPTION_NEAR,
       OPTION_UNCHANGED, OPTION_CHANGED, OPTION_HOT, OPTION_SVG, OPTION_EXIT, OPTION_LINE };

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What to show:", 1 },
	{ "section", OPTION_SECTION, "GLOB", 0, "Output sections of this name alone", 0 },
	{ "symbol", OPTION_SYMBOL, "GLOB", 0, "Symbols (or units) of this name alone", 0 },
	{ "near", OPTION_NEAR, "SYMBOL[:BYTES]", 0,
	  "What lies less than BYTES (256) from SYMBOL on "
	  "either side, moved or not, by address",
	  0 },
	{ "changed", OPTION_CHANGED, "WHAT", 0,
	  "What is changed in one of these, parted by commas: "
	  "address, residue, size, company, page, new, gone",
	  0 },
	{ "only-unchanged-size", OPTION_UNCHANGED, NULL, 0, "Not what grew or shrank", 0 },
	{ "limit", 'n', "N", 0, "Rows of each table (default: 8)", 0 },
	{ "all", 'a', NULL, 0, "All rows", 0 },
	{ NULL, 0, NULL, 0, "How to compare:", 2 },
	{ "modulus", 'm', "N", 0, "Residues modulo N, a power of two (default: 64)", 0 },
	{ "line", OPTION_LINE, "BYTES", 0, "The size of a cache line, a power of two (default: 64)",
	  0 },
	{ "hot", OPTION_HOT, "FILE", 0,
	  "What is hot comes first: perf report --stdio, perf script, or "
	  "a symbol and perhaps a count a line",
	  0 },
	{ "layout-a", OPTION_LAYOUT_A, "FILE", 0,
	  "The layout file of A (default: A.layout, if it is of "
	  "that build)",
	  0 },
	{ "layout-b", OPTION_LAYOUT_B, "FILE", 0, "The layout file of B", 0 },
	{ NULL, 0, NULL, 0, "How to tell:", 3 },
	{ "json", 'j', NULL, 0, "Print JSON: all rows, without --limit", 0 },
	{ "svg", OPTION_SVG, "FILE", 0, "Draw both as strips, too", 0 },
	{ "exit-code", OPTION_EXIT, NULL, 0, "Exit with 1 where there is a difference", 0 },
	{ 0 },
};

static const struct {
	const char *name;
	unsigned bit;
} whats[] = {
	{ "address", CHANGE_ADDRESS }, { "residue", CHANGE_RESIDUE }, { "size", CHANGE_SIZE },
	{ "company", CHANGE_COMPANY }, { "page", CHANGE_PAGE }, { "new", CHANGE_NEW },
	{ "gone", CHANGE_GONE },
};

const char *diff_what_name(size_t index, unsigned *bit)
{
	if (index >= sizeof whats / sizeof whats[0])
		return NULL;
	*bit = whats[index].bit;
	return whats[index].name;
}

static unsigned parse_what(const char *text, struct argp_state *state)
{
	unsigned what = 0;

	for (const char *word = text; ; word++) {
		size_t size = strcspn(word, ","), i;

		for (i = 0; i < sizeof whats / sizeof whats[0]; i++)
			if (strlen(whats[i].name) == size && memcmp(whats[i].name, word, size) == 0)
				break;
		if (i == sizeof whats / sizeof whats[0]) {
			argp_error(state,
				   "expected --changed=address, residue, size, company, page, new "
				   "or gone, got \"%.*s\"",
				   (int)size, word);
			return 0;
		}
		what |= whats[i].bit;
		word += size;
		if (*word == '\0')
			return what;
	}
}

/* A power of two of LEAST to MOST. */
static uint64_t parse_power(const char *option, uint64_t least, uint64_t most, const char *text,
			    struct argp_state *state)
{
	uint64_t value;

	if (!parse_number(text, NULL, &value) || !is_power_of_two(value) || value < least ||
	    value > most)
		argp_error(state, "expected --%s=N with a power of two from %" PRIu64 " to %" PRIu64
			   ", got \"%s\"", option, least, most, text);
	return value;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct command *command = state->input;
	struct filter *filter = &command->diff.filter;
	uint64_t number;

	switch (key) {
	case OPTION_SECTION:
		filter->section = argument;
		return 0;
	case OPTION_SYMBOL:
		filter->symbol = argument;
		return 0;
	case OPTION_NEAR:
		filter->near = argument;
		return 0;
	case OPTION_CHANGED:
		filter->what |= parse_what(argument, state);
		return 0;
	case OPTION_UNCHANGED:
		filter->unchanged_size = true;
		return 0;
	case 'n':
		if (!parse_number(argument, NULL, &number))
			argp_error(state, "expected --limit=N, got \"%s\"", argument);
		command->diff.limit = number;
		return 0;
	case 'a':
		command->diff.limit = SIZE_MAX;
		return 0;
	case 'm':
		command->modulus = parse_power("modulus", 2, UINT64_C(1) << 32, argument, state);
		return 0;
	case OPTION_LINE:
		command->line = parse_power("line", 16, 4096, argument, state);
		return 0;
	case OPTION_HOT:
		command->hot = argument;
		return 0;
	case OPTION_LAYOUT_A:
	case OPTION_LAYOUT_B:
		command->layouts[key - OPTION_LAYOUT_A] = argument;
		return 0;
	case 'j':
		command->json = true;
		return 0;
	case OPTION_SVG:
		command->svg = argument;
		return 0;
	case OPTION_EXIT:
		command->exit_code = true;
		return 0;
	case ARGP_KEY_ARG:
		if (command->count == 2)
			argp_error(state, "expected two files, got a third: \"%s\"", argument);
		else
			command->paths[command->count++] = argument;
		return 0;
	case ARGP_KEY_END:
		if (command->count < 2)
			argp_error(state, "expected two files to compare, got %zu", command->count);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "A B",
	.doc = "Says what moved between two links, by how much, why, and where it may matter.\v"
	       "A and B are each an ELF file, a System.map (or what nm prints) or a layout file, "
	       "told "
	       "apart by content.  A step is a run of neighbours that moved by one number of "
	       "bytes; a "
	       "\"line\" is that another symbol came to share a cache line.\n"
	       "\n"
	       "Examples:\n"
	       "  kerning diff old/vmlinux new/vmlinux\n"
	       "  kerning diff old/System.map new/System.map --section=data --changed=company\n"
	       "  kerning diff old/vmlinux new/vmlinux --near=mce_banks:128\n"
	       "  perf report --stdio >hot && kerning diff --hot=hot old/vmlinux new/vmlinux\n"
	       "  kerning diff --svg=moved.svg seed1.layout seed2.layout\n"
	       "  kerning diff --exit-code --json a.out b.out | jq '.steps[0]'\n"
	       "\n" EXIT_STATUS_HELP,
};

/* --- Looking ------------------------------------------------------------ */

static int compare_harm(const void *a, const void *b)
{
	return change_compare_harm(*(const struct change *const *)a,
				   *(const struct change *const *)b);
}

static int compare_address(const void *a, const void *b)
{
	const struct piece *x = change_piece(*(const struct change *const *)a);
	const struct piece *y = change_piece(*(const struct change *const *)b);

	return x->address != y->address ? (x->address < y->address ? -1 : 1)
					: strcmp(x->name, y->name);
}

/*
 * Those that came together on one line of B tell of one event: the worst of each
 * line comes before the others.
 */
static void spread(struct diff *diff)
{
	size_t count = diff->listed.count, first = 0, end, kept = 0, put_off = 0;
	const struct change **at = diff->listed.at, **later = xcalloc(count + 1, sizeof *later);
	htab_t lines =
		htab_create_alloc(64, htab_hash_pointer, htab_eq_pointer, NULL, xcalloc, free);

	while (first < count && change_harm(at[first]) < HARM_COMPANY)
		first++;
	for (end = kept = first; end < count && change_harm(at[end]) == HARM_COMPANY; end++) {
		uint64_t line = at[end]->b->address / diff->comparison.line + 2;
		void **slot = htab_find_slot(lines, (void *)(uintptr_t)line, INSERT);

		if (*slot == NULL)
			at[kept++] = at[end];
		else
			later[put_off++] = at[end];
		*slot = (void *)(uintptr_t)line;
	}
	if (put_off > 0)
		memcpy(at + kept, later, put_off * sizeof *later);
	htab_delete(lines);
	free(later);
}

/* What is near is of interest moved or not, and in its place. */
static void list(struct diff *diff)
{
	bool near = diff->filter.near != NULL;

	for (size_t i = 0; i < diff->comparison.changes.count; i++) {
		const struct change *change = &diff->comparison.changes.at[i];

		if (change->shown && (near || change->what != 0))
			*vec_push(&diff->listed) = change;
	}
	if (diff->listed.count > 1)
		qsort(diff->listed.at, diff->listed.count, sizeof *diff->listed.at,
		      near ? compare_address : compare_harm);
	if (!near)
		spread(diff);
}

static bool look(struct command *command, const struct sides *sides, struct diag *diag)
{
	struct diff *diff = &command->diff;

	comparison_make(&diff->comparison, &sides->a, &sides->b, command->modulus, command->line);
	if (command->hot != NULL) {
		diff->has_hot = true;
		if (!hot_read(&diff->hot, command->hot, diag))
			return false;
		diff->cold = hot_apply(&diff->hot, &diff->comparison);
	}
	if (!filter_apply(&diff->filter, &diff->comparison, diag))
		return false;
	steps_find(&diff->steps, &diff->comparison);
	list(diff);
	return command->svg == NULL ||
	       svg_write(command->svg, &diff->comparison, &diff->steps, diag);
}

static bool differs(const struct diff *diff)
{
	const struct pairing *pairing = &diff->comparison.pairing;

	for (size_t i = 0; i < diff->listed.count; i++)
		if (diff->listed.at[i]->what != 0)
			return true;
	return pairing->ambiguous_a.count + pairing->ambiguous_b.count > 0;
}

static void release(struct command *command)
{
	struct diff *diff = &command->diff;

	steps_release(&diff->steps);
	comparison_release(&diff->comparison);
	if (diff->has_hot)
		hot_release(&diff->hot);
	vec_release(&diff->listed);
}

int command_diff(int argc, char **argv)
{
	struct command command = { .modulus = 64, .line = 64 };
	struct sides sides;
	struct diag diag;
	int status;

	command.diff.limit = 0;
	command.diff.filter.distance = 256;
	diag_init(&diag, argv[0], stderr);
	argp_parse(&argp, argc, argv, 0, NULL, &command);
	if (command.diff.limit == 0)
		command.diff.limit =
			command.json || command.diff.filter.near != NULL ? SIZE_MAX : DEFAULT_LIMIT;
	if (sides_read(&sides, command.paths[0], command.paths[1], command.layouts[0],
		       command.layouts[1], &diag) && look(&command, &sides, &diag)) {
		if (command.json)
			diff_print_json(&command.diff);
		else
			diff_print_text(&command.diff);
	}
	status = (int)diag.status;
	if (status == 0 && command.exit_code && differs(&command.diff))
		status = 1;
	release(&command);
	sides_release(&sides);
	return status;
}
