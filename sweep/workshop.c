/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layout is made by a child process in STORE.d/making-PID-N, and gets its folder, named
 * for its row, when those before it have theirs: so a sweep's rows do not depend on which
 * link was quickest, and all outputs' paths are equally long.  What outlives a process that
 * was killed has no folder to write to.
 */
#include "config.h"

#include "sweep/workshop.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "lib/file.h"
#include "lib/memory.h"

/* What is kept of what a failed maker said, from its end. */
#define SAID_BYTES 2000
/* With less than this free a failure is the disk's. */
#define SPACE_BYTES (1 << 20)
/* Seconds that a job which is to stop has for it. */
#define GRACE 2.0

struct job {
	pid_t pid;			/* 0: none */
	size_t order;
	double begin;
};

enum made_state { MADE_NOT, MADE_GOOD, MADE_BAD };

struct made {
	enum made_state state;
	char *folder;			/* where it is until it is recorded */
	double seconds;
};

struct workshop {
	struct order *orders;
	size_t count, begun, recorded;
	struct made *made;
	struct job *jobs;
	size_t jobs_max;
	struct store *store;
	struct progress *progress;
	struct diag *diag;
	const volatile sig_atomic_t *stop;
	double stopped;			/* when the jobs were told; 0: they were not */
	bool failed;
};

/* --- Files ------------------------------------------------------------------ */

/* What a process that was killed left. */
static void remove_leftovers(const struct store *store)
{
	DIR *folder = opendir(store->folder);
	struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char *path = xasprintf("%s/%s", store->folder, entry->d_name);

		if (strncmp(entry->d_name, "making-", 7) == 0)
			remove_folder(path);
		free(path);
	}
	if (folder != NULL)
		closedir(folder);
}

/* XXH3 of a file's bytes in ARENA; NULL where it cannot be read. */
static const char *hash_file(const char *path, struct obstack *arena)
{
	XXH3_state_t *state = XXH3_createState();
	const char *hash = NULL;
	char buffer[65536];
	ssize_t got = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	XXH3_64bits_reset(state);
	while (fd >= 0 && (got = read(fd, buffer, sizeof buffer)) > 0)
		XXH3_64bits_update(state, buffer, (size_t)got);
	if (got == 0)
		hash = obstack_format(arena, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(state));
	XXH3_freeState(state);
	if (fd >= 0)
		close(fd);
	return hash;
}

/* The build-id that a layout file's header tells; NULL: none. */
static const char *build_id(const char *path, struct obstack *arena)
{
	static const char name[] = "# build-id: ";
	FILE *stream = fopen(path, "re");
	const char *id = NULL;
	char *line = NULL;
	size_t size = 0;

	while (stream != NULL && id == NULL && getline(&line, &size, stream) > 0 && *line == '#')
		if (strncmp(line, name, sizeof name - 1) == 0)
			id = obstack_strndup(arena, line + sizeof name - 1,
					     strcspn(line + sizeof name - 1, "\n"));
	free(line);
	if (stream != NULL)
		fclose(stream);
	return id;
}

/* The end of what a maker said, in ARENA. */
static const char *read_said(const char *folder, struct obstack *arena)
{
	char *path = xasprintf("%s/said", folder);
	struct source *source = source_read(path);
	const char *text, *end, *said = "nothing was said";

	if (source != NULL) {
		end = source->text + source->size;
		while (end > source->text && end[-1] == '\n')
			end--;
		text = end - source->text > SAID_BYTES ? end - SAID_BYTES : source->text;
		if (end > text)
			said = obstack_strndup(arena, text, (size_t)(end - text));
	}
	source_free(source);
	free(path);
	return said;
}

static char *output_path(const struct store *store, const struct swept_layout *layout)
{
	return xasprintf("%s/%s", store->folder, layout->output);
}

/* --- Jobs ------------------------------------------------------------------- */

static char *order_flags(const struct order *order)
{
	return order->plain ? xstrdup("null") :
	       xasprintf("seed=%" PRIu64 " %s", order->seed, order->flags);
}

/* In the child. */
static void work(const struct order *order, const struct making *making)
{
	char *said = xasprintf("%s/said", making->folder);
	int fd = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	free(said);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (fd < 0 || null < 0 || dup2(null, 0) < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
		_exit(DIAG_ENVIRONMENT);
	fflush(NULL);
	_exit(order->maker->make(order->maker, making));
}

static bool start(struct workshop *workshop, size_t number)
{
	struct job *job = &workshop->jobs[number];
	struct order *order = &workshop->orders[workshop->begun];
	struct made *made = &workshop->made[workshop->begun];
	char *flags = order_flags(order);
	struct making making = { .flags = flags, .job = (unsigned)number };

	made->folder = xasprintf("%s/making-%d-%zu", workshop->store->folder, (int)getpid(),
				 workshop->begun);
	making.folder = made->folder;
	remove_folder(made->folder);
	fflush(NULL);
	if (mkdir(made->folder, 0777) != 0 || (job->pid = fork()) < 0) {
		diag_error_class(workshop->diag, DIAG_ENVIRONMENT, NULL, "cannot make a layout in "
				 "\"%s\": %s", made->folder, strerror(errno));
		job->pid = 0;
		free(flags);
		return false;
	}
	if (job->pid == 0)
		work(order, &making);
	setpgid(job->pid, job->pid);
	job->order = workshop->begun++;
	job->begin = progress_now();
	free(flags);
	return true;
}

static bool no_space(const struct store *store)
{
	struct statvfs status;

	return statvfs(store->folder, &status) == 0 &&
	       (double)status.f_bavail * (double)status.f_frsize < SPACE_BYTES;
}

/* A job's process has ended with STATUS. */
static void finish(struct workshop *workshop, struct job *job, int status)
{
	struct made *made = &workshop->made[job->order];
	const struct order *order = &workshop->orders[job->order];
	char *output = xasprintf("%s/%s", made->folder, order->maker->name);
	bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(output, F_OK) == 0;

	job->pid = 0;
	made->seconds = progress_now() - job->begin;
	made->state = good ? MADE_GOOD : MADE_BAD;
	free(output);
	if (good || *workshop->stop)
		return;
	if ((WIFEXITED(status) && WEXITSTATUS(status) == DIAG_ENVIRONMENT) ||
	    no_space(workshop->store)) {
		const char *said = read_said(made->folder, &workshop->store->record.arena);

		if (!workshop->failed)
			diag_error_class(workshop->diag, DIAG_ENVIRONMENT, NULL, "cannot make a layout%s:"
					 "\n%s", no_space(workshop->store) ? ", the disk is full" : "",
					 said);
		workshop->failed = true;
	}
}

/* --- The store -------------------------------------------------------------- */

/* Its index in the record; SIZE_MAX: it is not there. */
static size_t find(const struct record *record, const struct order *order)
{
	for (size_t i = 0; i < record->layouts.count; i++) {
		const struct swept_layout *layout = &record->layouts.at[i];

		if (layout->build == order->build && layout->plain == order->plain &&
		    (layout->plain || layout->seed == order->seed) &&
		    strcmp(layout->axis, order->axis) == 0)
			return i;
	}
	return SIZE_MAX;
}

/* Gives what was made its folder, and the store its row. */
static void record_new(struct workshop *workshop, struct order *order, struct made *made)
{
	struct store *store = workshop->store;
	struct obstack *arena = &store->record.arena;
	const char *name = order->maker->name;
	char *folder = xasprintf("%s/%05zu", store->folder, store->record.layouts.count + 1);
	char *path = xasprintf("%s/%s", made->folder, name);
	char *layout_path = xasprintf("%s.layout", path);
	struct swept_layout layout = {
		.build = order->build, .plain = order->plain, .seed = order->seed,
		.axis = order->axis, .seconds = made->seconds,
		.state = made->state == MADE_GOOD ? LAYOUT_MADE : LAYOUT_FAILED,
	};

	if (made->state == MADE_BAD) {
		layout.why = read_said(made->folder, arena);
	} else {
		layout.hash = hash_file(path, arena);
		layout.output = obstack_format(arena, "%05zu/%s", store->record.layouts.count + 1,
					       name);
		if (access(layout_path, F_OK) == 0) {
			layout.layout = obstack_format(arena, "%s.layout", layout.output);
			layout.build_id = build_id(layout_path, arena);
		}
	}
	remove_folder(folder);
	if (rename(made->folder, folder) != 0) {
		diag_error_class(workshop->diag, DIAG_ENVIRONMENT, NULL, "cannot rename \"%s\": %s",
				 made->folder, strerror(errno));
		workshop->failed = true;
	} else {
		order->layout = store_add_layout(store, &layout);
	}
	free(layout_path);
	free(path);
	free(folder);
}

/* What was made anew must be what it was. */
static void replace(struct workshop *workshop, struct order *order, struct made *made)
{
	struct store *store = workshop->store;
	const struct swept_layout *layout = &store->record.layouts.at[order->layout];
	char *folder = xasprintf("%s/%05zu", store->folder, order->layout + 1);
	char *path = xasprintf("%s/%s", made->folder, order->maker->name);
	const char *hash = hash_file(path, &store->record.arena);

	if (made->state == MADE_BAD || hash == NULL || strcmp(hash, layout->hash) != 0) {
		diag_error(workshop->diag, NULL, "layout %s of the store, made anew since its output "
			   "is gone, is not what it was: what it is made of has changed",
			   layout->output);
		workshop->failed = true;
		remove_folder(made->folder);
	} else {
		remove_folder(folder);
		if (rename(made->folder, folder) != 0)
			workshop->failed = true;
	}
	free(path);
	free(folder);
}

/* Records what has been made, as far as nothing before it is missing. */
static void record_made(struct workshop *workshop)
{
	while (!workshop->failed && workshop->recorded < workshop->count) {
		struct order *order = &workshop->orders[workshop->recorded];
		struct made *made = &workshop->made[workshop->recorded];

		if (made->state == MADE_NOT)
			return;
		if (made->folder != NULL && order->layout == SIZE_MAX)
			record_new(workshop, order, made);
		else if (made->folder != NULL)
			replace(workshop, order, made);
		if (workshop->store->db.failed)
			workshop->failed = true;
		workshop->recorded++;
	}
}

/* Looks which are there already. */
static size_t look(struct workshop *workshop)
{
	size_t missing = 0;

	for (size_t i = 0; i < workshop->count; i++) {
		struct order *order = &workshop->orders[i];
		const struct swept_layout *layout;
		char *path;

		order->layout = find(&workshop->store->record, order);
		if (order->layout == SIZE_MAX) {
			missing++;
			continue;
		}
		layout = &workshop->store->record.layouts.at[order->layout];
		path = layout->state == LAYOUT_MADE ? output_path(workshop->store, layout) : NULL;
		if (path == NULL || access(path, F_OK) == 0)
			workshop->made[i].state = MADE_GOOD;
		else
			missing++;
		free(path);
	}
	return missing;
}

static void start_jobs(struct workshop *workshop)
{
	for (size_t j = 0; j < workshop->jobs_max; j++) {
		while (workshop->begun < workshop->count &&
		       workshop->made[workshop->begun].state != MADE_NOT)
			workshop->begun++;
		if (workshop->begun == workshop->count)
			return;
		if (workshop->jobs[j].pid == 0 &&
		    j < workshop->orders[workshop->begun].maker->jobs && !start(workshop, j))
			workshop->failed = true;
	}
}

static size_t running(const struct workshop *workshop)
{
	size_t count = 0;

	for (size_t j = 0; j < workshop->jobs_max; j++)
		count += workshop->jobs[j].pid != 0;
	return count;
}

/* Has all jobs stop. */
static void stop_jobs(struct workshop *workshop)
{
	double now = progress_now();

	if (workshop->stopped == 0)
		workshop->stopped = now;
	for (size_t j = 0; j < workshop->jobs_max; j++)
		if (workshop->jobs[j].pid != 0)
			kill(-workshop->jobs[j].pid,
			     now - workshop->stopped < GRACE ? SIGTERM : SIGKILL);
}

/* Looks a hundred times a second whether one of the jobs has ended, or shall. */
static void wait_for_one(struct workshop *workshop)
{
	static const struct timespec pause = { .tv_nsec = 10000000 };
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) == 0) {
		if (*workshop->stop)
			stop_jobs(workshop);
		nanosleep(&pause, NULL);
	}
	for (size_t j = 0; j < workshop->jobs_max; j++) {
		if (workshop->jobs[j].pid != pid)
			continue;
		if (*workshop->stop)
			kill(-pid, SIGKILL);	/* what it leaves behind */
		finish(workshop, &workshop->jobs[j], status);
		progress_step(workshop->progress);
	}
	workshop->failed |= *workshop->stop != 0;
}

bool workshop_make(struct order *orders, size_t count, struct store *store,
		   struct progress *progress, const volatile sig_atomic_t *stop,
		   struct diag *diag)
{
	struct workshop workshop = {
		.orders = orders, .count = count, .store = store, .progress = progress,
		.diag = diag, .stop = stop, .made = xcalloc(count + 1, sizeof *workshop.made), .jobs_max = 1,
	};
	size_t missing;

	for (size_t i = 0; i < count; i++)
		if (orders[i].maker->jobs > workshop.jobs_max)
			workshop.jobs_max = orders[i].maker->jobs;
	workshop.jobs = xcalloc(workshop.jobs_max, sizeof *workshop.jobs);
	remove_leftovers(store);
	missing = look(&workshop);
	if (missing > 0)
		progress_begin(progress, progress->stream, "layouts", 0, missing);
	while (running(&workshop) > 0 || (!workshop.failed && workshop.recorded < count)) {
		if (!workshop.failed && !*stop)
			start_jobs(&workshop);
		if (running(&workshop) > 0)
			wait_for_one(&workshop);
		else if (*stop)
			workshop.failed = true;
		if (!workshop.failed)
			record_made(&workshop);
	}
	if (missing > 0)
		progress_end(progress);
	for (size_t i = 0; i < count; i++)
		free(workshop.made[i].folder);
	remove_leftovers(store);
	free(workshop.jobs);
	free(workshop.made);
	return !workshop.failed;
}
