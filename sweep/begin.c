/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/shell.h"
#include "sweep/inner.h"
#include "sweep/machine.h"

/* What every run has, by name. */
static const struct {
	const char *name, *unit;
} metrics[METRICS] = {
	[METRIC_WALL] = { "wall", "s" },
	[METRIC_CPU] = { "cpu", "s" },	/* exact, where the two parts of it are sampled */
	[METRIC_USER] = { "user", "s" },
	[METRIC_SYS] = { "sys", "s" },
	[METRIC_RSS] = { "max-rss", "B" },
};

bool sweep_has_metric(const char *name, size_t size)
{
	for (size_t i = 0; i < METRICS; i++)
		if (strlen(metrics[i].name) == size && memcmp(metrics[i].name, name, size) == 0)
			return true;
	return false;
}

/* What a sweep is made of, as one text for each name; a store keeps to it. */
static bool keep_setting(struct sweep *sweep, const char *name, const char *value)
{
	const char *old = store_setting(sweep->store, name);

	if (old == NULL) {
		store_set(sweep->store, name, value);
		return !sweep->store->db.failed;
	}
	if (strcmp(old, value) == 0)
		return true;
	diag_error_class(sweep->diag, DIAG_USAGE, NULL, "\"%s\" was begun with the %s '%s', not '%s': "
			 "leave that out, or take another store", sweep->store->path, name, old,
			 value);
	return false;
}

static const char *axes_text(struct sweep *sweep)
{
	struct obstack *arena = &sweep->arena;

	for (size_t i = 0; i < sweep->spec->axes.count; i++) {
		if (i > 0)
			obstack_1grow(arena, ',');
		obstack_grow(arena, sweep->spec->axes.at[i].name,
			     strlen(sweep->spec->axes.at[i].name));
	}
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

/* The policies of all axes, one a line: what a build's layouts have beside their seed. */
static const char *policy_text(struct sweep *sweep)
{
	struct obstack *arena = &sweep->arena;

	for (size_t i = 0; i < sweep->spec->axes.count; i++) {
		const char *flags = sweep->spec->axes.at[i].flags;

		if (i > 0)
			obstack_1grow(arena, '\n');
		obstack_grow(arena, flags, strlen(flags));
	}
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

/* "any"; or the processors' numbers. */
static const char *processors_text(struct sweep *sweep)
{
	const struct process_setup *setup = &sweep->spec->process;
	struct obstack *arena = &sweep->arena;

	if (!setup->pinned)
		return "any";
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &setup->cpus))
			obstack_printf(arena, "%s%d", obstack_object_size(arena) > 0 ? "," : "", i);
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

static bool keep_settings(struct sweep *sweep)
{
	const struct sweep_spec *spec = sweep->spec;
	static const char *const aslrs[] = { "as it is", "off", "on" };

	return keep_setting(sweep, "benchmark", shell_words(&sweep->arena, sweep->spec->command)) &&
	       keep_setting(sweep, "axes", axes_text(sweep)) &&
	       keep_setting(sweep, "first seed", obstack_format(&sweep->arena, "%" PRIu64,
								spec->first_seed)) &&
	       keep_setting(sweep, "chance", obstack_format(&sweep->arena, "%" PRIu64,
							    spec->chance)) &&
	       keep_setting(sweep, "metrics", spec->measured) &&
	       keep_setting(sweep, "processors", processors_text(sweep)) &&
	       keep_setting(sweep, "time limit of a run", obstack_format(&sweep->arena, "%g s",
									spec->process.timeout)) &&
	       keep_setting(sweep, "aslr", aslrs[spec->process.aslr]) &&
	       keep_setting(sweep, "environment", obstack_format(&sweep->arena, "%u",
								 spec->environment)) &&
	       keep_setting(sweep, "check", spec->check != NULL ? spec->check :
			    spec->same_output ? "the same output" : "none");
}

static bool keep_builds(struct sweep *sweep)
{
	const struct sweep_spec *spec = sweep->spec;
	const struct record *record = &sweep->store->record;
	const char *policy = policy_text(sweep);

	if (record->builds.count > spec->sides.count) {
		diag_error_class(sweep->diag, DIAG_USAGE, NULL, "\"%s\" has %zu builds, of which %zu "
				 "were given", sweep->store->path, record->builds.count,
				 spec->sides.count);
		return false;
	}
	for (size_t i = 0; i < spec->sides.count; i++) {
		const struct build build = { spec->sides.at[i].name,
					     spec->sides.at[i].maker->description, policy };
		const struct build *old = &record->builds.at[i];

		if (i >= record->builds.count) {
			store_add_build(sweep->store, &build);
		} else if (strcmp(old->policy, policy) != 0 || strcmp(old->source, build.source) != 0) {
			diag_error_class(sweep->diag, DIAG_USAGE, NULL, "\"%s\" was begun with '%s' and "
					 "the policy '%s', not with '%s' and '%s': leave these out, or "
					 "take another store", sweep->store->path, old->source,
					 old->policy, build.source, policy);
			return false;
		}
	}
	return !sweep->store->db.failed;
}

static bool keep_conditions(struct sweep *sweep)
{
	const struct sweep_spec *spec = sweep->spec;
	const struct record *record = &sweep->store->record;

	for (size_t i = 0; i < spec->conditions.count; i++) {
		if (i >= record->conditions.count) {
			store_add_condition(sweep->store, &spec->conditions.at[i]);
		} else if (strcmp(record->conditions.at[i].name, spec->conditions.at[i].name) != 0) {
			diag_error_class(sweep->diag, DIAG_USAGE, NULL, "\"%s\" was begun with the "
					 "condition \"%s\" before \"%s\"", sweep->store->path,
					 record->conditions.at[i].name, spec->conditions.at[i].name);
			return false;
		}
	}
	return !sweep->store->db.failed;
}

/* True if what every run has, of that name, is to be judged: wall time, where nothing is said. */
static bool is_asked_for(const struct sweep_spec *spec, const char *name)
{
	for (size_t i = 0; i < spec->judged.count; i++)
		if (strcmp(spec->judged.at[i], name) == 0)
			return true;
	return spec->judged.count == 0 && extractor_is_empty(spec->extractor) &&
	       strcmp(name, "wall") == 0;
}

static bool has_metric(const struct sweep *sweep, const char *name)
{
	const struct record *record = &sweep->store->record;

	for (size_t i = 0; i < record->metrics.count; i++)
		if (strcmp(record->metrics.at[i].name, name) == 0)
			return true;
	return false;
}

/* False, reported, where something is asked for that runs do not have here. */
static bool keep_metrics(struct sweep *sweep)
{
	const struct counters *counters = sweep->spec->process.counters;

	for (size_t i = 0; i < METRICS; i++)
		sweep->metrics[i] = store_metric(sweep->store, metrics[i].name, metrics[i].unit,
						 BETTER_LOWER, is_asked_for(sweep->spec,
									    metrics[i].name));
	for (size_t i = 0; counters != NULL && i < counters->count; i++)
		sweep->counters[i] = store_metric(sweep->store, counters->list[i].name, "",
						  BETTER_LOWER,
						  is_asked_for(sweep->spec, counters->list[i].name));
	for (size_t i = 0; i < sweep->spec->judged.count; i++) {
		const char *name = sweep->spec->judged.at[i];

		if (has_metric(sweep, name))
			continue;
		diag_error_class(sweep->diag, DIAG_USAGE, NULL, "no run has the metric \"%s\"%s%s; "
				 "one that the benchmark prints is --metric=NAME=REGEX", name,
				 counters != NULL && counters->without != NULL ? ": " : "",
				 counters != NULL && counters->without != NULL ? counters->without : "");
		return false;
	}
	return !sweep->store->db.failed;
}

static void begin_session(struct sweep *sweep)
{
	const struct counters *counters = sweep->spec->process.counters;
	struct machine machine;
	json_t *json;
	char *text;

	machine_look(&machine, sweep->spec->process.pinned ? &sweep->spec->process.cpus : NULL);
	json = machine_to_json(&machine);
	text = json_dumps(json, JSON_COMPACT);
	sweep->session = store_add_session(sweep->store, &(struct session){
		.command = sweep->spec->command_line, .folder = sweep->spec->folder,
		.started = store_time(&sweep->arena), .machine = text,
	});
	for (size_t i = 0; sweep->spec->said != NULL && i < machine.noises.count; i++)
		fprintf(sweep->spec->said, "noise: %s: %s%s%s\n", machine.noises.at[i].name,
			machine.noises.at[i].state, machine.noises.at[i].advice != NULL ? ": " : "",
			machine.noises.at[i].advice != NULL ? machine.noises.at[i].advice : "");
	if (sweep->spec->said != NULL && counters != NULL && counters->without != NULL)
		fprintf(sweep->spec->said, "counters: %s\n", counters->without);
	free(text);
	json_decref(json);
	machine_release(&machine);
}

bool sweep_begin(struct sweep *sweep)
{
	if (!keep_settings(sweep) || !keep_builds(sweep) || !keep_conditions(sweep) ||
	    !keep_metrics(sweep))
		return false;
	begin_session(sweep);
	return !sweep->store->db.failed;
}
