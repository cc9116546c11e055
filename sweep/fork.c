/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heap is what lies between where the kernel began it and the program's break; blocks
 * so large that malloc(3) asks the kernel for each are not in it, and copied.
 */
#include "config.h"

#include "sweep/fork.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define START_BRK 47	/* the field of /proc/PID/stat, from 1; see proc(5) */

/* Where the heap begins; 0 where that is not told. */
static uintptr_t heap_begin(void)
{
	FILE *stream = fopen("/proc/self/stat", "re");
	char line[1024] = "", *at;
	uintmax_t begin = 0;

	if (stream == NULL)
		return 0;
	if (fgets(line, sizeof line, stream) == NULL)
		line[0] = '\0';
	fclose(stream);
	at = strrchr(line, ')');	/* the second, a name */
	for (unsigned field = 2; at != NULL && field < START_BRK; field++)
		at = strchr(at + 1, ' ');
	if (at == NULL || sscanf(at, "%ju", &begin) != 1)
		return 0;
	return (uintptr_t)begin;
}

pid_t fork_without_heap(void)
{
	uintptr_t begin = heap_begin(), end = (uintptr_t)sbrk(0);
	size_t size = begin != 0 && begin < end ? end - begin : 0;
	pid_t pid;
	int error;

	madvise((void *)begin, size, MADV_DONTFORK);
	pid = _Fork();
	error = errno;
	if (pid != 0)
		madvise((void *)begin, size, MADV_DOFORK);
	errno = error;
	return pid;
}
