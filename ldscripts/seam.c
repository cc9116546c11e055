/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding seams: one walk over the output sections in the order of the script,
 * which remembers the run that it is in.
 */
#include "config.h"

#include "ldscripts/seam.h"

#include <stdlib.h>
#include <string.h>

#include "ldscripts/shape.h"
#include "ldscripts/token.h"
#include "lib/memory.h"

/* A statement by what it was read from. */
struct entry {
	const struct stmt *stmt;
	const struct statement *statement;
};

/* A mark of the output section at hand, and how many seams there were when it came. */
struct mark {
	const char *name;
	size_t seams;
};

struct finder {
	struct seams *seams;
	const struct matcher *matcher;
	const struct seam_content *content;
	struct entry *entries;		/* sorted by stmt */
	size_t entry_count;
	const struct script *script;	/* what is walked */
	const struct stmt *output;	/* the output section that is */
	struct seam run;		/* the run at hand; last: the latest statement that belongs to it */
	bool running;
	VEC(struct mark) marks;		/* of the output section, so far */
	unsigned marked;		/* marks met, in all of them */
	const struct statement *latest;	/* its latest statement; NULL: none */
	unsigned sections;		/* output sections met */
	unsigned all_sections;		/* those that there are */
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

static const struct statement *find_statement(const struct finder *finder, const struct stmt *stmt)
{
	const struct entry key = { .stmt = stmt }, *entry;

	entry = finder->entry_count == 0 ? NULL :
		bsearch(&key, finder->entries, finder->entry_count, sizeof key, compare_entries);
	return entry != NULL ? entry->statement : NULL;
}

/* --- Within an output section -------------------------------------------- */

static void end_run(struct finder *finder)
{
	if (finder->running)
		*vec_push(&finder->seams->list) = finder->run;
	finder->running = false;
}

/* True if it takes symbols without a section, of which the link knows no size. */
static bool takes_common(const struct stmt *stmt)
{
	const struct section_pattern *pattern = stmt->u.input_section.patterns;

	for (; pattern != NULL; pattern = pattern->next)
		if (strcmp(pattern->name, "COMMON") == 0)
			return true;
	return false;
}

static void take_statement(struct finder *finder, const struct stmt *stmt)
{
	const struct statement *statement = find_statement(finder, stmt);
	const struct seam_content *content;

	if (statement == NULL)
		return;
	content = &finder->content[statement->index];
	finder->latest = statement;
	if (takes_common(stmt) || (!content->movable && !content->empty)) {
		end_run(finder);
		return;
	}
	if (finder->running && statement->index != finder->run.last + 1)
		end_run(finder);
	if (!finder->running) {
		/* It may be what a later link has here that moves. */
		if (content->empty && shape_of(statement, shape_looks_executable(statement)).kind != SHAPE_MOVABLE)
			return;
		finder->run = (struct seam){ .output = finder->output->u.output.name,
					     .stmt = finder->output, .inside = true,
					     .first = statement->index, .script = finder->script };
		finder->running = true;
	}
	if (content->movable || finder->run.number == 0)
		finder->run.number = statement->index + 1;
	finder->run.last = statement->index;
	finder->run.offset = stmt->span.end;
}

/* True if CLOSE is OPEN but for WORD, once, that is OTHER there. */
static bool differ_in_word(const char *open, const char *close, const char *word, const char *other)
{
	for (const char *at = strstr(open, word); at != NULL; at = strstr(at + 1, word)) {
		size_t before = (size_t)(at - open);

		if (strncmp(open, close, before) == 0 &&
		    strncmp(close + before, other, strlen(other)) == 0 &&
		    strcmp(at + strlen(word), close + before + strlen(other)) == 0)
			return true;
	}
	return false;
}

/* True if the marks say by their names that they begin and end one thing. */
static bool enclose(const char *open, const char *close)
{
	size_t length = strlen(open);

	return differ_in_word(open, close, "start", "stop") ||
	       differ_in_word(open, close, "start", "end") ||
	       differ_in_word(open, close, "begin", "end") ||
	       (strncmp(open, close, length) == 0 && strcmp(close + length, "_end") == 0);
}

/* Drops the seams behind tables from number FROM on. */
static void drop_tables(struct seams *seams, size_t from)
{
	size_t kept = from;

	for (size_t i = from; i < seams->list.count; i++)
		if (!seams->list.at[i].table)
			seams->list.at[kept++] = seams->list.at[i];
	seams->list.count = kept;
}

/* True if some mark of the list STMT says that it ends what the mark OPEN begins. */
static bool is_ended(const char *open, const struct stmt *stmt)
{
	for (; stmt != NULL; stmt = stmt->next)
		if (shape_is_mark(stmt) && enclose(open, stmt->u.assign.symbol))
			return true;
	return false;
}

/*
 * Where the gap behind the table that the mark END ends goes: before this statement;
 * NULL: nowhere.  What looks at "." next may be of the table: a second mark of its end, or
 * its size; but not if it begins another.  A "." that does not count from "." may say how
 * much the table may take.
 */
static const struct stmt *find_behind_table(const struct stmt *end)
{
	const struct stmt *stmt = end->next;

	while (stmt != NULL && shape_is_nothing(stmt))
		stmt = stmt->next;
	if (shape_is_mark(stmt) && !is_ended(stmt->u.assign.symbol, stmt->next))
		return NULL;
	if (shape_is_dot_assignment(stmt) && !shape_names_dot(stmt->u.assign.value))
		return NULL;
	return stmt;
}

/* MARK may end a table. */
static void take_mark(struct finder *finder, const struct stmt *mark)
{
	const char *name = mark->u.assign.symbol;
	const struct statement *latest = finder->latest;
	const struct stmt *behind;
	size_t i = finder->marks.count, from;

	finder->marked++;
	while (i > 0 && !enclose(finder->marks.at[i - 1].name, name))
		i--;
	*vec_push(&finder->marks) = (struct mark){ name, finder->seams->list.count };
	if (i == 0)
		return;
	from = finder->marks.at[i - 1].seams;
	drop_tables(finder->seams, from);
	/* What they counted is gone: no table before them has a seam any more. */
	for (; i < finder->marks.count; i++)
		finder->marks.at[i].seams = from;
	behind = find_behind_table(mark);
	/* Behind a run there is a seam before the mark, and behind the last table one outside. */
	if (latest == NULL || finder->content[latest->index].movable || behind == NULL)
		return;
	*vec_push(&finder->seams->list) = (struct seam){
		.number = (unsigned)matcher_count(finder->matcher) + finder->all_sections +
			  finder->marked,
		.output = finder->output->u.output.name, .stmt = finder->output, .inside = true,
		.table = true, .first = latest->index, .last = latest->index,
		.script = finder->script, .offset = behind->span.begin };
}

static void walk_content(struct finder *finder, const struct stmt *stmt)
{
	for (; stmt != NULL; stmt = stmt->next) {
		if (stmt->kind == STMT_INPUT_SECTION) {
			take_statement(finder, stmt);
		} else if (stmt->kind == STMT_INCLUDE) {
			const struct script *script = finder->script;

			/* A gap goes into one file: a run does not reach over its end. */
			end_run(finder);
			finder->script = stmt->u.include.script != NULL ? stmt->u.include.script : script;
			walk_content(finder, stmt->children);
			end_run(finder);
			finder->script = script;
		} else if (!shape_is_nothing(stmt)) {
			end_run(finder);
			if (shape_is_mark(stmt))
				take_mark(finder, stmt);
		}
	}
}

/* --- Between output sections --------------------------------------------- */

/* True if some input section lies in it. */
static bool has_content(const struct finder *finder, const struct stmt *stmt)
{
	for (; stmt != NULL; stmt = stmt->next) {
		const struct statement *statement;

		if (stmt->kind == STMT_INPUT_SECTION) {
			statement = find_statement(finder, stmt);
			if (statement != NULL && !finder->content[statement->index].empty)
				return true;
		}
		if (has_content(finder, stmt->children))
			return true;
	}
	return false;
}

static bool is_relro_end(const struct expr *expr)
{
	return expr != NULL && expr->kind == EXPR_CALL && expr->op == TOK_DATA_SEGMENT_RELRO_END;
}

/* Where the gap behind OUTPUT goes: before this statement; NULL: there is no seam. */
static const struct stmt *find_behind(const struct stmt *output)
{
	bool marked = false;

	for (const struct stmt *stmt = output->next; stmt != NULL; stmt = stmt->next) {
		if (stmt->kind == STMT_OUTPUT_SECTION)
			return marked || stmt->u.output.address != NULL ? NULL : stmt;
		if (shape_is_nothing(stmt))
			continue;
		if (shape_is_dot_assignment(stmt))
			return shape_names_symbol(stmt->u.assign.value) ||
			       is_relro_end(stmt->u.assign.value) ? NULL : stmt;
		if (stmt->kind != STMT_ASSIGN)
			return NULL;
		marked = true;
	}
	return NULL;
}

/* What SEAM, which is before BEHIND, is of: a section that takes nothing. */
static void set_made(const struct finder *finder, struct seam *seam, const struct stmt *behind)
{
	seam->made = !has_content(finder, seam->stmt->children);
	seam->pooled = seam->made && behind->kind == STMT_OUTPUT_SECTION &&
		       !has_content(finder, behind->children) && find_behind(behind) != NULL;
}

static void walk_outputs(struct finder *finder, const struct stmt *stmt, bool inserted)
{
	for (; stmt != NULL; stmt = stmt->next) {
		const struct stmt *behind;
		struct seam seam;

		if (stmt->kind == STMT_SECTIONS) {
			walk_outputs(finder, stmt->children, inserted);
			continue;
		}
		/* What is included has other lists; there are no gaps between sections in those. */
		if (stmt->kind != STMT_OUTPUT_SECTION)
			continue;
		finder->sections++;
		finder->output = stmt;
		finder->latest = NULL;
		finder->marks.count = 0;
		walk_content(finder, stmt->children);
		end_run(finder);
		behind = inserted || strcmp(stmt->u.output.name, "/DISCARD/") == 0 ? NULL : find_behind(stmt);
		if (behind == NULL)
			continue;
		seam = (struct seam){
			.number = (unsigned)matcher_count(finder->matcher) + finder->sections,
			.output = stmt->u.output.name, .stmt = stmt, .script = finder->script,
			.offset = behind->span.begin };
		set_made(finder, &seam, behind);
		/* Where a section with an address would end is not known if it is not there. */
		if (!seam.made || stmt->u.output.address == NULL)
			*vec_push(&finder->seams->list) = seam;
	}
}

/* The number of output sections, as walk_outputs() counts them. */
static unsigned count_outputs(const struct stmt *stmt)
{
	unsigned count = 0;

	for (; stmt != NULL; stmt = stmt->next) {
		if (stmt->kind == STMT_SECTIONS)
			count += count_outputs(stmt->children);
		count += stmt->kind == STMT_OUTPUT_SECTION;
	}
	return count;
}

static bool has_insert(const struct stmt *stmt)
{
	for (; stmt != NULL; stmt = stmt->next)
		if (stmt->kind == STMT_INSERT || has_insert(stmt->children))
			return true;
	return false;
}

void seams_find(struct seams *seams, const struct matcher *matcher,
		const struct seam_content *content)
{
	struct finder finder = { .seams = seams, .matcher = matcher, .content = content,
				 .entry_count = matcher_count(matcher) };
	const struct script *const *scripts;
	size_t count;

	finder.entries = xcalloc(finder.entry_count + 1, sizeof *finder.entries);
	for (unsigned i = 0; i < finder.entry_count; i++) {
		const struct statement *statement = matcher_statement(matcher, i);

		finder.entries[i] = (struct entry){ statement->stmt, statement };
	}
	qsort(finder.entries, finder.entry_count, sizeof *finder.entries, compare_entries);
	scripts = matcher_scripts(matcher, &count);
	for (size_t i = 0; i < count; i++)
		finder.all_sections += count_outputs(scripts[i]->statements);
	for (size_t i = 0; i < count; i++) {
		finder.script = scripts[i];
		walk_outputs(&finder, scripts[i]->statements, has_insert(scripts[i]->statements));
	}
	vec_release(&finder.marks);
	free(finder.entries);
}
