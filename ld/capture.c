/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Links of one build run beside each other, so each writes files of its own: what is
 * staged is named by device, inode, size and times, and is one file for all links that saw
 * it so.
 *
 * What was opened is copied, never hard-linked: compilers and assemblers write into the
 * files that they make anew.
 */
#include "config.h"
#include "ld/capture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ld/bundle-json.h"
#include "ld/inputs.h"
#include "ld/opened.h"
#include "ld/run.h"
#include "lib/file.h"
#include "lib/memory.h"

const char *const capture_variables[] = { "GNUTARGET", "LDEMULATION", "LD_RUN_PATH", NULL };

struct capture {
	const char *folder;
	const struct linkline *line;
	struct bundle bundle;		/* whose arena has all texts */
	struct bundle_link link;
	const char *dependencies;	/* what ld says that it opened */
	struct diag *diag;
};

/* Says what went wrong, to the user and to who waits for the build. */
static int fail(struct capture *capture, const char *what, const char *path)
{
	diag_error_class(capture->diag, DIAG_ENVIRONMENT, NULL, "cannot %s '%s' for the bundle: %s",
			 what, path, strerror(errno));
	unlink(obstack_format(&capture->bundle.arena, "%s/whole", capture->folder));
	return DIAG_ENVIRONMENT;
}

/* Copies a file to where all links find it.  Its name tells whether it is there already. */
static bool stage(struct capture *capture, struct bundle_file *file)
{
	struct stat status;
	const char *path;

	if (stat(file->path, &status) != 0)
		return false;
	file->size = (uint64_t)status.st_size;
	file->staged = obstack_format(&capture->bundle.arena, "%jx-%jx-%jx-%jx.%lx-%jx.%lx",
				      (uintmax_t)status.st_dev, (uintmax_t)status.st_ino,
				      (uintmax_t)status.st_size, (uintmax_t)status.st_mtim.tv_sec,
				      status.st_mtim.tv_nsec, (uintmax_t)status.st_ctim.tv_sec,
				      status.st_ctim.tv_nsec);
	path = obstack_format(&capture->bundle.arena, "%s/staged/%s", capture->folder,
			      file->staged);
	return access(path, F_OK) == 0 || file_copy(file->path, path, 0444);
}

/* The words of the line, as they are to be said again. */
static void take_words(struct capture *capture)
{
	for (size_t i = 0; i < capture->line->words.count; i++) {
		const struct word *word = &capture->line->words.at[i];
		struct stat status;

		if (word->kind == WORD_KERNING) {
			capture->link.placed = true;
			continue;
		}
		/* -R with a folder says something else. */
		if (word->role == ROLE_JUST_SYMBOLS && stat(word->value, &status) == 0 &&
		    S_ISDIR(status.st_mode)) {
			*vec_push(&capture->link.words) = "-rpath";
			*vec_push(&capture->link.words) = word->value;
			continue;
		}
		*vec_push(&capture->link.words) = word->text[0];
		if (word->text[1] != NULL)
			*vec_push(&capture->link.words) = word->text[1];
	}
}

static void take_environment(struct capture *capture)
{
	const char *flags = getenv("KERNING_FLAGS");

	for (const char *const *name = capture_variables; *name != NULL; name++)
		if (getenv(*name) != NULL)
			*vec_push(&capture->link.environment) =
				(struct bundle_variable){ *name, getenv(*name) };
	capture->link.placed |= flags != NULL && flags[0] != '\0';
}

/* The output that ld named in its rule: -o, or what a script says, or a.out. */
static const char *output_name(struct capture *capture)
{
	FILE *file = fopen(capture->dependencies, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t length = file != NULL ? getline(&line, &size, file) : -1;
	const char *name = NULL;

	while (length > 0 && strchr("\n\\ ", line[length - 1]) != NULL)
		line[--length] = '\0';
	if (length > 1 && line[length - 1] == ':')
		name = obstack_strndup(&capture->bundle.arena, line, (size_t)length - 1);
	free(line);
	if (file != NULL)
		fclose(file);
	return capture->line->output != NULL ? capture->line->output : name;
}

static const char *now(struct capture *capture)
{
	char text[64];
	time_t seconds = time(NULL);
	struct tm utc;

	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", gmtime_r(&seconds, &utc));
	return obstack_strdup(&capture->bundle.arena, text);
}

static int record(struct capture *capture, const char *ld)
{
	struct obstack *arena = &capture->bundle.arena;
	struct bundle_link *link = &capture->link;
	struct opened opened;
	struct outfile file;
	struct timespec time;
	struct stat status;
	const char *path;
	bool read, ok;

	link->name = output_name(capture);
	/* "ld -v", "-o /dev/null": nothing that could be made again. */
	if (link->name == NULL || stat(link->name, &status) != 0 || !S_ISREG(status.st_mode))
		return 0;
	link->output = normal_path(link->name, arena);
	link->device = status.st_dev;
	link->inode = status.st_ino;
	link->linker = ld;
	link->time = now(capture);
	if (!hash_file(link->name, &link->hash, &link->size))
		return fail(capture, "read", link->name);
	take_words(capture);
	take_environment(capture);
	opened_init(&opened, link, arena);
	link->folder = obstack_strdup(arena, opened.folder != NULL ? opened.folder : "/");
	read = opened_by_link(&opened, capture->line, capture->dependencies, capture->diag);
	opened_release(&opened);
	if (!read)
		return fail(capture, "read", capture->dependencies);
	for (size_t i = 0; link->unkept == NULL && i < link->files.count; i++)
		if (!stage(capture, &link->files.at[i]))
			return fail(capture, "keep", link->files.at[i].path);
	if (link->unkept != NULL)
		link->files.count = link->symlinks.count = link->folders.count = 0;
	clock_gettime(CLOCK_REALTIME, &time);
	path = obstack_format(arena, "%s/links/%012jx-%09ld-%ld", capture->folder,
			      (uintmax_t)time.tv_sec, time.tv_nsec, (long)getpid());
	ok = outfile_open(&file, path);
	if (ok && bundle_link_to_json(link, file.stream)) {
		ok = outfile_commit(&file);
	} else if (ok) {
		outfile_abandon(&file);
		ok = false;
	}
	return ok ? 0 : fail(capture, "write", path);
}

int capture_link(const char *folder, const struct linkline *line, char *const *argv,
		 const char *ld, struct diag *diag)
{
	struct capture capture = { .folder = folder, .line = line, .diag = diag };
	VEC(char *) words = VEC_INIT;
	int status;

	bundle_init(&capture.bundle);
	capture.dependencies = obstack_format(&capture.bundle.arena, "%s/work/dependencies-%ld",
					      folder, (long)getpid());
	for (; *argv != NULL; argv++)
		*vec_push(&words) = *argv;
	/* Of several the last counts: a file of the user's own gets a copy. */
	*vec_push(&words) = obstack_format(&capture.bundle.arena, "--dependency-file=%s",
					   capture.dependencies);
	*vec_push(&words) = NULL;
	unsetenv(CAPTURE_VARIABLE);
	status = run_as_is("/proc/self/exe", words.at, diag);
	vec_release(&words);
	if (line->dependencies != NULL && access(capture.dependencies, F_OK) == 0 &&
	    !file_copy(capture.dependencies, line->dependencies, 0666)) {
		diag_error(diag, NULL, "cannot open dependency file '%s': %s", line->dependencies,
			   strerror(errno));
		status = status != 0 ? status : DIAG_INPUT;
	}
	if (status == 0)
		status = record(&capture, ld);
	else if (status < 0)
		status = DIAG_ENVIRONMENT;
	unlink(capture.dependencies);
	bundle_link_release(&capture.link);
	bundle_release(&capture.bundle);
	return status;
}
