/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a link's time went.
 */
#include "config.h"
#include "ld/stats.h"

#include <string.h>

static double since(clockid_t clock, struct timespec *last)
{
	struct timespec now;
	double seconds;

	clock_gettime(clock, &now);
	seconds = (double)(now.tv_sec - last->tv_sec) + (double)(now.tv_nsec - last->tv_nsec) * 1e-9;
	*last = now;
	return seconds;
}

void stats_begin(struct stats *stats)
{
	stats->count = 0;
	clock_gettime(CLOCK_MONOTONIC, &stats->wall);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stats->processor);
}

void stats_phase(struct stats *stats, const char *name)
{
	double wall = since(CLOCK_MONOTONIC, &stats->wall);
	double processor = since(CLOCK_PROCESS_CPUTIME_ID, &stats->processor);
	unsigned i = 0;

	while (i < stats->count && strcmp(stats->phases[i].name, name) != 0)
		i++;
	if (i == STATS_PHASES)
		return;
	if (i == stats->count)
		stats->phases[stats->count++].name = name;
	stats->phases[i].wall += wall;
	stats->phases[i].processor += processor;
}

static void write_phase(FILE *stream, double wall, double processor, const char *name)
{
	fprintf(stream, "kerning-ld: %8.1f ms %8.1f ms  %s\n", wall * 1e3, processor * 1e3, name);
}

void stats_write(const struct stats *stats, FILE *stream)
{
	double wall = 0, processor = 0;

	fprintf(stream, "kerning-ld: %11s %11s\n", "wall", "own cpu");
	for (unsigned i = 0; i < stats->count; i++) {
		write_phase(stream, stats->phases[i].wall, stats->phases[i].processor,
			    stats->phases[i].name);
		wall += stats->phases[i].wall;
		processor += stats->phases[i].processor;
	}
	write_phase(stream, wall, processor, "in all");
}
