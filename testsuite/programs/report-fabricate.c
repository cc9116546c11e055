/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report-fabricate FORM [NAME=VALUE...]: a record that no sweep made, told in FORM (text,
 * md, lkp, json, html) on standard output.  What is in it is known, so a test can say what
 * must be told of it.
 *
 *	seed=1 builds=1 layouts=30 runs=5 values=1 metrics=1 conditions=1 sessions=1
 *	layout=0.05 run=0.01 iteration=0	relative standard deviations
 *	center=1	what all values are around, of the metric's usual mean: 0, -1
 *	change=0 planned=0	what build 1 has more than build 0; what its plain build has more
 *	pairing=0.7		how alike the layouts of one seed are on both sides
 *	drift=0 rounds=RUNS	how far the machine drifts from the first run to the last
 *	axes=text,data		one at a time
 *	plain=1 extra=0 odd=0 constant=0	the plain layouts; what every run has, too;
 *				names that hold anything; no variance
 *	unmade=0 failed=0 timed_out=0 wrong=0	layouts that are not made; runs that end badly
 *	noise=0 unpaired=0	a noisy machine; no seed on both sides
 *	source=OPTIONS	how layouts are made: "--bundle lua.bundle"
 *	confidence=0.95 effect=0.01 reported=NAN best_of=0 metric=GLOB output=FILE
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report/analysis.h"
#include "report/form.h"

struct recipe {
	double seed, builds, layouts, runs, values, metrics, conditions, sessions, layout, run,
		center, iteration, change, planned, pairing, drift, plain, extra, odd, constant,
		unmade, failed, timed_out, wrong, noise, unpaired, confidence, effect, reported,
		best_of;
	const char *axes, *metric, *output, *source;
};

struct fabric {
	struct recipe recipe;
	struct record record;
	uint64_t state;
	const char *axes[8];
	size_t axis_count;
};

/* --- Chance ------------------------------------------------------------- */

static double uniform(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((x ^ x >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state)
{
	double radius = sqrt(-2 * log(uniform(state)));

	return radius * cos(2 * M_PI * uniform(state));
}

/* What a layout does to a metric: the same each time. */
static double layout_effect(const struct fabric *fabric, size_t metric, size_t layout,
			    size_t condition)
{
	const struct recipe *recipe = &fabric->recipe;
	const struct swept_layout *swept = &fabric->record.layouts.at[layout];
	uint64_t shared = swept->seed * 1000003 + metric * 7919 + (uint64_t)recipe->seed * 104729 +
			  swept->plain * 15485863 + strlen(swept->axis) * 32452843;
	uint64_t own = shared + 49979687 * (swept->build + 1);
	double effect = recipe->pairing * normal(&shared) +
			sqrt(1 - recipe->pairing * recipe->pairing) * normal(&own);

	if (strcmp(swept->axis, "data") == 0)
		effect *= 0.4;
	else if (strcmp(swept->axis, "bss") == 0)
		effect *= 0.05;
	if (swept->plain)
		return (swept->build == 1 ? recipe->planned : 0) + 0.5 * recipe->layout * effect;
	return recipe->layout * effect * (condition == 1 ? 0.25 : 1) /
	       (1 + 0.3 * (double)(metric % 4));
}

/* --- The record --------------------------------------------------------- */

static const struct {
	const char *name, *unit;
	enum metric_better better;
	double mean;
} kinds[] = {
	{ "find_bit", "ns", BETTER_LOWER, 5273000 },
	{ "throughput", "op/s", BETTER_HIGHER, 48123456 },
	{ "sort", "ms", BETTER_LOWER, 812 }, { "latency.p99", "us", BETTER_LOWER, 31.7 },
	{ "score", "", BETTER_UNKNOWN, 1042 },
}, extras[] = {
	{ "wall", "s", BETTER_LOWER, 1.31 }, { "user", "s", BETTER_LOWER, 1.22 },
	{ "sys", "s", BETTER_LOWER, 0.05 }, { "max_rss", "B", BETTER_LOWER, 7340032 },
};

static void add_metrics(struct fabric *fabric)
{
	const size_t count = sizeof kinds / sizeof kinds[0];
	struct record *record = &fabric->record;

	for (size_t i = 0; i < (size_t)fabric->recipe.metrics; i++)
		*vec_push(&record->metrics) = (struct swept_metric){
			.name = fabric->recipe.odd > 0
					? obstack_format(&record->arena,
							 "<b>&\"'|*_`\033 \303\274\303\237 "
							 "\347\264\240%zu",
							 i)
				: i < count ? obstack_strdup(&record->arena, kinds[i].name)
					    : obstack_format(&record->arena, "%s.%zu",
							     kinds[i % count].name, i / count),
			.unit = obstack_strdup(&record->arena, kinds[i % count].unit),
			.better = kinds[i % count].better, .primary = true,
		};
	for (size_t i = 0; fabric->recipe.extra > 0 && i < sizeof extras / sizeof extras[0]; i++)
		*vec_push(&record->metrics) = (struct swept_metric){
			.name = obstack_strdup(&record->arena, extras[i].name),
			.unit = obstack_strdup(&record->arena, extras[i].unit),
			.better = extras[i].better,
		};
}

static double mean_of(const struct fabric *fabric, size_t metric)
{
	size_t primary = (size_t)fabric->recipe.metrics;

	if (metric < primary)
		return kinds[metric % (sizeof kinds / sizeof kinds[0])].mean;
	return extras[metric - primary].mean;
}

static char *machine_text(struct fabric *fabric)
{
	struct noise noises[] = {
		{ "governor", "powersave on 8 of 8 processors",
		  "cpupower frequency-set -g performance" },
		{ "turbo", "on", "echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo" },
	};
	struct machine machine = {
		.cpu = "Example CPU at 3 GHz", .kernel = "6.1.0", .host = "box", .processors = 8
	};
	json_t *json;
	char *text, *kept;

	machine.noises.at = (void *)noises;
	machine.noises.count = fabric->recipe.noise > 0 ? 2 : 0;
	json = machine_to_json(&machine);
	text = json_dumps(json, JSON_COMPACT);
	kept = obstack_strdup(&fabric->record.arena, text);
	free(text);
	json_decref(json);
	return kept;
}

static void add_sessions(struct fabric *fabric)
{
	struct record *record = &fabric->record;
	const char *odd = fabric->recipe.odd > 0 ? " --title '<&\"'\\'''" : "";

	for (size_t i = 0; i < (size_t)fabric->recipe.sessions; i++)
		*vec_push(&record->sessions) = (struct session){
			.command = obstack_format(&record->arena,
						  "kerning sweep --store lua.db%s --bundle "
						  "lua.bundle --layouts %g --runs %g --pad "
						  "'.text*:0..4080/16'%s -- sh -c "
						  "'$KERNING_OUTPUT bench.lua'",
						  i > 0 ? " --resume" : "", fabric->recipe.layouts,
						  fabric->recipe.runs, odd),
			.folder = "/home/user/lua",
			.started = "2026-11-30 22:36:01",
			.ended = i + 1 < (size_t)fabric->recipe.sessions ? NULL
									 : "2026-11-30 22:51:17",
			.machine = machine_text(fabric),
		};
}

static void add_layout(struct fabric *fabric, size_t build, bool plain, uint64_t seed,
		       const char *axis)
{
	struct record *record = &fabric->record;
	bool made = plain || seed > (uint64_t)fabric->recipe.unmade;

	*vec_push(&record->layouts) = (struct swept_layout){
		.build = build,
		.plain = plain,
		.seed = seed,
		.axis = axis,
		.state = made ? LAYOUT_MADE : LAYOUT_FAILED,
		.why = made ? NULL
			    : "ld: warning: lua.o: no stack note\nld: region `ram' overflowed by 16 bytes",
		.output = obstack_format(&record->arena, "layouts/%zu/lua", record->layouts.count),
		.seconds = 0.4,
	};
}

static void add_layouts(struct fabric *fabric)
{
	struct record *record = &fabric->record;
	const char *policy = "pad=.text*:0..4080/16";

	for (size_t i = 1; i < fabric->axis_count; i++)
		policy = obstack_format(&record->arena, "%s\npad=.%s*:0..4080/16", policy,
					fabric->axes[i]);
	for (size_t build = 0; build < (size_t)fabric->recipe.builds; build++) {
		*vec_push(&record->builds) = (struct build){
			.name = fabric->recipe.odd > 0
					? (build == 0 ? "<base`>oops`>" : "h\303\266\303\237|d")
				: fabric->recipe.builds < 2 ? "lua"
				: build == 0                ? "base"
							    : "head",
			.source = fabric->recipe.source,
			.policy = policy,
		};
		if (fabric->recipe.plain > 0)
			add_layout(fabric, build, true, 0, "");
		for (size_t axis = 0; axis < fabric->axis_count; axis++)
			for (uint64_t i = 1; i <= (uint64_t)fabric->recipe.layouts; i++)
				add_layout(fabric, build, false,
					   i + (fabric->recipe.unpaired > 0 ? 1000 * build : 0),
					   fabric->axes[axis]);
	}
}

static void add_values(struct fabric *fabric, struct swept_run *run)
{
	const struct recipe *recipe = &fabric->recipe;
	struct record *record = &fabric->record;
	double past = (double)run->round / fmax(recipe->runs - 1, 1);

	run->first = record->values.count;
	for (size_t metric = 0; metric < record->metrics.count; metric++) {
		double effect = layout_effect(fabric, metric, run->layout, run->condition);
		double all = recipe->run * normal(&fabric->state) + recipe->drift * past;

		if (record->layouts.at[run->layout].build == 1 && metric % 2 == 0)
			all += recipe->change;
		for (size_t i = 0; i < (size_t)recipe->values; i++)
			*vec_push(&record->values) = (struct swept_value){
				.metric = metric,
				.value = mean_of(fabric, metric) *
					 (recipe->constant > 0
						  ? recipe->center
						  : recipe->center + effect + all +
							    recipe->iteration *
								    normal(&fabric->state)),
			};
	}
	run->count = record->values.count - run->first;
}

static void add_run(struct fabric *fabric, size_t layout, size_t condition, unsigned round)
{
	struct record *record = &fabric->record;
	const struct recipe *recipe = &fabric->recipe;
	struct swept_run run = {
		.layout = layout,
		.condition = condition,
		.round = round,
		.session = (size_t)(round * recipe->sessions / recipe->runs),
		.order = (unsigned)record->runs.count,
		.started = "2026-11-30 22:40:00",
		.seconds = 1.3,
	};
	double bad = uniform(&fabric->state) * (double)(record->layouts.count);

	if (record->layouts.at[layout].state == LAYOUT_FAILED)
		return;
	if (bad < recipe->failed) {
		run.state = RUN_FAILED;
		run.why = "exit status 139 (SIGSEGV)\nlua: bench.lua:7: <nothing> & \"more\"";
	} else if (bad < recipe->failed + recipe->timed_out) {
		run.state = RUN_TIMED_OUT;
		run.why = "no end after 10 s";
	} else if (bad < recipe->failed + recipe->timed_out + recipe->wrong) {
		run.state = RUN_WRONG;
		run.why = "standard output is not that of the first layout";
	} else {
		add_values(fabric, &run);
	}
	*vec_push(&record->runs) = run;
}

/* Rounds of every layout under every condition, each in an order of its own. */
static void add_runs(struct fabric *fabric)
{
	struct record *record = &fabric->record;
	size_t conditions = (size_t)fabric->recipe.conditions;
	size_t count = record->layouts.count * conditions;
	size_t *order = xcalloc(count + 1, sizeof *order);

	for (size_t i = 0; i < conditions; i++)
		*vec_push(&record->conditions) = (struct condition){
			.name = i == 0 ? "" : "prefetch off",
			.enter = i == 0 ? "" : "wrmsr -a 0x1a4 0xf",
			.leave = i == 0 ? "" : "wrmsr -a 0x1a4 0x0",
		};
	for (size_t i = 0; i < count; i++)
		order[i] = i;
	for (unsigned round = 0; round < (unsigned)fabric->recipe.runs; round++) {
		for (size_t i = count; i > 1; i--) {
			size_t j = (size_t)(uniform(&fabric->state) * (double)i),
			       saved = order[i - 1];

			order[i - 1] = order[j];
			order[j] = saved;
		}
		for (size_t i = 0; i < count; i++)
			add_run(fabric, order[i] / conditions, order[i] % conditions, round);
	}
	free(order);
}

static void fabricate(struct fabric *fabric)
{
	char *axes, *axis, *rest;

	record_init(&fabric->record);
	fabric->record.path = "lua.db";
	fabric->record.axes = fabric->recipe.axes;
	axes = obstack_strdup(&fabric->record.arena, fabric->recipe.axes);
	for (axis = strtok_r(axes, ",", &rest); axis != NULL; axis = strtok_r(NULL, ",", &rest))
		fabric->axes[fabric->axis_count++] = axis;
	if (fabric->axis_count == 0)
		fabric->axes[fabric->axis_count++] = "";
	fabric->state = (uint64_t)fabric->recipe.seed;
	add_metrics(fabric);
	add_sessions(fabric);
	add_layouts(fabric);
	add_runs(fabric);
}

/* --- The command line --------------------------------------------------- */

#define FIELD(name) \
	{ \
#name, offsetof(struct recipe, name) \
	}

static bool take(struct recipe *recipe, const char *word)
{
	static const struct field {
		const char *name;
		size_t offset;
	} texts[] = {
		FIELD(axes), FIELD(metric), FIELD(output), FIELD(source),
	}, fields[] = {
		FIELD(seed),     FIELD(builds),   FIELD(layouts),    FIELD(runs),
		FIELD(values),   FIELD(metrics),  FIELD(conditions), FIELD(sessions),
		FIELD(layout),   FIELD(run),      FIELD(center),     FIELD(iteration),
		FIELD(change),   FIELD(planned),  FIELD(pairing),    FIELD(drift),
		FIELD(plain),    FIELD(extra),    FIELD(odd),        FIELD(constant),
		FIELD(unmade),   FIELD(failed),   FIELD(timed_out),  FIELD(wrong),
		FIELD(noise),    FIELD(unpaired), FIELD(confidence), FIELD(effect),
		FIELD(reported), FIELD(best_of),
	};
	const char *value = strchr(word, '=');

	if (value == NULL)
		return false;
	value++;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		size_t length = strlen(texts[i].name);

		if (strncmp(word, texts[i].name, length) == 0 && word[length] == '=') {
			*(const char **)((char *)recipe + texts[i].offset) = value;
			return true;
		}
	}
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		size_t length = strlen(fields[i].name);

		if (strncmp(word, fields[i].name, length) != 0 || word[length] != '=')
			continue;
		*(double *)((char *)recipe + fields[i].offset) = strtod(value, NULL);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct fabric fabric = { .recipe = {
					 .seed = 1,
					 .builds = 1,
					 .layouts = 30,
					 .runs = 5,
					 .values = 1,
					 .metrics = 1,
					 .conditions = 1,
					 .sessions = 1,
					 .layout = 0.05,
					 .run = 0.01,
					 .center = 1,
					 .pairing = 0.7,
					 .plain = 1,
					 .confidence = 0.95,
					 .effect = 0.01,
					 .reported = NAN,
					 .axes = "", .source = "--bundle lua.bundle",
				 } };
	struct analysis_question question = analysis_question_default();
	struct analysis analysis;
	struct diag diag;

	diag_init(&diag, "report-fabricate", stderr);
	for (int i = 2; i < argc; i++)
		if (!take(&fabric.recipe, argv[i]))
			diag_error_class(&diag, DIAG_USAGE, NULL, "unknown word \"%s\"", argv[i]);
	if (argc < 2 || diag.errors > 0 || form_of_name(argv[1]) == FORM_UNKNOWN)
		return DIAG_USAGE;
	fabricate(&fabric);
	question.confidence = fabric.recipe.confidence;
	question.effect = fabric.recipe.effect;
	question.metrics = fabric.recipe.metric;
	question.reported = fabric.recipe.reported;
	question.best_of = (unsigned)fabric.recipe.best_of;
	analysis_make(&analysis, &fabric.record, &question, &diag);
	form_write(&analysis, form_of_name(argv[1]), fabric.recipe.output, &diag);
	analysis_release(&analysis);
	record_release(&fabric.record);
	return (int)diag.status;
}
