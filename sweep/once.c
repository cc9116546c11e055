/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/memory.h"
#include "sweep/check.h"
#include "sweep/inner.h"

/* How much of what a failed run said is kept. */
#define WHY_BYTES 1000

/* A line for what went wrong, with the end of what the run said, in the record's arena. */
static const char *tell(struct sweep *sweep, const struct process_result *result,
			const char *what)
{
	const char *said = result->errors != NULL && *result->errors != '\0' ? result->errors :
			   result->output != NULL ? result->output : "";
	size_t size = strlen(said);

	while (size > 0 && said[size - 1] == '\n')
		size--;
	return obstack_format(&sweep->store->record.arena, "%s%s%.*s", what, size > 0 ? ": " : "",
			      (int)(size > WHY_BYTES ? WHY_BYTES : size),
			      size > WHY_BYTES ? said + size - WHY_BYTES : said);
}

/* How the run ended, by itself and by what it printed.  False where that cannot be told. */
static bool judge(struct sweep *sweep, struct swept_run *run, const struct process_result *result,
		  struct findings *findings)
{
	const struct sweep_spec *spec = sweep->spec;
	const struct swept_layout *layout = &sweep->store->record.layouts.at[run->layout];
	enum check_end checked;
	const char *why;

	if (result->end == PROCESS_TIMED_OUT) {
		run->state = RUN_TIMED_OUT;
		run->why = tell(sweep, result, result->why);
	} else if (result->end == PROCESS_FAILED) {
		run->state = RUN_FAILED;
		run->why = tell(sweep, result, result->why);
	}
	if (result->end != PROCESS_DONE)
		return true;
	checked = check_output(sweep, layout, result, &why);
	if (checked == CHECK_WRONG) {
		run->state = RUN_WRONG;
		run->why = tell(sweep, result, why);
	} else if (!extractor_find(spec->extractor, result->output, result->size, findings, &why)) {
		run->state = RUN_NO_METRIC;
		run->why = tell(sweep, result, why);
	}
	return checked != CHECK_NOT_DONE;
}

/*
 * Looks at the first runs of a sweep, kept or not: where none of them can be executed, or all
 * hang, none will ever end.  False, reported.
 */
static bool look_at_first(struct sweep *sweep, const struct process_result *result)
{
	bool stuck = result->end == PROCESS_TIMED_OUT ||
		     (result->end == PROCESS_FAILED && result->status >= 126 && result->signal == 0);

	sweep->ended |= !stuck;
	sweep->good |= result->end == PROCESS_DONE;
	sweep->stuck += stuck;
	if (!sweep->good)
		sweep->why = tell(sweep, result, result->why);
	if (sweep->ended || sweep->stuck < SWEEP_STUCK_RUNS)
		return true;
	diag_error(sweep->diag, NULL, "no run of the benchmark ended well: %s", sweep->why);
	return false;
}

static void add_value(void *values, size_t metric, double value)
{
	VEC(struct swept_value) *list = values;

	if (isfinite(value))
		*vec_push(list) = (struct swept_value){ metric, value };
}

/* What a run finds in its environment, NULL-terminated, in ARENA: MORE bytes are there for nothing. */
static const char **make_variables(struct sweep *sweep, const struct swept_layout *layout,
				   unsigned round, unsigned more)
{
	struct obstack *arena = &sweep->arena;
	const char *variables[5] = {
		obstack_format(arena, "KERNING_OUTPUT=%s/%s", sweep->store->folder, layout->output),
		layout->plain ? "KERNING_SEED=plain" :
				obstack_format(arena, "KERNING_SEED=%" PRIu64, layout->seed),
		obstack_format(arena, "KERNING_ROUND=%u", round),
	};
	static const char fill[] = "KERNING_FILL=";
	char *text = obstack_alloc(arena, sizeof fill + more);

	memcpy(text, fill, sizeof fill - 1);
	memset(text + sizeof fill - 1, 'x', more);
	text[sizeof fill - 1 + more] = '\0';
	variables[3] = text;
	return obstack_copy(arena, variables, sizeof variables);
}

/* The values of a run that ended well, in VALUES, a vector of them. */
static void list_values(struct sweep *sweep, const struct process_result *result,
			const struct findings *findings, void *values)
{
	const struct counters *counters = sweep->spec->process.counters;

	add_value(values, sweep->metrics[METRIC_WALL], result->wall);
	add_value(values, sweep->metrics[METRIC_CPU], result->user + result->sys);
	add_value(values, sweep->metrics[METRIC_USER], result->user);
	add_value(values, sweep->metrics[METRIC_SYS], result->sys);
	if (result->max_rss > 0)
		add_value(values, sweep->metrics[METRIC_RSS], (double)result->max_rss);
	for (size_t i = 0; counters != NULL && i < counters->count; i++)
		add_value(values, sweep->counters[i], result->counts[i]);
	for (size_t i = 0; i < findings->list.count; i++) {
		const struct finding *finding = &findings->list.at[i];

		add_value(values, store_metric(sweep->store, finding->name, finding->unit,
					       finding->better, true), finding->value);
	}
}

bool sweep_once(struct sweep *sweep, size_t index, size_t condition, unsigned round, bool keep)
{
	const struct sweep_spec *spec = sweep->spec;
	const struct swept_layout *layout = &sweep->store->record.layouts.at[index];
	void *mark = obstack_alloc(&sweep->arena, 0);
	/* The same for all builds: what it does, it does to each. */
	unsigned more = (unsigned)(sweep_draw(spec, "environ", layout->seed,
					      2 * condition + layout->plain, round) %
				   (spec->environment + 1));
	struct swept_run run = {
		.session = sweep->session, .layout = index, .condition = condition, .round = round,
		.started = store_time(&sweep->arena), .environment = more,
	};
	const char **variables = make_variables(sweep, layout, round, more);
	VEC(struct swept_value) values = VEC_INIT;
	struct process_result result = { 0 };
	struct findings findings;
	bool going;

	findings_init(&findings);
	extractor_begin(spec->extractor);
	going = process_run(spec->command, variables, &sweep->setup, &result, sweep->diag) &&
		result.end != PROCESS_INTERRUPTED;
	if (going && keep && (going = judge(sweep, &run, &result, &findings))) {
		run.seconds = result.wall;
		if (run.state == RUN_DONE)
			list_values(sweep, &result, &findings, &values);
		run.count = values.count;
		store_add_run(sweep->store, &run, values.at);
	}
	going = going && look_at_first(sweep, &result);
	vec_release(&values);
	findings_release(&findings);
	process_result_release(&result);
	obstack_free(&sweep->arena, mark);
	return going && sweep_signal() == 0 && !sweep->store->db.failed;
}
