/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which counters can be had is found out by counting: a kernel may know an event that
 * its processor, or the hypervisor, does not count.
 */
#include "config.h"

#include "sweep/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <obstack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/memory.h"

#define CACHE(which, result) \
	(PERF_COUNT_HW_CACHE_##which | PERF_COUNT_HW_CACHE_OP_READ << 8 | \
	 PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/*
 * A name, then the same for user space alone; NULL where the kernel alone can do what is
 * counted, so that nothing would be.
 */
static const struct event {
	const char *name, *user_name;
	uint32_t type;
	uint64_t config;
} events[] = {
	{ "cycles", "cycles:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "instructions", "instructions:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "branches", "branches:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	{ "branch-misses", "branch-misses:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "L1-icache-load-misses", "L1-icache-load-misses:u", PERF_TYPE_HW_CACHE,
	  CACHE(L1I, MISS) },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses:u", PERF_TYPE_HW_CACHE,
	  CACHE(L1D, MISS) },
	{ "iTLB-load-misses", "iTLB-load-misses:u", PERF_TYPE_HW_CACHE, CACHE(ITLB, MISS) },
	{ "dTLB-load-misses", "dTLB-load-misses:u", PERF_TYPE_HW_CACHE, CACHE(DTLB, MISS) },
	{ "cache-misses", "cache-misses:u", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "task-clock", "task-clock:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ "page-faults", "page-faults:u", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "context-switches", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "cpu-migrations", NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
};

static const char not_permitted[] =
	"not permitted: see /proc/sys/kernel/perf_event_paranoid";

static const char *explain(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EINVAL:
		return "the processor, or its hypervisor, has none";
	case EACCES:
	case EPERM:
		return not_permitted;
	case ENOSYS:
		return "the kernel has no perf_event_open";
	default:
		return strerrordesc_np(error);
	}
}

/* Of ourselves, or of those that we start, from when they execute a program. */
static int open_counter(const struct counter *counter, bool on_exec)
{
	struct perf_event_attr attr = {
		.size = sizeof attr,
		.type = counter->type,
		.config = counter->config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = on_exec,
		.enable_on_exec = on_exec,
		.exclude_kernel = counter->user_only,
		.exclude_hv = counter->user_only,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static double read_counter(int fd)
{
	uint64_t values[3];	/* the count, and how long it was enabled and ran */

	if (read(fd, values, sizeof values) != sizeof values || values[2] == 0)
		return NAN;
	return values[2] < values[1] ? (double)values[0] * ((double)values[1] / (double)values[2]) :
				       (double)values[0];
}

/* Something that has cycles, branches and the like to count. */
static void work(void)
{
	for (volatile unsigned i = 0; i < 100000; i++)
		;
}

/* NULL, or why it cannot be had. */
static const char *try_counter(const struct counter *counter)
{
	int fd = open_counter(counter, false), error = errno;
	double count;

	if (fd < 0)
		return explain(error);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	work();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	count = read_counter(fd);
	close(fd);
	/* There may be no miss in that work; cycles, instructions and branches there are. */
	if (counter->type == PERF_TYPE_HARDWARE && count == 0 &&
	    counter->config != PERF_COUNT_HW_BRANCH_MISSES &&
	    counter->config != PERF_COUNT_HW_CACHE_MISSES)
		count = NAN;
	return counter->type != PERF_TYPE_SOFTWARE && isnan(count) ?
		       "they open, but count nothing" : NULL;
}

/* The counter of EVENT, its kernel's part included where that is permitted. */
static const char *probe(const struct event *event, struct counter *counter)
{
	const char *why;

	*counter = (struct counter){ .name = event->name, .type = event->type,
				     .config = event->config };
	why = try_counter(counter);
	if (why != not_permitted || event->user_name == NULL)
		return why;
	counter->name = event->user_name;
	counter->user_only = true;
	return try_counter(counter);
}

#define EVENTS (sizeof events / sizeof events[0])

/* "no hardware counters: why; no context-switches, cpu-migrations: why". */
static char *say_what_is_missing(const char *why[EVENTS], bool any_hardware)
{
	struct obstack words;
	const char *before = NULL;
	char *text;

	obstack_init(&words);
	for (size_t i = 0; i < EVENTS; i++) {
		const char *name = events[i].name;

		if (why[i] == NULL)
			continue;
		if (events[i].type != PERF_TYPE_SOFTWARE && !any_hardware) {
			if (before != NULL)
				continue;
			name = "hardware counters";
		}
		if (before == why[i])
			obstack_printf(&words, ", %s", name);
		else if (before == NULL)
			obstack_printf(&words, "no %s", name);
		else
			obstack_printf(&words, " (%s); no %s", before, name);
		before = why[i];
	}
	if (before != NULL)
		obstack_printf(&words, " (%s)", before);
	obstack_1grow(&words, '\0');
	text = before != NULL ? xstrdup(obstack_finish(&words)) : NULL;
	obstack_free(&words, NULL);
	return text;
}

void counters_probe(struct counters *counters)
{
	const char *why[EVENTS];
	bool any_hardware = false;

	_Static_assert(EVENTS <= COUNTERS_MAX, "room for all");
	*counters = (struct counters){ 0 };
	for (size_t i = 0; i < EVENTS; i++) {
		why[i] = probe(&events[i], &counters->list[counters->count]);
		if (why[i] != NULL)
			continue;
		counters->count++;
		any_hardware |= events[i].type != PERF_TYPE_SOFTWARE;
	}
	counters->without = say_what_is_missing(why, any_hardware);
}

void counters_release(struct counters *counters)
{
	free(counters->without);
	*counters = (struct counters){ 0 };
}

void counters_open(const struct counters *counters, int fds[COUNTERS_MAX])
{
	for (size_t i = 0; i < counters->count; i++)
		fds[i] = open_counter(&counters->list[i], true);
}

void counters_read(const struct counters *counters, const int fds[COUNTERS_MAX],
		   double counts[COUNTERS_MAX])
{
	for (size_t i = 0; i < counters->count; i++) {
		counts[i] = fds[i] >= 0 ? read_counter(fds[i]) : NAN;
		if (fds[i] >= 0)
			close(fds[i]);
	}
}
