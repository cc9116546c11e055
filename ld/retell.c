/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What ld says of copies, tags and work files, retold with the names that the
 * user knows.
 */
#include "config.h"
#include "ld/retell.h"

#include <errno.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"

/* What stands in for a file of the user's: an object, or else an input. */
struct copy {
	const char *path;
	const struct input_object *object;
	const struct input *input;
};

static hashval_t hash_copy(const void *entry)
{
	return htab_hash_string(((const struct copy *)entry)->path);
}

static int same_copy(const void *a, const void *b)
{
	return strcmp(((const struct copy *)a)->path, ((const struct copy *)b)->path) == 0;
}

static void add_copy(htab_t copies, const struct copy *from)
{
	void **slot = from->path != NULL ? htab_find_slot(copies, from, INSERT) : NULL;

	if (slot == NULL || *slot != NULL)
		return;
	*slot = xmalloc(sizeof *from);
	memcpy(*slot, from, sizeof *from);
}

static htab_t list_copies(const struct inputs *inputs)
{
	htab_t copies = htab_create_alloc(2 * inputs->objects.count + 1, hash_copy, same_copy, free,
					  xcalloc, free);

	for (size_t i = 0; i < inputs->objects.count; i++)
		add_copy(copies, &(struct copy){ .path = inputs->objects.at[i]->copy,
						 .object = inputs->objects.at[i] });
	for (size_t i = 0; i < inputs->list.count; i++)
		add_copy(copies, &(struct copy){ .path = inputs->list.at[i].copy,
						 .input = &inputs->list.at[i] });
	return copies;
}

void retell_forget(struct retelling *retelling)
{
	if (retelling->copies != NULL)
		htab_delete(retelling->copies);
	retelling->copies = NULL;
}

/* The name that the user knows for the copy at the beginning of TEXT, *LENGTH bytes; NULL: none. */
static const char *original_name(struct retelling *retelling, const char *text, size_t *length)
{
	const struct input_object *object;
	const struct copy *copy;
	char *path;

	*length = strcspn(text, " :;'`,()\t\n");
	if (retelling->copies == NULL)
		retelling->copies = list_copies(retelling->inputs);
	path = obstack_strndup(retelling->arena, text, *length);
	copy = htab_find(retelling->copies, &(struct copy){ .path = path });
	obstack_free(retelling->arena, path);
	if (copy == NULL || copy->object == NULL)
		return copy != NULL ? copy->input->path : NULL;
	object = copy->object;
	if (object->archive == NULL || object->place.size == 0)
		return object->name;
	return obstack_format(retelling->arena, "%s(%s)", object->archive, object->name);
}

/*
 * How long a tag's part is that says the file: TEXT is at its '@'.  Where the
 * rest of the section's name stands behind it, that '@' is part of it too.
 */
static size_t tag_length(const char *text)
{
	size_t length = 1;

	for (int open = 0; text[length] != '\0' && strchr(" '`\t\n", text[length]) == NULL; length++) {
		if (text[length] == '@')
			return length + 1;
		if (strncmp(text + length, "+0x", 3) == 0)
			break;
		open += text[length] == '(';
		if (text[length] == ')' && open-- == 0)
			break;
	}
	return length;
}

/* Writes what ld says with the names that the user knows: of files, sections, the output. */
static void write_original(struct retelling *retelling, const char *text, FILE *stream)
{
	const char *tags = retelling->tags, *scratch = retelling->scratch;
	size_t output = strlen(retelling->output);
	bool in_section = false;

	while (*text != '\0') {
		const char *name;
		size_t length;

		if (strncmp(text, retelling->output, output) == 0) {
			fputs(retelling->target, stream);
			text += output;
			continue;
		}
		if (strncmp(text, tags, strlen(tags)) == 0 ||
		    strncmp(text, scratch, strlen(scratch)) == 0) {
			name = original_name(retelling, text, &length);
			if (name != NULL) {
				fputs(name, stream);
				text += length;
				continue;
			}
		} else if (in_section && (*text == '@' || (*text == '.' && text[1] == '@'))) {
			text += *text == '.';
			text += tag_length(text);
			continue;
		}
		/* A section's name: from a '.' on, without blanks. */
		if (strchr(" (`'\t\n", *text) != NULL)
			in_section = text[1] == '.';
		putc(*text++, stream);
	}
}

/* True if LINE holds the text of an ASSERT of the statements from STMT on. */
static bool names_assertion(const struct stmt *stmt, const char *line)
{
	for (; stmt != NULL; stmt = stmt->next) {
		const char *text = NULL;

		if (stmt->kind == STMT_ASSERT)
			text = stmt->u.assertion.text;
		else if (stmt->kind == STMT_ASSIGN && stmt->u.assign.value->kind == EXPR_ASSERT)
			text = stmt->u.assign.value->name;
		if ((text != NULL && text[0] != '\0' && strstr(line, text) != NULL) ||
		    names_assertion(stmt->children, line))
			return true;
	}
	return false;
}

/* True if LINE is one of the complaints that placing units can lead to. */
static bool is_about_place(const struct retelling *retelling, const char *line)
{
	static const char *const complaints[] = {
		"will not fit in region", "overflowed by", "overlaps section",
		"cannot move location counter backwards", "relocation truncated to fit",
	};

	for (size_t i = 0; i < sizeof complaints / sizeof *complaints; i++)
		if (strstr(line, complaints[i]) != NULL)
			return true;
	for (size_t i = 0; i < retelling->scripts->list.count; i++)
		if (names_assertion(retelling->scripts->list.at[i].script->statements, line))
			return true;
	return false;
}

void retell_line(const char *line, FILE *stream, void *data)
{
	struct retelling *retelling = data;

	if (stream == stderr && !retelling->about_place)
		retelling->about_place = is_about_place(retelling, line);
	write_original(retelling, line, stream);
	putc('\n', stream);
}

/*
 * The file that -Map=VALUE means: a folder stands for a file in it, named for
 * the output; '%' for the output's path.  In the arena.
 */
static const char *map_file(const struct retelling *retelling, const char *value)
{
	const char *percent = strchr(value, '%'), *base = strrchr(retelling->target, '/');
	struct stat status;

	base = base != NULL ? base + 1 : retelling->target;
	if (stat(value, &status) == 0 && S_ISDIR(status.st_mode))
		return obstack_format(retelling->arena, "%s/%s.map", value, base);
	if (percent == NULL)
		return value;
	return obstack_format(retelling->arena, "%.*s%s%s", (int)(percent - value), value,
			      retelling->target, percent[1] != '\0' ? percent + 1 : ".map");
}

/* Opens PATH of the user's, whose folder has to be there; reported as ld does. */
static bool open_for_user(const struct retelling *retelling, struct outfile *file, const char *what,
			  const char *path)
{
	char *folder = xstrdup(path), *slash = strrchr(folder, '/');
	bool ok = true;

	if (slash != NULL && slash != folder) {
		*slash = '\0';
		ok = access(folder, F_OK) == 0;
	}
	ok = ok && outfile_open(file, path);
	if (!ok)
		diag_error(retelling->diag, NULL, "cannot open %s '%s': %s", what, path,
			   strerror(errno));
	free(folder);
	return ok;
}

/* ld's map, but for the lines that name single units. */
static void write_map(struct retelling *retelling, const char *text, FILE *stream)
{
	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		char *line = obstack_strndup(retelling->arena, text, length);

		if (strncmp(line, " *(", 3) != 0 || strchr(line, '@') == NULL)
			retell_line(line, stream, retelling);
		obstack_free(retelling->arena, line);
		text += length + (text[length] == '\n');
	}
}

/* The user's own -Map, the last of several with a value; NULL: none. */
static const struct word *wanted_map(const struct retelling *retelling)
{
	const struct word *wanted = NULL;

	for (size_t i = 0; i < retelling->line->words.count; i++)
		if (retelling->line->words.at[i].kind == WORD_MAP &&
		    (wanted == NULL || retelling->line->words.at[i].value != NULL))
			wanted = &retelling->line->words.at[i];
	return wanted;
}

/* ld's map with the names that the user knows. */
bool retell_map(struct retelling *retelling)
{
	const struct word *wanted = wanted_map(retelling);
	struct source *source;
	struct outfile file;
	bool to_stdout, ok;

	if (wanted == NULL)
		return true;
	to_stdout = wanted->value == NULL || strcmp(wanted->value, "-") == 0;
	source = source_read(retelling->map);
	if (source == NULL)
		diag_error_class(retelling->diag, DIAG_ENVIRONMENT, NULL, "cannot read '%s': %s",
				 retelling->map, strerror(errno));
	if (source == NULL ||
	    (!to_stdout && !open_for_user(retelling, &file, "map file", map_file(retelling, wanted->value)))) {
		source_free(source);
		return false;
	}
	write_map(retelling, source->text, to_stdout ? stdout : file.stream);
	ok = to_stdout ? fflush(stdout) == 0 : outfile_commit(&file);
	if (!ok)
		diag_error_class(retelling->diag, DIAG_ENVIRONMENT, NULL, "cannot write the map: %s",
				 strerror(errno));
	source_free(source);
	return ok;
}

/*
 * The user's own --dependency-file, a rule for make that ld wrote to DEPENDENCIES:
 * with the user's names, and without the fragments.
 */
bool retell_dependencies(struct retelling *retelling)
{
	struct source *source;
	struct outfile file;
	bool ok;

	if (retelling->line->dependencies == NULL)
		return true;
	source = source_read(retelling->dependencies);
	if (source == NULL)
		diag_error_class(retelling->diag, DIAG_ENVIRONMENT, NULL, "cannot read '%s': %s",
				 retelling->dependencies, strerror(errno));
	if (source == NULL ||
	    !open_for_user(retelling, &file, "dependency file", retelling->line->dependencies)) {
		source_free(source);
		return false;
	}
	for (char *line = strtok(source->text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		const char *path = line + strspn(line, " ");
		size_t length;

		if (strncmp(path, retelling->work, strlen(retelling->work)) != 0 ||
		    strncmp(path, retelling->output, strlen(retelling->output)) == 0 ||
		    original_name(retelling, path, &length) != NULL)
			retell_line(line, file.stream, retelling);
	}
	ok = outfile_commit(&file);
	if (!ok)
		diag_error_class(retelling->diag, DIAG_ENVIRONMENT, NULL,
				 "cannot write the dependency file '%s': %s",
				 retelling->line->dependencies, strerror(errno));
	source_free(source);
	return ok;
}
