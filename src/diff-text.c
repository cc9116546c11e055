/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison on one screen: the two sides, sections, steps, and the symbols
 * where it matters most.
 */
#include "config.h"

#include "src/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/table.h"

const char *diff_harm_name(const struct change *change)
{
	static const char *const names[] = {
		[HARM_HOT] = "hot", [HARM_COMPANY] = "line", [HARM_RESIDUE] = "residue",
		[HARM_SIZE] = "size", [HARM_ADDRESS] = "moved", [HARM_NONE] = "same",
	};

	if (change->heat == 0 && change->a == NULL)
		return "new";
	if (change->heat == 0 && change->b == NULL)
		return "gone";
	if (change->heat == 0 && change->what == CHANGE_COMPANY && change->company.joined == 0)
		return "left";
	return names[change_harm(change)];
}

/* --- Counting ----------------------------------------------------------- */

static void count_change(struct diff_section *section, const struct diff *diff,
			 const struct change *change)
{
	int64_t growth = change_growth(&diff->comparison, change);

	section->pieces++;
	section->added += change->a == NULL;
	section->removed += change->b == NULL;
	section->grown += growth > 0;
	section->shrunk += growth < 0;
	if (change->a == NULL || change->b == NULL)
		return;
	if ((change->what & CHANGE_RESIDUE) != 0)
		section->moved++;
	else if (change->shift != 0)
		section->shifted++;
	else
		section->same++;
}

static struct diff_section *find_section(struct diff_sections *sections, const char *name)
{
	for (size_t i = sections->list.count; i-- > 0; )
		if (strcmp(sections->list.at[i].name, name) == 0)
			return &sections->list.at[i];
	*vec_push(&sections->list) = (struct diff_section){ .name = name };
	return &sections->list.at[sections->list.count - 1];
}

void diff_count(struct diff_sections *sections, const struct diff *diff)
{
	struct diff_section all = { .name = "all" };

	*sections = (struct diff_sections){ .list = VEC_INIT };
	for (size_t i = 0; i < diff->comparison.changes.count; i++) {
		const struct change *change = &diff->comparison.changes.at[i];

		if (!change->shown)
			continue;
		count_change(find_section(sections, change->section), diff, change);
		count_change(&all, diff, change);
	}
	*vec_push(&sections->list) = all;
}

/* --- The two sides ------------------------------------------------------ */

static const char *noun(const struct image *image)
{
	return image->units ? "units" : "symbols";
}

/* "(", then ", " between, then ")": what is to be said of a count in brackets. */
struct brackets {
	const char *lead;	/* before the first */
	bool open;
};

static void print_part(struct brackets *brackets, size_t count, const char *what)
{
	if (count == 0)
		return;
	printf("%s%zu %s", brackets->open ? ", " : brackets->lead, count, what);
	brackets->open = true;
}

static void close_brackets(const struct brackets *brackets)
{
	if (brackets->open)
		putchar(')');
}

/* "A.layout" beside "A" goes without saying its name. */
static bool is_beside(const char *path, const char *layout)
{
	size_t size = strlen(path);

	return strncmp(layout, path, size) == 0 && strcmp(layout + size, ".layout") == 0;
}

static void print_side(char letter, const struct image *image)
{
	const struct image_left_out *out = &image->left_out;
	struct brackets brackets = { .lead = " (without " };

	printf("%c  %s: %s, %zu %s", letter, image->path, image_kind_name(image->kind),
	       image->pieces.count, noun(image));
	if (image->dynamic)
		fputs(" of .dynsym", stdout);
	if (image->distances)
		fputs(", sizes by distance", stdout);
	if (image->kind == IMAGE_PROGRAM && image->layout != NULL)
		printf(", objects by %s",
		       is_beside(image->path, image->layout) ? "its layout" : image->layout);
	print_part(&brackets, out->labels, "that have no size");
	print_part(&brackets, out->tables, "of tables");
	print_part(&brackets, out->absolute, "absolute");
	print_part(&brackets, out->thread, "thread-local");
	print_part(&brackets, out->units, image->units ? "empty" : "not split by symbol");
	close_brackets(&brackets);
	putchar('\n');
}

static size_t another_residue(const struct comparison *comparison, uint64_t modulus)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->both; i++) {
		const struct change *change = &comparison->changes.at[i];

		count += change->shown && ((uint64_t)change->shift & (modulus - 1)) != 0;
	}
	return count;
}

static size_t changed(const struct comparison *comparison, unsigned what)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->both; i++)
		count += comparison->changes.at[i].shown &&
			 (comparison->changes.at[i].what & what) != 0;
	return count;
}

/* Of those whose line has the company that it had: how many have other company beside it. */
static size_t changed_pairs(const struct comparison *comparison)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->both; i++) {
		const struct change *change = &comparison->changes.at[i];

		count += change->shown && (change->what & CHANGE_COMPANY) == 0 &&
			 change->company.near + change->company.far > 0;
	}
	return count;
}

static void print_summary(const struct diff *diff)
{
	static const uint64_t moduli[] = { 16, 32, 64, 128, 4096 };
	const struct comparison *comparison = &diff->comparison;
	const struct pairing *pairing = &comparison->pairing;
	struct brackets brackets = { .lead = " (" };

	print_side('A', comparison->a);
	print_side('B', comparison->b);
	printf("%zu %s in both", comparison->both, noun(comparison->b));
	print_part(&brackets, pairing->by_order, "by their order");
	print_part(&brackets, pairing->renamed, "renamed by the compiler");
	print_part(&brackets, comparison->empty, "without a byte left out");
	close_brackets(&brackets);
	if (comparison->unknown_a + comparison->unknown_b > 0)
		printf("; %zu and %zu that the other side does not tell of", comparison->unknown_a,
		       comparison->unknown_b);
	if (pairing->ambiguous_a.count + pairing->ambiguous_b.count > 0)
		printf("; not told apart: %zu and %zu", pairing->ambiguous_a.count,
		       pairing->ambiguous_b.count);
	fputs("\nanother residue:", stdout);
	for (size_t i = 0; i < sizeof moduli / sizeof moduli[0]; i++)
		printf(" %zu mod %" PRIu64 ",", another_residue(comparison, moduli[i]), moduli[i]);
	printf(" another page: %zu\nother company: %zu on their lines of %" PRIu64
	       " bytes, %zu on the aligned pairs of lines alone\n",
	       changed(comparison, CHANGE_PAGE), changed(comparison, CHANGE_COMPANY),
	       comparison->line, changed_pairs(comparison));
	if (diff->has_hot)
		printf("hot: %zu symbols; neither side has %zu of them\n", diff->hot.symbols.count,
		       diff->cold);
}

/* --- Tables ------------------------------------------------------------- */

static const char *heading(const struct diff *diff)
{
	return diff->comparison.b->units ? "UNITS" : "SYMBOLS";
}

static void print_more(size_t count, size_t limit, const char *what)
{
	if (count > limit)
		printf("... and %zu more %s (--all)\n", count - limit, what);
}

static void add_count(struct table *table, size_t count, const char *color)
{
	if (count == 0) {
		table_add(table, "-");
		return;
	}
	table_add(table, "%zu", count);
	if (color != NULL)
		table_color(table, color);
}

static size_t changes_of(const struct diff_section *section)
{
	return section->shifted + section->moved + section->added + section->removed +
	       section->grown + section->shrunk;
}

static int compare_counts(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return x > y ? -1 : x < y;
}

/* What a section has at least, of those that the limit has room for. */
static size_t least_changes(const struct diff_sections *sections, size_t limit)
{
	size_t count = sections->list.count - 1, least = 1;
	size_t *counts = xcalloc(count + 1, sizeof *counts);

	for (size_t i = 0; i < count; i++)
		counts[i] = changes_of(&sections->list.at[i]);
	qsort(counts, count, sizeof *counts, compare_counts);
	if (limit > 0 && limit < count && counts[limit - 1] > 0)
		least = counts[limit - 1];
	free(counts);
	return least;
}

static void add_section(struct table *table, const struct diff_section *section)
{
	table_add(table, "%s", section->name);
	add_count(table, section->pieces, NULL);
	add_count(table, section->same, TABLE_GREEN);
	add_count(table, section->shifted, NULL);
	add_count(table, section->moved, TABLE_RED);
	add_count(table, section->grown, TABLE_YELLOW);
	add_count(table, section->shrunk, TABLE_YELLOW);
	add_count(table, section->added, TABLE_YELLOW);
	add_count(table, section->removed, TABLE_YELLOW);
}

static void print_sections(const struct diff *diff)
{
	char residue[40];
	const struct column columns[] = {
		{ "SECTION", false }, { heading(diff), true }, { "SAME", true }, { residue, true },
		{ "MOVED", true }, { "GROWN", true }, { "SHRUNK", true }, { "NEW", true },
		{ "GONE", true },
	};
	size_t rows = 0, changed_sections = 0, least, count;
	struct diff_sections sections;
	struct table table;

	snprintf(residue, sizeof residue, "SAME MOD %" PRIu64, diff->comparison.modulus);
	diff_count(&sections, diff);
	count = sections.list.count - 1;
	least = least_changes(&sections, diff->limit);
	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < count; i++) {
		size_t changes = changes_of(&sections.list.at[i]);

		changed_sections += changes > 0;
		if (changes >= least && rows < diff->limit) {
			add_section(&table, &sections.list.at[i]);
			rows++;
		}
	}
	add_section(&table, &sections.list.at[count]);
	putchar('\n');
	table_print(&table, stdout);
	if (changed_sections > rows)
		printf("... and %zu more sections (--all)\n", changed_sections - rows);
	if (count > changed_sections)
		printf("in %zu sections nothing changed\n", count - changed_sections);
	table_release(&table);
	vec_release(&sections.list);
}

static void print_steps(const struct diff *diff)
{
	const struct column columns[] = {
		{ "SHIFT", true }, { "STEP", true }, { heading(diff), true }, { "BYTES", true },
		{ "SECTION", false }, { "FROM", false }, { "WHY", false },
	};
	size_t count = diff->steps.moved.count;
	struct table table;

	if (count == 0)
		return;
	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < count && i < diff->limit; i++) {
		const struct step *step = diff->steps.moved.at[i];
		char *cause = step_cause(step, &diff->comparison);

		table_add(&table, "%+" PRId64, step->shift);
		table_add(&table, "%+" PRId64, step->delta);
		table_add(&table, "%zu", step->pieces);
		table_add(&table, "%" PRIu64, step->bytes);
		table_add(&table, "%s", step->section);
		table_add(&table, "%s", change_piece(step->first)->name);
		table_add(&table, "%s", cause);
		free(cause);
	}
	putchar('\n');
	table_print(&table, stdout);
	print_more(count, diff->limit, "steps");
	table_release(&table);
}

/* What a list of names may be long; a name of its own may be longer. */
#define COMPANY_WIDTH 32

/* "jiffies, foo, 3 more" */
static void add_company(struct table *table, const struct comparison *comparison, size_t at,
			size_t count)
{
	char *text = xstrdup(count == 0 ? "-" : "");
	size_t shown = 0;

	while (shown < count) {
		uint32_t index = comparison->companions.at[at + shown];
		const char *name = change_piece(&comparison->changes.at[index])->name;
		char *longer;

		if (shown > 0 && strlen(text) + strlen(name) > COMPANY_WIDTH)
			break;
		longer = xasprintf("%s%s%s", text, shown > 0 ? ", " : "", name);
		free(text);
		text = longer;
		shown++;
	}
	if (count > shown)
		table_add(table, "%s, %zu more", text, count - shown);
	else
		table_add(table, "%s", text);
	free(text);
}

static const char *harm_color(const struct change *change)
{
	switch (change_harm(change)) {
	case HARM_HOT:
	case HARM_COMPANY:
		return TABLE_RED;
	case HARM_RESIDUE:
		return TABLE_YELLOW;
	default:
		return NULL;
	}
}

static void add_place(struct table *table, const struct piece *piece)
{
	if (piece != NULL)
		table_add(table, "0x%" PRIx64, piece->address);
	else
		table_add(table, "-");
}

/* "32", or "32>40" where the two differ. */
static void add_change(struct table *table, const struct change *change, uint64_t old, uint64_t new)
{
	if (change->a == NULL || (change->b != NULL && old == new))
		table_add(table, "%" PRIu64, new);
	else if (change->b == NULL)
		table_add(table, "%" PRIu64, old);
	else
		table_add(table, "%" PRIu64 ">%" PRIu64, old, new);
}

static void add_row(struct table *table, const struct diff *diff, const struct change *change)
{
	const struct comparison *comparison = &diff->comparison;
	const struct company *company = &change->company;
	const struct piece *a = change->a, *b = change->b;
	uint64_t mask = comparison->modulus - 1;

	if (change->heat > 0)
		table_add(table, "hot %.1f%%", 100 * change->heat);
	else
		table_add(table, "%s", diff_harm_name(change));
	if (harm_color(change) != NULL)
		table_color(table, harm_color(change));
	table_add(table, "%s", change_piece(change)->name);
	add_place(table, a);
	add_place(table, b);
	if (a != NULL && b != NULL)
		table_add(table, "%+" PRId64, change->shift);
	else
		table_add(table, a == NULL ? "new" : "gone");
	add_change(table, change, a != NULL ? a->address & mask : 0,
		   b != NULL ? b->address & mask : 0);
	add_change(table, change, a != NULL && (comparison->sizes || b == NULL) ? a->size : b->size,
		   b != NULL ? b->size : 0);
	add_company(table, comparison, company->at, company->joined);
	add_company(table, comparison, company->at + company->joined, company->left);
}

static void print_changes(const struct diff *diff)
{
	char residue[40];
	const struct column columns[] = {
		{ "WORST", false },     { diff->comparison.b->units ? "UNIT" : "SYMBOL", false },
		{ "OLD", true },        { "NEW", true },
		{ "SHIFT", true },      { residue, true },
		{ "SIZE", true },       { "JOINED ON ITS LINES", false },
		{ "LEFT THEM", false },
	};
	size_t count = diff->listed.count;
	struct table table;

	if (count == 0)
		return;
	snprintf(residue, sizeof residue, "MOD %" PRIu64, diff->comparison.modulus);
	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < count && i < diff->limit; i++)
		add_row(&table, diff, diff->listed.at[i]);
	putchar('\n');
	table_print(&table, stdout);
	print_more(count, diff->limit, noun(diff->comparison.b));
	table_release(&table);
}

void diff_print_text(const struct diff *diff)
{
	print_summary(diff);
	print_sections(diff);
	print_steps(diff);
	print_changes(diff);
}
