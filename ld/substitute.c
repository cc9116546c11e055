/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Putting tagged copies in the place of the link's inputs.
 *
 * An archive with tagged members is replaced by a thin one, which lists these
 * and, where they lie, all its other members: which of them are loaded is for
 * ld to say, whatever was predicted.
 */
#include "config.h"
#include "ld/substitute.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ld/tag.h"
#include "ldscripts/edit.h"
#include "lib/file.h"
#include "lib/memory.h"

struct renamed {
	struct input_object *owner;
	struct rename rename;
};

static int compare_renamed(const void *a, const void *b)
{
	const struct renamed *x = a, *y = b;

	if (x->owner != y->owner)
		return x->owner < y->owner ? -1 : 1;
	return x->rename.shndx < y->rename.shndx ? -1 : x->rename.shndx > y->rename.shndx;
}

/* The first variant of the copy that is this link's, or nobody's. */
static bool tag_object(struct input_object *owner, const struct rename *renames, size_t count,
		       struct cache *cache, struct diag *diag)
{
	enum tag_result result = TAG_TAKEN;

	for (unsigned variant = 0; result == TAG_TAKEN; variant++) {
		owner->copy = cache_copy_path(cache, owner->file, variant);
		result = tag_copy(owner->copy, &owner->place, renames, count, diag);
	}
	return result != TAG_FAILED;
}

/* Tags each object that has units, once. */
static bool tag_objects(const struct census *census, struct cache *cache, struct diag *diag)
{
	VEC(struct renamed) all = VEC_INIT;
	VEC(struct rename) renames = VEC_INIT;
	bool ok = true;

	for (size_t i = 0; i < census->units.count; i++)
		if (census->tags.at[i] != NULL)
			*vec_push(&all) = (struct renamed){
				.owner = census->owners.at[i],
				.rename = { .shndx = census->units.at[i].shndx,
					    .name = census->tags.at[i] },
			};
	for (size_t i = 0; i < census->restored.count; i++)
		*vec_push(&all) = (struct renamed){
			.owner = census->restored.at[i].owner,
			.rename = { census->restored.at[i].shndx, census->restored.at[i].name,
				    census->restored.at[i].reflagged, census->restored.at[i].flags },
		};
	if (all.count > 0)
		qsort(all.at, all.count, sizeof *all.at, compare_renamed);
	for (size_t begin = 0, end; ok && begin < all.count; begin = end) {
		struct input_object *owner = all.at[begin].owner;

		renames.count = 0;
		for (end = begin; end < all.count && all.at[end].owner == owner; end++)
			*vec_push(&renames) = all.at[end].rename;
		ok = tag_object(owner, renames.at, renames.count, cache, diag);
	}
	vec_release(&all);
	vec_release(&renames);
	return ok;
}

/* The thin archive for an archive with tagged members. */
static bool make_archive(struct inputs *inputs, struct input *input, struct cache *cache,
			 struct diag *diag)
{
	const char **files;
	bool any = false, ok;

	for (size_t i = 0; i < input->count; i++)
		any |= inputs->objects.at[input->first + i]->copy != NULL;
	if (!any)
		return true;
	input->copy = cache_archive_path(cache, identity_file(inputs, input->path, &cache->arena));
	files = xcalloc(input->count, sizeof *files);
	for (size_t i = 0; i < input->count; i++) {
		struct input_object *object = inputs->objects.at[input->first + i];

		files[i] = object->copy;
		if (object->copy != NULL)
			object->archive_copy = input->copy;
	}
	ok = archive_write_thin(input->copy, &input->archive, files, diag);
	free(files);
	return ok;
}

/* A script among the inputs, written anew where something that it names has a copy. */
static bool make_script(struct inputs *inputs, size_t index, struct cache *cache,
			struct diag *diag)
{
	struct input *script = &inputs->list.at[index];
	struct edits *edits;
	struct outfile file;
	bool any = false, ok;

	for (size_t i = index + 1; i < inputs->list.count; i++)
		any |= inputs->list.at[i].parent == index + 1 && inputs->list.at[i].copy != NULL;
	if (!any)
		return true;
	script->copy = obstack_format(&cache->arena, "%s/input%zu.ld", cache->work, index);
	edits = edits_new(script->script->source);
	for (size_t i = index + 1; i < inputs->list.count; i++) {
		const struct input *input = &inputs->list.at[i];

		if (input->parent != index + 1 || input->path == NULL)
			continue;
		edit_replace(edits, input->item->span,
			     obstack_format(&cache->arena, "\"%s\"",
					    input->copy != NULL ? input->copy : input->path));
	}
	ok = outfile_open(&file, script->copy);
	if (ok) {
		edits_write(edits, file.stream);
		ok = outfile_commit(&file);
	}
	if (!ok)
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s",
				 script->copy, strerror(errno));
	edits_free(edits);
	return ok;
}

bool substitute_inputs(struct inputs *inputs, const struct census *census, struct cache *cache,
		       struct diag *diag)
{
	bool ok = cache_lock(cache, diag) && tag_objects(census, cache, diag);

	cache_unlock(cache);
	for (size_t i = 0; ok && i < inputs->list.count; i++) {
		struct input *input = &inputs->list.at[i];

		if (input->kind == INPUT_OBJECT)
			input->copy = inputs->objects.at[input->first]->copy;
		else if (input->kind == INPUT_ARCHIVE)
			ok = make_archive(inputs, input, cache, diag);
	}
	/* Scripts last, innermost first: what they name is known by then. */
	for (size_t i = inputs->list.count; ok && i-- > 0;)
		if (inputs->list.at[i].kind == INPUT_SCRIPT)
			ok = make_script(inputs, i, cache, diag);
	return ok;
}

struct line_writer {
	VEC(char *) words;
};

static void put(struct line_writer *writer, const char *text)
{
	*vec_push(&writer->words) = (char *)text;
}

static void put_word(struct line_writer *writer, const struct word *word)
{
	put(writer, word->text[0]);
	if (word->text[1] != NULL)
		put(writer, word->text[1]);
}

/* The input of word INDEX that the link line itself names, or NULL. */
static const struct input *input_of_word(const struct inputs *inputs, size_t index, size_t *next)
{
	while (*next < inputs->list.count &&
	       (inputs->list.at[*next].word < index || inputs->list.at[*next].parent != 0))
		++*next;
	if (*next < inputs->list.count && inputs->list.at[*next].word == index)
		return &inputs->list.at[*next];
	return NULL;
}

static void put_input(struct line_writer *writer, const struct word *word,
		      const struct input *input)
{
	if (input == NULL || input->copy == NULL) {
		put_word(writer, word);
		return;
	}
	put(writer, input->copy);
}

char **substitute_line(const struct linkline *line, const struct inputs *inputs,
		       const struct link_scripts *scripts, const char *const *copies,
		       const char *ld, const struct line_files *files,
		       const char *const *apart, size_t count, struct obstack *arena)
{
	struct line_writer writer = { .words = VEC_INIT };
	size_t next = 0;
	char **result;

	put(&writer, ld);
	put(&writer, obstack_format(arena, "-Map=%s", files->map));
	put(&writer, "-o");
	put(&writer, files->output);
	if (line->dependencies != NULL)
		put(&writer, obstack_format(arena, "--dependency-file=%s", files->dependencies));
	for (size_t i = 0; i < count; i++)
		put(&writer, obstack_format(arena, "--unique=%s", apart[i]));
	for (size_t i = 0; scripts != NULL && i < scripts->list.count; i++)
		if (scripts->list.at[i].word == NO_WORD) {
			put(&writer, "-dT");
			put(&writer, copies[i]);
		}
	for (size_t i = 0; i < line->words.count; i++) {
		const struct word *word = &line->words.at[i];

		switch (word->kind) {
		case WORD_INPUT:
		case WORD_LIBRARY:
			put_input(&writer, word, input_of_word(inputs, i, &next));
			break;
		case WORD_SCRIPT:
		case WORD_DEFAULT_SCRIPT:
			if (scripts == NULL) {
				put_word(&writer, word);
				break;
			}
			for (size_t s = 0; s < scripts->list.count; s++)
				if (scripts->list.at[s].word == i) {
					put(&writer, word->kind == WORD_SCRIPT ? "-T" : "-dT");
					put(&writer, copies[s]);
				}
			break;
		case WORD_OUTPUT:
		case WORD_MAP:
		case WORD_DEPENDENCIES:
		case WORD_KERNING:
			break;
		case WORD_OPTION:
			put_word(&writer, word);
			break;
		}
	}
	put(&writer, NULL);
	result = obstack_copy(arena, writer.words.at, (int)(writer.words.count * sizeof *result));
	vec_release(&writer.words);
	return result;
}
