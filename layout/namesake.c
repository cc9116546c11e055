/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ways: a table by identity, then lists of what is left, sorted by a hash of
 * what has to be equal.  What stands alone in both is a pair.
 */
#include "config.h"

#include "layout/namesake.h"

#include <string.h>
#include <xxhash.h>

#include "lib/memory.h"

static hashval_t hash_identity(const void *entry)
{
	const struct identity *identity = entry;

	return htab_hash_string(identity->file) * 31 + htab_hash_string(identity->section) +
	       (identity->symbol != NULL ? htab_hash_string(identity->symbol) * 17 : 0) +
	       identity->ordinal;
}

static int same_identity(const void *a, const void *b)
{
	return identity_compare(a, b) == 0;
}

/* The unit whose identity this is. */
static const struct layout_unit *unit_of(const struct identity *identity)
{
	return (const void *)((const char *)identity - offsetof(struct layout_unit, identity));
}

void namesakes_open(struct namesakes *namesakes, const struct layout *layout)
{
	*namesakes = (struct namesakes){ .layout = layout };
	namesakes->by_identity = htab_create_alloc(2 * layout->units.count + 1, hash_identity,
						 same_identity, NULL, xcalloc, free);
	namesakes->used = xcalloc(layout->units.count + 1, sizeof *namesakes->used);
	for (size_t i = 0; i < layout->units.count; i++) {
		const struct layout_unit *unit = &layout->units.at[i];
		void **slot = htab_find_slot(namesakes->by_identity, &unit->identity, INSERT);

		if (*slot != NULL)
			namesakes->twice = unit;
		*slot = (void *)&unit->identity;
	}
}

void namesakes_release(struct namesakes *namesakes)
{
	htab_delete(namesakes->by_identity);
	free(namesakes->used);
	vec_release(&namesakes->sought);
}

static void use(struct namesakes *namesakes, struct sought *sought, const struct layout_unit *unit)
{
	sought->found = unit;
	namesakes->used[unit - namesakes->layout->units.at] = true;
}

const struct layout_unit *namesakes_find(struct namesakes *namesakes, const struct identity *identity,
				       uint64_t content)
{
	const struct identity *found = htab_find(namesakes->by_identity, identity);
	struct sought *sought = vec_push(&namesakes->sought);

	*sought = (struct sought){ identity, content, NULL };
	if (found != NULL)
		use(namesakes, sought, unit_of(found));
	return sought->found;
}

/* --- What was renamed ----------------------------------------------------- */

struct key {
	uint64_t hash;		/* 0: takes no part */
	size_t index;
};

struct keys { VEC(struct key) list; };

static uint64_t content_hash(const struct identity *identity, uint64_t content)
{
	return content == 0 ? 0 : XXH3_64bits_withSeed(identity->section, strlen(identity->section),
						       content);
}

/* Of the file's name what is no digit, and all the rest. */
static uint64_t name_hash(const struct identity *identity, uint64_t content)
{
	const char *parts[] = { identity->file, identity->section,
				identity->symbol != NULL ? identity->symbol : "" };
	uint64_t hash = identity->ordinal;
	char letters[512];

	(void)content;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		size_t length = 0;

		for (const char *c = parts[i]; *c != '\0' && length < sizeof letters; c++)
			if (i > 0 || *c < '0' || *c > '9')
				letters[length++] = *c;
		hash = XXH3_64bits_withSeed(letters, length, hash);
	}
	return hash;
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static void sort_keys(struct keys *keys)
{
	if (keys->list.count > 1)
		qsort(keys->list.at, keys->list.count, sizeof *keys->list.at, compare_keys);
}

/* How many from AT on have its hash. */
static size_t count_equal(const struct keys *keys, size_t at)
{
	size_t end = at;

	while (end < keys->list.count && keys->list.at[end].hash == keys->list.at[at].hash)
		end++;
	return end - at;
}

static void pair_by(struct namesakes *namesakes,
		    uint64_t (*hash)(const struct identity *identity, uint64_t content))
{
	struct keys before = { VEC_INIT }, after = { VEC_INIT };
	size_t x = 0, y = 0;

	for (size_t i = 0; i < namesakes->layout->units.count; i++) {
		const struct layout_unit *unit = &namesakes->layout->units.at[i];

		if (!namesakes->used[i])
			*vec_push(&before.list) = (struct key){ hash(&unit->identity, unit->content), i };
	}
	for (size_t i = 0; i < namesakes->sought.count; i++) {
		const struct sought *sought = &namesakes->sought.at[i];

		if (sought->found == NULL)
			*vec_push(&after.list) = (struct key){ hash(sought->identity, sought->content), i };
	}
	sort_keys(&before);
	sort_keys(&after);
	while (x < before.list.count && y < after.list.count) {
		const struct key *left = &before.list.at[x], *right = &after.list.at[y];
		size_t left_count = count_equal(&before, x), right_count = count_equal(&after, y);

		if (left->hash == right->hash && left->hash != 0 && left_count == 1 && right_count == 1)
			use(namesakes, &namesakes->sought.at[right->index],
			    &namesakes->layout->units.at[left->index]);
		if (left->hash <= right->hash)
			x += left_count;
		if (right->hash <= left->hash)
			y += right_count;
	}
	vec_release(&before.list);
	vec_release(&after.list);
}

/* A file that has another name now: one of its units was found by content. */
struct renamed_file {
	const char *after, *before;
};

static hashval_t hash_file(const void *entry)
{
	return htab_hash_string(((const struct renamed_file *)entry)->after);
}

static int same_file(const void *a, const void *b)
{
	return strcmp(((const struct renamed_file *)a)->after,
		      ((const struct renamed_file *)b)->after) == 0;
}

/* What else a renamed file has goes with it. */
static void pair_by_file(struct namesakes *namesakes)
{
	htab_t files = htab_create_alloc(16, hash_file, same_file, free, xcalloc, free);

	for (size_t i = 0; i < namesakes->sought.count; i++) {
		const struct sought *sought = &namesakes->sought.at[i];
		struct renamed_file *file, **slot;

		if (sought->found == NULL ||
		    strcmp(sought->found->identity.file, sought->identity->file) == 0)
			continue;
		file = xmalloc(sizeof *file);
		*file = (struct renamed_file){ sought->identity->file, sought->found->identity.file };
		slot = (struct renamed_file **)htab_find_slot(files, file, INSERT);
		if (*slot == NULL)
			*slot = file;
		else
			free(file);
	}
	for (size_t i = 0; i < namesakes->sought.count; i++) {
		struct sought *sought = &namesakes->sought.at[i];
		const struct renamed_file key = { .after = sought->identity->file }, *file;
		const struct identity *found;
		struct identity identity = *sought->identity;

		if (sought->found != NULL || (file = htab_find(files, &key)) == NULL)
			continue;
		identity.file = file->before;
		found = htab_find(namesakes->by_identity, &identity);
		if (found != NULL && !namesakes->used[unit_of(found) - namesakes->layout->units.at])
			use(namesakes, sought, unit_of(found));
	}
	htab_delete(files);
}

const struct layout_unit *namesakes_find_renamed(struct namesakes *namesakes, size_t index)
{
	if (!namesakes->renamed) {
		pair_by(namesakes, content_hash);
		pair_by_file(namesakes);
		pair_by(namesakes, name_hash);
	}
	namesakes->renamed = true;
	return namesakes->sought.at[index].found;
}
