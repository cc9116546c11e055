/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Archive members by symbol resolution.
 *
 * ld goes through the inputs once, in order.  An object's symbols enter the
 * table.  An archive's index is gone through again and again, as long as that
 * loads anything: a member is loaded where its symbol is undefined (not weakly)
 * by then.  A group's archives are gone through together in the same way.
 */
#include "config.h"
#include "ld/resolve.h"

#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

enum symbol_state { SYMBOL_NEW, SYMBOL_UNDEFINED_WEAK, SYMBOL_UNDEFINED, SYMBOL_COMMON,
		    SYMBOL_DEFINED };

struct symbol {
	const char *name;
	enum symbol_state state;
};

struct resolver {
	struct inputs *inputs;
	struct loaded *loaded;
	const struct correction *correction;
	struct diag *diag;
	struct obstack arena;
	htab_t symbols;
	bool searching;		/* some archive is searched by symbols */
	bool ok;
};

static hashval_t hash_symbol(const void *entry)
{
	return htab_hash_string(((const struct symbol *)entry)->name);
}

static int same_symbol(const void *a, const void *b)
{
	return strcmp(((const struct symbol *)a)->name, ((const struct symbol *)b)->name) == 0;
}

static struct symbol *find_symbol(struct resolver *resolver, const char *name, bool insert)
{
	struct symbol key = { .name = name }, **slot;

	slot = (struct symbol **)htab_find_slot(resolver->symbols, &key,
						insert ? INSERT : NO_INSERT);
	if (slot == NULL)
		return NULL;
	if (*slot == NULL) {
		*slot = obstack_alloc(&resolver->arena, sizeof **slot);
		**slot = key;
	}
	return *slot;
}

static void add_symbol(struct resolver *resolver, const struct object_symbol *from)
{
	struct symbol *symbol = find_symbol(resolver, from->name, true);
	enum symbol_state state = SYMBOL_DEFINED;

	switch (from->binding) {
	case OBJECT_UNDEFINED:
		state = SYMBOL_UNDEFINED;
		break;
	case OBJECT_UNDEFINED_WEAK:
		state = SYMBOL_UNDEFINED_WEAK;
		break;
	case OBJECT_COMMON:
		state = SYMBOL_COMMON;
		break;
	case OBJECT_DEFINED:
	case OBJECT_DEFINED_WEAK:
		break;
	}
	if (state > symbol->state)
		symbol->state = state;
}

static void load_object(struct resolver *resolver, struct input_object *object)
{
	if (object->is_loaded)
		return;
	object->is_loaded = true;
	if (!input_object_read(resolver->inputs, object, resolver->diag)) {
		resolver->ok = false;
		return;
	}
	if (object->is_bad)
		return;
	resolver->inputs->has_lto |= is_bytecode(resolver->inputs, object);
	*vec_push(&resolver->loaded->objects) = object;
	for (size_t i = 0; resolver->searching && i < object->object.symbols.count; i++)
		add_symbol(resolver, &object->object.symbols.at[i]);
}

/* A shared library that --as-needed stands before is taken only if it defines what is missing. */
static void load_shared(struct resolver *resolver, const struct input *input)
{
	bool needed = !input->state.as_needed;

	for (size_t i = 0; !needed && i < input->shared.symbols.count; i++) {
		const struct object_symbol *from = &input->shared.symbols.at[i];
		const struct symbol *symbol = find_symbol(resolver, from->name, false);

		needed = symbol != NULL && symbol->state == SYMBOL_UNDEFINED;
	}
	for (size_t i = 0; needed && resolver->searching && i < input->shared.symbols.count; i++)
		add_symbol(resolver, &input->shared.symbols.at[i]);
}

/* A common symbol loads the member that defines it with a value, not one that has it common too. */
static bool defines(struct resolver *resolver, struct input_object *object, const char *name)
{
	if (!input_object_read(resolver->inputs, object, resolver->diag)) {
		resolver->ok = false;
		return false;
	}
	for (size_t i = 0; !object->is_bad && i < object->object.symbols.count; i++) {
		const struct object_symbol *symbol = &object->object.symbols.at[i];

		if ((symbol->binding == OBJECT_DEFINED || symbol->binding == OBJECT_DEFINED_WEAK) &&
		    !symbol->function && strcmp(symbol->name, name) == 0)
			return true;
	}
	return false;
}

/* One archive; true if it loaded anything. */
static bool search_archive(struct resolver *resolver, const struct input *input)
{
	const struct archive *archive = &input->archive;
	bool any = false, again;

	if (input->state.whole_archive) {
		for (size_t i = 0; i < input->count; i++)
			load_object(resolver, resolver->inputs->objects.at[input->first + i]);
		return false;
	}
	do {
		again = false;
		for (size_t i = 0; i < archive->symbols.count; i++) {
			const struct archive_symbol *entry = &archive->symbols.at[i];
			struct input_object *object;
			const struct symbol *symbol;

			object = resolver->inputs->objects.at[input->first + entry->member];
			if (object->is_loaded)
				continue;
			symbol = find_symbol(resolver, entry->name, false);
			if (symbol == NULL)
				continue;
			if (symbol->state == SYMBOL_UNDEFINED ||
			    (symbol->state == SYMBOL_COMMON &&
			     defines(resolver, object, entry->name))) {
				load_object(resolver, object);
				again = any = true;
			}
		}
	} while (again);
	return any;
}

static bool load_input(struct resolver *resolver, const struct input *input)
{
	switch (input->kind) {
	case INPUT_OBJECT:
		load_object(resolver, resolver->inputs->objects.at[input->first]);
		return false;
	case INPUT_ARCHIVE:
		return search_archive(resolver, input);
	case INPUT_SHARED:
		load_shared(resolver, input);
		return false;
	case INPUT_SCRIPT:
	case INPUT_OPAQUE:
		break;
	}
	return false;
}

static void add_undefined(struct resolver *resolver, const char *name)
{
	add_symbol(resolver, &(struct object_symbol){ .name = name, .binding = OBJECT_UNDEFINED });
}

/* The members that the map of an earlier link names, of the archives [begin, end), in its order. */
static void load_known(struct resolver *resolver, size_t begin, size_t end)
{
	struct inputs *inputs = resolver->inputs;

	for (size_t i = begin; i < end; i++)
		if (inputs->list.at[i].kind != INPUT_ARCHIVE ||
		    inputs->list.at[i].state.whole_archive)
			load_input(resolver, &inputs->list.at[i]);
	for (size_t k = 0; k < resolver->correction->loaded.count; k++) {
		struct input_object *object = resolver->correction->loaded.at[k];

		if (object->input >= begin && object->input < end)
			load_object(resolver, object);
	}
}

bool resolve_loaded(struct inputs *inputs, const struct linkline *line, const char *const *extra,
		    const struct correction *correction, struct loaded *loaded, struct diag *diag)
{
	struct resolver resolver = { .inputs = inputs, .loaded = loaded, .diag = diag,
				     .correction = correction, .ok = true };

	obstack_init(&resolver.arena);
	resolver.symbols = htab_create_alloc(4096, hash_symbol, same_symbol, NULL, xcalloc, free);
	for (size_t i = 0; i < inputs->list.count; i++)
		resolver.searching |= inputs->list.at[i].kind == INPUT_ARCHIVE &&
				      !inputs->list.at[i].state.whole_archive;
	for (size_t i = 0; i < line->undefined.count; i++)
		add_undefined(&resolver, line->undefined.at[i]);
	if (line->entry != NULL)
		add_undefined(&resolver, line->entry);
	for (size_t i = 0; extra != NULL && extra[i] != NULL; i++)
		add_undefined(&resolver, extra[i]);
	for (size_t i = 0; i < inputs->list.count;) {
		unsigned group = inputs->list.at[i].state.group;
		size_t end = i + 1;
		bool again;

		while (group != 0 && end < inputs->list.count &&
		       inputs->list.at[end].state.group == group)
			end++;
		if (correction != NULL) {
			load_known(&resolver, i, end);
			i = end;
			continue;
		}
		do {
			again = false;
			for (size_t at = i; at < end; at++)
				again |= load_input(&resolver, &inputs->list.at[at]);
		} while (again && group != 0);
		i = end;
	}
	htab_delete(resolver.symbols);
	obstack_free(&resolver.arena, NULL);
	return resolver.ok;
}
