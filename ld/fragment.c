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

#include "layout/lock.h"
#include "layout/reserve.h"
#include "ldscripts/edit.h"
#include "lib/file.h"
#include "lib/memory.h"

/* What can be said about where the next unit of a group will come to lie. */
struct cursor {
	uint64_t address;
	bool known;
};

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
	const struct seams *seams;
	const struct layout *reference;	/* what a lock holds to; NULL: nothing */
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

/* Where the lock has the output section NAME; 0: nowhere. */
static uint64_t base_of(const struct writer *writer, const char *name)
{
	const struct layout_mark *section = writer->reference == NULL ? NULL :
					    layout_section(writer->reference, name);

	return section != NULL ? section->address : 0;
}

/* Goes to ADDRESS, or where that is behind us, to the next one that is the same mod LOCK_MODULUS. */
static void write_hold(FILE *stream, uint64_t address)
{
	fprintf(stream, ". + (. > %" PRIu64 " ? (%" PRIu64 " - .) & %d : %" PRIu64 " - .)", address,
		address, LOCK_MODULUS - 1, address);
}

/* What stands before a unit. */
static void write_place(const struct placement *place, const struct unit *unit, uint64_t base,
			struct cursor *cursor, FILE *stream)
{
	uint64_t natural = (cursor->address + unit->align - 1) & -unit->align;

	if (!place->held) {
		if (place->pad != 0)
			fprintf(stream, ". += %" PRIu64 ";\n", place->pad);
		if (place->modulus > 1 && place->residue == 0)
			fprintf(stream, ". = ALIGN(%" PRIu64 ");\n", place->modulus);
		else if (place->modulus > 1)
			fprintf(stream, ". += (%" PRIu64 " + (ALIGN(%" PRIu64 ") - .)) & %" PRIu64 ";\n",
				place->residue, place->modulus, place->modulus - 1);
		cursor->known = false;
		return;
	}
	if (!cursor->known || natural > place->address) {
		fputs(". = ", stream);
		write_hold(stream, place->address - base);
		fputs(";\n", stream);
	} else if (natural < place->address) {
		fprintf(stream, ". = . + %" PRIu64 ";\n", place->address - cursor->address);
	}
	/* Of what ld merges it is not known where it will end. */
	*cursor = (struct cursor){ place->address + unit->size, !unit->merged };
}

static unsigned statement_of(const struct writer *writer, size_t placement)
{
	return writer->census->units.at[writer->plan->placements.at[placement].unit].statement;
}

/*
 * Where, among the placements [begin, end), what ld makes itself is asked for: for
 * each of the statements [first, last], behind the units that the first object has
 * of it, else before its first unit, else before that of a later one; above END:
 * nowhere.  In the arena.
 */
static size_t *find_made_by_ld(struct writer *writer, size_t begin, size_t end, unsigned first,
			       unsigned last)
{
	size_t *places = obstack_alloc(writer->arena, (last - first + 1) * sizeof *places);
	const struct input_object *object = writer->census->loaded.objects.at[0];

	for (unsigned s = 0; s <= last - first; s++)
		places[s] = end + 1;
	for (size_t i = begin; i < end; i++) {
		size_t *place = &places[statement_of(writer, i) - first];

		if (*place == end + 1)
			*place = i;
	}
	for (unsigned s = last - first; s-- > 0;)
		if (places[s] == end + 1)
			places[s] = places[s + 1];
	for (size_t i = begin; i < end; i++)
		if (writer->census->owners.at[writer->plan->placements.at[i].unit] == object)
			places[statement_of(writer, i) - first] = i + 1;
	return places;
}

/*
 * The units of one group: plan placements [begin, end), which take the place of the
 * statements [first, last].
 */
static void write_units(struct writer *writer, const char *output, size_t begin, size_t end,
			unsigned first, unsigned last, FILE *stream)
{
	const struct census *census = writer->census;
	const struct input_object *object = census->loaded.objects.at[0];
	uint64_t base = base_of(writer, output);
	struct cursor cursor = { 0 };
	const size_t *made = find_made_by_ld(writer, begin, end, first, last);

	for (size_t i = begin; i <= end; i++) {
		const struct placement *place = &writer->plan->placements.at[i];
		const struct unit *unit;
		bool keep;

		for (unsigned s = first; s <= last; s++) {
			if (made[s - first] != i)
				continue;
			write_made_by_ld(matcher_statement(writer->scripts->matcher, s), object, stream);
			cursor.known = false;
		}
		if (i == end)
			break;
		unit = &census->units.at[place->unit];
		keep = matcher_statement(writer->scripts->matcher,
					 unit->statement)->stmt->u.input_section.keep;
		write_place(place, unit, base, &cursor, stream);
		fputs(keep ? "KEEP(" : "", stream);
		if (census->tags.at[place->unit] != NULL) {
			fprintf(stream, "*(\"%s\")", census->tags.at[place->unit]);
		} else {
			/* Rare: a section whose name must stay, among units.  Slow, but right. */
			write_file_pattern(census->owners.at[place->unit], stream);
			fprintf(stream, "(\"%s\")", unit->identity.section);
		}
		fputs(keep ? ")\n" : "\n", stream);
		if (place->behind != 0)
			fprintf(stream, ". += %" PRIu64 ";\n", place->behind);
	}
}

/* The first statement of the room's run that has units. */
static unsigned first_listed(const struct writer *writer, const struct room *room)
{
	unsigned first = room->first;

	while (first < room->last && !writer->census->listed[first])
		first++;
	return first;
}

/* The group of the placements [begin, end): those of one statement, or of one room. */
static bool write_fragment(struct writer *writer, size_t begin, size_t end)
{
	const struct placement *place = &writer->plan->placements.at[begin];
	const struct statement *from = matcher_statement(writer->scripts->matcher,
		writer->census->units.at[place->unit].statement);
	const struct room *room = place->room != 0 ? &writer->plan->rooms.at[place->room - 1] : NULL;
	const char *path, *output = from->output_name;
	unsigned first = from->index, last = from->index;
	struct outfile file;

	if (room != NULL) {
		path = obstack_format(writer->arena, "%s/room%04u.ld", writer->dir,
				      (unsigned)place->room);
		output = room->section;
		first = first_listed(writer, room);
		last = room->last;
		from = matcher_statement(writer->scripts->matcher, first);
	} else {
		path = obstack_format(writer->arena, "%s/%04u.ld", writer->dir, from->index);
	}
	*vec_push(&writer->fragments) = (struct fragment){ .stmt = from->stmt, .path = path };
	if (!outfile_open(&file, path)) {
		diag_error_class(writer->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s",
				 path, strerror(errno));
		return false;
	}
	if (room != NULL)
		fprintf(file.stream, "/* %s, the units before seam %u */\n", output, room->number);
	else
		fprintf(file.stream, "/* %s, the units of %s */\n", output,
			statement_text(from, writer->arena));
	write_units(writer, output, begin, end, first, last, file.stream);
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

/*
 * Goes past the room behind an output section, number I.  Behind what ld makes
 * that is the sum over all that is pooled, and no less than if there is nothing.
 */
static void write_room(FILE *stream, const struct plan *plan, size_t i)
{
	const struct room *room = &plan->rooms.at[i];

	if (!room->made) {
		fprintf(stream, "ALIGN(. + %" PRIu64 ", %d)", room->size, RESERVE_ALIGN);
		return;
	}
	fprintf(stream, "ALIGN(. + MAX(%" PRIu64 ", 0", room->size);
	do {
		if (room->inside)
			continue;
		fprintf(stream, " + (SIZEOF(\"%s\") > 0 ? %" PRIu64 " + SIZEOF(\"%s\") * %" PRIu64
			" / 10000 : 0)", room->section, room->size, room->section, room->share);
	} while (room > plan->rooms.at && ((--room)->inside || room->pooled));
	fprintf(stream, "), %d)", RESERVE_ALIGN);
}

/* True if nothing stands at the seam: an assignment alone would bring an output section into being. */
static bool is_silent(const struct room *room)
{
	if (room->held)
		return false;
	return room->made ? room->pooled : room->content == 0;
}

/* Adds what stands at the seams of SCRIPT. */
static void edit_seams(struct writer *writer, const struct script *script, struct edits *edits)
{
	for (size_t i = 0; i < writer->plan->rooms.count; i++) {
		const struct room *room = &writer->plan->rooms.at[i];
		const struct seam *seam = &writer->seams->list.at[i];
		uint64_t base = room->inside ? base_of(writer, room->section) : 0;
		char *text = NULL;
		size_t size;
		FILE *stream;

		if (seam->script != script || is_silent(room))
			continue;
		stream = open_memstream(&text, &size);
		if (stream == NULL)
			abort();
		fprintf(stream, "\n. = %u ? ", room->number);
		if (room->held)
			write_hold(stream, room->end - base);
		else if (!room->inside && (room->size > 0 || room->share > 0))
			write_room(stream, writer->plan, i);
		else if (room->size > 0)
			fprintf(stream, ". + %" PRIu64, room->size);
		else
			putc('.', stream);
		fputs(" : .;\n", stream);
		if (fclose(stream) != 0)
			abort();
		edit_insert(edits, seam->offset, text);
		free(text);
	}
}

/* Writes SCRIPT with its edits; returns the path, or NULL. */
static const char *write_script(struct writer *writer, const struct script *script)
{
	const char *path = obstack_format(writer->arena, "%s/script%u.ld", writer->dir,
					  writer->count++);
	struct edits *edits = edits_new(script->source);
	struct outfile file;
	bool ok;

	/* Of two at one place the gap comes first. */
	edit_seams(writer, script, edits);
	ok = edit_list(writer, script, script->statements, edits);
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
		     const struct seams *seams, const struct layout *reference,
		     const struct link_scripts *scripts, const char **copies,
		     struct obstack *arena, struct diag *diag)
{
	struct writer writer = { .dir = dir, .census = census, .plan = plan, .scripts = scripts,
				 .seams = seams, .reference = reference,
				 .arena = arena, .diag = diag };
	const struct placement *placements = plan->placements.at;
	bool ok = true;

	for (size_t begin = 0, end; ok && begin < plan->placements.count; begin = end) {
		end = begin + 1;
		while (end < plan->placements.count && placements[end].room == placements[begin].room &&
		       (placements[end].room != 0 ||
			census->units.at[placements[end].unit].statement ==
				census->units.at[placements[begin].unit].statement))
			end++;
		ok = write_fragment(&writer, begin, end);
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
