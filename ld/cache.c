/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder beside the output where a link keeps its files.
 */
#include "config.h"
#include "ld/cache.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"

/* Removes a folder of plain files, and the folder "out" in it. */
static void remove_folder(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char *file;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		file = xasprintf("%s/%s", path, entry->d_name);
		if (strcmp(entry->d_name, "out") == 0)
			remove_folder(file);
		unlink(file);
		free(file);
	}
	if (dir != NULL)
		closedir(dir);
	rmdir(path);
}

/* Removes the folders of links that are no longer running: NAME-PID. */
static void sweep(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *dash = strrchr(entry->d_name, '-');
		long pid = dash != NULL ? strtol(dash + 1, NULL, 10) : 0;
		char *path;

		if (pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		path = xasprintf("%s/%s", folder, entry->d_name);
		remove_folder(path);
		free(path);
	}
	if (dir != NULL)
		closedir(dir);
}

bool cache_open(struct cache *cache, const char *output, bool partial, const char *dir,
		const char *keep, struct diag *diag)
{
	const char *slash = strrchr(output, '/'), *base = slash != NULL ? slash + 1 : output;
	const char *folder;

	memset(cache, 0, sizeof *cache);
	obstack_init(&cache->arena);
	if (dir != NULL)
		dir = obstack_strdup(&cache->arena, dir);
	else
		dir = obstack_format(&cache->arena, "%.*s.kerning",
				     (int)(slash != NULL ? slash + 1 - output : 0), output);
	cache->tags = obstack_format(&cache->arena, "%s/%s/", dir,
				     partial ? "partial" : "tags");
	folder = obstack_format(&cache->arena, "%s/work", dir);
	cache->keep = keep != NULL;
	cache->work = keep != NULL ? obstack_strdup(&cache->arena, keep) :
		      obstack_format(&cache->arena, "%s/%s-%ld", folder, base, (long)getpid());
	cache->out = obstack_format(&cache->arena, "%s/out", cache->work);
	sweep(folder);
	if (!make_folders(cache->tags) || !make_folders(cache->out)) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "cannot make the cache folder '%s': %s", dir, strerror(errno));
		return false;
	}
	return true;
}

void cache_close(struct cache *cache)
{
	if (cache->work != NULL)
		remove_folder(cache->keep ? cache->out : cache->work);
	obstack_free(&cache->arena, NULL);
}

/* FILE as a path below the tags: "/usr/x.o" and "../x.o" begin with '%', so that none collide. */
static const char *below_tags(struct cache *cache, const char *file)
{
	struct obstack *arena = &cache->arena;

	obstack_grow(arena, cache->tags, strlen(cache->tags));
	if (file[0] == '/' || strncmp(file, "../", 3) == 0 || file[0] == '%')
		obstack_1grow(arena, '%');
	for (; *file != '\0'; file++) {
		obstack_1grow(arena, *file);
		if (file[0] == '/' && strncmp(file + 1, "../", 3) == 0)
			obstack_1grow(arena, '%');
	}
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

const char *cache_copy_path(struct cache *cache, const char *file)
{
	const char *open = strchr(file, '(');
	size_t length = strlen(file);

	/* libx.a(m.o) -> libx.a.d/m.o */
	if (open == NULL || file[length - 1] != ')')
		return below_tags(cache, file);
	return below_tags(cache, obstack_format(&cache->arena, "%.*s.d/%.*s", (int)(open - file), file,
						(int)(length - (size_t)(open - file) - 2),
						open + 1));
}

const char *cache_archive_path(struct cache *cache, const char *file)
{
	return below_tags(cache, file);
}

const char *cache_recall_path(struct cache *cache, const char *output)
{
	const char *slash = strrchr(output, '/');

	return obstack_format(&cache->arena, "%s../recall/%s", cache->tags,
			      slash != NULL ? slash + 1 : output);
}

const char *cache_index_path(struct cache *cache)
{
	return obstack_format(&cache->arena, "%s../objects", cache->tags);
}

const char *cache_linker_path(struct cache *cache)
{
	return obstack_format(&cache->arena, "%s../linker", cache->tags);
}
