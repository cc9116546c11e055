/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our side of a run: files for what it prints, its environment, a guard; then what the
 * guard found, in words and seconds.
 */
#include "config.h"

#include "sweep/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/memory.h"
#include "lib/vec.h"
#include "sweep/fork.h"
#include "sweep/guard.h"

/* --- Its environment ----------------------------------------------------- */

static bool same_name(const char *a, const char *b)
{
	size_t length = strcspn(a, "=");

	return strcspn(b, "=") == length && memcmp(a, b, length) == 0;
}

static bool is_replaced(const char *variable, const char *const *by)
{
	for (; by != NULL && *by != NULL; by++)
		if (same_name(variable, *by))
			return true;
	return false;
}

/* Ours without those that VARIABLES has, then those.  free() it. */
static char **make_environment(const char *const *variables)
{
	VEC(char *) environment = VEC_INIT;

	for (char **variable = environ; variable != NULL && *variable != NULL; variable++)
		if (!is_replaced(*variable, variables))
			*vec_push(&environment) = *variable;
	for (; variables != NULL && *variables != NULL; variables++)
		*vec_push(&environment) = (char *)*variables;
	*vec_push(&environment) = NULL;
	return environment.at;
}

/* --- What it prints ------------------------------------------------------ */

/* A file without a name; -1, reported. */
static int open_nameless(struct diag *diag)
{
	const char *folder = getenv("TMPDIR");
	char *path;
	int file;

	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	file = open(folder, O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
	if (file >= 0)
		return file;
	path = xasprintf("%s/kerning-XXXXXX", folder);
	file = mkostemp(path, O_APPEND | O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	else
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "cannot make a file in \"%s\" for what a run prints: %s", folder,
				 strerror(errno));
	free(path);
	return file;
}

/* SIZE bytes from OFFSET on, fewer where it is shorter or cannot be read, and a NUL. */
static char *read_part(int file, off_t offset, size_t size, size_t *got)
{
	char *text = xmalloc(size + 1);

	*got = 0;
	while (*got < size) {
		ssize_t part = pread(file, text + *got, size - *got, offset + (off_t)*got);

		if (part == 0 || (part < 0 && errno != EINTR))
			break;
		if (part > 0)
			*got += (size_t)part;
	}
	text[*got] = '\0';
	return text;
}

static off_t size_of(int file)
{
	struct stat status;

	return fstat(file, &status) == 0 ? status.st_size : 0;
}

static void read_output(struct process_result *result, int output)
{
	off_t size = size_of(output);

	if (size > (off_t)PROCESS_OUTPUT_MAX)
		size = PROCESS_OUTPUT_MAX;
	result->output = read_part(output, 0, (size_t)size, &result->size);
}

/* The last of it, from the beginning of a line on if there is one. */
static void read_errors(struct process_result *result, int errors)
{
	off_t size = size_of(errors);
	off_t from = size > PROCESS_ERRORS_MAX ? size - PROCESS_ERRORS_MAX : 0;
	size_t got;
	char *newline;

	result->errors = read_part(errors, from, (size_t)(size - from), &got);
	for (size_t i = 0; i < got; i++)
		if (result->errors[i] == '\0')
			result->errors[i] = ' ';
	newline = from > 0 ? strchr(result->errors, '\n') : NULL;
	if (newline != NULL && newline[1] != '\0')
		memmove(result->errors, newline + 1, strlen(newline + 1) + 1);
}

/* --- What came of it ----------------------------------------------------- */

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

/* What the process took before it was the program is not the program's. */
static double time_between(const struct timeval *before, const struct timeval *all)
{
	double time = seconds(all) - seconds(before);

	return time > 0 ? time : 0;
}

static void take_numbers(struct process_result *result, const struct guard *guard)
{
	if (guard->begin.tv_sec != 0)
		result->wall = (double)(guard->end.tv_sec - guard->begin.tv_sec) +
			       1e-9 * (double)(guard->end.tv_nsec - guard->begin.tv_nsec);
	result->user = time_between(&guard->before.ru_utime, &guard->usage.ru_utime);
	result->sys = time_between(&guard->before.ru_stime, &guard->usage.ru_stime);
	/* The kernel counts roughly. */
	if (guard->usage.ru_maxrss > guard->before.ru_maxrss + guard->before.ru_maxrss / 8)
		result->max_rss = 1024 * (uint64_t)guard->usage.ru_maxrss;
	for (size_t i = 0; i < COUNTERS_MAX; i++)
		result->counts[i] = i < guard->counters.count ? guard->counts[i] : NAN;
}

static void take_end(struct process_result *result, const struct guard *guard)
{
	result->end = PROCESS_FAILED;
	if (guard->ended && WIFEXITED(guard->status))
		result->status = WEXITSTATUS(guard->status);
	else if (guard->ended)
		result->signal = WTERMSIG(guard->status);
	if (guard->interrupted) {
		result->end = PROCESS_INTERRUPTED;
		result->why = xstrdup("interrupted");
	} else if (guard->timed_out) {
		result->end = PROCESS_TIMED_OUT;
		result->why = xasprintf("not done after %g s", guard->setup.timeout);
	} else if (guard->too_large) {
		result->why = xasprintf("printed more than %u MiB", PROCESS_OUTPUT_MAX >> 20);
	} else if (!guard->ended) {
		result->why = xstrdup("what waits for it was killed");
	} else if (guard->step == GUARD_EXEC) {
		result->status = guard->error == ENOENT ? 127 : 126;
		result->why = xasprintf("cannot run \"%s\": %s", guard->argv[0],
					strerror(guard->error));
	} else if (result->signal != 0) {
		result->why = xstrdup(strsignal(result->signal));
	} else if (result->status != 0) {
		result->why = xasprintf("exit status %d", result->status);
	} else {
		result->end = PROCESS_DONE;
	}
}

/* --- Running ------------------------------------------------------------- */

/*
 * Until the guard has ended.  Signals are blocked but for while we sleep, so that an
 * interrupt cannot fall between a look at it and the sleep.
 */
static void wait_for_guard(pid_t pid, const volatile sig_atomic_t *interrupt,
			   const sigset_t *unblocked)
{
	struct pollfd guard = { .fd = pidfd_open(pid, 0), .events = POLLIN };
	const struct timespec soon = { .tv_nsec = 10 * 1000 * 1000 };
	bool told = false;

	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (!told && interrupt != NULL && *interrupt) {
			kill(pid, SIGTERM);
			told = true;
		}
		ppoll(&guard, 1, guard.fd < 0 ? &soon : NULL, unblocked);
	}
	if (guard.fd >= 0)
		close(guard.fd);
}

/* False where no guard could be started, with errno. */
static bool run_guard(struct guard *guard)
{
	sigset_t all, before;
	pid_t self = getpid(), pid;
	int error;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	pid = fork_without_heap();
	if (pid == 0)
		guard_main(guard, self);
	error = errno;
	if (pid > 0)
		wait_for_guard(pid, guard->setup.interrupt, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (!guard->ended && guard->leader > 0)
		kill(-guard->leader, SIGKILL);
	errno = error;
	return pid > 0;
}

static bool report_step(const struct guard *guard, struct diag *diag)
{
	static const char *const steps[] = {
		[GUARD_FORK] = "cannot start a process",
		[GUARD_AFFINITY] = "cannot pin the run to the processors asked for",
		[GUARD_ASLR] = "cannot set address space layout randomization",
		[GUARD_SETUP] = "cannot set up a process",
	};

	diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "%s: %s", steps[guard->step],
			 strerror(guard->error));
	return false;
}

static bool run_in(struct guard *guard, struct process_result *result, struct diag *diag)
{
	if (!run_guard(guard)) {
		guard->step = GUARD_FORK;
		guard->error = errno;
	}
	if (guard->step != GUARD_STARTED && guard->step != GUARD_EXEC && !guard->interrupted)
		return report_step(guard, diag);
	take_numbers(result, guard);
	take_end(result, guard);
	read_output(result, guard->output);
	read_errors(result, guard->errors);
	return true;
}

bool process_run(char *const *argv, const char *const *variables,
		 const struct process_setup *setup, struct process_result *result,
		 struct diag *diag)
{
	char **environment = make_environment(variables);
	struct guard *guard = guard_new(argv, environment, setup);
	bool done = false;

	*result = (struct process_result){ 0 };
	if (guard == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot share memory: %s",
				 strerror(errno));
	} else if ((guard->output = open_nameless(diag)) >= 0) {
		guard->errors = open_nameless(diag);
		done = guard->errors >= 0 && run_in(guard, result, diag);
		if (guard->errors >= 0)
			close(guard->errors);
		close(guard->output);
	}
	guard_free(guard);
	free(environment);
	return done;
}

void process_result_release(struct process_result *result)
{
	free(result->why);
	free(result->output);
	free(result->errors);
	*result = (struct process_result){ 0 };
}
