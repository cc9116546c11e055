/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One function a thing that disturbs, and a table of them, worst first.  What is as it
 * should be is not told.
 */
#include "config.h"

#include "sweep/noise.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/memory.h"

/* Owns STATE and ADVICE. */
static void add(struct look *look, const char *name, char *state, char *advice)
{
	*vec_push(&look->machine->noises) = (struct noise){ xstrdup(name), state, advice };
}

/* "0-3,8".  free() it. */
static char *format_processors(const cpu_set_t *cpus)
{
	struct obstack text;
	char *result;

	obstack_init(&text);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		int last = cpu;

		if (!CPU_ISSET(cpu, cpus))
			continue;
		while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, cpus))
			last++;
		obstack_printf(&text, "%s%d", obstack_object_size(&text) > 0 ? "," : "", cpu);
		if (last > cpu)
			obstack_printf(&text, last > cpu + 1 ? "-%d" : ",%d", last);
		cpu = last;
	}
	obstack_1grow(&text, '\0');
	result = xstrdup(obstack_finish(&text));
	obstack_free(&text, NULL);
	return result;
}

static const char *plural(unsigned long count)
{
	return count == 1 ? "" : "s";
}

/* --- Others that run ------------------------------------------------------ */

static void look_load(struct look *look)
{
	char *text = look_read(look, "/proc/loadavg");
	unsigned running = 0;
	double load = 0;

	if (text != NULL && sscanf(text, "%lf %*f %*f %u/", &load, &running) == 2 &&
	    (load >= 0.5 || running > 1))
		add(look, "load",
		    xasprintf("%.2f over the last minute, %u other task%s running now", load,
			      running > 0 ? running - 1 : 0, plural(running - 1)),
		    xstrdup("stop what else runs: top"));
	free(text);
}

struct pinned {
	struct look *look;
	VEC(char *) names;
	cpu_set_t cpus;
};

/* Kernel threads have no memory of their own: what they are bound to is their nature. */
static void look_task(struct pinned *pinned, const char *status)
{
	char *list = look_field(status, "Cpus_allowed_list"), *size = look_field(status, "VmSize");
	char *name = look_field(status, "Name"), *pid = look_field(status, "Pid");
	cpu_set_t cpus;

	look_processors(list, &cpus);
	CPU_AND(&cpus, &cpus, &pinned->look->online);
	if (size[0] != '\0' && CPU_COUNT(&cpus) == 1) {
		cpu_set_t shared;

		CPU_AND(&shared, &cpus, &pinned->look->used);
		if (CPU_COUNT(&shared) == 1) {
			*vec_push(&pinned->names) = xasprintf("%s (%s)", name, pid);
			CPU_OR(&pinned->cpus, &pinned->cpus, &cpus);
		}
	}
	free(list);
	free(size);
	free(name);
	free(pid);
}

/* All threads of the process of that number. */
static void look_process(struct pinned *pinned, const char *number)
{
	char *path = xasprintf("%s/proc/%s/task", pinned->look->root, number);
	DIR *folder = opendir(path);
	const struct dirent *entry;

	free(path);
	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL) {
		char *status;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		status = look_read(pinned->look, "/proc/%s/task/%s/status", number, entry->d_name);
		if (status != NULL)
			look_task(pinned, status);
		free(status);
	}
	closedir(folder);
}

#define NAMED 3

static void tell_pinned(struct look *look, const struct pinned *pinned)
{
	struct obstack words;
	char *cpus = format_processors(&pinned->cpus);

	obstack_init(&words);
	for (size_t i = 0; i < pinned->names.count && i < NAMED; i++)
		obstack_printf(&words, "%s%s", i > 0 ? ", " : "", pinned->names.at[i]);
	if (pinned->names.count > NAMED)
		obstack_printf(&words, " and %zu more", pinned->names.count - NAMED);
	obstack_printf(&words, " on processor%s %s",
		       plural((unsigned long)CPU_COUNT(&pinned->cpus)), cpus);
	obstack_1grow(&words, '\0');
	add(look, "pinned tasks", xstrdup(obstack_finish(&words)),
	    xstrdup("move them elsewhere (taskset -pc PROCESSORS PID), or run on others"));
	obstack_free(&words, NULL);
	free(cpus);
}

/* Where there is but one processor everything is on it. */
static void look_pinned(struct look *look)
{
	struct pinned pinned = { .look = look };
	char *path = xasprintf("%s/proc", look->root);
	DIR *folder = look->machine->processors > 1 ? opendir(path) : NULL;
	const struct dirent *entry;

	free(path);
	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    (look->root[0] != '\0' || atol(entry->d_name) != getpid()))
			look_process(&pinned, entry->d_name);
	closedir(folder);
	if (pinned.names.count > 0)
		tell_pinned(look, &pinned);
	for (size_t i = 0; i < pinned.names.count; i++)
		free(pinned.names.at[i]);
	vec_release(&pinned.names);
}

struct times {
	unsigned long long all, stolen;
};

/* Of the processors that are used, since boot, in clock ticks. */
static struct times read_times(const struct look *look)
{
	char *text = look_read(look, "/proc/stat");
	struct times times = { 0, 0 };

	for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
		unsigned long long t[8] = { 0 };
		unsigned cpu;

		line += *line == '\n';
		if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &t[0],
			   &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 9 ||
		    cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &look->used))
			continue;
		for (size_t i = 0; i < 8; i++)
			times.all += t[i];
		times.stolen += t[7];
	}
	free(text);
	return times;
}

static double percent(unsigned long long part, unsigned long long all)
{
	return all > 0 ? 100.0 * (double)part / (double)all : 0;
}

static void look_virtual(struct look *look)
{
	const struct timespec while_we_look = { .tv_nsec = 200 * 1000 * 1000 };
	struct times before = read_times(look), after;

	if (!look->machine->virtual && before.stolen == 0)
		return;
	nanosleep(&while_we_look, NULL);
	after = read_times(look);
	if (after.stolen < before.stolen || after.all < before.all)
		after = before;
	add(look, "virtual machine",
	    xasprintf("the hypervisor took %.1f%% of its time since it booted, %.0f%% just now",
		      percent(after.stolen, after.all),
		      percent(after.stolen - before.stolen, after.all - before.all)),
	    xstrdup("measure on a machine without one, or in more rounds"));
}

/* --- The processors ------------------------------------------------------- */

static void look_smt(struct look *look)
{
	cpu_set_t sharing, siblings;
	char *these, *others;

	CPU_ZERO(&sharing);
	CPU_ZERO(&siblings);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		cpu_set_t core;
		char *list;

		if (!CPU_ISSET(cpu, &look->used))
			continue;
		list = look_read(look, "/sys/devices/system/cpu/cpu%d/topology/"
				       "thread_siblings_list", cpu);
		look_processors(list != NULL ? list : "", &core);
		free(list);
		CPU_CLR(cpu, &core);
		CPU_AND(&core, &core, &look->online);
		if (CPU_COUNT(&core) > 0)
			CPU_SET(cpu, &sharing);
		CPU_OR(&siblings, &siblings, &core);
	}
	if (CPU_COUNT(&sharing) == 0)
		return;
	if (!look->pinned) {
		add(look, "smt",
		    xasprintf("%d of %u processors share their cores with others",
			      CPU_COUNT(&sharing), look->machine->processors),
		    xstrdup("echo off > /sys/devices/system/cpu/smt/control"));
		return;
	}
	these = format_processors(&sharing);
	others = format_processors(&siblings);
	add(look, "smt", xasprintf("%s share%s a core with %s", these,
				   CPU_COUNT(&sharing) == 1 ? "s" : "", others),
	    CPU_COUNT(&siblings) == 1 ?
		    xasprintf("echo 0 > /sys/devices/system/cpu/cpu%s/online", others) :
		    xstrdup("echo off > /sys/devices/system/cpu/smt/control"));
	free(these);
	free(others);
}

/* The one that most have is named. */
static void look_governor(struct look *look)
{
	char *first = NULL;
	unsigned others = 0, all = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		char *governor;

		if (!CPU_ISSET(cpu, &look->used))
			continue;
		all++;
		governor = look_read(look, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor",
				     cpu);
		if (governor == NULL)
			continue;
		if (strcmp(governor, "performance") != 0) {
			others++;
			if (first == NULL) {
				first = governor;
				continue;
			}
		}
		free(governor);
	}
	if (others > 0)
		add(look, "governor",
		    xasprintf("%s on %u of %u processor%s", first, others, all, plural(all)),
		    xstrdup("cpupower frequency-set -g performance"));
	free(first);
}

static void look_turbo(struct look *look)
{
	static const struct {
		const char *path;
		long on, off;
	} switches[] = {
		{ "/sys/devices/system/cpu/intel_pstate/no_turbo", 0, 1 },
		{ "/sys/devices/system/cpu/cpufreq/boost", 1, 0 },
	};

	for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
		if (look_number(look, switches[i].path, switches[i].off) != switches[i].on)
			continue;
		add(look, "turbo", xstrdup("on: the frequency depends on heat and on other cores"),
		    xasprintf("echo %ld > %s", switches[i].off, switches[i].path));
		return;
	}
}

/* A package's count is the same in each of its processors'. */
static void look_throttling(struct look *look)
{
	long most = 0;

	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		static const char *const counts[] = { "core", "package" };

		for (size_t i = 0; i < 2 && CPU_ISSET(cpu, &look->used); i++) {
			char *path = xasprintf("/sys/devices/system/cpu/cpu%d/thermal_throttle/"
					       "%s_throttle_count", cpu, counts[i]);
			long count = look_number(look, path, 0);

			if (count > most)
				most = count;
			free(path);
		}
	}
	if (most > 0)
		add(look, "throttling",
		    xasprintf("slowed by heat %ld time%s since it booted", most,
			      plural((unsigned long)most)),
		    xstrdup("cool it better, or limit it: cpupower frequency-set -u FREQUENCY"));
}

static void look_battery(struct look *look)
{
	char *path = xasprintf("%s/sys/class/power_supply", look->root);
	DIR *folder = opendir(path);
	const struct dirent *entry;
	bool found = false;

	free(path);
	while (folder != NULL && !found && (entry = readdir(folder)) != NULL) {
		char *status = entry->d_name[0] == '.' ? NULL :
			look_read(look, "/sys/class/power_supply/%s/status", entry->d_name);

		found = status != NULL && strcmp(status, "Discharging") == 0;
		free(status);
	}
	if (folder != NULL)
		closedir(folder);
	if (found)
		add(look, "battery", xstrdup("it runs on its battery"), xstrdup("plug it in"));
}

/* --- Memory --------------------------------------------------------------- */

static void look_swap(struct look *look)
{
	char *text = look_read(look, "/proc/meminfo");
	char *total = look_field(text != NULL ? text : "", "SwapTotal");
	char *free_now = look_field(text != NULL ? text : "", "SwapFree");
	long used = atol(total) - atol(free_now);

	if (used > 0)
		add(look, "swap", xasprintf("%ld MiB are swapped out", (used + 1023) / 1024),
		    xstrdup("swapoff -a"));
	free(text);
	free(total);
	free(free_now);
}

static void look_thp(struct look *look)
{
	static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
	char *text = look_read(look, "%s", path);

	if (text != NULL && strstr(text, "[always]") != NULL)
		add(look, "huge pages", xstrdup("given whenever there are any (always)"),
		    xasprintf("echo madvise > %s", path));
	free(text);
}

static void look_numa(struct look *look)
{
	char *online = look_read(look, "/sys/devices/system/node/online");
	cpu_set_t nodes;

	look_processors(online != NULL ? online : "", &nodes);
	if (CPU_COUNT(&nodes) > 1 && look_number(look, "/proc/sys/kernel/numa_balancing", 0) != 0)
		add(look, "numa balancing", xasprintf("on, over %d nodes", CPU_COUNT(&nodes)),
		    xstrdup("echo 0 > /proc/sys/kernel/numa_balancing"));
	free(online);
}

static void look_ksm(struct look *look)
{
	if (look_number(look, "/sys/kernel/mm/ksm/run", 0) == 1)
		add(look, "ksm", xstrdup("on: equal pages are looked for and merged"),
		    xstrdup("echo 0 > /sys/kernel/mm/ksm/run"));
}

static void look_aslr(struct look *look)
{
	long aslr = look_number(look, "/proc/sys/kernel/randomize_va_space", 0);

	if (aslr > 0)
		add(look, "aslr", xasprintf("on (%ld): each run has other addresses", aslr),
		    xstrdup("run without (setarch -R), or: "
			    "echo 0 > /proc/sys/kernel/randomize_va_space"));
}

void noise_look(struct look *look)
{
	static void (*const all[])(struct look *look) = {
		look_load, look_virtual, look_pinned, look_smt, look_governor, look_throttling,
		look_turbo, look_battery, look_swap, look_thp, look_numa, look_ksm, look_aslr,
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		all[i](look);
}
