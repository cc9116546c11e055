/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that takes time is done before the program begins or after it has ended;
 * while it runs the guard sleeps, but for a look each second at how much was printed.
 * Nothing here allocates memory or uses what was allocated (see fork.h).
 */
#include "config.h"

#include "sweep/guard.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRACE 1.0	/* seconds between SIGTERM and SIGKILL */
#define PATIENCE 10.0	/* after which even what SIGKILL does not end is left */

static struct timespec now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time;
}

static double seconds_between(struct timespec begin, struct timespec end)
{
	return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* --- What is shared --------------------------------------------------------- */

static size_t size_of_texts(char *const *texts)
{
	size_t size = sizeof *texts;

	for (; *texts != NULL; texts++)
		size += sizeof *texts + strlen(*texts) + 1;
	return size;
}

/* Copies TEXTS to the pointers at *TO and the characters at *FREE, which move on. */
static char **copy_texts(char *const *texts, char ***to, char **free)
{
	char **copy = *to;

	for (; *texts != NULL; texts++) {
		*(*to)++ = *free;
		*free = stpcpy(*free, *texts) + 1;
	}
	*(*to)++ = NULL;
	return copy;
}

static size_t count_texts(char *const *texts)
{
	size_t count = 0;

	while (texts[count] != NULL)
		count++;
	return count;
}

struct guard *guard_new(char *const *argv, char *const *environment,
			const struct process_setup *setup)
{
	size_t size = sizeof(struct guard) + size_of_texts(argv) + size_of_texts(environment);
	struct guard *guard = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				   -1, 0);
	char **pointers = (char **)(guard + 1), *free;

	if (guard == MAP_FAILED)
		return NULL;
	free = (char *)(pointers + count_texts(argv) + count_texts(environment) + 2);
	guard->mapped = size;
	guard->argv = copy_texts(argv, &pointers, &free);
	guard->environment = copy_texts(environment, &pointers, &free);
	guard->setup = *setup;
	if (setup->counters != NULL)
		guard->counters = *setup->counters;
	guard->output = guard->errors = -1;
	return guard;
}

void guard_free(struct guard *guard)
{
	if (guard != NULL)
		munmap(guard, guard->mapped);
}

/* --- The program --------------------------------------------------------- */

/* How a process begins, whatever ours has changed. */
static bool reset_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int signal = 1; signal < NSIG; signal++)
		sigaction(signal, &action, NULL);
	sigemptyset(&none);
	return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

static bool set_files(const struct guard *guard)
{
	int empty = open("/dev/null", O_RDONLY);

	if (empty < 0 || dup2(empty, 0) < 0 || dup2(guard->output, 1) < 0 ||
	    dup2(guard->errors, 2) < 0)
		return false;
	close_range(3, ~0u, CLOSE_RANGE_CLOEXEC);
	return true;
}

static bool set_aslr(enum process_aslr aslr)
{
	int persona;

	if (aslr == ASLR_AS_IT_IS)
		return true;
	persona = personality(0xffffffff);
	if (persona < 0)
		return false;
	persona = aslr == ASLR_OFF ? persona | ADDR_NO_RANDOMIZE : persona & ~ADDR_NO_RANDOMIZE;
	return personality((unsigned long)persona) >= 0;
}

static _Noreturn void failed(struct guard *guard, enum guard_step step)
{
	guard->error = errno;
	guard->step = step;
	_exit(127);
}

static _Noreturn void program_main(struct guard *guard, pid_t parent)
{
	const struct process_setup *setup = &guard->setup;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	setsid();
	if (setup->pinned && sched_setaffinity(0, sizeof setup->cpus, &setup->cpus) != 0)
		failed(guard, GUARD_AFFINITY);
	if (!set_aslr(setup->aslr))
		failed(guard, GUARD_ASLR);
	if (!reset_signals() || !set_files(guard))
		failed(guard, GUARD_SETUP);
	environ = guard->environment;
	getrusage(RUSAGE_SELF, &guard->before);
	guard->begin = now();
	execvp(guard->argv[0], guard->argv);
	failed(guard, GUARD_EXEC);
}

/* Its process, or -1. */
static pid_t start(struct guard *guard)
{
	pid_t self = getpid(), pid = _Fork();

	if (pid == 0)
		program_main(guard, self);
	return pid;
}

/* --- Waiting ------------------------------------------------------------- */

static void add_usage(struct guard *guard, const struct rusage *usage)
{
	struct rusage *sum = &guard->usage;

	timeradd(&sum->ru_utime, &usage->ru_utime, &sum->ru_utime);
	timeradd(&sum->ru_stime, &usage->ru_stime, &sum->ru_stime);
	if (sum->ru_maxrss < usage->ru_maxrss)
		sum->ru_maxrss = usage->ru_maxrss;
}

/*
 * True if LEADER has ended, which stays a zombie.  Others that have were abandoned by it,
 * and what they took counts.
 */
static bool has_ended(struct guard *guard, pid_t leader)
{
	struct rusage usage;
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
			return false;
		if (info.si_pid == leader)
			return true;
		if (wait4(info.si_pid, NULL, WNOHANG, &usage) > 0)
			add_usage(guard, &usage);
	}
}

static bool is_too_large(int file)
{
	struct stat status;

	return fstat(file, &status) == 0 && status.st_size > (off_t)PROCESS_OUTPUT_MAX;
}

/* Until there is something to be seen to, or SECONDS have passed.  The signal, or -1. */
static int sleep_for(double seconds)
{
	const struct timespec time = { (time_t)seconds, (long)(fmod(seconds, 1) * 1e9) };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	return sigtimedwait(&signals, NULL, &time);
}

/* Until the program has ended, or has to be. */
static void wait_for(struct guard *guard, pid_t leader)
{
	const struct timespec begin = now();
	double left = 1;

	for (;;) {
		guard->end = now();
		if (has_ended(guard, leader))
			return;
		if (guard->setup.timeout > 0)
			left = guard->setup.timeout - seconds_between(begin, guard->end);
		guard->timed_out = left <= 0;
		guard->too_large = is_too_large(guard->output) || is_too_large(guard->errors);
		if (guard->timed_out || guard->too_large)
			return;
		guard->interrupted = sleep_for(left < 1 ? left : 1) == SIGTERM;
		if (guard->interrupted)
			return;
	}
}

/* --- Ending -------------------------------------------------------------- */

/* The parent of the process of that number, 0 where there is none any more. */
static pid_t parent_of(const char *number)
{
	char path[64], text[256];
	const char *name_end;
	int file, parent = 0;
	ssize_t size;

	snprintf(path, sizeof path, "/proc/%.16s/stat", number);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	size = read(file, text, sizeof text - 1);
	close(file);
	text[size > 0 ? size : 0] = '\0';
	name_end = strrchr(text, ')');	/* "17 (name) S 1 ..." */
	if (name_end == NULL || sscanf(name_end, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

/* What the program abandons becomes our child, and when that ends what it abandons. */
static void signal_children(int signal)
{
	int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_Alignas(struct dirent64) char entries[16384];
	ssize_t size;

	while (folder >= 0 && (size = getdents64(folder, entries, sizeof entries)) > 0) {
		const struct dirent64 *entry;

		for (ssize_t at = 0; at < size; at += entry->d_reclen) {
			entry = (const struct dirent64 *)(entries + at);
			if (isdigit((unsigned char)entry->d_name[0]) &&
			    parent_of(entry->d_name) == getpid())
				kill((pid_t)atol(entry->d_name), signal);
		}
	}
	if (folder >= 0)
		close(folder);
}

/* Takes LEADER's status and ends all that there is. */
static void end_all(struct guard *guard, pid_t leader)
{
	const struct timespec begin = now();
	double passed = 0;

	/* Ended or not, LEADER has its number still, and the group has it. */
	kill(-leader, SIGTERM);
	while (passed < PATIENCE) {
		struct rusage usage;
		int status;
		pid_t pid = wait4(-1, &status, WNOHANG, &usage);

		if (pid < 0)
			return;
		if (pid == leader) {
			guard->ended = true;
			guard->status = status;
			add_usage(guard, &usage);
		}
		if (pid > 0)
			continue;
		passed = seconds_between(begin, now());
		signal_children(passed < GRACE ? SIGTERM : SIGKILL);
		sleep_for(0.01);
	}
}

_Noreturn void guard_main(struct guard *guard, pid_t parent)
{
	const struct counters *counters = guard->setup.counters != NULL ? &guard->counters : NULL;
	int fds[COUNTERS_MAX];
	pid_t leader;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (getppid() != parent)
		_exit(1);
	if (counters != NULL)
		counters_open(counters, fds);
	leader = start(guard);
	guard->leader = leader;
	if (leader < 0) {
		guard->error = errno;
		guard->step = GUARD_FORK;
		_exit(1);
	}
	wait_for(guard, leader);
	if (counters != NULL)
		counters_read(counters, fds, guard->counts);
	end_all(guard, leader);
	guard->too_large |= is_too_large(guard->output) || is_too_large(guard->errors);
	_exit(0);
}
