/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of the links that a build made, those count whose output is there when it has ended, and
 * of several of one output the last.
 *
 * A file may have held one thing at one link and another at the next: then the later link
 * gets a tree of files of its own, and shares with the others, by hard links within the
 * bundle, what is the same.
 */
#include "config.h"
#include "ld/gather.h"

#include <dirent.h>
#include <errno.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ld/bundle-json.h"
#include "ld/run.h"
#include "lib/file.h"
#include "lib/memory.h"

enum entry_kind { ENTRY_FOLDER, ENTRY_FILE, ENTRY_SYMLINK };

/* What a tree has at a path. */
struct entry {
	const char *path;
	enum entry_kind kind;
	const char *target;		/* SYMLINK */
	const struct bundle_file *file;	/* FILE */
};

struct tree {
	const char *name;		/* "files", "files-2" */
	struct htab *entries;
};

/* A staged file: read once, whichever links have it. */
struct staged {
	const char *name;
	uint64_t hash, size;
};

/* Where the bundle already holds some bytes. */
struct placed {
	uint64_t hash, size;
	const char *path;
};

struct gathering {
	struct bundle *bundle;
	const char *folder;
	VEC(struct tree) trees;
	struct htab *staged, *placed;
	struct diag *diag;
};

static hashval_t hash_entry(const void *entry)
{
	return htab_hash_string(((const struct entry *)entry)->path);
}

static int same_entry(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->path, ((const struct entry *)b)->path) == 0;
}

static hashval_t hash_staged(const void *entry)
{
	return htab_hash_string(((const struct staged *)entry)->name);
}

static int same_staged(const void *a, const void *b)
{
	return strcmp(((const struct staged *)a)->name, ((const struct staged *)b)->name) == 0;
}

static hashval_t hash_placed(const void *entry)
{
	return (hashval_t)((const struct placed *)entry)->hash;
}

static int same_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->hash == y->hash && x->size == y->size;
}

static bool fail(struct gathering *gathering, const char *what, const char *path)
{
	diag_error_class(gathering->diag, DIAG_ENVIRONMENT, NULL, "cannot %s '%s': %s", what, path,
			 strerror(errno));
	return false;
}

/* What drivers need, and no bundle has: three folders and a file. */
static const char *const names[] = { "staged", "links", "work", "whole" };
#define NAMES (sizeof names / sizeof *names)

bool gather_prepare(const char *folder, struct diag *diag)
{
	bool ok = true;

	for (size_t i = 0; ok && i < NAMES; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]);
		FILE *file = NULL;

		if (strcmp(names[i], "whole") == 0)
			ok = (file = fopen(path, "w")) != NULL && fclose(file) == 0;
		else
			ok = mkdir(path, 0777) == 0;
		if (!ok)
			diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot make '%s': %s", path,
					 strerror(errno));
		free(path);
	}
	return ok;
}

/* --- The links that count ------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The records, in the order in which their links ended. */
static bool read_records(struct gathering *gathering)
{
	struct obstack *arena = &gathering->bundle->arena;
	const char *path = obstack_format(arena, "%s/links", gathering->folder);
	VEC(const char *) records = VEC_INIT;
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool ok = true;

	if (dir == NULL)
		return fail(gathering, "read", path);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' && strchr(entry->d_name, '.') == NULL)
			*vec_push(&records) = obstack_format(arena, "%s/%s", path, entry->d_name);
	closedir(dir);
	if (records.count > 0)
		qsort(records.at, records.count, sizeof *records.at, compare_names);
	for (size_t i = 0; ok && i < records.count; i++) {
		struct source *source = source_read(records.at[i]);

		if (source == NULL) {
			ok = fail(gathering, "read", records.at[i]);
			break;
		}
		ok = bundle_link_from_json(gathering->bundle, vec_push(&gathering->bundle->links),
					   source, gathering->diag);
		source_free(source);
	}
	vec_release(&records);
	return ok;
}

/* The name that the output was given since, in its folder; NULL: none. */
static const char *renamed(struct gathering *gathering, const struct bundle_link *link)
{
	struct obstack *arena = &gathering->bundle->arena;
	size_t length = (size_t)(strrchr(link->output, '/') - link->output);
	const char *folder = length == 0 ? "/" : obstack_strndup(arena, link->output, length);
	const char *found = NULL;
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir != NULL && found == NULL && (entry = readdir(dir)) != NULL) {
		uint64_t hash, size;
		char *path;

		if (entry->d_ino != link->inode)
			continue;
		path = obstack_format(arena, "%s/%s", length == 0 ? "" : folder, entry->d_name);
		/* An inode that is free is soon another file's. */
		if (hash_file(path, &hash, &size) && size == link->size && hash == link->hash)
			found = path;
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

static hashval_t hash_output(const void *entry)
{
	return htab_hash_string(((const struct bundle_link *)entry)->output);
}

static int same_output(const void *a, const void *b)
{
	return strcmp(((const struct bundle_link *)a)->output,
		      ((const struct bundle_link *)b)->output) == 0;
}

/* Drops links whose output is gone, was linked once more, or that cannot be kept. */
static void choose(struct gathering *gathering, struct gathered *gathered)
{
	struct bundle *bundle = gathering->bundle;
	htab_t outputs = htab_create_alloc(64, hash_output, same_output, NULL, xcalloc, free);
	bool *chosen = xcalloc(bundle->links.count + 1, sizeof *chosen);
	size_t kept = 0;

	gathered->links = bundle->links.count;
	for (size_t i = bundle->links.count; i-- > 0;) {
		struct bundle_link *link = &bundle->links.at[i];
		struct stat status;
		void **slot;

		if (lstat(link->output, &status) != 0) {
			const char *name = renamed(gathering, link);

			if (name == NULL) {
				gathered->gone++;
				continue;
			}
			link->output = name;
		}
		slot = htab_find_slot(outputs, link, INSERT);
		if (*slot != NULL) {
			gathered->again++;
			continue;
		}
		*slot = link;
		chosen[i] = link->unkept == NULL;
		if (link->unkept != NULL) {
			gathered->unkept++;
			diag_warning(gathering->diag, "not-kept", NULL, "the link of '%s' is not kept: "
				     "%s", link->output, link->unkept);
		}
	}
	for (size_t i = 0; i < bundle->links.count; i++) {
		if (chosen[i])
			bundle->links.at[kept++] = bundle->links.at[i];
		else
			bundle_link_release(&bundle->links.at[i]);
	}
	bundle->links.count = kept;
	htab_delete(outputs);
	free(chosen);
}

/* --- Trees ---------------------------------------------------------------- */

static bool same_as(const struct entry *a, const struct entry *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == ENTRY_FILE)
		return a->file->hash == b->file->hash && a->file->size == b->file->size;
	return a->kind == ENTRY_FOLDER || strcmp(a->target, b->target) == 0;
}

/* False if TREE has something else at ENTRY's path; ADD: enters it where it has nothing. */
static bool fits(struct gathering *gathering, struct tree *tree, const struct entry *entry, bool add)
{
	void **slot = htab_find_slot(tree->entries, entry, add ? INSERT : NO_INSERT);

	if (slot == NULL)
		return true;
	if (*slot == NULL)
		*slot = obstack_copy(&gathering->bundle->arena, entry, sizeof *entry);
	return same_as(*slot, entry);
}

/* The same of ENTRY and of the folders above it. */
static bool fits_below(struct gathering *gathering, struct tree *tree, const struct entry *entry,
		       bool add)
{
	struct obstack *arena = &gathering->bundle->arena;
	bool fit = fits(gathering, tree, entry, add);

	for (const char *slash = strchr(entry->path + 1, '/'); fit && slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		char *path = obstack_strndup(arena, entry->path, (size_t)(slash - entry->path));

		fit = fits(gathering, tree, &(struct entry){ path, ENTRY_FOLDER, NULL, NULL }, add);
		if (!add)
			obstack_free(arena, path);
	}
	return fit;
}

static bool link_fits(struct gathering *gathering, struct tree *tree,
		      const struct bundle_link *link, bool add)
{
	bool fit = true;

	for (size_t i = 0; fit && i < link->files.count; i++)
		fit = fits_below(gathering, tree, &(struct entry){
			link->files.at[i].path, ENTRY_FILE, NULL, &link->files.at[i] }, add);
	for (size_t i = 0; fit && i < link->symlinks.count; i++)
		fit = fits_below(gathering, tree, &(struct entry){
			link->symlinks.at[i].path, ENTRY_SYMLINK, link->symlinks.at[i].target,
			NULL }, add);
	for (size_t i = 0; fit && i < link->folders.count; i++)
		fit = fits_below(gathering, tree, &(struct entry){
			link->folders.at[i], ENTRY_FOLDER, NULL, NULL }, add);
	return fit;
}

/* The first tree in which LINK finds what it saw. */
static struct tree *choose_tree(struct gathering *gathering, const struct bundle_link *link)
{
	struct tree *tree;
	size_t i;

	for (i = 0; i < gathering->trees.count; i++)
		if (link_fits(gathering, &gathering->trees.at[i], link, false))
			break;
	if (i == gathering->trees.count)
		*vec_push(&gathering->trees) = (struct tree){
			.name = i == 0 ? "files" : obstack_format(&gathering->bundle->arena,
								  "files-%zu", i + 1),
			.entries = htab_create_alloc(512, hash_entry, same_entry, NULL, xcalloc,
						     free),
		};
	tree = &gathering->trees.at[i];
	link_fits(gathering, tree, link, true);
	return tree;
}

/* --- Files ---------------------------------------------------------------- */

/* The hashes of what LINK's files held. */
static bool read_staged(struct gathering *gathering, struct bundle_link *link)
{
	struct obstack *arena = &gathering->bundle->arena;

	for (size_t i = 0; i < link->files.count; i++) {
		struct bundle_file *file = &link->files.at[i];
		struct staged *staged, wanted = { .name = file->staged };
		void **slot = htab_find_slot(gathering->staged, &wanted, INSERT);

		if (*slot == NULL) {
			const char *path = obstack_format(arena, "%s/staged/%s", gathering->folder,
							  file->staged);

			*slot = staged = obstack_copy(arena, &wanted, sizeof wanted);
			if (!hash_file(path, &staged->hash, &staged->size))
				return fail(gathering, "read", path);
		}
		staged = *slot;
		file->hash = staged->hash;
		file->size = staged->size;
	}
	return true;
}

static bool make_folder_of(const char *path)
{
	char *folder = xstrdup(path);
	bool ok;

	*strrchr(folder, '/') = '\0';
	ok = make_folders(folder);
	free(folder);
	return ok;
}

/* Puts FILE where it belongs in TREE: the staged one, or what the bundle has of these bytes. */
static bool place_file(struct gathering *gathering, const struct tree *tree,
		       const struct bundle_file *file)
{
	struct obstack *arena = &gathering->bundle->arena;
	const char *path = obstack_format(arena, "%s/%s%s", gathering->folder, tree->name,
					  file->path);
	struct placed wanted = { file->hash, file->size, path };
	void **slot = htab_find_slot(gathering->placed, &wanted, INSERT);
	const struct placed *placed = *slot;
	bool ok;

	if (access(path, F_OK) == 0)
		return true;
	ok = make_folder_of(path);
	if (ok && placed != NULL)
		ok = link(placed->path, path) == 0 || file_copy(placed->path, path, 0444);
	if (ok && placed == NULL) {
		*slot = obstack_copy(arena, &wanted, sizeof wanted);
		ok = rename(obstack_format(arena, "%s/staged/%s", gathering->folder,
					   file->staged), path) == 0;
	}
	return ok || fail(gathering, "write", path);
}

static bool place_link(struct gathering *gathering, struct bundle_link *link)
{
	struct obstack *arena = &gathering->bundle->arena;
	const struct tree *tree;

	if (!read_staged(gathering, link))
		return false;
	tree = choose_tree(gathering, link);
	link->root = tree->name;
	for (size_t i = 0; i < link->files.count; i++) {
		if (!place_file(gathering, tree, &link->files.at[i]))
			return false;
	}
	for (size_t i = 0; i < link->symlinks.count; i++) {
		const struct bundle_symlink *item = &link->symlinks.at[i];
		const char *path = obstack_format(arena, "%s/%s%s", gathering->folder, tree->name,
						  item->path);

		if (!make_folder_of(path) || (symlink(item->target, path) != 0 && errno != EEXIST))
			return fail(gathering, "write", path);
	}
	for (size_t i = 0; i < link->folders.count; i++) {
		const char *path = obstack_format(arena, "%s/%s%s", gathering->folder, tree->name,
						  link->folders.at[i]);

		if (!make_folders(path))
			return fail(gathering, "make", path);
	}
	return true;
}

/* What each link's linker says of itself, asked once. */
static void ask_versions(struct gathering *gathering)
{
	struct bundle *bundle = gathering->bundle;

	for (size_t i = 0; i < bundle->links.count; i++) {
		struct bundle_link *link = &bundle->links.at[i];
		char *argv[] = { (char *)link->linker, (char *)"--version", NULL };
		struct source *source;

		for (size_t k = 0; k < i && link->version == NULL; k++)
			if (strcmp(bundle->links.at[k].linker, link->linker) == 0)
				link->version = bundle->links.at[k].version;
		if (link->version != NULL)
			continue;
		source = run_capture(argv, gathering->diag);
		link->version = source == NULL ? "" :
				obstack_strndup(&bundle->arena, source->text,
						strcspn(source->text, "\n"));
		source_free(source);
	}
}

static bool write_index(struct gathering *gathering)
{
	struct bundle *bundle = gathering->bundle;
	const char *path = obstack_format(&bundle->arena, "%s/" BUNDLE_INDEX, gathering->folder);
	struct outfile file;
	bool ok;

	for (size_t i = 0; i < bundle->links.count; i++) {
		struct bundle_link *link = &bundle->links.at[i];

		link->device = link->inode = 0;
		for (size_t k = 0; k < link->files.count; k++)
			link->files.at[k].staged = NULL;
	}
	ok = outfile_open(&file, path);
	if (ok && bundle_to_json(bundle, file.stream)) {
		ok = outfile_commit(&file);
	} else if (ok) {
		outfile_abandon(&file);
		ok = false;
	}
	return ok || fail(gathering, "write", path);
}

bool gather(struct bundle *bundle, const char *folder, struct gathered *gathered,
	    struct diag *diag)
{
	struct gathering gathering = { .bundle = bundle, .folder = folder, .diag = diag };
	bool ok;

	*gathered = (struct gathered){ 0 };
	gathering.staged = htab_create_alloc(512, hash_staged, same_staged, NULL, xcalloc, free);
	gathering.placed = htab_create_alloc(512, hash_placed, same_placed, NULL, xcalloc, free);
	ok = read_records(&gathering);
	if (ok) {
		choose(&gathering, gathered);
		ask_versions(&gathering);
	}
	for (size_t i = 0; ok && i < bundle->links.count; i++)
		ok = place_link(&gathering, &bundle->links.at[i]);
	if (ok) {
		ok = write_index(&gathering);
		for (size_t i = 0; i < NAMES; i++)
			remove_folder(obstack_format(&bundle->arena, "%s/%s", folder, names[i]));
	}
	for (size_t i = 0; i < gathering.trees.count; i++)
		htab_delete(gathering.trees.at[i].entries);
	vec_release(&gathering.trees);
	htab_delete(gathering.staged);
	htab_delete(gathering.placed);
	return ok;
}
