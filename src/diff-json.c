/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as JSON; kerning(1) documents the fields.
 */
#include "config.h"

#include "src/diff.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/json.h"

static json_t *of_side(const struct image *image)
{
	const struct image_left_out *out = &image->left_out;

	return json_pack("{s:o, s:s, s:s, s:b, s:b, s:o, s:I, s:{s:I, s:I, s:I, s:I, s:I}}", "path",
			 json_text(image->path), "kind", image_kind_name(image->kind), "of",
			 image->units ? "units" : "symbols", "dynamic", image->dynamic,
			 "sizes_by_distance", image->distances, "layout", json_text(image->layout),
			 "count", (json_int_t)image->pieces.count, "left_out", "without_size",
			 (json_int_t)out->labels, "tables", (json_int_t)out->tables, "absolute",
			 (json_int_t)out->absolute, "thread_local", (json_int_t)out->thread,
			 "units", (json_int_t)out->units);
}

static json_t *of_section(const struct diff_section *section)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "section",
			 json_text(section->name), "count", (json_int_t)section->pieces, "same",
			 (json_int_t)section->same, "same_residue", (json_int_t)section->shifted,
			 "moved", (json_int_t)section->moved, "grown", (json_int_t)section->grown,
			 "shrunk", (json_int_t)section->shrunk, "new", (json_int_t)section->added,
			 "gone", (json_int_t)section->removed);
}

static const char *cause_name(enum cause cause)
{
	static const char *const names[] = {
		[CAUSE_GREW] = "size", [CAUSE_ADDED] = "new", [CAUSE_REMOVED] = "gone",
		[CAUSE_ORDER] = "order", [CAUSE_SECTION] = "section", [CAUSE_UNKNOWN] = "unknown",
		[CAUSE_GAP] = "gap",
	};

	return names[cause];
}

static json_t *of_step(const struct step *step, const struct comparison *comparison)
{
	char *cause = step_cause(step, comparison);
	const struct piece *behind = step->behind != NULL ? change_piece(step->behind) : NULL;
	json_t *json;

	json = json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:s, s:o, s:o, s:I, s:I, s:o}",
			 "shift", (json_int_t)step->shift, "step", (json_int_t)step->delta,
			 "count", (json_int_t)step->pieces, "bytes", (json_int_t)step->bytes,
			 "section", json_text(step->section),
			 "first", json_text(change_piece(step->first)->name),
			 "last", json_text(change_piece(step->last)->name),
			 "cause", cause_name(step->cause),
			 "behind", json_text(behind != NULL ? behind->name : NULL),
			 "object", json_text(behind != NULL ? behind->object : NULL),
			 "amount", (json_int_t)step->amount, "gap", (json_int_t)step->rest,
			 "text", json_text(cause));
	free(cause);
	return json;
}

static json_t *of_company(const struct comparison *comparison, size_t at, size_t count)
{
	json_t *names = json_array();

	for (size_t i = 0; i < count; i++) {
		uint32_t index = comparison->companions.at[at + i];

		json_array_append_new(
			names, json_text(change_piece(&comparison->changes.at[index])->name));
	}
	return names;
}

static json_t *of_whats(unsigned what)
{
	json_t *names = json_array();
	const char *name;
	unsigned bit;

	for (size_t i = 0; (name = diff_what_name(i, &bit)) != NULL; i++)
		if ((what & bit) != 0)
			json_array_append_new(names, json_string(name));
	return names;
}

static json_t *of_piece(const struct piece *piece, uint64_t modulus)
{
	if (piece == NULL)
		return json_null();
	return json_pack("{s:o, s:o, s:I, s:I, s:o, s:o}", "name", json_text(piece->name),
			 "address", json_address(piece->address), "size", (json_int_t)piece->size,
			 "residue", (json_int_t)(piece->address & (modulus - 1)),
			 "file", json_text(piece->file), "object", json_text(piece->object));
}

static json_t *of_change(const struct change *change, const struct comparison *comparison)
{
	const struct company *company = &change->company;
	size_t left = company->at + company->joined, near = left + company->left;

	return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o}",
			 "name", json_text(change_piece(change)->name),
			 "section", json_text(change->section), "worst", diff_harm_name(change),
			 "changed", of_whats(change->what),
			 "a", of_piece(change->a, comparison->modulus),
			 "b", of_piece(change->b, comparison->modulus),
			 "shift", change->a != NULL && change->b != NULL
				  ? json_integer(change->shift) : json_null(),
			 "hot", change->heat,
			 "joined", of_company(comparison, company->at, company->joined),
			 "left", of_company(comparison, left, company->left),
			 "joined_pair", of_company(comparison, near, company->near),
			 "left_pair", of_company(comparison, near + company->near, company->far));
}

static void print_member(const char *name, json_t *value)
{
	printf("\"%s\": ", name);
	json_dumpf(value, stdout, JSON_ENCODE_ANY);
	fputs(",\n ", stdout);
	json_decref(value);
}

void diff_print_json(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	const struct pairing *pairing = &comparison->pairing;
	struct diff_sections sections;

	putchar('{');
	print_member("a", of_side(comparison->a));
	print_member("b", of_side(comparison->b));
	print_member("modulus", json_integer((json_int_t)comparison->modulus));
	print_member("line", json_integer((json_int_t)comparison->line));
	print_member("pairs", json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"both", (json_int_t)comparison->both, "by_order", (json_int_t)pairing->by_order,
		"renamed", (json_int_t)pairing->renamed, "empty", (json_int_t)comparison->empty,
		"ambiguous_a", (json_int_t)pairing->ambiguous_a.count,
		"ambiguous_b", (json_int_t)pairing->ambiguous_b.count,
		"unknown_a", (json_int_t)comparison->unknown_a,
		"unknown_b", (json_int_t)comparison->unknown_b));
	fputs("\"sections\": [", stdout);
	diff_count(&sections, diff);
	for (size_t i = 0; i < sections.list.count; i++)
		json_row(of_section(&sections.list.at[i]), i);
	vec_release(&sections.list);
	fputs("\n ],\n \"steps\": [", stdout);
	for (size_t i = 0; i < diff->steps.moved.count && i < diff->limit; i++)
		json_row(of_step(diff->steps.moved.at[i], comparison), i);
	fputs("\n ],\n \"symbols\": [", stdout);
	for (size_t i = 0; i < diff->listed.count && i < diff->limit; i++)
		json_row(of_change(diff->listed.at[i], comparison), i);
	puts("\n]}");
}
