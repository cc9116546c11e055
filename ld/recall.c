/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text, a line a fact:
 *
 *	key 8f2c11d09a3b7e55
 *	loaded liblua5.4.a(lapi.o)
 *	absent main.o(.text.unused)
 */
#include "config.h"
#include "ld/recall.h"

#include <inttypes.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

#include "ld/kept.h"
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
		    word->kind == WORD_MAP || word->kind == WORD_DEPENDENCIES || strncmp(word->text[0], "-plugin-opt", 11) == 0)
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

/* One line behind the first.  False: it is none that was written for these inputs. */
static bool read_line(struct correction *correction, const char *line, htab_t objects,
		      struct obstack *arena)
{
	struct input_object wanted = { .file = line + strlen("loaded ") }, *object;

	if (strncmp(line, "absent ", 7) == 0) {
		*vec_push(&correction->absent) = obstack_strdup(arena, line + 7);
		return true;
	}
	object = strncmp(line, "loaded ", 7) == 0 ? htab_find(objects, &wanted) : NULL;
	if (object != NULL)
		*vec_push(&correction->loaded) = object;
	return object != NULL;
}

bool recall_read(struct correction *correction, const char *path, uint64_t key,
		 const struct inputs *inputs, struct obstack *arena)
{
	struct source *source = kept_read(path);
	char *rest, *line;
	htab_t objects;
	bool good;

	if (source == NULL)
		return false;
	line = strtok_r(source->text, "\n", &rest);
	good = line != NULL && strncmp(line, "key ", 4) == 0 && strtoull(line + 4, NULL, 16) == key;
	if (good) {
		objects = objects_by_file(inputs);
		while (good && (line = strtok_r(NULL, "\n", &rest)) != NULL)
			good = read_line(correction, line, objects, arena);
		htab_delete(objects);
	}
	source_free(source);
	if (!good)
		correction->loaded.count = correction->absent.count = 0;
	return good;
}

void recall_write(const struct correction *correction, const char *path, uint64_t key)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL)
		return;
	fprintf(stream, "key %016" PRIx64 "\n", key);
	for (size_t i = 0; i < correction->loaded.count; i++)
		fprintf(stream, "loaded %s\n", correction->loaded.at[i]->file);
	for (size_t i = 0; i < correction->absent.count; i++)
		fprintf(stream, "absent %s\n", correction->absent.at[i]);
	fclose(stream);
	kept_write(path, text, size);
	free(text);
}
