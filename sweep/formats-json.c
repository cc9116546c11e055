/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats that are JSON.
 */
#include "config.h"

#include "sweep/formats.h"

#include <string.h>

#include "lib/memory.h"

/* --- What they share ------------------------------------------------------ */

static const char *type_of(const json_t *value)
{
	static const char *const types[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text",
		[JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
		[JSON_FALSE] = "false", [JSON_NULL] = "null",
	};

	return value != NULL ? types[json_typeof(value)] : "nothing";
}

/* Reads each element of the array MEMBER of the text's last document that has it. */
static bool read_elements(struct reading *reading, const char *member,
			  bool (*read_element)(struct reading *reading, const json_t *element,
					       const char *where, void *data),
			  void *data)
{
	const json_t *array = NULL;
	struct json_text json;
	bool good = true;

	json_text_read(&json, reading->text, reading->size, &reading->findings->arena);
	for (size_t i = json.documents.count; i > 0 && array == NULL; i--)
		array = json_object_get(json.documents.at[i - 1], member);
	if (json.documents.count == 0)
		good = reading_fails(reading, "expected JSON, got %s", json.why);
	else if (!json_is_array(array))
		good = reading_fails(reading, "expected an array \"%s\", got %s", member,
				     type_of(array));
	for (size_t i = 0; i < json_array_size(array) && good; i++) {
		char *where = xasprintf("%s[%zu]", member, i);

		good = read_element(reading, json_array_get(array, i), where, data);
		free(where);
	}
	json_text_release(&json);
	return good;
}

/* Says that MEMBER of the object at WHERE is none that is EXPECTED.  Always false. */
static bool wrong_member(struct reading *reading, const json_t *object, const char *where,
			 const char *member, const char *expected)
{
	if (!json_is_object(object))
		return reading_fails(reading, "expected an object at %s, got %s", where,
				     type_of(object));
	return reading_fails(reading, "expected %s \"%s\" in %s, got %s", expected, member, where,
			     type_of(json_object_get(object, member)));
}

/* The text MEMBER of the object at WHERE, in the arena; NULL, said, where it has none. */
static const char *text_of(struct reading *reading, const json_t *object, const char *where,
			   const char *member)
{
	const json_t *value = json_object_get(object, member);

	if (json_is_string(value))
		return obstack_strdup(&reading->findings->arena, json_string_value(value));
	wrong_member(reading, object, where, member, "a text");
	return NULL;
}

static bool number_of(struct reading *reading, const json_t *object, const char *where,
		      const char *member, double *number)
{
	const json_t *value = json_object_get(object, member);

	*number = json_number_value(value);
	return json_is_number(value) ||
	       wrong_member(reading, object, where, member, "a number");
}

/* --- Google Benchmark ----------------------------------------------------- */

/* A rate that some benchmarks have. */
static bool add_rate(struct reading *reading, const json_t *row, const char *name,
		     const char *member, const char *unit)
{
	const json_t *value = json_object_get(row, member);

	return !json_is_number(value) ||
	       reading_add(reading, json_number_value(value), unit, BETTER_HIGHER, "%s.%s", name,
			   member);
}

/* Versions before 1.5 mark an aggregate by its name alone. */
static bool is_aggregate(const json_t *row, const char *name)
{
	static const char *const endings[] = { "_mean", "_median", "_stddev", "_cv", "_BigO",
					       "_RMS" };
	const char *type = json_string_value(json_object_get(row, "run_type"));
	size_t length = strlen(name);

	if (type != NULL)
		return strcmp(type, "aggregate") == 0;
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		size_t ending = strlen(endings[i]);

		if (length > ending && strcmp(name + length - ending, endings[i]) == 0)
			return true;
	}
	return false;
}

static bool read_benchmark(struct reading *reading, const json_t *row, const char *where,
			   void *data)
{
	const char *name = text_of(reading, row, where, "name"), *unit;
	const char *error = json_string_value(json_object_get(row, "error_message"));
	double real, cpu;

	(void)data;
	if (name == NULL)
		return false;
	if (is_aggregate(row, name))
		return true;
	if (json_is_true(json_object_get(row, "error_occurred")))
		return reading_fails(reading, "\"%s\" failed: %s", name,
				     error != NULL ? error : "");
	unit = text_of(reading, row, where, "time_unit");
	return unit != NULL && number_of(reading, row, where, "real_time", &real) &&
	       reading_add(reading, real, unit, BETTER_LOWER, "%s.real_time", name) &&
	       /* Others who write this form have real time alone. */
	       (json_object_get(row, "cpu_time") == NULL ||
		(number_of(reading, row, where, "cpu_time", &cpu) &&
		 reading_add(reading, cpu, unit, BETTER_LOWER, "%s.cpu_time", name))) &&
	       add_rate(reading, row, name, "items_per_second", "items/s") &&
	       add_rate(reading, row, name, "bytes_per_second", "B/s");
}

bool format_google_benchmark(struct reading *reading)
{
	return read_elements(reading, "benchmarks", read_benchmark, NULL);
}

/* --- hyperfine ------------------------------------------------------------ */

/* "/tmp/7/lua /a/x.lua" is "lua x.lua": each layout is another file. */
static const char *without_folders(struct reading *reading, const char *command)
{
	struct obstack *arena = &reading->findings->arena;
	bool begins = true;

	while (*command != '\0') {
		size_t length = strcspn(command, " '\"=;|&()");

		if (begins && *command == '/') {
			const char *slash = memrchr(command, '/', length);

			length -= (size_t)(slash + 1 - command);
			command = slash + 1;
		}
		begins = length == 0;
		length += begins && *command != '\0';
		obstack_grow(arena, command, length);
		command += length;
	}
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

static bool read_result(struct reading *reading, const json_t *result, const char *where,
			void *data)
{
	const char *name = text_of(reading, result, where, "command");
	const json_t *times = json_object_get(result, "times");

	if (name == NULL)
		return false;
	if (!json_is_array(times))
		return wrong_member(reading, result, where, "times", "an array");
	name = reading_name(reading, data, without_folders(reading, name));
	for (size_t i = 0; i < json_array_size(times); i++) {
		const json_t *time = json_array_get(times, i);

		if (!json_is_number(time))
			return reading_fails(reading, "expected a number at %s.times[%zu], got %s",
					     where, i, type_of(time));
		if (!reading_add(reading, json_number_value(time), "s", BETTER_LOWER, "%s.time",
				 name))
			return false;
	}
	return true;
}

bool format_hyperfine(struct reading *reading)
{
	struct used_names used = { 0 };
	bool good = read_elements(reading, "results", read_result, &used);

	vec_release(&used.list);
	return good;
}

/* --- fio ------------------------------------------------------------------ */

static bool add_latency(struct reading *reading, const json_t *data, const char *where,
			const char *name, const char *direction, const char *latency)
{
	char *member = xasprintf("%s_ns", latency);
	const json_t *values = json_object_get(data, member);
	double mean;
	bool good;

	good = values == NULL ||	/* it can be told not to measure them */
	       (number_of(reading, values, where, "mean", &mean) &&
		reading_add(reading, mean, "ns", BETTER_LOWER, "%s.%s.%s", name, direction,
			    latency));
	free(member);
	return good;
}

/* What a job does in one direction, if it does. */
static bool read_direction(struct reading *reading, const json_t *job, const char *where,
			   const char *name, const char *direction)
{
	const json_t *data = json_object_get(job, direction);
	char *inside = xasprintf("%s.%s", where, direction);
	double done = 0, iops, bandwidth;
	bool good;

	good = data == NULL || number_of(reading, data, inside, "total_ios", &done);
	if (good && done > 0)
		good = number_of(reading, data, inside, "iops", &iops) &&
		       number_of(reading, data, inside, "bw_bytes", &bandwidth) &&
		       reading_add(reading, iops, "IOPS", BETTER_HIGHER, "%s.%s.iops", name,
				   direction) &&
		       reading_add(reading, bandwidth, "B/s", BETTER_HIGHER, "%s.%s.bw", name,
				   direction) &&
		       add_latency(reading, data, inside, name, direction, "lat") &&
		       add_latency(reading, data, inside, name, direction, "clat");
	free(inside);
	return good;
}

static bool read_job(struct reading *reading, const json_t *job, const char *where, void *data)
{
	const char *name = text_of(reading, job, where, "jobname");
	double error;

	(void)data;
	if (name == NULL || !number_of(reading, job, where, "error", &error))
		return false;
	if (error != 0)
		return reading_fails(reading, "job \"%s\" failed with error %g", name, error);
	return read_direction(reading, job, where, name, "read") &&
	       read_direction(reading, job, where, name, "write") &&
	       read_direction(reading, job, where, name, "trim");
}

bool format_fio(struct reading *reading)
{
	return read_elements(reading, "jobs", read_job, NULL);
}

/* --- LKP ------------------------------------------------------------------ */

/* "vmstat.time": when samples were taken. */
static bool is_clock(const char *key)
{
	const char *dot = strchr(key, '.');

	return dot != NULL && strcmp(dot, ".time") == 0;
}

static bool read_key(struct reading *reading, const char *key, const json_t *value)
{
	bool good = true;

	if (json_is_number(value))
		return reading_add(reading, json_number_value(value), "", BETTER_UNKNOWN, "%s",
				   key);
	for (size_t i = 0; i < json_array_size(value) && good && !is_clock(key); i++) {
		const json_t *element = json_array_get(value, i);

		good = !json_is_number(element) ||
		       reading_add(reading, json_number_value(element), "", BETTER_UNKNOWN, "%s",
				   key);
	}
	return good;
}

/* What is no number, such as where it comes from, is left. */
bool format_lkp(struct reading *reading)
{
	const json_t *stats;
	struct json_text json;
	bool good = true;

	json_text_read(&json, reading->text, reading->size, &reading->findings->arena);
	stats = json.documents.count > 0 ? json.documents.at[0] : NULL;
	if (stats == NULL) {
		good = reading_fails(reading, "expected JSON, got %s", json.why);
	} else if (!json_is_object(stats)) {
		good = reading_fails(reading, "expected an object, got %s", type_of(stats));
	} else {
		const char *key;
		json_t *value;

		json_object_foreach((json_t *)stats, key, value)
			good = good && read_key(reading, key, value);
	}
	json_text_release(&json);
	return good;
}
