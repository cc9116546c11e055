/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that appear whole, by rename, or not at all.
 */
#include "config.h"

#include "lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/memory.h"

static bool copy_bytes(int from, int to)
{
	char buffer[65536];
	ssize_t got;

	while ((got = read(from, buffer, sizeof buffer)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		for (ssize_t done = 0, written; done < got; done += written) {
			written = write(to, buffer + done, (size_t)(got - done));
			if (written < 0 && errno != EINTR)
				return false;
			if (written < 0)
				written = 0;
		}
	}
	return true;
}

/*
 * Renames, and removes what TO was.  Some file systems (ext4) write a file out
 * before it takes another's name, and not when the two change names.
 */
static bool rename_over(const char *from, const char *to)
{
	struct stat status;

	if (lstat(to, &status) == 0 && S_ISREG(status.st_mode) &&
	    renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0) {
		unlink(from);
		return true;
	}
	return rename(from, to) == 0;
}

bool file_move(const char *from, const char *to)
{
	struct outfile file;
	struct stat status;
	bool done = false;
	int fd, saved;

	if (rename_over(from, to))
		return true;
	if (errno != EXDEV)
		return false;
	fd = open(from, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && outfile_open(&file, to)) {
		if (copy_bytes(fd, fileno(file.stream)) &&
		    fchmod(fileno(file.stream), status.st_mode & 07777) == 0) {
			done = outfile_commit(&file);
		} else {
			outfile_abandon(&file);
		}
	}
	saved = errno;
	close(fd);
	if (done)
		unlink(from);
	errno = saved;
	return done;
}

/* By reference, in the kernel, or byte by byte: whatever goes. */
static bool copy_file(int from, int to)
{
	struct stat status;
	off_t done = 0;

	if (ioctl(to, FICLONE, from) == 0)
		return true;
	if (fstat(from, &status) != 0)
		return false;
	while (done < status.st_size) {
		ssize_t copied = copy_file_range(from, NULL, to, NULL,
						 (size_t)(status.st_size - done), 0);

		if (copied < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO))
			return false;
		if (copied <= 0)
			break;
		done += copied;
	}
	return copy_bytes(from, to);
}

bool file_copy(const char *from, const char *to, unsigned mode)
{
	struct outfile file;
	bool done = false;
	mode_t mask;
	int fd, saved;

	fd = open(from, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (outfile_open(&file, to)) {
		mask = umask(0);
		umask(mask);
		if (copy_file(fd, fileno(file.stream)) &&
		    (file.in_place || fchmod(fileno(file.stream), mode & ~mask) == 0)) {
			done = outfile_commit(&file);
		} else {
			outfile_abandon(&file);
		}
	}
	saved = errno;
	close(fd);
	errno = saved;
	return done;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	remove(path);
	return 0;
}

void remove_folder(const char *path)
{
	nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

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

/* The folder of PATH, as a string of its own. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xasprintf("%.*s", (int)(slash - path), path);
}

bool outfile_open(struct outfile *file, const char *path)
{
	char *folder = folder_of(path);
	struct stat status;
	int fd = -1, saved;

	*file = (struct outfile){ .path = xstrdup(path) };
	file->in_place = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
	if (file->in_place) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		/* Without a name where the file system can: a killed process leaves nothing. */
		fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
		if (fd < 0 && errno == ENOENT && make_folders(folder))
			fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
		if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
			file->temporary = xasprintf("%s.XXXXXX", path);
			fd = mkstemp(file->temporary);
			if (fd >= 0)
				apply_umask(fd);
		}
	}
	saved = errno;
	free(folder);
	file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file->stream != NULL)
		return true;
	errno = saved;
	release(file);
	return false;
}

/* Gives a file without a name the name file->temporary, or at once that of file->path. */
static bool name_file(struct outfile *file)
{
	char *nameless = xasprintf("/proc/self/fd/%d", fileno(file->stream));
	bool done = linkat(AT_FDCWD, nameless, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0;

	/* A name that is there is replaced by rename(2) only. */
	for (unsigned i = 0; !done && errno == EEXIST && i < 100; i++) {
		free(file->temporary);
		file->temporary = xasprintf("%s.%ld-%u", file->path, (long)getpid(), i);
		done = linkat(AT_FDCWD, nameless, AT_FDCWD, file->temporary,
			      AT_SYMLINK_FOLLOW) == 0;
	}
	free(nameless);
	return done;
}

bool outfile_commit(struct outfile *file)
{
	bool done = fflush(file->stream) == 0 && !ferror(file->stream);
	int saved;

	if (done && file->temporary == NULL && !file->in_place)
		done = name_file(file);
	saved = errno;
	if (fclose(file->stream) != 0 && done) {
		saved = errno;
		done = false;
	}
	if (done && file->temporary != NULL && rename(file->temporary, file->path) != 0) {
		saved = errno;
		done = false;
	}
	if (!done && file->temporary != NULL)
		unlink(file->temporary);
	errno = saved;
	release(file);
	return done;
}

void outfile_abandon(struct outfile *file)
{
	int saved = errno;

	if (file->stream == NULL)
		return;
	fclose(file->stream);
	if (file->temporary != NULL)
		unlink(file->temporary);
	release(file);
	errno = saved;
}
