/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening the inputs of a link.
 */
#include "config.h"
#include "ld/inputs.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ldscripts/token.h"
#include "lib/memory.h"

struct opener {
	struct inputs *inputs;
	const struct linkline *line;
	const char *const *search_dirs;
	struct diag *diag;
	bool ok;
};

char *normal_path(const char *path, struct obstack *arena)
{
	char *folder = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char *whole = folder == NULL ? xstrdup(path) : xasprintf("%s/%s", folder, path);
	char *result = obstack_alloc(arena, strlen(whole) + 2);
	size_t length = 0;

	for (char *part = strtok(whole, "/"); part != NULL; part = strtok(NULL, "/")) {
		if (strcmp(part, ".") == 0)
			continue;
		if (strcmp(part, "..") == 0) {
			while (length > 0 && result[--length] != '/')
				;
			continue;
		}
		result[length++] = '/';
		memcpy(result + length, part, strlen(part));
		length += strlen(part);
	}
	if (length == 0)
		result[length++] = '/';
	result[length] = '\0';
	free(whole);
	free(folder);
	return result;
}

/* The normal path of PATH, in which the folder WITHIN stands for "/". */
static const char *path_within(const char *path, const char *within, struct obstack *arena)
{
	const char *normal = normal_path(path, arena);
	size_t length = within != NULL ? strlen(within) : 0;

	if (length <= 1 || strncmp(normal, within, length) != 0)
		return normal;
	if (normal[length] == '\0')
		return "/";
	return normal[length] == '/' ? normal + length : normal;
}

const char *identity_file(const struct inputs *inputs, const char *path, struct obstack *arena)
{
	const char *file = path_within(path, inputs->within, arena), *base = inputs->root;
	size_t shared = 0;
	unsigned up = 0;

	/* Whole components that both begin with. */
	for (size_t i = 0;; i++) {
		bool file_end = file[i] == '/' || file[i] == '\0';
		bool base_end = base[i] == '/' || base[i] == '\0';

		if (file_end && base_end)
			shared = i;
		if (file[i] != base[i] || file[i] == '\0')
			break;
	}
	if (base[1] == '\0' || shared == 0)
		return file;
	for (const char *rest = base + shared; *rest != '\0'; rest++)
		up += *rest == '/';
	if (file[shared] == '\0')
		return file;
	while (up-- > 0)
		obstack_grow(arena, "../", 3);
	obstack_grow0(arena, file + shared + 1, strlen(file + shared + 1));
	return obstack_finish(arena);
}

/* A compiler driver's temporary object, whose name says nothing: /tmp/ccXXXXXX.o. */
static bool is_temporary(const char *path)
{
	const char *base = strrchr(path, '/');

	return base != NULL && path[0] == '/' && fnmatch("cc??????*.o", base + 1, 0) == 0;
}

static struct input_object *add_object(struct inputs *inputs, size_t input, const char *name,
				       const char *archive, struct object_place place)
{
	struct input_object *object = obstack_alloc(&inputs->arena, sizeof *object);

	*object = (struct input_object){ .name = name, .archive = archive, .input = input,
					.archive_copy = archive, .place = place };
	*vec_push(&inputs->objects) = object;
	return object;
}

bool input_object_read(struct inputs *inputs, struct input_object *object, struct diag *diag)
{
	enum object_status status = OBJECT_OK;

	if (object->is_read)
		return !object->is_bad;
	if (inputs->index == NULL ||
	    !objindex_find(inputs->index, &object->place, &object->object)) {
		status = object_read(&object->object, &object->place, true, diag);
		if (status == OBJECT_OK && inputs->index != NULL)
			objindex_add(inputs->index, &object->place, &object->object);
	}
	object->is_read = true;
	object->is_bad = status != OBJECT_OK;
	return status != OBJECT_BAD;
}

/* The objects of an archive are not read yet: which ones are loaded decides the link. */
static void open_archive(struct opener *opener, struct input *input)
{
	struct inputs *inputs = opener->inputs;
	const char *file = identity_file(inputs, input->path, &inputs->arena);

	input->kind = INPUT_ARCHIVE;
	input->first = inputs->objects.count;
	input->count = input->archive.members.count;
	for (size_t i = 0; i < input->count; i++) {
		const struct archive_member *member = &input->archive.members.at[i];
		struct input_object *object;

		object = add_object(inputs, (size_t)(input - inputs->list.at), member->name,
				    input->path, member->place);
		/* A thin archive is a list: of files with names of their own, and other's members. */
		if (input->archive.thin)
			file = identity_file(inputs, member->place.path, &inputs->arena);
		if (input->archive.thin && member->place.size == 0)
			object->file = file;
		else if (member->ordinal > 1)
			object->file = obstack_format(&inputs->arena, "%s(%s~%u)", file,
						      member->short_name, member->ordinal);
		else
			object->file = obstack_format(&inputs->arena, "%s(%s)", file,
						      member->short_name);
	}
}

bool is_bytecode(const struct inputs *inputs, const struct input_object *object)
{
	return object->object.lto || (object->object.fat_lto && inputs->has_plugin);
}

static void open_path(struct opener *opener, struct input *input);

/* The file that -lNAME means: "libNAME.so" (unless static), then "libNAME.a", folder by folder. */
static const char *find_library(struct opener *opener, const char *name,
				const struct input_state *state)
{
	struct obstack *arena = &opener->inputs->arena;

	for (const char *const *dir = opener->search_dirs; *dir != NULL; dir++) {
		const char *path;

		if (name[0] == ':') {
			path = obstack_format(arena, "%s/%s", *dir, name + 1);
			if (access(path, F_OK) == 0)
				return path;
			continue;
		}
		if (!state->is_static && !opener->line->relocatable) {
			path = obstack_format(arena, "%s/lib%s.so", *dir, name);
			if (access(path, F_OK) == 0)
				return path;
		}
		path = obstack_format(arena, "%s/lib%s.a", *dir, name);
		if (access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

/* The file that an INPUT or GROUP of a script names. */
static const char *find_script_input(struct opener *opener, const char *name)
{
	struct obstack *arena = &opener->inputs->arena;

	if (name[0] == '/' && opener->line->sysroot != NULL) {
		const char *path = obstack_format(arena, "%s%s", opener->line->sysroot, name);

		if (access(path, F_OK) == 0)
			return path;
	}
	if (name[0] == '=')
		name++;
	if (access(name, F_OK) == 0)
		return name;
	for (const char *const *dir = opener->search_dirs; *dir != NULL; dir++) {
		const char *path = obstack_format(arena, "%s/%s", *dir, name);

		if (access(path, F_OK) == 0)
			return path;
	}
	return NULL;
}

/* A text among the inputs: a script that adds inputs, or one that kerning leaves to ld. */
static void open_script(struct opener *opener, size_t index)
{
	struct inputs *inputs = opener->inputs;
	struct source *source = source_read(inputs->list.at[index].path);
	struct diag quiet;
	struct script *script;
	unsigned group = 0x10000u + (unsigned)index;	/* none that the line uses */

	if (source == NULL)
		return;
	diag_init(&quiet, "", NULL);
	script = script_parse(source, NULL, &quiet);
	if (script == NULL) {
		inputs->opaque = inputs->list.at[index].path;
		return;
	}
	inputs->list.at[index].kind = INPUT_SCRIPT;
	inputs->list.at[index].script = script;
	for (const struct stmt *stmt = script->statements; stmt != NULL; stmt = stmt->next) {
		if (stmt->kind == STMT_SECTIONS)
			inputs->has_script_sections = true;
		if (stmt->kind != STMT_INPUT)
			continue;
		for (const struct input_item *item = stmt->u.input.items; item != NULL;
		     item = item->next) {
			struct input *parent = &inputs->list.at[index], *input;
			struct input_state state = parent->state;
			const char *path;

			state.as_needed |= item->as_needed;
			if (stmt->u.input.group && state.group == 0)
				state.group = group;
			path = item->is_library ? find_library(opener, item->name, &state) :
						  find_script_input(opener, item->name);
			input = vec_push(&inputs->list);
			*input = (struct input){ .kind = INPUT_OPAQUE, .path = path,
						 .word = inputs->list.at[index].word,
						 .state = state, .item = item,
						 .parent = index + 1 };
			open_path(opener, input);
		}
	}
}

/* Decides what an input is.  May move inputs->list: INPUT is stale afterwards. */
static void open_path(struct opener *opener, struct input *input)
{
	struct inputs *inputs = opener->inputs;
	size_t index = (size_t)(input - inputs->list.at);
	struct input_object *object;
	struct stat status;

	if (input->path == NULL || stat(input->path, &status) != 0 || !S_ISREG(status.st_mode))
		return;
	if (!input->state.plain_format) {
		inputs->opaque = input->path;
		return;
	}
	switch (archive_read(&input->archive, input->path, opener->diag)) {
	case ARCHIVE_OK:
		open_archive(opener, input);
		return;
	case ARCHIVE_BAD:
		opener->ok = false;
		return;
	case ARCHIVE_NOT:
		break;
	}
	object = add_object(inputs, index, input->path, NULL,
			    (struct object_place){ .path = input->path, .label = input->path });
	if (!input_object_read(inputs, object, opener->diag)) {
		opener->ok = false;
		return;
	}
	if (object->is_bad) {
		inputs->objects.count--;
		open_script(opener, index);
		return;
	}
	inputs->has_lto |= is_bytecode(inputs, object);
	if (object->object.elf_type != 1 /* ET_REL */) {
		inputs->objects.count--;
		input->kind = INPUT_SHARED;
		input->shared = object->object;
		return;
	}
	input->kind = INPUT_OBJECT;
	input->first = inputs->objects.count - 1;
	input->count = 1;
	object->file = is_temporary(input->path) && object->object.source_file != NULL ?
		       obstack_strdup(&inputs->arena, object->object.source_file) :
		       identity_file(inputs, input->path, &inputs->arena);
}

static int compare_files(const void *a, const void *b)
{
	const struct input_object *const *x = a, *const *y = b;
	int order = strcmp((*x)->file, (*y)->file);

	if (order == 0)
		order = strcmp((*x)->place.path, (*y)->place.path);
	return order != 0 ? order : (*x)->place.offset < (*y)->place.offset ? -1 :
	       (*x)->place.offset > (*y)->place.offset;
}

static bool same_place(const struct input_object *a, const struct input_object *b)
{
	return a->place.offset == b->place.offset && strcmp(a->place.path, b->place.path) == 0;
}

/*
 * Two objects of one name (two temporaries of one source) get ~2, ~3.  Not one
 * file that is on the line twice, as libgcc.a is: it stays what it is.
 */
static void make_unique(struct inputs *inputs)
{
	size_t count = inputs->objects.count;
	struct input_object **sorted = xcalloc(count + 1, sizeof *sorted);

	for (size_t i = 0; i < count; i++)
		sorted[i] = inputs->objects.at[i];
	qsort(sorted, count, sizeof *sorted, compare_files);
	for (size_t i = 0, same; i < count; i = same) {
		const char *file = sorted[i]->file;
		unsigned ordinal = 1;

		for (same = i + 1; same < count && strcmp(file, sorted[same]->file) == 0; same++) {
			ordinal += !same_place(sorted[same - 1], sorted[same]);
			if (ordinal > 1)
				sorted[same]->file = obstack_format(&inputs->arena, "%s~%u", file,
								    ordinal);
		}
	}
	free(sorted);
}

bool inputs_open(struct inputs *inputs, const struct linkline *line,
		 const char *const *search_dirs, const char *root, const char *within,
		 struct objindex *index, struct diag *diag)
{
	struct opener opener = { .inputs = inputs, .line = line, .search_dirs = search_dirs,
				 .diag = diag, .ok = true };

	memset(inputs, 0, sizeof *inputs);
	obstack_init(&inputs->arena);
	if (within != NULL)
		inputs->within = normal_path(within, &inputs->arena);
	inputs->root = path_within(root, inputs->within, &inputs->arena);
	inputs->index = index;
	inputs->has_plugin = line->plugin;
	for (size_t i = 0; i < line->words.count; i++) {
		const struct word *word = &line->words.at[i];
		struct input *input;
		const char *path = word->value;

		if (word->kind != WORD_INPUT && word->kind != WORD_LIBRARY)
			continue;
		if (word->kind == WORD_LIBRARY)
			path = find_library(&opener, word->value, &word->state);
		input = vec_push(&inputs->list);
		*input = (struct input){ .kind = INPUT_OPAQUE, .path = path, .word = i,
					 .state = word->state };
		open_path(&opener, input);
	}
	if (opener.ok)
		make_unique(inputs);
	return opener.ok;
}

void inputs_release(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->list.count; i++) {
		struct input *input = &inputs->list.at[i];

		if (input->kind == INPUT_ARCHIVE)
			archive_release(&input->archive);
		if (input->kind == INPUT_SHARED)
			object_release(&input->shared);
		if (input->script != NULL)
			script_free(input->script);
	}
	for (size_t i = 0; i < inputs->objects.count; i++)
		if (inputs->objects.at[i]->is_read && !inputs->objects.at[i]->is_bad)
			object_release(&inputs->objects.at[i]->object);
	vec_release(&inputs->list);
	vec_release(&inputs->objects);
	obstack_free(&inputs->arena, NULL);
}
