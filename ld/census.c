/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking the census.
 *
 * Three passes over the loaded objects: which statement takes each section;
 * what shape each statement has (which depends on what it takes: code or data,
 * and the definitions of symbols that the script computes with); then the units,
 * sorted by statement, which keeps the order of load within one.
 */
#include "config.h"
#include "ld/census.h"

#include <elf.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "ld/holes.h"
#include "ld/note.h"
#include "ld/tag.h"
#include "ldscripts/shape.h"
#include "lib/memory.h"

/* One allocated section of a loaded object, and who takes it. */
struct taken {
	struct input_object *owner;
	const struct object_section *section;
	struct identity identity;
	unsigned statement;
};

struct taker {
	struct census *census;
	const struct link_scripts *scripts;
	const struct policy *policy;
	const struct correction *correction;
	htab_t groups;			/* COMDAT signatures met */
	VEC(struct taken) taken;
	enum tag_form form;
	unsigned orphans;		/* the number after the last statement's */
	bool *executable;		/* by statement */
	bool *taggable;			/* by statement: some section that it takes may bear a tag */
	bool *moved;			/* by statement: a move= rule names something it takes */
};

/* Sections that bfd makes into sections at all: not tables of symbols, names or relocations. */
static bool is_content(const struct object_section *section)
{
	return (section->flags & SHF_ALLOC) != 0 && (section->flags & SHF_EXCLUDE) == 0 &&
	       section->type != SHT_NULL && section->type != SHT_GROUP &&
	       section->type != SHT_SYMTAB && section->type != SHT_STRTAB &&
	       section->type != SHT_RELA && section->type != SHT_REL;
}

/* True for a section of a COMDAT group that an earlier object has given already. */
static bool is_duplicate(const struct object *object, const struct object_section *section,
			 const bool *kept)
{
	return section->group != 0 && object->groups.at[section->group - 1].comdat &&
	       !kept[section->group - 1];
}

static bool *keep_groups(struct taker *taker, const struct object *object)
{
	bool *kept = xcalloc(object->groups.count + 1, sizeof *kept);

	for (size_t i = 0; i < object->groups.count; i++) {
		const char *signature = object->groups.at[i].signature;
		void **slot;

		if (!object->groups.at[i].comdat)
			continue;
		slot = htab_find_slot(taker->groups, signature, INSERT);
		kept[i] = *slot == NULL;
		*slot = (void *)signature;
	}
	return kept;
}

static int compare_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* True if the map of an earlier link said that ld drops this unit. */
static bool is_absent(const struct taker *taker, const struct identity *identity)
{
	char buffer[4096];
	const char *text = buffer;

	if (taker->correction == NULL || taker->correction->absent.count == 0 ||
	    identity_format(buffer, sizeof buffer, identity) >= sizeof buffer)
		return false;
	return bsearch(&text, taker->correction->absent.at, taker->correction->absent.count,
		       sizeof text, compare_text) != NULL;
}

/* True if a rule of that kind names the unit. */
static bool is_named(const struct policy *policy, enum rule_kind kind,
		     const struct identity *identity)
{
	for (size_t i = 0; i < policy->rules.count; i++)
		if (policy->rules.at[i].kind == kind &&
		    units_match(&policy->rules.at[i].units, identity))
			return true;
	return false;
}

/* The identity of SECTION of OWNER; a tag that it bears says it itself. */
static struct identity section_identity(struct taker *taker, const struct input_object *owner,
					const struct object_section *section)
{
	struct identity identity;

	if (strchr(section->name, '@') != NULL &&
	    tag_parse(section->name, &identity, &taker->census->arena)) {
		/* Split off by the compiler, which does not know what the object is called. */
		if (identity.file[0] == '\0')
			identity.file = owner->file;
		return identity;
	}
	identity = (struct identity){ .file = owner->file, .section = section->name,
				      .ordinal = section->ordinal };
	/* A partial link kept it apart: its number is another one with each object more. */
	if (section->symbol != NULL && is_named(taker->policy, RULE_APART, &identity)) {
		identity.symbol = section->symbol;
		identity.ordinal = section->symbol_ordinal;
	}
	return identity;
}

static void take_object(struct taker *taker, struct input_object *owner)
{
	const struct object *object = &owner->object;
	bool *kept = keep_groups(taker, object);

	for (size_t i = 0; i < object->sections.count; i++) {
		const struct object_section *section = &object->sections.at[i];
		const struct statement *statement;
		struct match_section key;
		struct taken taken;

		if (taker->policy->keep_notes && is_note(section))
			*vec_push(&taker->census->restored) = (struct restored){
				.owner = owner, .shndx = section->shndx, .name = section->name,
				.reflagged = true, .flags = section->flags & ~(uint64_t)SHF_EXCLUDE };
		if (!is_content(section) || is_duplicate(object, section, kept))
			continue;
		taken = (struct taken){ .owner = owner, .section = section };
		taken.identity = section_identity(taker, owner, section);
		if (is_absent(taker, &taken.identity))
			continue;
		key = (struct match_section){ .file = owner->name, .archive = owner->archive,
					      .section = taken.identity.section,
					      .flags = section->flags, .type = section->type };
		statement = matcher_match(taker->scripts->matcher, &key, NULL);
		/* An orphan counts as taken by a statement that nothing may move. */
		taken.statement = statement != NULL ? statement->index : taker->orphans;
		taker->executable[taken.statement] |= (section->flags & SHF_EXECINSTR) != 0;
		taker->moved[taken.statement] |= statement != NULL &&
						 is_named(taker->policy, RULE_MOVE, &taken.identity);
		taker->census->taken[taken.statement]++;
		taker->census->sizes[taken.statement] += section->size;
		if (!taker->taggable[taken.statement])
			taker->taggable[taken.statement] = tag_allowed(section, taken.identity.section);
		*vec_push(&taker->taken) = taken;
	}
	free(kept);
}

/* A statement that takes the definition of a symbol that the script computes with is fixed. */
static void pin_symbols(struct taker *taker)
{
	const char *const *pinned = shape_pinned_symbols(taker->scripts->matcher,
								 &taker->census->arena);
	struct census *census = taker->census;
	size_t count = 0, first = 0;

	while (pinned[count] != NULL)
		count++;
	for (size_t i = 0; count > 0 && i < census->loaded.objects.count; i++) {
		struct input_object *owner = census->loaded.objects.at[i];
		size_t end = first;

		/* What was taken of this object stands together. */
		while (end < taker->taken.count && taker->taken.at[end].owner == owner)
			end++;
		for (size_t s = 0; s < owner->object.symbols.count; s++) {
			const struct object_symbol *symbol = &owner->object.symbols.at[s];

			if (symbol->shndx == 0 ||
			    bsearch(&symbol->name, pinned, count, sizeof *pinned,
				    compare_text) == NULL)
				continue;
			for (size_t t = first; t < end; t++) {
				unsigned statement = taker->taken.at[t].statement;

				if (taker->taken.at[t].section->shndx != symbol->shndx ||
				    census->shapes[statement].kind != SHAPE_MOVABLE)
					continue;
				census->shapes[statement].kind = SHAPE_FIXED;
				census->shapes[statement].why =
					obstack_format(&census->arena,
						       "defines '%s', which the script computes with",
						       symbol->name);
			}
		}
		first = end;
	}
}

static bool is_sorted(const struct statement *statement)
{
	const struct input_section *input = &statement->stmt->u.input_section;

	if (input->file_sort == SORT_KIND_BY_NAME || input->file_reverse)
		return true;
	for (const struct section_pattern *pattern = input->patterns; pattern != NULL;
	     pattern = pattern->next)
		if (pattern->reverse ||
		    (pattern->sort != SORT_KIND_NONE && pattern->sort != SORT_KIND_BY_NONE))
			return true;
	return false;
}

/*
 * A partial link merges sections of one name, and with them the units; so
 * there a tag is put on what a final link, by ld's own script, may move.  Not
 * on what a preset fixes: the programs that read the partial link's output
 * know such a section by its name.  Strings stay: the partial link does not
 * merge them, and the final one should find them as it would without tags.
 */
static bool is_tagged_partially(const struct taker *taker, const struct taken *taken)
{
	const struct policy *policy = taker->policy;

	if (!tag_allowed(taken->section, taken->identity.section) ||
	    (taken->section->flags & SHF_MERGE) != 0 ||
	    (taken->identity.section != taken->section->name &&
	     taken->identity.file != taken->owner->file))
		return false;
	for (size_t i = 0; i < policy->rules.count; i++)
		if (policy->rules.at[i].preset && policy->rules.at[i].kind == RULE_FIX &&
		    units_match(&policy->rules.at[i].units, &taken->identity))
			return false;
	return taker->census->shapes[taken->statement].kind == SHAPE_MOVABLE;
}

/* True if the link line names a script. */
static bool has_script(const struct linkline *line)
{
	for (size_t i = 0; i < line->words.count; i++)
		if (line->words.at[i].kind == WORD_SCRIPT ||
		    line->words.at[i].kind == WORD_DEFAULT_SCRIPT)
			return true;
	return false;
}

/* Has the partial link keep the sections called NAME apart. */
static void keep_apart(struct census *census, const char *name)
{
	for (size_t i = 0; i < census->apart.count; i++)
		if (strcmp(census->apart.at[i], name) == 0)
			return;
	/* ld takes it for a pattern. */
	if (strpbrk(name, "*?[\\") == NULL)
		*vec_push(&census->apart) = name;
}

static void add_unit(struct taker *taker, const struct taken *taken, bool movable)
{
	struct census *census = taker->census;
	const struct object_section *section = taken->section;
	bool tagged = tag_allowed(taken->section, taken->identity.section);

	*vec_push(&census->units) = (struct unit){
		.identity = taken->identity,
		.size = section->size,
		.align = section->align,
		.executable = (section->flags & SHF_EXECINSTR) != 0,
		.merged = (section->flags & SHF_MERGE) != 0 || !tagged,
		.tagged = tagged,
		.content = section->content,
		.statement = taken->statement,
		.shndx = section->shndx,
	};
	*vec_push(&census->tags) = tagged ? tag_format(&taken->identity, taker->form,
							&census->arena) : NULL;
	*vec_push(&census->owners) = taken->owner;
	census->movable[census->units.count - 1] = movable;
}

/* Tells the matcher of all sections where the script has output sections for read-only ones alone. */
static void resolve_constraints(const struct census *census, struct matcher *matcher)
{
	VEC(struct match_section) sections = VEC_INIT;
	bool any = false;

	for (unsigned i = 0; i < matcher_count(matcher); i++)
		any |= matcher_statement(matcher, i)->output->u.output.constraint !=
		       CONSTRAINT_NONE;
	for (size_t i = 0; any && i < census->loaded.objects.count; i++) {
		const struct input_object *owner = census->loaded.objects.at[i];

		for (size_t s = 0; s < owner->object.sections.count; s++) {
			const struct object_section *section = &owner->object.sections.at[s];

			*vec_push(&sections) = (struct match_section){
				.file = owner->name, .archive = owner->archive,
				.section = section->name, .flags = section->flags,
				.type = section->type };
		}
	}
	if (any)
		matcher_resolve_constraints(matcher, sections.at, sections.count);
	vec_release(&sections);
}

bool census_take(struct census *census, struct inputs *inputs, const struct linkline *line,
		 const struct link_scripts *scripts, const struct policy *policy,
		 const struct correction *correction, struct diag *diag)
{
	struct taker taker = { .census = census, .scripts = scripts, .policy = policy,
			       .correction = correction,
			       .form = line->relocatable ? TAG_PARTIAL : TAG_FINAL };
	size_t statements = matcher_count(scripts->matcher), *order, *sorted;
	/* Of what is kept apart ld would not ask a script, which may discard it. */
	bool apart = line->relocatable && !has_script(line), *listed;

	memset(census, 0, sizeof *census);
	obstack_init(&census->arena);
	taker.orphans = statements;
	census->shapes = xcalloc(statements + 1, sizeof *census->shapes);
	census->taken = xcalloc(statements + 1, sizeof *census->taken);
	census->sizes = xcalloc(statements + 1, sizeof *census->sizes);
	census->shapes[taker.orphans] = (struct shape){ .kind = SHAPE_FIXED, .why = "orphan" };
	if (!resolve_loaded(inputs, line, scripts->undefined.at, correction, &census->loaded, diag))
		return false;

	resolve_constraints(census, scripts->matcher);
	taker.executable = xcalloc(statements + 1, sizeof *taker.executable);
	taker.moved = xcalloc(statements + 1, sizeof *taker.moved);
	taker.taggable = xcalloc(statements + 1, sizeof *taker.taggable);
	taker.groups = htab_create_alloc(64, (htab_hash)htab_hash_string, (htab_eq)htab_eq_string,
					 NULL, xcalloc, free);
	for (size_t i = 0; i < census->loaded.objects.count; i++)
		take_object(&taker, census->loaded.objects.at[i]);

	census->listed = listed = xcalloc(statements + 1, sizeof *listed);
	for (unsigned i = 0; i < statements; i++)
		census->shapes[i] = shape_of(matcher_statement(scripts->matcher, i),
					     taker.executable[i]);
	pin_symbols(&taker);
	for (unsigned i = 0; i < statements; i++)
		listed[i] = taker.taggable[i] &&
			    (census->shapes[i].kind == SHAPE_MOVABLE ||
			     (taker.moved[i] &&
			      !is_sorted(matcher_statement(scripts->matcher, i))));

	/* By statement: a counting sort, which keeps the order within one. */
	order = xcalloc(statements + 2, sizeof *order);
	for (size_t i = 0; i < taker.taken.count; i++)
		order[taker.taken.at[i].statement + 1]++;
	for (size_t i = 1; i <= statements; i++)
		order[i] += order[i - 1];
	sorted = xcalloc(taker.taken.count + 1, sizeof *sorted);
	for (size_t i = 0; i < taker.taken.count; i++)
		sorted[order[taker.taken.at[i].statement]++] = i;
	census->movable = xcalloc(taker.taken.count + 1, sizeof *census->movable);
	for (size_t i = 0; i < taker.taken.count; i++) {
		const struct taken *taken = &taker.taken.at[sorted[i]];

		if (line->relocatable) {
			if (is_tagged_partially(&taker, taken))
				add_unit(&taker, taken, false);
			else if (apart && is_named(taker.policy, RULE_APART, &taken->identity))
				keep_apart(census, taken->section->name);
		} else if (listed[taken->statement])
			add_unit(&taker, taken,
				 census->shapes[taken->statement].kind == SHAPE_MOVABLE);
		else if (census->shapes[taken->statement].kind == SHAPE_TABLE &&
			 (taken->section->flags & SHF_MERGE) == 0)
			*vec_push(&census->tables) = (struct table_section){
				.statement = taken->statement, .owner = taken->owner,
				.name = taken->identity.section, .align = taken->section->align };
		if (!listed[taken->statement] && !line->relocatable &&
		    taken->identity.section != taken->section->name)
			*vec_push(&census->restored) = (struct restored){
				.owner = taken->owner, .shndx = taken->section->shndx,
				.name = taken->identity.section };
	}
	if (line->relocatable)
		join_holes(census);
	free(sorted);
	free(order);
	free(taker.executable);
	free(taker.moved);
	free(taker.taggable);
	htab_delete(taker.groups);
	vec_release(&taker.taken);
	return true;
}

void census_release(struct census *census)
{
	vec_release(&census->loaded.objects);
	vec_release(&census->units);
	vec_release(&census->tags);
	vec_release(&census->owners);
	vec_release(&census->restored);
	vec_release(&census->apart);
	vec_release(&census->tables);
	free(census->movable);
	free(census->shapes);
	free(census->taken);
	free(census->sizes);
	free(census->listed);
	obstack_free(&census->arena, NULL);
}
