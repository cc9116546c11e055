/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copying a folder.
 *
 * All entries are listed first, each behind its folder: whether a folder is copied or
 * linked hangs on what is below it.
 */
#include "config.h"

#include "sweep/clone.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"
#include "lib/vec.h"

#define NO_FOLDER ((size_t)-1)

struct entry {
	const char *path;	/* below the folder; its own is "" */
	size_t folder;		/* that it lies in; NO_FOLDER: none */
	struct stat status;
	bool made;		/* holds what a build makes, or is that */
};

struct cloning {
	struct obstack arena;
	VEC(struct entry) entries;
	const char *from;
	const struct clone_rules *rules;
	struct diag *diag;
};

static bool fail(struct cloning *cloning, const char *what, const char *path)
{
	diag_error_class(cloning->diag, DIAG_ENVIRONMENT, NULL, "cannot %s \"%s\": %s", what, path,
			 strerror(errno));
	return false;
}

/* --- What is there ------------------------------------------------------ */

static void add(struct cloning *cloning, FTSENT *found, const char *path)
{
	struct entry *entry = vec_push(&cloning->entries);
	const struct clone_rules *rules = cloning->rules;

	*entry = (struct entry){
		.path = obstack_strdup(&cloning->arena, path),
		.folder = found->fts_level > 0 ? (size_t)found->fts_parent->fts_number : NO_FOLDER,
		.status = *found->fts_statp,
		.made = rules->made == NULL,
	};
	found->fts_number = (long)(cloning->entries.count - 1);
	if (rules->made == NULL || S_ISDIR(entry->status.st_mode) || !rules->made(path))
		return;
	for (size_t i = cloning->entries.count - 1; i != NO_FOLDER && !cloning->entries.at[i].made;
	     i = cloning->entries.at[i].folder)
		cloning->entries.at[i].made = true;
}

static bool list(struct cloning *cloning)
{
	size_t length = strlen(cloning->from);
	char *roots[] = { (char *)cloning->from, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *found;
	bool good = tree != NULL;

	while (good && (errno = 0, found = fts_read(tree)) != NULL) {
		const char *path = found->fts_path + length;
		bool is_folder = found->fts_info == FTS_D;

		path += strspn(path, "/");
		if (found->fts_info == FTS_DP)
			continue;
		if (found->fts_info == FTS_DNR || found->fts_info == FTS_ERR ||
		    found->fts_info == FTS_NS) {
			errno = found->fts_errno;
			good = fail(cloning, "read", found->fts_path);
		} else if (found->fts_level > 0 && cloning->rules->leave(path, is_folder)) {
			if (is_folder)
				fts_set(tree, found, FTS_SKIP);
		} else {
			add(cloning, found, path);
		}
	}
	if (good && errno != 0)
		good = fail(cloning, "read", cloning->from);
	if (tree != NULL)
		fts_close(tree);
	else
		fail(cloning, "read", cloning->from);
	return good;
}

/* --- Copying ------------------------------------------------------------ */

static bool copy_bytes(int from, int to)
{
	char buffer[65536];
	ssize_t got;

	if (ioctl(to, FICLONE, from) == 0)
		return true;
	while ((got = copy_file_range(from, NULL, to, NULL, 1 << 30, 0)) > 0)
		;
	if (got == 0)
		return true;
	if (errno != EXDEV && errno != EOPNOTSUPP && errno != EINVAL && errno != ENOSYS)
		return false;
	while ((got = read(from, buffer, sizeof buffer)) > 0) {
		for (ssize_t done = 0, written; done < got; done += written) {
			written = write(to, buffer + done, (size_t)(got - done));
			if (written < 0)
				return false;
		}
	}
	return got == 0;
}

static bool copy_file(struct cloning *cloning, const struct stat *status, const char *from,
		      const char *to)
{
	const struct timespec times[] = { status->st_atim, status->st_mtim };
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	bool good;

	if (in < 0)
		return fail(cloning, "read", from);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	good = out >= 0 && copy_bytes(in, out) && fchmod(out, status->st_mode & 07777) == 0 &&
	       futimens(out, times) == 0;
	if (!good)
		fail(cloning, "write", to);
	close(in);
	if (out >= 0 && close(out) != 0 && good)
		good = fail(cloning, "write", to);
	return good;
}

static bool copy_link(struct cloning *cloning, const struct stat *status, const char *from,
		      const char *to)
{
	const struct timespec times[] = { status->st_atim, status->st_mtim };
	char *target = xmalloc((size_t)status->st_size + 1);
	ssize_t length = readlink(from, target, (size_t)status->st_size + 1);
	bool good = length >= 0 && length <= status->st_size;

	if (!good) {
		fail(cloning, "read", from);
	} else {
		target[length] = '\0';
		good = symlink(target, to) == 0 ||
		       fail(cloning, "make the link", to);
		utimensat(AT_FDCWD, to, times, AT_SYMLINK_NOFOLLOW);
	}
	free(target);
	return good;
}

static bool copy_entry(struct cloning *cloning, const struct entry *entry, const char *to)
{
	char *source = xasprintf("%s/%s", cloning->from, entry->path);
	char *copy = xasprintf("%s/%s", to, entry->path);
	bool good = true;

	if (S_ISDIR(entry->status.st_mode) && entry->made)
		good = mkdir(copy, 0700) == 0 || fail(cloning, "make the folder", copy);
	else if (S_ISDIR(entry->status.st_mode))
		good = symlink(source, copy) == 0 || fail(cloning, "make the link", copy);
	else if (S_ISLNK(entry->status.st_mode))
		good = copy_link(cloning, &entry->status, source, copy);
	else if (S_ISREG(entry->status.st_mode))
		good = copy_file(cloning, &entry->status, source, copy);
	free(source);
	free(copy);
	return good;
}

/* Folders get their modes and times when all is in them, the innermost first. */
static void finish_folders(struct cloning *cloning, const char *to)
{
	for (size_t i = cloning->entries.count; i-- > 0; ) {
		const struct stat *status = &cloning->entries.at[i].status;
		const struct timespec times[] = { status->st_atim, status->st_mtim };
		char *copy;

		if (!S_ISDIR(status->st_mode) || !cloning->entries.at[i].made)
			continue;
		copy = xasprintf("%s/%s", to, cloning->entries.at[i].path);
		chmod(copy, (status->st_mode & 07777) | S_IRWXU);
		utimensat(AT_FDCWD, copy, times, 0);
		free(copy);
	}
}

bool clone_make(const char *from, const char *to, const struct clone_rules *rules,
		struct diag *diag)
{
	struct cloning cloning = { .from = from, .rules = rules, .diag = diag };
	char *unfinished = xasprintf("%s.new", to);
	bool good;

	obstack_init(&cloning.arena);
	remove_folder(unfinished);
	good = list(&cloning);
	for (size_t i = 0; good && i < cloning.entries.count; i++) {
		const struct entry *entry = &cloning.entries.at[i];

		/* What lies in a folder that became a link is there. */
		if (i == 0 || cloning.entries.at[entry->folder].made)
			good = copy_entry(&cloning, entry, unfinished);
	}
	if (good) {
		finish_folders(&cloning, unfinished);
		good = rename(unfinished, to) == 0 || fail(&cloning, "make the folder", to);
	}
	if (!good)
		remove_folder(unfinished);
	vec_release(&cloning.entries);
	obstack_free(&cloning.arena, NULL);
	free(unfinished);
	return good;
}
