/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which statement takes an input section.
 *
 * A link may have a quarter of a million section names and a script hundreds of
 * patterns, so no name is held against every pattern.  A tree of characters holds
 * each pattern under what it begins with: up to its first wildcard, or all of it
 * and the NUL behind it.  A section's name, walked down that tree, meets the
 * patterns that it may match; of those that do, and whose statement likes the
 * section's file and flags, the one that ld tries first wins.
 */
#include "config.h"

#include "ldscripts/match.h"

#include <elf.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/vec.h"

struct output {
	const struct stmt *stmt;	/* STMT_OUTPUT_SECTION */
	unsigned begin, end;		/* its statements, by index */
	bool dropped;			/* its ONLY_IF_RO or ONLY_IF_RW does not hold */
};

/* What INSERT moves about. */
struct item {
	const struct stmt *stmt;	/* STMT_OUTPUT_SECTION or STMT_INSERT */
	struct output *output;		/* NULL: INSERT */
};

struct entry {
	struct statement statement;	/* what the world sees */
	struct output *output;
	uint64_t with, without;		/* INPUT_SECTION_FLAGS: all of these, none of those */
	bool never;			/* it names a flag that there is not */
};

struct candidate {
	const struct entry *entry;
	const char *pattern;		/* glob */
	const struct name_list *exclude; /* EXCLUDE_FILE of the pattern */
	unsigned place;			/* of the pattern in the statement's list */
	struct candidate *next;
};

struct node {
	char c;
	struct node *child, *sibling;
	struct candidate *candidates;
};

struct matcher {
	struct obstack arena;
	const struct script **scripts;
	size_t script_count;
	VEC(struct item) items;		/* in the order ld tries them, then as they lie */
	VEC(struct output *) constrained; /* ONLY_IF_RO, ONLY_IF_RW, as ld tries them */
	VEC(struct entry *) entries;	/* by index */
	struct node root;
};

/* --- Globs --------------------------------------------------------------- */

static bool is_wildcard(const char *pattern)
{
	return strpbrk(pattern, "?*[") != NULL;
}

/*
 * ld holds what stands before the first wildcard and behind the last against the
 * name before it calls fnmatch(), and not at all where a lone '*' is all between:
 * "a*a" then matches "a".
 */
static bool match_glob(const char *pattern, const char *name)
{
	size_t prefix = strcspn(pattern, "?*["), length = strlen(pattern), suffix = 0;
	size_t name_length;

	if (strncmp(pattern, name, prefix))
		return false;
	if (prefix == length)
		return !name[prefix];
	while (suffix < length - prefix && !strchr("?*]", pattern[length - suffix - 1]))
		suffix++;
	name_length = strlen(name);
	if (name_length < suffix ||
	    memcmp(pattern + length - suffix, name + name_length - suffix, suffix))
		return false;
	if (pattern[prefix] == '*' && prefix + 1 + suffix == length)
		return true;
	return !fnmatch(pattern + prefix, name + prefix, 0);
}

static bool match_file_glob(const char *pattern, const char *name)
{
	return is_wildcard(pattern) ? !fnmatch(pattern, name, 0) : !strcmp(pattern, name);
}

/* "archive:member", "archive:" (any member), ":file" (of no archive); COLON is its ':'. */
static bool match_archive_path(const char *pattern, const char *colon,
			       const struct match_section *section)
{
	if (colon[1] && !match_file_glob(colon + 1, section->file))
		return false;
	if (colon == pattern)
		return !section->archive;
	return section->archive &&
	       match_file_glob(strndupa(pattern, (size_t)(colon - pattern)), section->archive);
}

static bool is_excluded(const struct name_list *list, const struct match_section *section)
{
	for (; list; list = list->next) {
		const char *colon = strchr(list->name, ':');

		if (colon ? match_archive_path(list->name, colon, section)
			  : match_file_glob(list->name, section->file) ||
			    (section->archive && match_file_glob(list->name, section->archive)))
			return true;
	}
	return false;
}

static bool match_file(const struct input_section *input, const struct match_section *section)
{
	const char *colon;

	if (!input->file || !strcmp(input->file, "*"))
		return true;
	colon = strchr(input->file, ':');
	if (colon)
		return match_archive_path(input->file, colon, section);
	if (is_wildcard(input->file))
		return !fnmatch(input->file, section->file, 0);
	return !section->archive && !strcmp(input->file, section->file);
}

/* --- The script's statements, in the order ld tries them ----------------- */

static const struct {
	const char *name;
	uint64_t value;
} flag_names[] = {
	{ "SHF_WRITE", SHF_WRITE },
	{ "SHF_ALLOC", SHF_ALLOC },
	{ "SHF_EXECINSTR", SHF_EXECINSTR },
	{ "SHF_MERGE", SHF_MERGE },
	{ "SHF_STRINGS", SHF_STRINGS },
	{ "SHF_INFO_LINK", SHF_INFO_LINK },
	{ "SHF_LINK_ORDER", SHF_LINK_ORDER },
	{ "SHF_OS_NONCONFORMING", SHF_OS_NONCONFORMING },
	{ "SHF_GROUP", SHF_GROUP },
	{ "SHF_TLS", SHF_TLS },
	{ "SHF_MASKOS", SHF_MASKOS },
	{ "SHF_EXCLUDE", SHF_EXCLUDE },
};

static void entry_read_flags(struct entry *entry, const struct section_flag *flag)
{
	for (; flag; flag = flag->next) {
		uint64_t value = 0;

		for (size_t i = 0; i < sizeof flag_names / sizeof *flag_names; i++)
			if (!strcmp(flag->name, flag_names[i].name))
				value = flag_names[i].value;
		if (!value)
			entry->never = true;
		else if (flag->without)
			entry->without |= value;
		else
			entry->with |= value;
	}
}

/* PATTERN may be NULL: a description without patterns takes every section. */
static void add_candidate(struct matcher *matcher, const struct entry *entry,
			  const struct section_pattern *pattern, unsigned place)
{
	const char *name = pattern ? pattern->name : "*";
	size_t prefix = strcspn(name, "?*[");
	struct node *node = &matcher->root;
	struct candidate *candidate;

	/* Without a wildcard the NUL is walked too, and ends what can follow. */
	if (!name[prefix])
		prefix++;
	for (size_t i = 0; i < prefix; i++) {
		struct node *child = node->child;

		while (child && child->c != name[i])
			child = child->sibling;
		if (!child) {
			child = obstack_alloc(&matcher->arena, sizeof *child);
			*child = (struct node){ .c = name[i], .sibling = node->child };
			node->child = child;
		}
		node = child;
	}
	candidate = obstack_alloc(&matcher->arena, sizeof *candidate);
	*candidate = (struct candidate){
		entry, name, pattern ? pattern->exclude : NULL, place, node->candidates
	};
	node->candidates = candidate;
}

static void collect_inputs(struct matcher *matcher, const struct script *script,
			   struct output *output, const struct stmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		const struct section_pattern *pattern = stmt->u.input_section.patterns;
		struct entry *entry;
		unsigned place = 0;

		if (stmt->kind == STMT_INCLUDE)
			collect_inputs(matcher, stmt->u.include.script, output, stmt->children);
		if (stmt->kind != STMT_INPUT_SECTION)
			continue;
		entry = obstack_alloc(&matcher->arena, sizeof *entry);
		*entry = (struct entry){
			.statement = {
				.index = (unsigned)matcher->entries.count,
				.script = script,
				.stmt = stmt,
				.output = output->stmt,
				.output_name = output->stmt->u.output.name,
			},
			.output = output,
		};
		entry_read_flags(entry, stmt->u.input_section.flags);
		*vec_push(&matcher->entries) = entry;
		if (!pattern)
			add_candidate(matcher, entry, NULL, 0);
		for (; pattern; pattern = pattern->next)
			add_candidate(matcher, entry, pattern, place++);
	}
}

static void collect_outputs(struct matcher *matcher, const struct script *script,
			    const struct stmt *stmt)
{
	for (; stmt; stmt = stmt->next) {
		struct output *output;

		switch (stmt->kind) {
		case STMT_INCLUDE:
			collect_outputs(matcher, stmt->u.include.script, stmt->children);
			break;
		case STMT_SECTIONS:
		case STMT_OVERLAY:
		case STMT_SECTION_GROUP:
			collect_outputs(matcher, script, stmt->children);
			break;
		case STMT_INSERT:
			*vec_push(&matcher->items) = (struct item){ stmt, NULL };
			break;
		case STMT_OUTPUT_SECTION:
			output = obstack_alloc(&matcher->arena, sizeof *output);
			*output = (struct output){ .stmt = stmt };
			output->begin = (unsigned)matcher->entries.count;
			collect_inputs(matcher, script, output, stmt->children);
			output->end = (unsigned)matcher->entries.count;
			*vec_push(&matcher->items) = (struct item){ stmt, output };
			if (stmt->u.output.constraint == CONSTRAINT_ONLY_IF_RO ||
			    stmt->u.output.constraint == CONSTRAINT_ONLY_IF_RW)
				*vec_push(&matcher->constrained) = output;
			break;
		default:
			break;
		}
	}
}

static bool has_insert(const struct stmt *stmt)
{
	for (; stmt; stmt = stmt->next)
		if (stmt->kind == STMT_INSERT ||
		    (stmt->kind == STMT_INCLUDE && has_insert(stmt->children)))
			return true;
	return false;
}

/*
 * Puts the items in the order in which they lie.  The first INSERT moves all that
 * stands before it behind, or before, an output section that stands after it;
 * then the next.
 */
static bool do_inserts(struct matcher *matcher, struct diag *diag)
{
	struct item *item = matcher->items.at;
	size_t count = matcher->items.count;

	for (size_t insert = 0; insert < count; insert++) {
		const struct stmt *stmt = item[insert].stmt;
		struct item *moved;
		size_t where = insert + 1;

		if (item[insert].output)
			continue;
		while (where < count &&
		       (!item[where].output ||
			strcmp(item[where].stmt->u.output.name, stmt->u.insert.where)))
			where++;
		if (where == count) {
			diag_error(diag, &stmt->span, "no output section '%s' to insert at",
				   stmt->u.insert.where);
			return false;
		}
		if (!stmt->u.insert.before)
			where++;
		moved = xmalloc((insert + 1) * sizeof *moved);
		memcpy(moved, item, insert * sizeof *moved);
		memmove(item, item + insert + 1, (where - insert - 1) * sizeof *item);
		memcpy(item + where - insert - 1, moved, insert * sizeof *moved);
		memmove(item + where - 1, item + where, (count - where) * sizeof *item);
		free(moved);
		count--;
		insert = (size_t)-1;
	}
	matcher->items.count = count;
	return true;
}

struct matcher *matcher_new(const struct script *const *scripts, size_t count, struct diag *diag)
{
	struct matcher *matcher = xcalloc(1, sizeof *matcher);
	unsigned place = 0;

	obstack_init(&matcher->arena);
	matcher->scripts = obstack_copy(&matcher->arena, scripts, (int)(count * sizeof *scripts));
	matcher->script_count = count;

	/* A script with INSERT is read before the one that it inserts into. */
	for (size_t i = 0; i < count; i++)
		if (has_insert(scripts[i]->statements))
			collect_outputs(matcher, scripts[i], scripts[i]->statements);
	for (size_t i = 0; i < count; i++)
		if (!has_insert(scripts[i]->statements))
			collect_outputs(matcher, scripts[i], scripts[i]->statements);

	if (!do_inserts(matcher, diag)) {
		matcher_free(matcher);
		return NULL;
	}
	for (size_t i = 0; i < matcher->items.count; i++) {
		const struct output *output = matcher->items.at[i].output;

		for (unsigned index = output->begin; index < output->end; index++)
			matcher->entries.at[index]->statement.place = place++;
	}
	return matcher;
}

void matcher_free(struct matcher *matcher)
{
	if (!matcher)
		return;
	vec_release(&matcher->items);
	vec_release(&matcher->constrained);
	vec_release(&matcher->entries);
	obstack_free(&matcher->arena, NULL);
	free(matcher);
}

const struct script *const *matcher_scripts(const struct matcher *matcher, size_t *count)
{
	*count = matcher->script_count;
	return matcher->scripts;
}

size_t matcher_count(const struct matcher *matcher)
{
	return matcher->entries.count;
}

const struct statement *matcher_statement(const struct matcher *matcher, unsigned index)
{
	return &matcher->entries.at[index]->statement;
}

/* --- Matching ------------------------------------------------------------ */

static bool flags_fit(const struct entry *entry, const struct match_section *section)
{
	/* What is thrown away is thrown away before its flags are looked at. */
	if (!strcmp(entry->statement.output_name, "/DISCARD/"))
		return true;
	return !entry->never && (section->flags & entry->with) == entry->with &&
	       !(section->flags & entry->without);
}

/* The first of the statements BEGIN to END - 1 that takes SECTION, and by which pattern. */
static const struct candidate *find(const struct matcher *matcher,
				    const struct match_section *section, unsigned begin,
				    unsigned end, bool with_flags)
{
	const struct candidate *best = NULL;
	const struct node *node = &matcher->root;
	const char *name = section->section;

	while (node) {
		for (const struct candidate *candidate = node->candidates; candidate;
		     candidate = candidate->next) {
			const struct entry *entry = candidate->entry;
			const struct input_section *input = &entry->statement.stmt->u.input_section;
			unsigned index = entry->statement.index;

			if (index < begin || index >= end || entry->output->dropped ||
			    (best && (best->entry->statement.index < index ||
				      (best->entry == entry && best->place < candidate->place))))
				continue;
			if (!match_glob(candidate->pattern, section->section))
				continue;
			if (!match_file(input, section) || is_excluded(input->exclude, section) ||
			    is_excluded(candidate->exclude, section))
				continue;
			if (with_flags && !flags_fit(entry, section))
				continue;
			best = candidate;
		}
		if (name > section->section && !name[-1])
			break;
		for (node = node->child; node && node->c != *name; node = node->sibling)
			;
		name++;
	}
	return best;
}

const struct statement *matcher_match(const struct matcher *matcher,
				      const struct match_section *section, unsigned *pattern)
{
	const struct candidate *found = find(matcher, section, 0, UINT_MAX, true);

	if (!found)
		return NULL;
	if (pattern)
		*pattern = found->place;
	return &found->entry->statement;
}

void matcher_resolve_constraints(struct matcher *matcher, const struct match_section *sections,
				 size_t count)
{
	struct output **outputs = matcher->constrained.at;
	size_t output_count = matcher->constrained.count;
	VEC(const struct match_section *) concerned = VEC_INIT;

	if (!output_count)
		return;
	for (size_t i = 0; i < output_count; i++)
		outputs[i]->dropped = false;
	for (size_t i = 0; i < count; i++)
		if (find(matcher, &sections[i], outputs[0]->begin, outputs[output_count - 1]->end,
			 false))
			*vec_push(&concerned) = &sections[i];

	for (size_t i = 0; i < output_count; i++) {
		struct output *output = outputs[i];
		bool read_only = true;

		for (size_t j = 0; j < concerned.count; j++) {
			const struct match_section *section = concerned.at[j];

			if (section->flags & SHF_WRITE &&
			    find(matcher, section, output->begin, output->end, false) &&
			    !find(matcher, section, 0, output->begin, true))
				read_only = false;
		}
		output->dropped =
			read_only != (output->stmt->u.output.constraint == CONSTRAINT_ONLY_IF_RO);
	}
	vec_release(&concerned);
}

/* --- As the map prints it ------------------------------------------------ */

/* ld keeps the list, and prints it, back to front. */
static void print_names_reversed(struct obstack *arena, const struct name_list *list)
{
	if (list->next) {
		print_names_reversed(arena, list->next);
		obstack_1grow(arena, ' ');
	}
	obstack_printf(arena, "%s", list->name);
}

static void print_exclude(struct obstack *arena, const struct name_list *list)
{
	if (!list)
		return;
	obstack_printf(arena, "EXCLUDE_FILE(");
	print_names_reversed(arena, list);
	obstack_printf(arena, ") ");
}

static const struct {
	const char *before, *after;
} sort_text[] = {
	[SORT_KIND_NONE] = { "", "" },
	[SORT_KIND_BY_NONE] = { "SORT_NONE(", ")" },
	[SORT_KIND_BY_NAME] = { "SORT_BY_NAME(", ")" },
	[SORT_KIND_BY_ALIGNMENT] = { "SORT_BY_ALIGNMENT(", ")" },
	[SORT_KIND_BY_NAME_ALIGNMENT] = { "SORT_BY_NAME(SORT_BY_ALIGNMENT(", "))" },
	[SORT_KIND_BY_ALIGNMENT_NAME] = { "SORT_BY_ALIGNMENT(SORT_BY_NAME(", "))" },
	[SORT_KIND_BY_INIT_PRIORITY] = { "SORT_BY_INIT_PRIORITY(", ")" },
};

const char *statement_text(const struct statement *statement, struct obstack *arena)
{
	const struct input_section *input = &statement->stmt->u.input_section;
	bool sorted = input->file_sort == SORT_KIND_BY_NAME;

	print_exclude(arena, input->exclude);
	obstack_printf(arena, "%s%s%s%s%s(", input->file_reverse ? "REVERSE(" : "",
		       sorted ? "SORT_BY_NAME(" : "", input->file ? input->file : "*",
		       sorted ? ")" : "", input->file_reverse ? ")" : "");
	for (const struct section_pattern *pattern = input->patterns; pattern;
	     pattern = pattern->next) {
		obstack_printf(arena, "%s%s", pattern->reverse ? "REVERSE(" : "",
			       sort_text[pattern->sort].before);
		print_exclude(arena, pattern->exclude);
		obstack_printf(arena, "%s%s%s%s", pattern->name, sort_text[pattern->sort].after,
			       pattern->reverse ? ")" : "", pattern->next ? " " : "");
	}
	obstack_printf(arena, ")");
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}
