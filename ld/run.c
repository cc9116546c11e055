/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the real ld.
 *
 * Signals: the driver passes them on, lives on to clean up, and then ends by the
 * same signal (driver.c).
 */
#include "config.h"
#include "ld/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/memory.h"
#include "lib/vec.h"

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

/* The process that is waited for; 0: none.  What a signal handler can know. */
static volatile sig_atomic_t running;

/* A signal that was passed on to it; 0: none. */
static volatile sig_atomic_t passed;

void run_signal(int signal)
{
	passed = signal;
	if (running != 0)
		kill((pid_t)running, signal);
}

/*
 * The environment, but for two things.  ld speaks English: its map, which is read,
 * and its script's frame are translated too.  And it takes its memory in huge
 * pages: it fills a hundred megabytes in less than a second, a fifth of which goes
 * by while the system clears small ones.  The caller frees the array.
 */
static char **ld_environment(void)
{
	static char locale[] = "LC_ALL=C";
	static char memory[] = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:"
			       "glibc.malloc.top_pad=16777216";
	size_t count = 0, kept = 0;
	char **copy;

	while (environ[count] != NULL)
		count++;
	copy = xcalloc(count + 3, sizeof *copy);
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0 &&
		    strncmp(environ[i], "LANGUAGE=", 9) != 0)
			copy[kept++] = environ[i];
	copy[kept++] = locale;
	if (getenv("GLIBC_TUNABLES") == NULL)
		copy[kept] = memory;
	return copy;
}

/*
 * Starts ARGV with its standard output joined to the pipe whose reading end is
 * ENDS[0], and its standard error to ENDS[1], or to nothing where QUIET.
 */
static bool start(char *const *argv, int ends[2], bool quiet, pid_t *child, struct diag *diag)
{
	posix_spawn_file_actions_t actions;
	char **environment;
	int output[2], errors[2] = { -1, -1 }, error;

	if (pipe2(output, O_CLOEXEC) != 0 || (!quiet && pipe2(errors, O_CLOEXEC) != 0)) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot make a pipe: %s",
				 strerror(errno));
		return false;
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, output[1], 1);
	if (quiet)
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	else
		posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
	environment = ld_environment();
	error = posix_spawn(child, argv[0], &actions, NULL, argv, environment);
	free(environment);
	posix_spawn_file_actions_destroy(&actions);
	close(output[1]);
	if (!quiet)
		close(errors[1]);
	ends[0] = output[0];
	ends[1] = errors[0];
	if (error == 0)
		return true;
	close(output[0]);
	if (!quiet)
		close(errors[0]);
	diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot run '%s': %s", argv[0],
			 strerror(error));
	return false;
}

/* Its exit status, or 128 + N where signal N ended it, which is in *SIGNAL then; else that is 0. */
static int wait_for(pid_t child, int *signal)
{
	int status;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	*signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return *signal != 0 ? 128 + *signal : WEXITSTATUS(status);
}

struct source *run_capture(char *const *argv, struct diag *diag)
{
	struct source *source;
	char *text = NULL;
	size_t size = 0;
	char buffer[65536];
	FILE *memory;
	ssize_t got;
	int ends[2], ended_by;
	pid_t child;

	if (!start(argv, ends, true, &child, diag))
		return NULL;
	memory = open_memstream(&text, &size);
	while ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			fwrite(buffer, 1, (size_t)got, memory);
	close(ends[0]);
	fclose(memory);
	if (wait_for(child, &ended_by) != 0) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "'%s %s' failed; expected GNU ld",
				 argv[0], argv[1]);
		free(text);
		return NULL;
	}
	source = source_from_memory(argv[0], text, size);
	free(text);
	return source;
}

int run_as_is(const char *program, char *const *argv, struct diag *diag)
{
	int error, status, ended_by;
	pid_t child;

	fflush(NULL);
	error = posix_spawn(&child, program, NULL, NULL, argv, environ);
	if (error != 0) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot run '%s': %s", argv[0],
				 strerror(error));
		return -1;
	}
	running = (sig_atomic_t)child;
	status = wait_for(child, &ended_by);
	running = 0;
	if (ended_by != 0 && ended_by != passed)
		diag_error(diag, NULL, "'%s' was ended by a signal: %s", argv[0],
			   strsignal(ended_by));
	return status;
}

/* What has come through one pipe and is no whole line yet. */
struct pending {
	VEC(char) bytes;
	FILE *stream;
};

static void take_lines(struct pending *pending, const char *bytes, size_t size,
		       const struct run_listener *listener)
{
	for (size_t i = 0; i < size; i++) {
		*vec_push(&pending->bytes) = bytes[i] == '\n' ? '\0' : bytes[i];
		if (bytes[i] != '\n')
			continue;
		listener->line(pending->bytes.at, pending->stream, listener->data);
		pending->bytes.count = 0;
	}
}

/* Reads what is there of a pipe.  False: no more will come. */
static bool read_pipe(int fd, struct pending *pending, const struct run_listener *listener)
{
	char buffer[65536];
	ssize_t got = read(fd, buffer, sizeof buffer);

	if (got > 0)
		take_lines(pending, buffer, (size_t)got, listener);
	return got > 0 || (got < 0 && errno == EINTR);
}

/* Reads what the process has written to its file since the last time.  False with errno set. */
static bool follow_file(const struct run_listener *listener)
{
	char buffer[65536];
	ssize_t got = 0;

	while (listener->file >= 0 && ((got = read(listener->file, buffer, sizeof buffer)) > 0 ||
				       (got < 0 && errno == EINTR)))
		if (got > 0)
			listener->take(buffer, (size_t)got, listener->data);
	return got == 0;
}

/* How often a file that grows is looked at: milliseconds. */
#define FOLLOW_PERIOD 4

int run_filtered(char *const *argv, const struct run_listener *listener, struct diag *diag)
{
	struct pending pending[2] = { { .stream = stdout }, { .stream = stderr } };
	struct pollfd pipes[2] = { { .events = POLLIN }, { .events = POLLIN } };
	int ends[2], status, ended_by;
	pid_t child;

	if (!start(argv, ends, false, &child, diag))
		return -1;
	running = (sig_atomic_t)child;
	pipes[0].fd = ends[0];
	pipes[1].fd = ends[1];
	while (pipes[0].fd >= 0 || pipes[1].fd >= 0) {
		if (poll(pipes, 2, listener->file >= 0 ? FOLLOW_PERIOD : -1) < 0) {
			if (errno != EINTR)
				break;
			continue;
		}
		for (unsigned i = 0; i < 2; i++)
			if (pipes[i].fd >= 0 && pipes[i].revents != 0 &&
			    !read_pipe(pipes[i].fd, &pending[i], listener))
				pipes[i].fd = -1;
		follow_file(listener);
	}
	status = wait_for(child, &ended_by);
	running = 0;
	if (ended_by != 0 && ended_by != passed)
		diag_error(diag, NULL, "'%s' was ended by a signal: %s", argv[0],
			   strsignal(ended_by));
	for (unsigned i = 0; i < 2; i++) {
		if (pending[i].bytes.count > 0)
			take_lines(&pending[i], "\n", 1, listener);
		vec_release(&pending[i].bytes);
		fflush(pending[i].stream);
		close(ends[i]);
	}
	if (!follow_file(listener)) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read what '%s' wrote: %s",
				 argv[0], strerror(errno));
		return -1;
	}
	return status;
}
