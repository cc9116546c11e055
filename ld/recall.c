/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text file, a line a fact, whose last line shows that it is whole:
 *
 *	key 8f2c11d09a3b7e55
 *	loaded liblua5.4.a(lapi.o)
 *	absent main.o(.text.unused)
 *	end
 */
#include "config.h"
#include "ld/recall.h"

#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "lib/file.h"
#include "lib/memory.h"

static void hash_text(XXH3_state_t *state, const char *text)
{
	XXH3_64bits_update(state, text, strlen(text) + 1);
}

static void hash_file(XXH3_state_t *state, const char *path)
{
	struct stat status = { 0 };
	uint64_t facts[6] = { 0 };

	if (path != NULL && stat(path, &status) == 0) {
		facts[0] = (uint64_t)status.st_size;
		facts[1] = (uint64_t)status.st_mtim.tv_sec;
		facts[2] = (uint64_t)status.st_mtim.tv_nsec;
		facts[3] = status.st_ino;
		facts[4] = (uint64_t)status.st_ctim.tv_sec;
		facts[5] = (uint64_t)status.st_ctim.tv_nsec;
	}
	XXH3_64bits_update(state, facts, sizeof facts);
}

uint64_t recall_key(const struct linkline *line, const struct inputs *inputs,
		    const struct link_scripts *scripts)
{
	XXH3_state_t *state = XXH3_createState();
	uint64_t key;

	XXH3_64bits_reset(state);
	for (size_t i = 0; i < line->words.count; i++) {
		const struct word *word = &line->words.at[i];

		/* What the compiler tells its plugin holds the name of a temporary file. */
		if (word->kind == WORD_KERNING || word->kind == WORD_OUTPUT ||
		    word->kind == WORD_MAP || strncmp(word->text[0], "-plugin-opt", 11) == 0)
			continue;
		hash_text(state, word->text[0]);
		hash_text(state, word->text[1] != NULL ? word->text[1] : "");
	}
	for (size_t i = 0; i < scripts->list.count; i++)
		hash_text(state, scripts->list.at[i].script->source->text);
	for (size_t i = 0; i < inputs->list.count; i++)
		hash_file(state, inputs->list.at[i].path);
	for (size_t i = 0; i < inputs->objects.count; i++)
		if (inputs->objects.at[i]->place.size == 0)
			hash_file(state, inputs->objects.at[i]->place.path);
	key = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return key;
}

static hashval_t hash_object(const void *entry)
{
	return htab_hash_string(((const struct input_object *)entry)->file);
}

static int same_object(const void *a, const void *b)
{
	return strcmp(((const struct input_object *)a)->file,
		      ((const struct input_object *)b)->file) == 0;
}

static htab_t objects_by_file(const struct inputs *inputs)
{
	htab_t table = htab_create_alloc(inputs->objects.count + 1, hash_object, same_object, NULL,
					 xcalloc, free);

	for (size_t i = 0; i < inputs->objects.count; i++)
		*htab_find_slot(table, inputs->objects.at[i], INSERT) = inputs->objects.at[i];
	return table;
}

bool recall_read(struct correction *correction, const char *path, uint64_t key,
		 const struct inputs *inputs, struct obstack *arena)
{
	struct source *source = source_read(path);
	htab_t objects = NULL;
	bool whole = false;

	if (source == NULL)
		return false;
	for (char *line = strtok(source->text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
		if (objects == NULL) {
			if (strncmp(line, "key ", 4) != 0 || strtoull(line + 4, NULL, 16) != key)
				break;
			objects = objects_by_file(inputs);
		} else if (strncmp(line, "loaded ", 7) == 0) {
			struct input_object wanted = { .file = line + 7 }, *object;

			object = htab_find(objects, &wanted);
			if (object == NULL)
				break;
			*vec_push(&correction->loaded) = object;
		} else if (strncmp(line, "absent ", 7) == 0) {
			*vec_push(&correction->absent) = obstack_strdup(arena, line + 7);
		} else {
			whole = strcmp(line, "end") == 0;
		}
	}
	if (objects != NULL)
		htab_delete(objects);
	source_free(source);
	if (!whole)
		correction->loaded.count = correction->absent.count = 0;
	return whole;
}

void recall_write(const struct correction *correction, const char *path, uint64_t key)
{
	struct outfile file;

	if (!outfile_open(&file, path))
		return;
	fprintf(file.stream, "key %016" PRIx64 "\n", key);
	for (size_t i = 0; i < correction->loaded.count; i++)
		fprintf(file.stream, "loaded %s\n", correction->loaded.at[i]->file);
	for (size_t i = 0; i < correction->absent.count; i++)
		fprintf(file.stream, "absent %s\n", correction->absent.at[i]);
	fputs("end\n", file.stream);
	outfile_commit(&file);
}
