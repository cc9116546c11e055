/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bundle-maker FLAGS FOLDER bundle BUNDLE
 * bundle-maker FLAGS FOLDER build COMMAND OUTPUT
 *
 * Makes a layout with a maker, in FOLDER: FLAGS several times where they have '|' between
 * them, each in FOLDER/0, FOLDER/1, ..., all at a time if the maker can.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/memory.h"
#include "sweep/maker.h"

static int wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) < 0)
		return 3;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	struct maker *maker = NULL;
	struct diag diag;
	unsigned job = 0;
	int worst = 0;

	diag_init(&diag, "bundle-maker", stderr);
	if (argc == 5 && strcmp(argv[3], "bundle") == 0)
		maker = maker_bundle(argv[4], 2, &diag);
	else if (argc == 6 && strcmp(argv[3], "build") == 0)
		maker = maker_build(argv[4], argv[5], &diag);
	else
		return 2;
	if (maker == NULL)
		return (int)diag.status;
	printf("%s\n%s\n%u\n", maker->name, maker->description, maker->jobs);
	fflush(stdout);
	for (char *flags = strtok(argv[1], "|"); flags != NULL; flags = strtok(NULL, "|"), job++) {
		struct making making = { flags, xasprintf("%s/%u", argv[2], job), job % maker->jobs };
		pid_t child;

		mkdir(making.folder, 0777);
		child = fork();
		if (child == 0)
			_exit(maker->make(maker, &making));
		/* The first one alone, then two beside each other. */
		if (maker->jobs == 1 || job % 2 == 0) {
			int status = wait_for(child);

			worst = status > worst ? status : worst;
		}
		free((char *)making.folder);
	}
	for (int status; (status = wait_for(-1)) != 3;)
		worst = status > worst ? status : worst;
	maker->free(maker);
	return worst;
}
