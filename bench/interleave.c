/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interleave [-n ROUNDS] [-r] NAME COMMAND [NAME COMMAND]...: compares what
 * commands cost, by running them in turn.
 *
 * A machine is never the same for long: clocks, caches and neighbours drift.
 * So each round runs every command once, and a command is compared with the
 * first one of its own round; the ratio shown is the median of those ratios.
 *
 * COMMAND goes to the shell; what it writes to standard output is dropped.
 * With -r the table is for programs: tab-separated, without a header.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum measure { WALL, CPU, PEAK, MEASURES };	/* seconds, seconds, bytes */

struct command {
	const char *name, *text;
	double *samples[MEASURES];	/* one a round */
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "interleave: error: %s: %s\n", what, why);
	exit(3);
}

static double seconds(struct timeval time)
{
	return time.tv_sec + time.tv_usec / 1e6;
}

/* Runs COMMAND; a command that fails has no cost to compare, and ends all. */
static void run(struct command *command, unsigned round)
{
	struct timespec start, end;
	struct rusage usage;
	pid_t child;
	int status;

	clock_gettime(CLOCK_MONOTONIC, &start);
	child = fork();
	if (child < 0)
		die("fork", strerror(errno));
	if (!child) {
		int null = open("/dev/null", O_WRONLY);

		if (null >= 0)
			dup2(null, STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command->text, (char *)NULL);
		_exit(127);
	}
	if (wait4(child, &status, 0, &usage) != child)
		die("wait4", strerror(errno));
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		fprintf(stderr, "interleave: error: \"%s\" failed: %s\n", command->name,
			command->text);
		exit(1);
	}
	command->samples[WALL][round] = (end.tv_sec - start.tv_sec) +
					(end.tv_nsec - start.tv_nsec) / 1e9;
	command->samples[CPU][round] = seconds(usage.ru_utime) + seconds(usage.ru_stime);
	command->samples[PEAK][round] = usage.ru_maxrss * 1024.0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		die("calloc", strerror(errno));
	return memory;
}

/* The value at FRACTION of the sorted samples. */
static double quantile(const double *samples, unsigned count, double fraction)
{
	double *sorted = allocate(count, sizeof *sorted);
	double value;

	memcpy(sorted, samples, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare);
	if (fraction == 0.5 && count % 2 == 0)
		value = (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
	else
		value = sorted[(unsigned)(fraction * (count - 1) + 0.5)];
	free(sorted);
	return value;
}

/* The median over the rounds of COMMAND's cost by FIRST's. */
static double ratio(const struct command *command, const struct command *first,
		    enum measure measure, unsigned rounds)
{
	double *ratios = allocate(rounds, sizeof *ratios);
	double median;

	for (unsigned i = 0; i < rounds; i++)
		ratios[i] = command->samples[measure][i] / first->samples[measure][i];
	median = quantile(ratios, rounds, 0.5);
	free(ratios);
	return median;
}

static void print(const struct command *commands, unsigned count, unsigned rounds, bool raw)
{
	int width = 4;

	for (unsigned i = 0; i < count; i++)
		if ((int)strlen(commands[i].name) > width)
			width = (int)strlen(commands[i].name);
	if (!raw)
		printf("%-*s %9s %9s %9s %7s %9s %7s %9s %7s\n", width, "", "seconds", "best",
		       "worst", "ratio", "cpu", "ratio", "peak MB", "ratio");
	for (unsigned i = 0; i < count; i++) {
		const struct command *command = &commands[i];

		printf(raw ? "%.*s\t%.4f\t%.4f\t%.4f\t%.3f\t%.4f\t%.3f\t%.1f\t%.3f\n"
			   : "%-*s %9.4f %9.4f %9.4f %7.3f %9.4f %7.3f %9.1f %7.3f\n",
		       raw ? 1000 : width, command->name,
		       quantile(command->samples[WALL], rounds, 0.5),
		       quantile(command->samples[WALL], rounds, 0),
		       quantile(command->samples[WALL], rounds, 1),
		       ratio(command, commands, WALL, rounds),
		       quantile(command->samples[CPU], rounds, 0.5),
		       ratio(command, commands, CPU, rounds),
		       quantile(command->samples[PEAK], rounds, 0.5) / 1e6,
		       ratio(command, commands, PEAK, rounds));
	}
}

int main(int argc, char **argv)
{
	unsigned rounds = 10, count;
	struct command *commands;
	bool raw = false;
	int option;

	while ((option = getopt(argc, argv, "n:r")) != -1) {
		if (option == 'n' && atoi(optarg) > 0)
			rounds = (unsigned)atoi(optarg);
		else if (option == 'r')
			raw = true;
		else
			optind = argc;
	}
	count = (unsigned)(argc - optind) / 2;
	if (count == 0 || (argc - optind) % 2) {
		fputs("usage: interleave [-n ROUNDS] [-r] NAME COMMAND [NAME COMMAND]...\n", stderr);
		return 2;
	}
	commands = allocate(count, sizeof *commands);
	for (unsigned i = 0; i < count; i++) {
		commands[i].name = argv[optind + 2 * (int)i];
		commands[i].text = argv[optind + 2 * (int)i + 1];
		for (unsigned m = 0; m < MEASURES; m++)
			commands[i].samples[m] = allocate(rounds, sizeof(double));
	}
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned i = 0; i < count; i++)
			run(&commands[i], round);
	print(commands, count, rounds, raw);
	for (unsigned i = 0; i < count; i++)
		for (unsigned m = 0; m < MEASURES; m++)
			free(commands[i].samples[m]);
	free(commands);
	return 0;
}
