/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What to look for, and looking for it in what a run printed and in the files it left.
 */
#include "config.h"

#include "sweep/metric.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/memory.h"
#include "sweep/formats.h"
#include "sweep/metric-option.h"

void findings_init(struct findings *findings)
{
	*findings = (struct findings){ 0 };
	obstack_init(&findings->arena);
}

void findings_release(struct findings *findings)
{
	vec_release(&findings->list);
	obstack_free(&findings->arena, NULL);
}

/* --- What is asked for ---------------------------------------------------- */

/* A file that may hold a format's text, and how it was before the run. */
struct source_file {
	char *path;		/* in the arena; NULL: no such file is looked for */
	struct stat before;
	bool was_there;
};

#define FILES_MAX 3

struct wanted_format {
	const struct format *format;
	struct source_file files[FILES_MAX];	/* the first that is there; none: standard output */
};

struct extractor {
	struct obstack arena;
	VEC(struct metric_option) metrics;
	VEC(struct wanted_format) formats;
	bool json;		/* some metric is a path */
};

struct extractor *extractor_new(void)
{
	struct extractor *extractor = xcalloc(1, sizeof *extractor);

	obstack_init(&extractor->arena);
	return extractor;
}

void extractor_free(struct extractor *extractor)
{
	if (extractor == NULL)
		return;
	for (size_t i = 0; i < extractor->metrics.count; i++)
		metric_option_release(&extractor->metrics.at[i]);
	vec_release(&extractor->metrics);
	vec_release(&extractor->formats);
	obstack_free(&extractor->arena, NULL);
	free(extractor);
}

bool extractor_is_empty(const struct extractor *extractor)
{
	return extractor->metrics.count == 0 && extractor->formats.count == 0;
}

static bool usage_error(struct diag *diag, const char *option, const char *text, size_t begin,
			size_t end, const char *message)
{
	struct source *source = source_from_memory(option, text, strlen(text));
	const struct span span = { source, (uint32_t)begin, (uint32_t)end };

	diag_error_class(diag, DIAG_USAGE, &span, "\"%s\": %s", text, message);
	source_free(source);
	return false;
}

bool extractor_add_metric(struct extractor *extractor, const char *option, struct diag *diag)
{
	struct metric_option metric;

	if (!metric_option_parse(&metric, option, &extractor->arena, diag))
		return false;
	for (size_t i = 0; i < extractor->metrics.count; i++) {
		if (strcmp(extractor->metrics.at[i].name, metric.name) != 0)
			continue;
		usage_error(diag, "--metric", option, 0, strlen(metric.name),
			    "expected another name: there is a metric of this one");
		metric_option_release(&metric);
		return false;
	}
	extractor->json |= metric.is_path;
	*vec_push(&extractor->metrics) = metric;
	return true;
}

/* PATH, or for a format that has a folder the files in that, and PATH if it is one of them. */
static void name_files(struct wanted_format *wanted, const char *path, struct obstack *arena)
{
	const char *const *names = wanted->format->in_folder;
	size_t count = 0;

	for (; names[count] != NULL; count++)
		wanted->files[count].path = obstack_format(arena, "%s/%s", path, names[count]);
	wanted->files[count].path = obstack_strdup(arena, path);
}

bool extractor_add_format(struct extractor *extractor, const char *option, struct diag *diag)
{
	size_t length = strcspn(option, ":");
	const struct format *format = format_find(option, length);
	struct wanted_format wanted = { .format = format };

	if (format == NULL) {
		char *names = format_names();
		char *message = xasprintf("expected a format (%s), got \"%.*s\"", names,
					  (int)length, option);

		usage_error(diag, "--results", option, 0, length, message);
		free(message);
		free(names);
		return false;
	}
	if (option[length] == ':' && option[length + 1] == '\0')
		return usage_error(diag, "--results", option, length, length + 1,
				   "expected a file behind ':'");
	if (option[length] == '\0' && format->in_folder[0] != NULL)
		return usage_error(diag, "--results", option, length, length + 1,
				   "expected ':' and a folder");
	if (option[length] == ':')
		name_files(&wanted, option + length + 1, &extractor->arena);
	*vec_push(&extractor->formats) = wanted;
	return true;
}

/* --- Finding it ----------------------------------------------------------- */

void extractor_begin(struct extractor *extractor)
{
	for (size_t i = 0; i < extractor->formats.count; i++) {
		for (size_t k = 0; k < FILES_MAX; k++) {
			struct source_file *file = &extractor->formats.at[i].files[k];

			if (file->path != NULL)
				file->was_there = stat(file->path, &file->before) == 0;
		}
	}
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool is_old(const struct source_file *file, const struct stat *now)
{
	const struct stat *before = &file->before;

	return file->was_there && before->st_ino == now->st_ino && before->st_dev == now->st_dev &&
	       before->st_size == now->st_size && same_time(&before->st_mtim, &now->st_mtim) &&
	       same_time(&before->st_ctim, &now->st_ctim);
}

/* The first of the files that is there and new; NULL, said. */
static const struct source_file *choose_file(const struct wanted_format *wanted,
					     struct reading *reading)
{
	reading_fails(reading, "no such file");
	for (size_t i = 0; i < FILES_MAX; i++) {
		const struct source_file *file = &wanted->files[i];
		struct stat now;

		if (file->path == NULL || stat(file->path, &now) != 0 || S_ISDIR(now.st_mode))
			continue;
		if (!is_old(file, &now))
			return file;
		reading_fails(reading, "it is as it was before the run");
	}
	return NULL;
}

static bool read_file(const struct wanted_format *wanted, struct reading *reading,
		      const char **name)
{
	const struct source_file *file = choose_file(wanted, reading);
	struct source *source;
	bool good;

	if (file == NULL)
		return false;
	*name = file->path;
	source = source_read(file->path);
	if (source == NULL)
		return reading_fails(reading, "%s", strerror(errno));
	reading->text = source->text;
	reading->size = source->size;
	good = wanted->format->read(reading);
	source_free(source);
	return good;
}

static bool find_format(const struct wanted_format *wanted, const char *output, size_t size,
			struct findings *findings, const char **why)
{
	struct reading reading = { .text = output, .size = size, .findings = findings };
	const char *name = wanted->files[0].path;
	size_t before = findings->list.count;
	bool good;

	if (name != NULL) {
		good = read_file(wanted, &reading, &name);
	} else {
		name = "the output";
		good = wanted->format->read(&reading);
	}
	if (good && findings->list.count == before)
		good = reading_fails(&reading, "no result in it");
	if (!good)
		*why = obstack_format(&findings->arena, "%s: %s: %s", wanted->format->name, name,
				      reading.why);
	return good;
}

bool extractor_find(const struct extractor *extractor, const char *output, size_t size,
		    struct findings *findings, const char **why)
{
	struct json_text json = { 0 };
	bool good = true;

	if (extractor->json)
		json_text_read(&json, output, size, &findings->arena);
	for (size_t i = 0; i < extractor->metrics.count && good; i++)
		good = metric_option_find(&extractor->metrics.at[i], output, size, &json, findings,
					  why);
	for (size_t i = 0; i < extractor->formats.count && good; i++)
		good = find_format(&extractor->formats.at[i], output, size, findings, why);
	json_text_release(&json);
	return good;
}
