/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layouts of a bundle's link.
 *
 * All are made with one cache, which tags know nothing of seeds: only the first copies
 * objects.  It lies in a temporary folder that bears this process's number, so that the
 * next one can remove what a killed one has left.
 */
#include "config.h"
#include "sweep/maker.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ld/bundle.h"
#include "ld/replay.h"
#include "lib/file.h"
#include "lib/memory.h"

#define CACHE_PREFIX "kerning-bundle-"

struct bundle_maker {
	struct maker maker;
	struct bundle bundle;
	const struct bundle_link *link;
	char *cache;
};

static const char *temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder != NULL && folder[0] == '/' ? folder : "/tmp";
}

/* Removes the caches of this user's processes that are no more. */
static void sweep_caches(void)
{
	const char *folder = temporary_folder();
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		struct stat status;
		long pid;
		char *path;

		if (strncmp(entry->d_name, CACHE_PREFIX, strlen(CACHE_PREFIX)) != 0)
			continue;
		pid = strtol(entry->d_name + strlen(CACHE_PREFIX), NULL, 10);
		if (pid <= 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		path = xasprintf("%s/%s", folder, entry->d_name);
		if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
		    status.st_uid == getuid())
			remove_folder(path);
		free(path);
	}
	if (dir != NULL)
		closedir(dir);
}

static int make(const struct maker *maker, const struct making *making)
{
	const struct bundle_maker *own = maker->data;
	char *output = xasprintf("%s/%s", making->folder, maker->name);
	const struct replay replay = {
		.bundle = &own->bundle, .link = own->link, .flags = making->flags,
		.output = output, .cache = own->cache,
	};
	struct diag diag;
	char *layout;
	int status;

	diag_init(&diag, "kerning", stderr);
	status = replay_run(&replay, &diag);
	layout = xasprintf("%s.layout", output);
	if (status == 0 && making->flags[0] != '\0' && access(layout, F_OK) != 0) {
		diag_error(&diag, NULL, "'%s' cannot be placed: ld alone linked it", own->link->output);
		status = DIAG_INPUT;
	}
	free(layout);
	free(output);
	return status;
}

static void release(struct maker *maker)
{
	struct bundle_maker *own = maker->data;

	if (own->cache != NULL)
		remove_folder(own->cache);
	free(own->cache);
	bundle_release(&own->bundle);
	free(maker->name);
	free(maker->description);
	free(own);
}

struct maker *maker_bundle(const char *bundle, unsigned jobs, struct diag *diag)
{
	struct bundle_maker *own = xcalloc(1, sizeof *own);
	bool ok;

	own->maker = (struct maker){ .jobs = jobs > 0 ? jobs : 1, .make = make, .free = release,
				     .data = own };
	own->maker.description = xasprintf("--bundle %s", bundle);
	bundle_init(&own->bundle);
	own->link = bundle_open(&own->bundle, bundle, diag);
	ok = own->link != NULL && bundle_check(&own->bundle, own->link, NULL, diag);
	if (ok) {
		own->maker.name = xstrdup(strrchr(own->link->output, '/') + 1);
		sweep_caches();
		own->cache = xasprintf("%s/" CACHE_PREFIX "%ld-XXXXXX", temporary_folder(),
				       (long)getpid());
		if (mkdtemp(own->cache) == NULL) {
			diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
					 "cannot make a folder in '%s': %s", temporary_folder(), strerror(errno));
			free(own->cache);
			own->cache = NULL;
			ok = false;
		}
	}
	if (ok)
		return &own->maker;
	release(&own->maker);
	return NULL;
}
