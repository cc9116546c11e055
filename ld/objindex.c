/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file, in this machine's byte order, for it never leaves it:
 *
 *	struct header
 *	records		an entry, its sections, its groups, its symbols; and so on
 *	strings		each once, NUL-terminated; a record has its offset
 *
 * It is one that is believed whole or not at all (kept.h), so no offset in it need
 * be checked.
 */
#include "config.h"
#include "ld/objindex.h"

#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ld/kept.h"
#include "lib/memory.h"
#include "lib/source.h"

#define MAGIC "kerning objects5"

struct header {
	char magic[16];
	uint64_t entries, strings;	/* number of entries; offset of the strings in the file */
};

/* Which state of which file. */
struct stamp {
	uint64_t size, seconds, nanoseconds, inode, device;
	uint64_t changed, changed_nanoseconds;	/* st_ctim, which no program can set */
};

struct entry {
	struct stamp stamp;
	uint64_t offset, size;		/* of the object in the file */
	uint32_t path, source_file;	/* strings; source_file 0: none */
	uint32_t machine, elf_class, data, elf_type;
	uint32_t lto, fat_lto;
	uint32_t sections, groups, symbols;
	uint32_t padding;
};

struct section_record {
	uint64_t flags, size, align, content;
	uint32_t name, shndx, ordinal, type, group, names_group;
	uint32_t symbol, symbol_ordinal;	/* symbol 0: none */
};

struct group_record {
	uint32_t signature, comdat;
};

struct symbol_record {
	uint64_t value;
	uint32_t name, shndx, binding, function;
};

/* An entry at hand, to be found by path and offset, and to be saved. */
struct known {
	const char *path;
	uint64_t offset;
	const struct entry *entry;	/* in the file; NULL: it was added */
	struct stamp stamp;
	const struct object *object;	/* added, or given to somebody; NULL: neither */
	const struct object_place *place;
};

struct objindex {
	char *path;
	struct source *source;		/* the file's bytes; NULL: none */
	struct obstack arena;
	htab_t known;
	VEC(struct known *) used;	/* found or added, in order */
	bool added;
};

static hashval_t hash_known(const void *item)
{
	const struct known *known = item;

	return htab_hash_string(known->path) + (hashval_t)known->offset;
}

static int same_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return x->offset == y->offset && strcmp(x->path, y->path) == 0;
}

static const char *string_at(const struct objindex *index, uint32_t offset)
{
	const struct header *header = (const void *)index->source->text;

	return index->source->text + header->strings + offset;
}

static size_t entry_size(const struct entry *entry)
{
	return sizeof *entry + entry->sections * sizeof(struct section_record) +
	       entry->groups * sizeof(struct group_record) +
	       entry->symbols * sizeof(struct symbol_record);
}

static bool is_index(const struct source *source)
{
	return source->size >= sizeof(struct header) && memcmp(source->text, MAGIC, strlen(MAGIC)) == 0;
}

struct objindex *objindex_open(const char *path)
{
	struct objindex *index = xcalloc(1, sizeof *index);
	const struct header *header;
	const char *at;

	index->path = xstrdup(path);
	obstack_init(&index->arena);
	index->source = kept_read(path);
	if (index->source != NULL && !is_index(index->source)) {
		source_free(index->source);
		index->source = NULL;
	}
	header = index->source != NULL ? (const void *)index->source->text : NULL;
	index->known = htab_create_alloc(header != NULL ? 2 * header->entries + 1 : 64, hash_known,
					 same_known, NULL, xcalloc, free);
	if (header == NULL)
		return index;
	at = index->source->text + sizeof *header;
	for (uint64_t i = 0; i < header->entries; i++) {
		const struct entry *entry = (const void *)at;
		struct known *known = obstack_alloc(&index->arena, sizeof *known);

		*known = (struct known){ .path = string_at(index, entry->path),
					 .offset = entry->offset, .entry = entry,
					 .stamp = entry->stamp };
		*htab_find_slot(index->known, known, INSERT) = known;
		at += entry_size(entry);
	}
	return index;
}

void objindex_close(struct objindex *index)
{
	if (index == NULL)
		return;
	htab_delete(index->known);
	source_free(index->source);
	vec_release(&index->used);
	obstack_free(&index->arena, NULL);
	free(index->path);
	free(index);
}

static bool make_stamp(struct stamp *stamp, const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0)
		return false;
	*stamp = (struct stamp){ .size = (uint64_t)status.st_size,
				 .seconds = (uint64_t)status.st_mtim.tv_sec,
				 .nanoseconds = (uint64_t)status.st_mtim.tv_nsec,
				 .inode = status.st_ino, .device = status.st_dev,
				 .changed = (uint64_t)status.st_ctim.tv_sec,
				 .changed_nanoseconds = (uint64_t)status.st_ctim.tv_nsec };
	return true;
}

/* Makes an object of ENTRY's records. */
static void fill(const struct objindex *index, const struct entry *entry, struct object *object)
{
	const struct section_record *sections = (const void *)(entry + 1);
	const struct group_record *groups = (const void *)(sections + entry->sections);
	const struct symbol_record *symbols = (const void *)(groups + entry->groups);

	memset(object, 0, sizeof *object);
	obstack_init(&object->arena);
	object->machine = entry->machine;
	object->elf_class = entry->elf_class;
	object->data = entry->data;
	object->elf_type = entry->elf_type;
	object->source_file = entry->source_file != 0 ? string_at(index, entry->source_file) : NULL;
	object->lto = entry->lto;
	object->fat_lto = entry->fat_lto;
	for (uint32_t i = 0; i < entry->sections; i++)
		*vec_push(&object->sections) = (struct object_section){
			.name = string_at(index, sections[i].name), .shndx = sections[i].shndx,
			.ordinal = sections[i].ordinal, .type = sections[i].type, .flags = sections[i].flags,
			.content = sections[i].content,
			.symbol = sections[i].symbol != 0 ?
				  string_at(index, sections[i].symbol) : NULL,
			.symbol_ordinal = sections[i].symbol_ordinal,
			.size = sections[i].size, .align = sections[i].align,
			.group = sections[i].group, .names_group = sections[i].names_group };
	for (uint32_t i = 0; i < entry->groups; i++)
		*vec_push(&object->groups) = (struct object_group){
			.signature = string_at(index, groups[i].signature),
			.comdat = groups[i].comdat };
	for (uint32_t i = 0; i < entry->symbols; i++)
		*vec_push(&object->symbols) = (struct object_symbol){
			.name = string_at(index, symbols[i].name), .shndx = symbols[i].shndx,
			.value = symbols[i].value, .function = symbols[i].function,
			.binding = (enum object_binding)symbols[i].binding };
}

bool objindex_find(struct objindex *index, const struct object_place *place, struct object *object)
{
	struct known key = { .path = place->path, .offset = (uint64_t)place->offset }, *known;
	struct stamp stamp;

	known = htab_find(index->known, &key);
	if (known == NULL || known->entry == NULL ||
	    known->entry->size != (uint64_t)place->size || !make_stamp(&stamp, place->path) ||
	    memcmp(&stamp, &known->stamp, sizeof stamp) != 0)
		return false;
	fill(index, known->entry, object);
	known->object = object;
	known->place = place;
	*vec_push(&index->used) = known;
	return true;
}

void objindex_add(struct objindex *index, const struct object_place *place,
		  const struct object *object)
{
	struct known *known = obstack_alloc(&index->arena, sizeof *known);

	*known = (struct known){ .path = place->path, .offset = (uint64_t)place->offset,
				 .object = object, .place = place };
	if (!make_stamp(&known->stamp, place->path))
		return;
	*vec_push(&index->used) = known;
	*htab_find_slot(index->known, known, INSERT) = known;
	index->added = true;
}

/* A string of the file being written. */
struct string {
	const char *text;
	uint32_t offset;
};

static hashval_t hash_string(const void *item)
{
	return htab_hash_string(((const struct string *)item)->text);
}

static int same_string(const void *a, const void *b)
{
	return strcmp(((const struct string *)a)->text, ((const struct string *)b)->text) == 0;
}

struct saver {
	struct objindex *index;
	uint64_t entries;		/* saved */
	struct obstack arena;		/* struct string */
	struct obstack records, text;	/* what is being grown; the header stands before the records */
	htab_t strings;
};

static uint32_t save_string(struct saver *saver, const char *text)
{
	struct string key = { .text = text }, **slot;

	slot = (struct string **)htab_find_slot(saver->strings, &key, INSERT);
	if (*slot == NULL) {
		*slot = obstack_alloc(&saver->arena, sizeof **slot);
		(*slot)->text = text;
		(*slot)->offset = (uint32_t)obstack_object_size(&saver->text);
		obstack_grow(&saver->text, text, strlen(text) + 1);
	}
	return (*slot)->offset;
}

static void save_entry(struct saver *saver, const struct known *known)
{
	const struct object *object = known->object;
	struct entry entry = {
		.stamp = known->stamp, .offset = known->offset,
		.size = (uint64_t)known->place->size,
		.path = save_string(saver, known->path),
		.source_file = object->source_file != NULL ?
			       save_string(saver, object->source_file) : 0,
		.machine = object->machine, .elf_class = object->elf_class, .data = object->data,
		.elf_type = object->elf_type, .lto = object->lto, .fat_lto = object->fat_lto,
		.sections = (uint32_t)object->sections.count,
		.groups = (uint32_t)object->groups.count,
		.symbols = (uint32_t)object->symbols.count,
	};

	obstack_grow(&saver->records, &entry, sizeof entry);
	for (size_t i = 0; i < object->sections.count; i++) {
		const struct object_section *from = &object->sections.at[i];
		struct section_record record = {
			.flags = from->flags, .size = from->size, .align = from->align,
			.content = from->content,
			.name = save_string(saver, from->name), .shndx = from->shndx,
			.ordinal = from->ordinal, .type = from->type, .group = from->group,
			.names_group = from->names_group,
			.symbol = from->symbol != NULL ? save_string(saver, from->symbol) : 0,
			.symbol_ordinal = from->symbol_ordinal };

		obstack_grow(&saver->records, &record, sizeof record);
	}
	for (size_t i = 0; i < object->groups.count; i++) {
		struct group_record record = {
			.signature = save_string(saver, object->groups.at[i].signature),
			.comdat = object->groups.at[i].comdat };

		obstack_grow(&saver->records, &record, sizeof record);
	}
	for (size_t i = 0; i < object->symbols.count; i++) {
		const struct object_symbol *from = &object->symbols.at[i];
		struct symbol_record record = {
			.value = from->value, .name = save_string(saver, from->name),
			.shndx = from->shndx, .binding = from->binding,
			.function = from->function };

		obstack_grow(&saver->records, &record, sizeof record);
	}
}

/* Saves an entry that this link had no use for, where its file is still what it was. */
static int save_unused(void **slot, void *data)
{
	struct known *known = *slot;
	struct saver *saver = data;
	struct object_place place;
	struct object object;
	struct stamp stamp;

	if (known->object != NULL || !make_stamp(&stamp, known->path) ||
	    memcmp(&stamp, &known->stamp, sizeof stamp) != 0)
		return 1;
	place = (struct object_place){ .size = (off_t)known->entry->size };
	fill(saver->index, known->entry, &object);
	save_entry(saver, &(struct known){ .path = known->path, .offset = known->offset,
					   .stamp = stamp, .object = &object, .place = &place });
	object_release(&object);
	saver->entries++;
	return 1;
}

void objindex_save(struct objindex *index)
{
	struct saver saver = { .index = index, .entries = index->used.count };
	struct header header = { .magic = MAGIC };

	if (!index->added)
		return;
	obstack_init(&saver.arena);
	obstack_init(&saver.records);
	obstack_init(&saver.text);
	saver.strings = htab_create_alloc(4096, hash_string, same_string, NULL, xcalloc, free);
	save_string(&saver, "");	/* so that no other string has offset 0 */
	obstack_grow(&saver.records, &header, sizeof header);
	for (size_t i = 0; i < index->used.count; i++)
		save_entry(&saver, index->used.at[i]);
	htab_traverse_noresize(index->known, save_unused, &saver);
	header.entries = saver.entries;
	header.strings = obstack_object_size(&saver.records);
	obstack_grow(&saver.records, obstack_base(&saver.text), obstack_object_size(&saver.text));
	memcpy(obstack_base(&saver.records), &header, sizeof header);
	kept_write(index->path, obstack_base(&saver.records), obstack_object_size(&saver.records));
	htab_delete(saver.strings);
	obstack_free(&saver.arena, NULL);
	obstack_free(&saver.records, NULL);
	obstack_free(&saver.text, NULL);
}
