/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep/progress.h"

#define GRACE 1.0		/* seconds between SIGTERM and SIGKILL */
#define PAUSE_MILLISECONDS 100	/* between two looks whether it has to end */

static _Noreturn void helper_main(const struct helper *helper)
{
	int input = helper->input >= 0 ? helper->input : open("/dev/null", O_RDONLY | O_CLOEXEC);

	setsid();
	for (const char *const *variable = helper->variables;
	     variable != NULL && *variable != NULL; variable++)
		putenv((char *)*variable);
	if (input >= 0 && dup2(input, 0) == 0 && dup2(2, 1) == 1)
		execl("/bin/sh", "sh", "-c", helper->command, (char *)NULL);
	_exit(127);
}

/* True if its time is over, or it is interrupted. */
static bool has_to_end(struct helper *helper, double begin)
{
	helper->timed_out |= helper->timeout > 0 && progress_now() - begin > helper->timeout;
	return helper->timed_out || (helper->interrupt != NULL && *helper->interrupt);
}

int helper_run(struct helper *helper)
{
	struct pollfd end = { .events = POLLIN };
	double begin = progress_now(), told = 0;
	int status = -1;
	pid_t pid, got;

	helper->timed_out = false;
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		helper_main(helper);
	if (pid < 0)
		return -1;
	end.fd = pidfd_open(pid, 0);
	while ((got = waitpid(pid, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		if (has_to_end(helper, begin)) {
			told = told > 0 ? told : progress_now();
			kill(-pid, progress_now() - told < GRACE ? SIGTERM : SIGKILL);
		}
		poll(&end, 1, PAUSE_MILLISECONDS);
	}
	if (told > 0)
		kill(-pid, SIGKILL);
	if (end.fd >= 0)
		close(end.fd);
	return status;
}
