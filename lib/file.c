/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that appear whole, by rename, or not at all.
 */
#include "config.h"

#include "lib/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/memory.h"

bool make_folders(const char *path)
{
	char *copy = xstrdup(path);
	bool done = true;

	for (char *at = copy; done && *at != '\0'; ) {
		char saved;

		at += strspn(at, "/");
		at += strcspn(at, "/");
		saved = *at;
		*at = '\0';
		done = copy[0] == '\0' || mkdir(copy, 0777) == 0 || errno == EEXIST;
		*at = saved;
	}
	free(copy);
	return done;
}

static void release(struct outfile *file)
{
	int saved = errno;

	free(file->path);
	free(file->temporary);
	*file = (struct outfile){ NULL };
	errno = saved;
}

/* The mode that open(2) would have given: mkstemp(3) makes files private. */
static void apply_umask(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	(void)fchmod(fd, 0666 & ~mask);
}

bool outfile_open(struct outfile *file, const char *path)
{
	const char *slash = strrchr(path, '/');
	int fd;

	*file = (struct outfile){ .path = xstrdup(path),
				  .temporary = xasprintf("%s.XXXXXX", path) };
	if (slash != NULL && slash != path) {
		char *folder = xstrdup(path);
		bool made;

		folder[slash - path] = '\0';
		made = make_folders(folder);
		free(folder);
		if (!made)
			goto failed;
	}
	fd = mkstemp(file->temporary);
	if (fd < 0)
		goto failed;
	apply_umask(fd);
	file->stream = fdopen(fd, "w");
	if (file->stream != NULL)
		return true;
	close(fd);
	unlink(file->temporary);
failed:
	release(file);
	return false;
}

bool outfile_commit(struct outfile *file)
{
	bool done;
	int saved;

	done = !ferror(file->stream);
	saved = errno;
	if (fclose(file->stream) != 0) {
		saved = done ? errno : saved;
		done = false;
	}
	if (done && rename(file->temporary, file->path) != 0) {
		saved = errno;
		done = false;
	}
	if (!done)
		unlink(file->temporary);
	errno = saved;
	release(file);
	return done;
}

void outfile_abandon(struct outfile *file)
{
	if (file->stream == NULL)
		return;
	fclose(file->stream);
	unlink(file->temporary);
	release(file);
}
