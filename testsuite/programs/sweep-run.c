/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep-run [OPTION...] COMMAND ARG...: one run, and what is known of it, a line each.
 * SIGINT interrupts it.
 *
 *	-t SECONDS	its time
 *	-c CPU		where it runs
 *	-r		without address space layout randomization; -R with
 *	-v NAME=VALUE	a variable more
 *	-k		counters too
 *	-m MIB		we are that much larger than we need to be
 *	-n TIMES	that often; the last is told of
 *	-i US		interrupted after so many microseconds
 */
#include "config.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"
#include "lib/vec.h"
#include "sweep/process.h"

static volatile sig_atomic_t interrupt;

static void on_interrupt(int signal)
{
	(void)signal;
	interrupt = 1;
}

static void tell(const struct process_result *result, const struct counters *counters)
{
	static const char *const ends[] = {
		[PROCESS_DONE] = "done", [PROCESS_FAILED] = "failed",
		[PROCESS_TIMED_OUT] = "timed out", [PROCESS_INTERRUPTED] = "interrupted",
	};

	printf("end: %s\nstatus: %d\nsignal: %d\nwhy: %s\n", ends[result->end], result->status,
	       result->signal, result->why != NULL ? result->why : "");
	printf("wall: %.6f\nuser: %.6f\nsys: %.6f\nmax-rss: %" PRIu64 "\n", result->wall,
	       result->user, result->sys, result->max_rss);
	for (size_t i = 0; i < counters->count; i++)
		printf("%s: %.0f\n", counters->list[i].name, result->counts[i]);
	printf("size: %zu\nerrors-size: %zu\n", result->size, strlen(result->errors));
	printf("output: ");
	fwrite(result->output, 1, result->size, stdout);
	printf("\nerrors: %s\n", result->errors);
}

int main(int argc, char **argv)
{
	struct process_setup setup = { .interrupt = &interrupt };
	VEC(const char *) variables = VEC_INIT;
	struct counters counters = { 0 };
	struct process_result result;
	unsigned times = 1;
	struct diag diag;
	bool done = true;
	VEC(char *) ballast = VEC_INIT;
	int option;

	diag_init(&diag, "sweep-run", stderr);
	signal(SIGINT, on_interrupt);
	while ((option = getopt(argc, argv, "+t:c:rRv:km:n:i:")) != -1) {
		switch (option) {
		case 't':
			setup.timeout = atof(optarg);
			break;
		case 'c':
			CPU_ZERO(&setup.cpus);
			CPU_SET(atoi(optarg), &setup.cpus);
			setup.pinned = true;
			break;
		case 'r':
			setup.aslr = ASLR_OFF;
			break;
		case 'R':
			setup.aslr = ASLR_ON;
			break;
		case 'v':
			*vec_push(&variables) = optarg;
			break;
		case 'k':
			counters_probe(&counters);
			setup.counters = &counters;
			break;
		case 'm':
			for (int i = 0; i < 64 * atoi(optarg); i++) {
				*vec_push(&ballast) = xmalloc(1u << 14);
				memset(ballast.at[i], 1, 1u << 14);
			}
			break;
		case 'n':
			times = (unsigned)atoi(optarg);
			break;
		case 'i':
			signal(SIGALRM, on_interrupt);
			ualarm((useconds_t)atoi(optarg), 0);
			break;
		default:
			return 2;
		}
	}
	*vec_push(&variables) = NULL;
	while (times-- > 0 && done) {
		done = process_run(argv + optind, variables.at, &setup, &result, &diag);
		if (done && times == 0)
			tell(&result, &counters);
		process_result_release(&result);
	}
	if (counters.without != NULL)
		printf("without: %s\n", counters.without);
	counters_release(&counters);
	vec_release(&variables);
	for (size_t i = 0; i < ballast.count; i++)
		free(ballast.at[i]);
	vec_release(&ballast);
	return (int)diag.status;
}
