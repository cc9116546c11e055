/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing fragments, and the scripts that include them.
 *
 * Every INCLUDE of a script is written anew with the path of what was read, for
 * the rewritten script lies in another folder than the original.
 */
#include "config.h"
#include "ld/fragment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ldscripts/edit.h"
#include "lib/file.h"
#include "lib/memory.h"

/* A statement that has a fragment. */
struct fragment {
	const struct stmt *stmt;
	const char *path;
};

struct writer {
	const char *dir;
	const struct census *census;
	const struct plan *plan;
	const struct link_scripts *scripts;
	VEC(struct fragment) fragments;	/* sorted by stmt once all are written */
	struct obstack *arena;
	unsigned count;			/* of rewritten scripts */
	struct diag *diag;
};

static bool commit(struct writer *writer, struct outfile *file, const char *path)
{
	if (outfile_commit(file))
		return true;
	diag_error_class(writer->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s", path,
			 strerror(errno));
	return false;
}

/*
 * Writes the pattern for the one file that is OBJECT.  "archive:member" and
 * ":file" are matched against what is loaded, where a plain file name would be
 * loaded once more.  What would be a wildcard is one: '?' takes it.
 */
static void write_file_pattern(const struct input_object *object, FILE *stream)
{
	const char *parts[] = { object->archive != NULL ? object->archive_copy : "", ":",
				object->copy != NULL ? object->copy : object->name };

	putc('"', stream);
	for (size_t i = 0; i < 3; i++)
		for (const char *c = parts[i]; *c != '\0'; c++)
			putc(strchr("*?[]\\", *c) != NULL ? '?' : *c, stream);
	putc('"', stream);
}

/*
 * ld makes some sections itself and lays them with the first object, behind its
 * own: .data.rel.ro for copied variables, say.  They have no tag, so what FROM
 * takes of that object still is asked for in that place.
 */
static void write_made_by_ld(const struct statement *from, const struct input_object *first,
			     FILE *stream)
{
	const struct input_section *input = &from->stmt->u.input_section;

	if (input->file == NULL || strcmp(input->file, "*") != 0 || input->patterns == NULL)
		return;
	write_file_pattern(first, stream);
	putc('(', stream);
	for (const struct section_pattern *pattern = input->patterns; pattern != NULL;
	     pattern = pattern->next)
		fprintf(stream, pattern->next != NULL ? "%s " : "%s)\n", pattern->name);
}

/* The units of one statement: plan placements [begin, end). */
static void write_units(struct writer *writer, const struct statement *from, size_t begin,
			size_t end, FILE *stream)
{
	const struct census *census = writer->census;
	const struct input_object *first = census->loaded.objects.at[0];
	bool keep = from->stmt->u.input_section.keep;
	size_t last = begin;	/* behind the first object's units */

	for (size_t i = begin; i < end; i++)
		if (census->owners.at[writer->plan->placements.at[i].unit] == first)
			last = i + 1;
	for (size_t i = begin; i < end; i++) {
		const struct placement *place = &writer->plan->placements.at[i];
		const char *tag = census->tags.at[place->unit];

		if (i == last)
			write_made_by_ld(from, first, stream);
		if (place->pad != 0)
			fprintf(stream, ". += %" PRIu64 ";\n", place->pad);
		if (place->modulus > 1 && place->residue == 0)
			fprintf(stream, ". = ALIGN(%" PRIu64 ");\n", place->modulus);
		else if (place->modulus > 1)
			fprintf(stream, ". += (%" PRIu64 " + (ALIGN(%" PRIu64 ") - .)) & %" PRIu64 ";\n",
				place->residue, place->modulus, place->modulus - 1);
		fputs(keep ? "KEEP(" : "", stream);
		if (tag != NULL) {
			fprintf(stream, "*(\"%s\")", tag);
		} else {
			/* Rare: a section whose name must stay, among units.  Slow, but right. */
			write_file_pattern(census->owners.at[place->unit], stream);
			fprintf(stream, "(\"%s\")",
				census->units.at[place->unit].identity.section);
		}
		fputs(keep ? ")\n" : "\n", stream);
	}
}

static bool write_fragment(struct writer *writer, unsigned statement, size_t begin, size_t end)
{
	const struct statement *from = matcher_statement(writer->scripts->matcher, statement);
	const char *path = obstack_format(writer->arena, "%s/%04u.ld", writer->dir, statement);
	struct outfile file;

	*vec_push(&writer->fragments) = (struct fragment){ .stmt = from->stmt, .path = path };
	if (!outfile_open(&file, path)) {
		diag_error_class(writer->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s",
				 path, strerror(errno));
		return false;
	}
	fprintf(file.stream, "/* %s, the units of %s */\n", from->output_name,
		statement_text(from, writer->arena));
	write_units(writer, from, begin, end, file.stream);
	return commit(writer, &file, path);
}

static int compare_fragments(const void *a, const void *b)
{
	const struct fragment *x = a, *y = b;

	return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

static const char *write_script(struct writer *writer, const struct script *script);

/* Adds the edits of one list of statements, and of what they hold. */
static bool edit_list(struct writer *writer, const struct script *script,
		      const struct stmt *stmt, struct edits *edits)
{
	for (; stmt != NULL; stmt = stmt->next) {
		if (stmt->kind == STMT_INCLUDE && stmt->u.include.script != NULL) {
			const char *copy = write_script(writer, stmt->u.include.script);

			if (copy == NULL)
				return false;
			edit_replace(edits, stmt->span,
				     obstack_format(writer->arena, "INCLUDE \"%s\"", copy));
		} else if (stmt->kind == STMT_INPUT_SECTION) {
			const struct fragment key = { .stmt = stmt }, *fragment;

			fragment = writer->fragments.count == 0 ? NULL : bsearch(&key, writer->fragments.at, writer->fragments.count,
					   sizeof key, compare_fragments);
			if (fragment != NULL)
				edit_insert(edits, stmt->span.begin,
					    obstack_format(writer->arena, "INCLUDE \"%s\"\n",
							   fragment->path));
		} else if (!edit_list(writer, script, stmt->children, edits)) {
			return false;
		}
	}
	return true;
}

/* Writes SCRIPT with its edits; returns the path, or NULL. */
static const char *write_script(struct writer *writer, const struct script *script)
{
	const char *path = obstack_format(writer->arena, "%s/script%u.ld", writer->dir,
					  writer->count++);
	struct edits *edits = edits_new(script->source);
	bool ok = edit_list(writer, script, script->statements, edits);
	struct outfile file;

	if (ok) {
		ok = outfile_open(&file, path);
		if (!ok) {
			diag_error_class(writer->diag, DIAG_ENVIRONMENT, NULL,
					 "cannot write '%s': %s", path, strerror(errno));
		} else {
			edits_write(edits, file.stream);
			ok = commit(writer, &file, path);
		}
	}
	edits_free(edits);
	return ok ? path : NULL;
}

bool fragments_write(const char *dir, const struct census *census, const struct plan *plan,
		     const struct link_scripts *scripts, const char **copies,
		     struct obstack *arena, struct diag *diag)
{
	struct writer writer = { .dir = dir, .census = census, .plan = plan, .scripts = scripts,
				 .arena = arena, .diag = diag };
	bool ok = true;

	for (size_t begin = 0, end; ok && begin < plan->placements.count; begin = end) {
		unsigned statement = census->units.at[plan->placements.at[begin].unit].statement;

		end = begin + 1;
		while (end < plan->placements.count &&
		       census->units.at[plan->placements.at[end].unit].statement == statement)
			end++;
		ok = write_fragment(&writer, statement, begin, end);
	}
	if (writer.fragments.count > 0)
		qsort(writer.fragments.at, writer.fragments.count, sizeof *writer.fragments.at,
		      compare_fragments);
	for (size_t i = 0; ok && i < scripts->list.count; i++) {
		copies[i] = write_script(&writer, scripts->list.at[i].script);
		ok = copies[i] != NULL;
	}
	vec_release(&writer.fragments);
	return ok;
}
