/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the real ld.
 *
 * Signals: a Ctrl-C reaches ld too, being in the same process group; the driver
 * lives on to clean up, then ends by the same signal (driver.c).
 */
#include "config.h"
#include "ld/run.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/memory.h"

extern char **environ;

/* PROGRAM as execvp would find it, or NULL. */
static char *find_program(const char *program)
{
	const char *path = getenv("PATH");

	if (strchr(program, '/') != NULL)
		return access(program, X_OK) == 0 ? xstrdup(program) : NULL;
	while (path != NULL) {
		const char *end = strchrnul(path, ':');
		char *file = xasprintf("%.*s/%s", (int)(end - path), path, program);

		if (end > path && access(file, X_OK) == 0)
			return file;
		free(file);
		path = *end != '\0' ? end + 1 : NULL;
	}
	return NULL;
}

char *real_ld(struct diag *diag)
{
	const char *chosen = getenv("KERNING_LD");
	bool by_user = chosen != NULL && chosen[0] != '\0';
	struct stat own, other;
	char *path;

	if (!by_user)
		chosen = KERNING_REAL_LD;
	path = find_program(chosen);
	if (path == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "the linker '%s'%s cannot be run: %s", chosen,
				 by_user ? ", from KERNING_LD," : "", strerror(errno));
		return NULL;
	}
	if (stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 &&
	    own.st_dev == other.st_dev && own.st_ino == other.st_ino) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "the linker '%s'%s is kerning's own driver; expected GNU ld", path,
				 by_user ? ", from KERNING_LD," : "");
		free(path);
		return NULL;
	}
	return path;
}

/* Starts ARGV with descriptor FD of it joined to a pipe; returns the end to read, or -1. */
static int start(char *const *argv, int fd, bool quiet, pid_t *child, struct diag *diag)
{
	posix_spawn_file_actions_t actions;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot make a pipe: %s",
				 strerror(errno));
		return -1;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], fd);
	if (quiet)
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	error = posix_spawn(child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (error != 0) {
		close(ends[0]);
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot run '%s': %s", argv[0],
				 strerror(error));
		return -1;
	}
	return ends[0];
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

struct source *run_capture(char *const *argv, struct diag *diag)
{
	struct source *source;
	char *text = NULL;
	size_t size = 0;
	char buffer[65536];
	FILE *memory;
	ssize_t got;
	pid_t child;
	int fd = start(argv, 1, true, &child, diag);

	if (fd < 0)
		return NULL;
	memory = open_memstream(&text, &size);
	while ((got = read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			fwrite(buffer, 1, (size_t)got, memory);
	close(fd);
	fclose(memory);
	if (wait_for(child) != 0) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "'%s' failed to print its script",
				 argv[0]);
		free(text);
		return NULL;
	}
	source = source_from_memory(argv[0], text, size);
	free(text);
	return source;
}

int run_filtered(char *const *argv, run_line *filter, void *data, struct diag *diag)
{
	size_t capacity = 0;
	char *line = NULL;
	FILE *stream;
	ssize_t length;
	pid_t child;
	int fd = start(argv, 2, false, &child, diag);

	if (fd < 0)
		return -1;
	stream = fdopen(fd, "r");
	while ((length = getline(&line, &capacity, stream)) >= 0) {
		if (length > 0 && line[length - 1] == '\n')
			line[length - 1] = '\0';
		filter(line, data);
	}
	free(line);
	fclose(stream);
	return wait_for(child);
}
