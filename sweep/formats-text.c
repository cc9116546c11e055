/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats that are lines.
 */
#include "config.h"

#include "sweep/formats.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

/* --- What they share ------------------------------------------------------ */

struct lines {
	const char *at, *end;
	struct obstack *arena;
	unsigned number;	/* of the last, from 1 */
};

static struct lines lines_of(const struct reading *reading)
{
	return (struct lines){ reading->text, reading->text + reading->size,
			       &reading->findings->arena, 0 };
}

/* The next line without blanks at its end, in the arena; NULL after the last. */
static char *next_line(struct lines *lines)
{
	const char *begin = lines->at, *newline;
	char *line;

	if (begin == lines->end)
		return NULL;
	newline = memchr(begin, '\n', (size_t)(lines->end - begin));
	lines->at = newline != NULL ? newline + 1 : lines->end;
	lines->number++;
	line = obstack_strndup(lines->arena, begin,
			       (size_t)((newline != NULL ? newline : lines->end) - begin));
	for (size_t i = strlen(line); i > 0 && isspace((unsigned char)line[i - 1]); i--)
		line[i - 1] = '\0';
	return line;
}

static bool has_prefix(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* TEXT as a whole.  False, said. */
static bool read_number(struct reading *reading, const struct lines *lines, const char *text,
			double *number)
{
	char *end;

	*number = strtod(text, &end);
	return (end != text && *end == '\0') ||
	       reading_fails(reading, "line %u: expected a number, got \"%.100s\"", lines->number,
			     text);
}

/* --- stress-ng ------------------------------------------------------------ */

/*
 * Of its YAML, the list below "metrics:"; later versions have in each of its entries a list
 * of instances, further to the right.
 */
struct stress_ng {
	struct reading *reading;
	struct lines lines;
	const char *stressor;	/* NULL: before the first */
	size_t column;		/* where its keys begin */
};

static bool read_stress_ng_line(struct stress_ng *s, char *line)
{
	static const char *const rates[] = { "bogo-ops-per-second-usr-sys-time",
					     "bogo-ops-per-second-real-time" };
	size_t column = strspn(line, " ");
	char *key = line + column, *value = strstr(key, ": ");
	double number;

	if (*key == '\0' || *key == '#')
		return true;
	if (has_prefix(key, "- stressor: ")) {
		s->stressor = key + strlen("- stressor: ");
		s->column = column + 2;
		return true;
	}
	if (s->stressor == NULL)
		return reading_fails(s->reading,
				     "line %u: expected \"- stressor: NAME\", got \"%.100s\"",
				     s->lines.number, key);
	if (column != s->column || value == NULL)
		return true;
	*value = '\0';
	value += 2;
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++)
		if (strcmp(key, rates[i]) == 0)
			return read_number(s->reading, &s->lines, value, &number) &&
			       reading_add(s->reading, number, "ops/s", BETTER_HIGHER, "%s.%s",
					   s->stressor, key);
	return true;
}

bool format_stress_ng(struct reading *reading)
{
	struct stress_ng s = { .reading = reading, .lines = lines_of(reading) };
	bool inside = false, seen = false;
	char *line;

	while ((line = next_line(&s.lines)) != NULL) {
		if (*line != '\0' && *line != ' ' && *line != '#' && *line != '-')
			inside = strcmp(line, "metrics:") == 0;
		else if (inside && !read_stress_ng_line(&s, line))
			return false;
		seen |= inside;
	}
	return seen || reading_fails(reading, "expected a line \"metrics:\", got none (stress-ng "
					      "--metrics --yaml FILE writes it)");
}

/* --- will-it-scale -------------------------------------------------------- */

static const char table_head[] = "tasks,processes,processes_idle,threads,threads_idle,linear";

struct will_it_scale {
	struct reading *reading;
	struct lines lines;
	bool table;
	const char *testcase;
	struct used_names used;
	bool measuring;			/* behind "measurement" */
	VEC(double) totals;		/* of each second since then */
};

/* Splits "a,b,c" into COUNT numbers.  False, said, where it is not so many. */
static bool read_row(struct will_it_scale *w, char *line, double *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *comma = strchr(line, ',');

		if ((comma != NULL) != (i + 1 < count))
			return reading_fails(w->reading, "line %u: expected %zu numbers parted by "
					     "commas", w->lines.number, count);
		if (comma != NULL)
			*comma = '\0';
		if (!read_number(w->reading, &w->lines, line, &numbers[i]))
			return false;
		line = comma + 1;
	}
	return true;
}

/* One of both may not have been asked for: 0.  -1 is what it has of a program that failed. */
static bool read_tasks(struct will_it_scale *w, char *line)
{
	double row[6], tasks, processes, threads;

	if (!read_row(w, line, row, 6))
		return false;
	tasks = row[0];
	processes = row[1];
	threads = row[3];
	if (tasks == 0)
		return true;
	if (tasks < 0 || processes < 0 || threads < 0 || (processes == 0 && threads == 0))
		return reading_fails(w->reading, "line %u: the test failed with %g tasks",
				     w->lines.number, tasks);
	return (processes == 0 || reading_add(w->reading, processes / tasks, "ops/s", BETTER_HIGHER,
					      "%.0f.per_process_ops", tasks)) &&
	       (threads == 0 || reading_add(w->reading, threads / tasks, "ops/s", BETTER_HIGHER,
					    "%.0f.per_thread_ops", tasks));
}

/* Where a program has no average it was ended before: its seconds are there. */
static bool end_program(struct will_it_scale *w, const char *average)
{
	bool good = true;
	double value;

	if (average != NULL)
		good = read_number(w->reading, &w->lines, average, &value) &&
		       reading_add(w->reading, value, "ops/s", BETTER_HIGHER, "%s.average",
				   w->testcase);
	else
		for (size_t i = 0; i < w->totals.count && good; i++)
			good = reading_add(w->reading, w->totals.at[i], "ops/s", BETTER_HIGHER,
					   "%s.total", w->testcase);
	w->totals.count = 0;
	w->measuring = false;
	return good;
}

/* "min:1 max:2 total:3" */
static bool read_second(struct will_it_scale *w, const char *line)
{
	const char *total = strstr(line, " total:");
	double value;

	if (total == NULL)
		return reading_fails(w->reading, "line %u: expected \"min:N max:N total:N\"",
				     w->lines.number);
	if (!read_number(w->reading, &w->lines, total + strlen(" total:"), &value))
		return false;
	if (w->measuring)
		*vec_push(&w->totals) = value;
	return true;
}

static bool read_will_it_scale_line(struct will_it_scale *w, char *line)
{
	if (strcmp(line, table_head) == 0) {
		w->table = true;
		return true;
	}
	if (w->table && (isdigit((unsigned char)*line) || *line == '-'))
		return read_tasks(w, line);
	if (has_prefix(line, "testcase:")) {
		if (!end_program(w, NULL))
			return false;
		w->testcase = reading_name(w->reading, &w->used, line + strlen("testcase:"));
	} else if (strcmp(line, "measurement") == 0) {
		w->measuring = true;
	} else if (has_prefix(line, "min:")) {
		return read_second(w, line);
	} else if (has_prefix(line, "average:")) {
		return end_program(w, line + strlen("average:"));
	}
	return true;
}

bool format_will_it_scale(struct reading *reading)
{
	struct will_it_scale w = { .reading = reading, .lines = lines_of(reading),
				   .testcase = "will-it-scale" };
	bool good = true;
	char *line;

	while (good && (line = next_line(&w.lines)) != NULL)
		good = read_will_it_scale_line(&w, line);
	good = good && end_program(&w, NULL);
	vec_release(&w.used.list);
	vec_release(&w.totals);
	return good;
}
