/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "src/sweep-options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "layout/number.h"
#include "lib/memory.h"
#include "lib/shell.h"
#include "src/values.h"
#include "sweep/axis.h"

#define DEFAULT_ROUNDS 5
#define DEFAULT_TIMEOUT 300
/* Bytes of a page: what a difference in an environment's size can do, it does within one. */
#define DEFAULT_ENVIRONMENT 4096

enum { OPTION_SEEDS = 0x200, OPTION_BUDGET, OPTION_AXIS, OPTION_CONDITION, OPTION_METRIC,
       OPTION_RESULTS, OPTION_CHECK, OPTION_SAME, OPTION_TIMEOUT, OPTION_CPU, OPTION_ASLR,
       OPTION_ENVIRONMENT, OPTION_WARMUP, OPTION_NO_PLAIN, OPTION_CHANCE, OPTION_RESUME,
       OPTION_CONFIDENCE, OPTION_BEST_OF };

static const struct argp_option argp_options[] = {
	{ NULL, 0, NULL, 0, "How much:", 1 },
	{ "layouts", 'n', "N", 0, "How many layouts, of seeds 1 to N", 1 },
	{ "seeds", OPTION_SEEDS, "A..B", 0, "Of these seeds instead", 1 },
	{ "runs", 'r', "R", 0, "How often each layout is run (default: 5)", 1 },
	{ "best-of", OPTION_BEST_OF, "K", 0, "Each run is the best of K, each in a round of its "
	  "own: for noise that only slows, as neighbours on the machine do (default: 1)", 1 },
	{ "warmup", OPTION_WARMUP, "W", 0, "Runs of each layout before, which do not count "
	  "(default: 1)", 1 },
	{ "budget", OPTION_BUDGET, "TIME", 0, "Stop after this time (90s, 15m, 2h)", 1 },
	{ "axis", OPTION_AXIS, "AXIS,...", 0, "Vary one at a time of " AXIS_NAMES " (default: all "
	  "that the policy names, at once)", 1 },
	{ "no-plain", OPTION_NO_PLAIN, NULL, 0, "Without the layout that the usual linker makes", 1 },

	{ NULL, 0, NULL, 0, "What is measured (default: wall time):", 2 },
	{ "metric", OPTION_METRIC, "NAME=REGEX[:higher|lower][:UNIT]", 0, "The number that the "
	  "group of REGEX takes from the benchmark's output; $.a.b[0] instead is a path into JSON; "
	  "NAME alone is what every run has: wall, cpu, user, sys, max-rss, or a counter of perf; may "
	  "be given again", 2 },
	{ "results", OPTION_RESULTS, "NAME[:FILE]", 0, "All that is in the output (or FILE) of "
	  "google-benchmark, hyperfine, fio, stress-ng, will-it-scale or lkp", 2 },
	{ "check", OPTION_CHECK, "COMMAND", 0, "A run whose output this command, of which it is the "
	  "input, does not accept is wrong", 2 },
	{ "same-output", OPTION_SAME, NULL, 0, "A run that prints something else than the first one "
	  "is wrong", 2 },

	{ NULL, 0, NULL, 0, "Circumstances:", 3 },
	{ "condition", OPTION_CONDITION, "NAME:ENTER:LEAVE", 0, "Measure each layout also under this "
	  "condition, between two commands; may be given again", 3 },
	{ "cpu", OPTION_CPU, "LIST", 0, "Run on these processors alone (2, or 0-3)", 3 },
	{ "aslr", OPTION_ASLR, "off|on", 0, "Addresses chosen by the kernel (default: as it is)", 3 },
	{ "environment", OPTION_ENVIRONMENT, "BYTES", 0, "Make the environment larger by up to so "
	  "many bytes, at random (default: 4096)", 3 },
	{ "timeout", OPTION_TIMEOUT, "TIME", 0, "A run that takes longer hangs (default: 300s)", 3 },
	{ "chance", OPTION_CHANCE, "N", 0, "What the order of runs is drawn by (default: another "
	  "one each time)", 3 },

	{ NULL, 0, NULL, 0, "The store:", 4 },
	{ "store", 's', "FILE", 0, "Where all is kept", 4 },
	{ "resume", OPTION_RESUME, NULL, 0, "Go on with a store, as it was begun; other options "
	  "change how far", 4 },
	{ "jobs", 'j', "N", 0, "Make so many layouts at a time (default: the number of processors)",
	  4 },
	{ "confidence", OPTION_CONFIDENCE, "P", 0, "Of the intervals (default: 95%)", 4 },
	{ "quiet", 'q', NULL, 0, "Say nothing while it goes on", 4 },
	{ 0 },
};

/* --- The parser ------------------------------------------------------------------ */

static void parse_seeds(struct sweep_options *options, const char *text, struct argp_state *state)
{
	const char *dots = strstr(text, "..");
	uint64_t first, last;

	if (dots == NULL || !parse_number(text, dots, &first) ||
	    !parse_number(dots + 2, NULL, &last) || last < first || last - first >= 1000000)
		argp_error(state, "expected --seeds=A..B, numbers of which the first is not above the "
			   "second, got \"%s\"", text);
	else {
		options->first_seed = first;
		options->layouts = (size_t)(last - first + 1);
	}
}

static void parse_axes(struct sweep_options *options, const char *text, struct argp_state *state)
{
	for (size_t i = 0; i < options->axes.count; i++)
		free(options->axes.at[i]);
	options->axes.count = 0;
	do {
		size_t length = strcspn(text, ",");
		char *name = xasprintf("%.*s", (int)length, text);

		for (size_t i = 0; i < options->axes.count; i++)
			if (strcmp(options->axes.at[i], name) == 0)
				argp_error(state, "expected each axis once in --axis, got \"%s\" again",
					   name);
		*vec_push(&options->axes) = name;
		if (!axis_is(name))
			argp_error(state, "expected --axis with some of " AXIS_NAMES ", got \"%s\"",
				   name);
		text += length;
	} while (*text++ == ',');
}

static void parse_condition(struct sweep_options *options, const char *text,
			    struct argp_state *state)
{
	size_t name = strcspn(text, ":"), enter = 0;

	if (text[name] == ':')
		enter = strcspn(text + name + 1, ":");
	if (name == 0 || text[name] != ':' || text[name + 1 + enter] != ':') {
		argp_error(state, "expected --condition=NAME:ENTER:LEAVE, got \"%s\"", text);
		return;
	}
	for (size_t i = 0; i < options->conditions.count; i++)
		if (strncmp(options->conditions.at[i].name, text, name) == 0 &&
		    options->conditions.at[i].name[name] == '\0')
			argp_error(state, "expected another name in --condition=%s: there is a "
				   "condition of this one", text);
	*vec_push(&options->conditions) = (struct condition){
		.name = obstack_strndup(&options->arena, text, name),
		.enter = obstack_strndup(&options->arena, text + name + 1, enter),
		.leave = obstack_strdup(&options->arena, text + name + 1 + enter + 1),
	};
}

static void parse_time(double *seconds, const char *option, const char *text,
		       struct argp_state *state)
{
	if (!parse_seconds(text, seconds) || *seconds <= 0)
		argp_error(state, "expected --%s=TIME, as 90s, 15m or 2h, got \"%s\"", option, text);
}

static void parse_number_option(struct sweep_options *options, int key, const char *text,
				struct argp_state *state)
{
	static const struct {
		int key;
		const char *name, *word;
		uint64_t min, max;
	} numbers[] = {
		{ 'n', "layouts", "N", 1, 1000000 },
		{ 'r', "runs", "R", 1, SWEEP_ROUNDS_MAX },
		{ OPTION_BEST_OF, "best-of", "K", 1, SWEEP_ROUNDS_MAX },
		{ 'j', "jobs", "N", 1, 1024 },
		{ OPTION_WARMUP, "warmup", "W", 0, 1000 },
		{ OPTION_ENVIRONMENT, "environment", "BYTES", 0, 100000 },
		{ OPTION_CHANCE, "chance", "N", 0, UINT64_MAX },
	};
	size_t i = 0;
	uint64_t value;

	while (numbers[i].key != key)
		i++;
	if (!parse_count(text, numbers[i].max, &value) || value < numbers[i].min) {
		argp_error(state, "expected --%s=%s with a number from %" PRIu64 " to %" PRIu64
			   ", got \"%s\"", numbers[i].name, numbers[i].word, numbers[i].min,
			   numbers[i].max, text);
		return;
	}
	switch (key) {
	case 'n': options->layouts = (size_t)value; break;
	case 'r': options->rounds = (unsigned)value; break;
	case 'j': options->jobs = (unsigned)value; break;
	case OPTION_BEST_OF: options->best_of = (unsigned)value; break;
	case OPTION_WARMUP: options->warmup = (unsigned)value; break;
	case OPTION_ENVIRONMENT: options->environment = (unsigned)value; break;
	default:
		options->chance = value;
		options->has_chance = true;
		break;
	}
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct sweep_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->policy;
		return 0;
	case 'n': case 'r': case 'j':
	case OPTION_WARMUP: case OPTION_ENVIRONMENT: case OPTION_CHANCE: case OPTION_BEST_OF:
		parse_number_option(options, key, argument, state);
		return 0;
	case 's':
		options->store = argument;
		return 0;
	case 'q':
		options->quiet = true;
		return 0;
	case OPTION_RESUME:
		options->resume = true;
		return 0;
	case OPTION_SEEDS:
		parse_seeds(options, argument, state);
		return 0;
	case OPTION_BUDGET:
		parse_time(&options->budget, "budget", argument, state);
		return 0;
	case OPTION_TIMEOUT:
		parse_time(&options->process.timeout, "timeout", argument, state);
		return 0;
	case OPTION_AXIS:
		parse_axes(options, argument, state);
		return 0;
	case OPTION_CONDITION:
		parse_condition(options, argument, state);
		return 0;
	case OPTION_METRIC:
		*vec_push(&options->measured) = argument;
		if (strchr(argument, '=') == NULL)
			*vec_push(&options->judged) = argument;
		else if (sweep_has_metric(argument, strcspn(argument, "=")))
			argp_error(state, "expected another name in --metric=%s: every run has that",
				   argument);
		else
			extractor_add_metric(options->extractor, argument, &options->diag);
		return 0;
	case OPTION_RESULTS:
		*vec_push(&options->measured) = argument;
		extractor_add_format(options->extractor, argument, &options->diag);
		return 0;
	case OPTION_CHECK:
		options->check = argument;
		return 0;
	case OPTION_SAME:
		options->same_output = true;
		return 0;
	case OPTION_NO_PLAIN:
		options->plain = false;
		return 0;
	case OPTION_CPU:
		options->process.pinned = true;
		if (!parse_cpus(argument, &options->process.cpus))
			argp_error(state, "expected --cpu=LIST, as 2 or 0-3, got \"%s\"", argument);
		return 0;
	case OPTION_ASLR:
		if (strcmp(argument, "off") != 0 && strcmp(argument, "on") != 0)
			argp_error(state, "expected --aslr=off or --aslr=on, got \"%s\"", argument);
		options->process.aslr = strcmp(argument, "off") == 0 ? ASLR_OFF : ASLR_ON;
		return 0;
	case OPTION_CONFIDENCE:
		if (!parse_ratio(argument, &options->confidence) || options->confidence < 0.5 ||
		    options->confidence > 0.9999)
			argp_error(state, "expected --confidence=P from 50%% to 99.99%%, got \"%s\"",
				   argument);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{ &policy_options_argp, 0, "What is moved (default: each unit of .text*, .rodata*, .data*, "
	  ".bss* begins anywhere within a page, by 16):", 5 },
	{ 0 },
};

const struct argp sweep_options_argp = {
	.options = argp_options, .parser = parse, .children = children,
};

void sweep_options_init(struct sweep_options *options, const char *program)
{
	*options = (struct sweep_options){
		.plain = true, .rounds = DEFAULT_ROUNDS, .warmup = 1, .first_seed = 1,
		.environment = DEFAULT_ENVIRONMENT, .confidence = NAN,
		.process.timeout = DEFAULT_TIMEOUT, .extractor = extractor_new(),
		.jobs = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
	};
	obstack_init(&options->arena);
	diag_init(&options->diag, program, stderr);
	policy_options_init(&options->policy, &options->diag);
}

void sweep_options_release(struct sweep_options *options)
{
	for (size_t i = 0; i < options->axes.count; i++)
		free(options->axes.at[i]);
	vec_release(&options->axes);
	vec_release(&options->conditions);
	vec_release(&options->judged);
	vec_release(&options->measured);
	extractor_free(options->extractor);
	counters_release(&options->counters);
	policy_options_release(&options->policy);
	obstack_free(&options->arena, NULL);
}

/* How often each layout is started. */
static size_t rounds_of(const struct sweep_options *options)
{
	return (size_t)options->rounds * (options->best_of > 0 ? options->best_of : 1);
}

bool sweep_options_check(struct sweep_options *options)
{
	if (options->policy.policy.has_seed)
		diag_error_class(&options->diag, DIAG_USAGE, NULL, "expected no --seed: a sweep has "
				 "many, --seeds=A..B");
	if (options->policy.policy.null)
		diag_error_class(&options->diag, DIAG_USAGE, NULL, "expected no --null: nothing would "
				 "move");
	if (options->command == NULL)
		diag_error_class(&options->diag, DIAG_USAGE, NULL, "expected the benchmark's command "
				 "behind \"--\"");
	if (rounds_of(options) > SWEEP_ROUNDS_MAX)
		diag_error_class(&options->diag, DIAG_USAGE, NULL, "expected at most %d rounds of "
				 "each layout, got --runs=%u times --best-of=%u",
				 SWEEP_ROUNDS_MAX, options->rounds, options->best_of);
	if (options->store == NULL)
		diag_error_class(&options->diag, DIAG_USAGE, NULL, "expected --store=FILE, where what is "
				 "measured is kept");
	return options->diag.errors == 0;
}

/* --- The spec -------------------------------------------------------------------- */

static bool fill_axes(struct sweep_options *options, struct sweep_spec *spec)
{
	for (size_t i = 0; i == 0 || i < options->axes.count; i++) {
		struct sweep_axis axis = { .name = options->axes.count > 0 ? options->axes.at[i] : "" };

		axis.flags = axis_flags(axis.name, &options->policy.policy, &options->arena,
					&options->diag);
		if (axis.flags == NULL)
			return false;
		*vec_push(&spec->axes) = axis;
	}
	return true;
}

/* Layouts are made in other folders. */
static bool make_lock_absolute(struct sweep_options *options)
{
	struct policy *policy = &options->policy.policy;
	char *path;

	if (policy->lock == NULL)
		return true;
	path = realpath(policy->lock, NULL);
	if (path == NULL) {
		diag_error_class(&options->diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s",
				 policy->lock, strerror(errno));
		return false;
	}
	free(policy->lock);
	policy->lock = path;
	return true;
}

bool sweep_options_fill(struct sweep_options *options, struct sweep_spec *spec, char **argv)
{
	char *folder = getcwd(NULL, 0);
	struct obstack words;

	obstack_init(&words);
	*vec_push(&options->measured) = NULL;
	*spec = (struct sweep_spec){
		.first_seed = options->first_seed, .rounds = (unsigned)rounds_of(options),
		.warmup = options->warmup, .plain = options->plain, .budget = options->budget,
		.command = options->command, .extractor = options->extractor,
		.process = options->process, .environment = options->environment,
		.measured = shell_words(&options->arena, options->measured.at),
		.check = options->check, .same_output = options->same_output,
		.command_line = obstack_format(&options->arena, "%s %s", argv[0],
					       shell_words(&words, argv + 1)),
		.folder = obstack_strdup(&options->arena, folder != NULL ? folder : "."),
		.said = options->quiet ? NULL : stderr,
	};
	obstack_free(&words, NULL);
	free(folder);
	if (!make_lock_absolute(options))
		return false;
	if (!options->has_chance &&
	    getrandom(&options->chance, sizeof options->chance, 0) != sizeof options->chance)
		options->chance = 0;
	spec->chance = options->chance;
	counters_probe(&options->counters);
	spec->process.counters = &options->counters;
	for (size_t i = 0; i < options->judged.count; i++)
		*vec_push(&spec->judged) = options->judged.at[i];
	*vec_push(&spec->conditions) = (struct condition){ .name = "" };
	for (size_t i = 0; i < options->conditions.count; i++)
		*vec_push(&spec->conditions) = options->conditions.at[i];
	return fill_axes(options, spec);
}

void sweep_spec_release(struct sweep_spec *spec)
{
	for (size_t i = 0; i < spec->sides.count; i++)
		spec->sides.at[i].maker->free(spec->sides.at[i].maker);
	vec_release(&spec->sides);
	vec_release(&spec->axes);
	vec_release(&spec->judged);
	vec_release(&spec->conditions);
	vec_release(&spec->waves);
}

void sweep_waves(struct sweep_spec *spec, struct store *store, size_t first, double growth,
		 size_t count)
{
	size_t end = 0;
	char name[32];

	for (;;) {
		const char *begun;

		snprintf(name, sizeof name, "wave %zu", spec->waves.count);
		begun = store_setting(store, name);
		if (begun != NULL)
			end = strtoul(begun, NULL, 10);
		else if (end >= count)
			return;
		else if (end == 0 || growth <= 1)
			end = end == 0 ? first : count;
		else
			end = (size_t)ceil((double)end * growth);
		if (begun == NULL && end > count)
			end = count;
		*vec_push(&spec->waves) = end;
	}
}

void sweep_tell_end(const struct sweep_options *options, enum sweep_end end)
{
	static const char *const ends[] = {
		[SWEEP_ENOUGH] = "known as well as was asked",
		[SWEEP_OUT_OF_TIME] = "the time is over",
		[SWEEP_INTERRUPTED] = "interrupted; --resume goes on",
		[SWEEP_FAILED] = "cut short; --resume goes on",
	};

	if (end != SWEEP_DONE && !options->quiet)
		fprintf(stderr, "%s\n", ends[end]);
}

int end_status(enum sweep_end end, struct diag *diag)
{
	if (end == SWEEP_INTERRUPTED) {
		fflush(NULL);
		signal(sweep_signal(), SIG_DFL);
		raise(sweep_signal());
	}
	return (int)diag->status;
}
