/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder beside the output where a link keeps its files.
 */
#include "config.h"
#include "ld/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"

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
	const char *folder, *shown;

	memset(cache, 0, sizeof *cache);
	obstack_init(&cache->arena);
	if (dir != NULL)
		dir = obstack_strdup(&cache->arena, dir);
	else
		dir = obstack_format(&cache->arena, "%.*s.kerning",
				     (int)(slash != NULL ? slash + 1 - output : 0), output);
	shown = dir;
	/* Absolute, as ld names the members of a thin archive that lie elsewhere. */
	if (dir[0] != '/') {
		char *current = getcwd(NULL, 0);

		dir = obstack_format(&cache->arena, "%s/%s", current != NULL ? current : ".", dir);
		free(current);
	}
	cache->tags = obstack_format(&cache->arena, "%s/%s/", dir,
				     partial ? "partial" : "tags");
	folder = obstack_format(&cache->arena, "%s/work", dir);
	cache->scratch = obstack_format(&cache->arena, "%s/%s-%ld", folder, base, (long)getpid());
	cache->work = keep != NULL ? obstack_strdup(&cache->arena, keep) : cache->scratch;
	cache->out = obstack_format(&cache->arena, "%s/out", cache->scratch);
	cache->lock = -1;
	sweep(folder);
	if (!make_folders(cache->tags) || !make_folders(cache->out)) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "cannot make the cache folder '%s': %s", shown, strerror(errno));
		return false;
	}
	if (!make_folders(cache->work)) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot make the folder '%s': %s",
				 cache->work, strerror(errno));
		return false;
	}
	return true;
}

void cache_close(struct cache *cache)
{
	cache_unlock(cache);
	if (cache->scratch != NULL)
		remove_folder(cache->scratch);
	obstack_free(&cache->arena, NULL);
}

bool cache_lock(struct cache *cache, struct diag *diag)
{
	const char *path = obstack_format(&cache->arena, "%s../lock", cache->tags);

	cache->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (cache->lock >= 0) {
		while (flock(cache->lock, LOCK_EX) != 0)
			if (errno != EINTR)
				goto failed;
		return true;
	}
failed:
	diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot lock '%s': %s", path,
			 strerror(errno));
	return false;
}

void cache_unlock(struct cache *cache)
{
	if (cache->lock >= 0)
		close(cache->lock);
	cache->lock = -1;
}

/* FILE as a path below FOLDER: "/usr/x.o" and "../x.o" begin with '%', so that none collide. */
static const char *below(struct cache *cache, const char *folder, const char *file)
{
	struct obstack *arena = &cache->arena;

	obstack_grow(arena, folder, strlen(folder));
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

const char *cache_copy_path(struct cache *cache, const char *file, unsigned variant)
{
	const char *folder = obstack_format(&cache->arena, "%s%u/", cache->tags, variant);
	const char *open = strchr(file, '(');
	size_t length = strlen(file);

	/* libx.a(m.o) -> libx.a.d/m.o */
	if (open == NULL || file[length - 1] != ')')
		return below(cache, folder, file);
	return below(cache, folder,
		     obstack_format(&cache->arena, "%.*s.d/%.*s", (int)(open - file), file,
				    (int)(length - (size_t)(open - file) - 2), open + 1));
}

const char *cache_archive_path(struct cache *cache, const char *file)
{
	return below(cache, obstack_format(&cache->arena, "%s/archives/", cache->scratch), file);
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
