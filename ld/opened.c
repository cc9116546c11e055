/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ld itself says what it opened.  Its rule for make has objects, archives, scripts and
 * shared libraries, those too that other libraries ask for; but neither the members of thin
 * archives, which are files, nor what --retain-symbols-file reads.
 */
#include "config.h"
#include "ld/opened.h"

#include <errno.h>
#include <fnmatch.h>
#include <libiberty/hashtab.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ld/archive.h"
#include "lib/memory.h"

#define SYMLINKS_MAX 40		/* as the kernel has it */

enum place { PLACE_MISSING, PLACE_FOLDER, PLACE_FILE, PLACE_SYMLINK, PLACE_OTHER };

struct looked {
	const char *path;
	enum place place;
	int error;
	const char *target;	/* SYMLINK */
};

static hashval_t hash_looked(const void *entry)
{
	return htab_hash_string(((const struct looked *)entry)->path);
}

static int same_looked(const void *a, const void *b)
{
	return strcmp(((const struct looked *)a)->path, ((const struct looked *)b)->path) == 0;
}

void opened_init(struct opened *opened, struct bundle_link *link, struct obstack *arena)
{
	*opened = (struct opened){ .arena = arena, .link = link, .folder = getcwd(NULL, 0) };
	opened->seen = htab_create_alloc(512, hash_looked, same_looked, NULL, xcalloc, free);
	opened->kept = htab_create_alloc(512, htab_hash_string, htab_eq_string, NULL, xcalloc,
					 free);
}

void opened_release(struct opened *opened)
{
	htab_delete(opened->seen);
	htab_delete(opened->kept);
	free(opened->folder);
}

static const struct looked *look(struct opened *opened, const char *path)
{
	void **slot = htab_find_slot(opened->seen, &(struct looked){ .path = path }, INSERT);
	struct looked *looked;
	char target[PATH_MAX];
	struct stat status;
	ssize_t length;

	if (*slot != NULL)
		return *slot;
	*slot = looked = obstack_alloc(opened->arena, sizeof *looked);
	*looked = (struct looked){ .path = obstack_strdup(opened->arena, path) };
	if (lstat(path, &status) != 0) {
		looked->error = errno;
	} else if (S_ISLNK(status.st_mode)) {
		length = readlink(path, target, sizeof target);
		if (length < 0 || (size_t)length == sizeof target) {
			looked->error = length < 0 ? errno : ENAMETOOLONG;
			return looked;
		}
		looked->place = PLACE_SYMLINK;
		looked->target = obstack_strndup(opened->arena, target, (size_t)length);
	} else {
		looked->place = S_ISDIR(status.st_mode) ? PLACE_FOLDER :
				S_ISREG(status.st_mode) ? PLACE_FILE : PLACE_OTHER;
	}
	return looked;
}

/* True if PATH has not been kept before. */
static bool is_new(struct opened *opened, const char *path)
{
	void **slot = htab_find_slot(opened->kept, path, INSERT);

	if (*slot != NULL)
		return false;
	*slot = (void *)path;
	return true;
}

/* "../../" for each part of the folder of PATH. */
static void climb(struct obstack *arena, const char *path)
{
	for (const char *slash = strchr(path + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/'))
		obstack_grow(arena, "../", 3);
}

/* True if the relative TARGET of a symbolic link at PATH goes up beyond "/" (and stays there). */
static bool goes_beyond(const char *path, const char *target)
{
	int depth = -1;

	for (const char *p = path; *p != '\0'; p++)
		depth += *p == '/';
	for (const char *p = target; *p != '\0' && depth >= 0; p += strspn(p, "/")) {
		size_t length = strcspn(p, "/");

		if (length == 2 && p[0] == '.' && p[1] == '.')
			depth--;
		else if (length != 1 || p[0] != '.')
			depth++;
		p += length;
	}
	return depth < 0;
}

static void keep_symlink(struct opened *opened, const struct looked *looked)
{
	const char *target = looked->target;

	if (!is_new(opened, looked->path))
		return;
	/* In a bundle "/" is elsewhere. */
	if (target[0] == '/' || goes_beyond(looked->path, target)) {
		while (target[0] == '/' || strncmp(target, "../", 3) == 0)
			target += target[0] == '/' ? 1 : 3;
		climb(opened->arena, looked->path);
		obstack_grow0(opened->arena, target, strlen(target));
		target = obstack_finish(opened->arena);
		if (target[0] == '\0')
			target = ".";
	}
	*vec_push(&opened->link->symlinks) = (struct bundle_symlink){ looked->path, target };
}

static void keep_folder(struct opened *opened, const char *path)
{
	if (path[0] == '\0')
		return;
	path = look(opened, path)->path;
	if (is_new(opened, path))
		*vec_push(&opened->link->folders) = path;
}

static const char *keep_file(struct opened *opened, const char *path)
{
	path = look(opened, path)->path;
	if (is_new(opened, path))
		*vec_push(&opened->link->files) = (struct bundle_file){ .path = path };
	return path;
}

/* Cuts the last part off REAL. */
static void go_up(char *real)
{
	char *slash = strrchr(real, '/');

	if (slash != NULL)
		*slash = '\0';
}

const char *opened_add(struct opened *opened, const char *path)
{
	char *rest = path[0] == '/' ? xstrdup(path) : xasprintf("%s/%s", opened->folder, path);
	char *at = rest, *real = xstrdup("");
	unsigned symlinks = 0;
	const char *found = NULL;
	int error = 0;

	while (error == 0 && *(at += strspn(at, "/")) != '\0') {
		size_t length = strcspn(at, "/");
		const struct looked *looked;
		char *next;

		if (length == 1 && at[0] == '.') {
			at += length;
			continue;
		}
		if (length == 2 && at[0] == '.' && at[1] == '.') {
			keep_folder(opened, real);
			go_up(real);
			at += length;
			continue;
		}
		next = xasprintf("%s/%.*s", real, (int)length, at);
		at += length;
		looked = look(opened, next);
		switch (looked->place) {
		case PLACE_SYMLINK:
			keep_symlink(opened, looked);
			if (++symlinks > SYMLINKS_MAX)
				error = ELOOP;
			if (looked->target[0] == '/')
				real[0] = '\0';
			free(next);
			next = xasprintf("%s%s", looked->target, at);
			free(rest);
			at = rest = next;
			continue;
		case PLACE_FILE:
			if (*at != '\0')
				error = ENOTDIR;
			else
				found = keep_file(opened, next);
			break;
		case PLACE_FOLDER:
			break;
		case PLACE_OTHER:
			error = EINVAL;
			break;
		case PLACE_MISSING:
			error = looked->error;
			break;
		}
		free(real);
		real = next;
	}
	if (error == 0 && found == NULL)
		error = EISDIR;
	free(rest);
	free(real);
	errno = error;
	return error == 0 ? found : NULL;
}

static void cannot_keep(struct opened *opened, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void cannot_keep(struct opened *opened, const char *format, ...)
{
	va_list arguments;
	char *why;

	if (opened->link->unkept != NULL)
		return;
	va_start(arguments, format);
	why = xvasprintf(format, arguments);
	va_end(arguments);
	opened->link->unkept = obstack_strdup(opened->arena, why);
	free(why);
}

/* True if the thin archive at PATH names MEMBER by an absolute path, which none leads into a bundle. */
static bool is_absolute(const char *path, const struct archive_member *member)
{
	const char *slash = strrchr(path, '/'), *file = member->place.path;
	size_t folder = slash != NULL ? (size_t)(slash + 1 - path) : 0;

	return file[0] == '/' && (member->short_name[0] == '/' || strncmp(file, path, folder) != 0 ||
				  folder == 0);
}

/* The objects of a thin archive, those that can be found: ld has looked at what it loads alone. */
static void add_members(struct opened *opened, const char *path)
{
	struct archive archive;
	struct diag quiet;

	diag_init(&quiet, "", NULL);
	if (archive_read(&archive, path, &quiet) != ARCHIVE_OK)
		return;
	for (size_t i = 0; archive.thin && i < archive.members.count; i++) {
		const struct archive_member *member = &archive.members.at[i];

		if (i > 0 && strcmp(member->place.path, member[-1].place.path) == 0)
			continue;
		if (is_absolute(path, member))
			cannot_keep(opened, "'%s' is a thin archive that has the absolute path "
				    "'%s'", path, member->place.path);
		opened_add(opened, member->place.path);
	}
	archive_release(&archive);
}

static bool is_thin(const char *path)
{
	char magic[8];
	FILE *file = fopen(path, "rb");
	bool thin = file != NULL && fread(magic, sizeof magic, 1, file) == 1 &&
		    memcmp(magic, "!<thin>\n", sizeof magic) == 0;

	if (file != NULL)
		fclose(file);
	return thin;
}

/* What a compiler's plugin makes of bytecode, and removes again. */
static bool is_compiled_at_link(const struct linkline *line, const char *path)
{
	return line->plugin && (fnmatch("*.ltrans*.o", path, 0) == 0 ||
				fnmatch("*.lto.o", path, 0) == 0 ||
				(path[0] == '/' && access(path, F_OK) != 0));
}

/* NAME where it is, else in a -L folder: of scripts ld says the name alone. */
static const char *find(struct opened *opened, const struct linkline *line, const char *name)
{
	if (name[0] == '/' || access(name, F_OK) == 0)
		return name;
	for (size_t i = 0; i < line->search_dirs.count; i++) {
		const char *folder = line->search_dirs.at[i], *root = "";
		char *path;

		if (folder[0] == '=' || strncmp(folder, "$SYSROOT", 8) == 0) {
			folder += folder[0] == '=' ? 1 : 8;
			root = line->sysroot != NULL ? line->sysroot : "";
		}
		path = obstack_format(opened->arena, "%s%s/%s", root, folder, name);
		if (access(path, F_OK) == 0)
			return path;
	}
	return name;
}

static void add_opened(struct opened *opened, const struct linkline *line, const char *name)
{
	const char *path = find(opened, line, name), *file;
	size_t before = opened->link->files.count;

	if (is_compiled_at_link(line, path)) {
		cannot_keep(opened, "link-time bytecode takes part");
		return;
	}
	file = opened_add(opened, path);
	if (file == NULL && errno == EINVAL)
		cannot_keep(opened, "'%s' is no regular file", path);
	else if (file == NULL)
		cannot_keep(opened, "'%s' cannot be read any more: %s", path, strerror(errno));
	else if (opened->link->files.count > before && is_thin(file))
		add_members(opened, path);
}

bool opened_by_link(struct opened *opened, const struct linkline *line, const char *dependencies,
		    struct diag *diag)
{
	struct source *source = source_read(dependencies);
	char *text, *end;

	if (source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read '%s': %s", dependencies,
				 strerror(errno));
		return false;
	}
	/* "OUTPUT: \", then "  NAME \" for each, then an empty line; no character is escaped. */
	text = source->text;
	for (end = strchr(text, '\n'); end != NULL && end > text; end = strchr(text, '\n')) {
		*end = '\0';
		if (end - text > 2 && strcmp(end - 2, " \\") == 0)
			end[-2] = '\0';
		if (strncmp(text, "  ", 2) == 0)
			add_opened(opened, line, text + 2);
		text = end + 1;
	}
	source_free(source);
	for (size_t i = 0; i < line->words.count; i++) {
		const struct word *word = &line->words.at[i];

		if (word->role == ROLE_READS && word->value[0] != '\0' &&
		    access(word->value, F_OK) == 0)
			add_opened(opened, line, word->value);
	}
	keep_folder(opened, opened->folder);
	return true;
}
