/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * maker-run [--image=NAME] KERNEL FOLDER JOBS FLAGS...: makes a layout of a built kernel
 * for each FLAGS, in FOLDER/0, FOLDER/1, ..., JOBS at a time, as a sweep does; what was
 * said is in FOLDER/0.said.  FOLDER is absolute.  Prints each one's exit status and seconds.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"
#include "sweep/maker.h"

struct running {
	pid_t pid;
	unsigned layout;
	double since;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void start(const struct maker *maker, struct running *running, unsigned job,
		  const char *folder, const char *flags)
{
	char *its = xasprintf("%s/%u", folder, running->layout);
	char *said = xasprintf("%s.said", its);
	const struct making making = { .flags = flags, .folder = its, .job = job };

	running->since = now();
	running->pid = fork();
	if (running->pid == 0) {
		int fd;

		if (!make_folders(its))
			_exit(3);
		fd = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0666);
		dup2(fd, 1);
		dup2(fd, 2);
		_exit(maker->make(maker, &making));
	}
	free(said);
	free(its);
}

int main(int argc, char **argv)
{
	const char *image = NULL;
	struct running running[16] = { 0 };
	struct maker *maker;
	struct diag diag;
	unsigned jobs, next = 0, count, under_way = 0;
	int failed = 0;

	if (argc > 1 && strncmp(argv[1], "--image=", 8) == 0) {
		image = argv[1] + 8;
		argv++, argc--;
	}
	if (argc < 4 || (jobs = (unsigned)atoi(argv[3])) == 0 || jobs > 16)
		return 2;
	diag_init(&diag, "maker-run", stderr);
	maker = maker_kernel(argv[1], image, jobs, &diag);
	if (maker == NULL)
		return (int)diag.status;
	printf("%s by %u: %s\n", maker->name, maker->jobs, maker->description);
	count = (unsigned)argc - 4;
	while (next < count || under_way > 0) {
		int status;
		pid_t pid;

		for (unsigned job = 0; job < jobs && next < count; job++) {
			if (running[job].pid > 0)
				continue;
			running[job].layout = next;
			start(maker, &running[job], job, argv[2], argv[4 + next++]);
			under_way++;
		}
		pid = wait(&status);
		for (unsigned job = 0; job < jobs; job++) {
			if (running[job].pid != pid)
				continue;
			running[job].pid = 0;
			under_way--;
			printf("%u: exit status %d, %.1f s\n", running[job].layout,
			       WIFEXITED(status) ? WEXITSTATUS(status) : -1, now() - running[job].since);
			failed |= status != 0;
		}
	}
	maker->free(maker);
	return failed;
}
