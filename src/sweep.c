/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning sweep: one build in many layouts, measured.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"
#include "report/json.h"
#include "report/text.h"
#include "src/begun.h"
#include "src/command.h"
#include "src/sweep-options.h"
#include "src/values.h"

/* Layouts, where nothing says how many; at most, where something else says when to stop. */
#define DEFAULT_LAYOUTS 30
#define MAX_LAYOUTS 1000
/* The first wave of a sweep that stops by itself, and how each of the others grows. */
#define FIRST_WAVE 6
#define WAVE_GROWTH 1.4

struct command {
	struct sweep_options options;
	const char *bundle, *build, *output, *kernel, *image;
	double until;			/* relative; 0: none */
	bool json;
};

enum { OPTION_BUNDLE = 0x100, OPTION_BUILD, OPTION_KERNEL, OPTION_IMAGE, OPTION_UNTIL };

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Where layouts come from:", 0 },
	{ "bundle", OPTION_BUNDLE, "BUNDLE[:OUTPUT]", 0, "A link that kerning capture kept", 0 },
	{ "build", OPTION_BUILD, "COMMAND", 0, "A command that builds with KERNING_FLAGS, for each "
	  "layout anew", 0 },
	{ "output", 'o', "FILE", 0, "What that command makes", 0 },
	{ "kernel", OPTION_KERNEL, "DIR", 0, "A built Linux kernel, linked anew", 0 },
	{ "image", OPTION_IMAGE, "NAME", 0, "What of the kernel is run: vmlinux, bzImage, linux "
	  "(default: as it is configured)", 0 },
	{ "until", OPTION_UNTIL, "HALFWIDTH", 0, "Stop when the mean is known to within this (0.5%) "
	  "for every metric that is asked for", 1 },
	{ "json", 'J', NULL, 0, "Print the result as JSON", 4 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct command *command = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->options;
		return 0;
	case OPTION_BUNDLE:
		command->bundle = argument;
		return 0;
	case OPTION_BUILD:
		command->build = argument;
		return 0;
	case 'o':
		command->output = argument;
		return 0;
	case OPTION_KERNEL:
		command->kernel = argument;
		return 0;
	case OPTION_IMAGE:
		command->image = argument;
		return 0;
	case OPTION_UNTIL:
		if (!parse_ratio(argument, &command->until) || command->until <= 0)
			argp_error(state, "expected --until=HALFWIDTH, as 0.5%%, got \"%s\"", argument);
		return 0;
	case 'J':
		command->json = true;
		return 0;
	case ARGP_KEY_ARG:
		command->options.command = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { &sweep_options_argp, 0, NULL, 0 }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.children = children,
	.args_doc = "--store=FILE -- BENCHMARK [ARGUMENT...]",
	.doc = "Measures a benchmark in many layouts of one program or kernel, and tells how much of "
	       "what it shows is where things happen to lie.\n"
	       "\n"
	       "BENCHMARK is run with KERNING_OUTPUT, the program in one of its layouts, "
	       "KERNING_SEED, that layout's seed, and KERNING_ROUND in its environment. Every layout runs once in each "
	       "round, in an order that is drawn anew, so that what else the machine does meets all "
	       "alike. Each run is in the store the moment it ends.\v"
	       "Examples:\n"
	       "  kerning capture -o lua.bundle -- make -C lua\n"
	       "  kerning sweep --store lua.db --bundle lua.bundle --layouts 30 -- \\\n"
	       "      sh -c '\"$KERNING_OUTPUT\" bench.lua'\n"
	       "  kerning sweep --store uml.db --kernel build/uml --axis text,data \\\n"
	       "      --metric 'find_bit=find_next_bit: *([0-9]+) ns:lower:ns' -- ./run-uml\n"
	       "  kerning sweep --store lua.db --resume --layouts 60\n"
	       "  kerning report lua.db -o lua.html\n"
	       "\n" EXIT_STATUS_HELP,
};

/* What is wrong with what layouts come from.  False, reported. */
static bool check_source(struct command *command)
{
	struct diag *diag = &command->options.diag;
	int given = (command->bundle != NULL) + (command->build != NULL) + (command->kernel != NULL);

	if (given != 1)
		diag_error_class(diag, DIAG_USAGE, NULL, "expected one of --bundle, --build and "
				 "--kernel, got %s", given == 0 ? "none" : "more");
	if (command->build != NULL && command->output == NULL)
		diag_error_class(diag, DIAG_USAGE, NULL, "expected --output=FILE, what '%s' makes",
				 command->build);
	return diag->errors == 0;
}

static struct maker *make_maker(struct command *command)
{
	struct diag *diag = &command->options.diag;

	if (command->bundle != NULL)
		return maker_bundle(command->bundle, command->options.jobs, diag);
	if (command->build != NULL)
		return maker_build(command->build, command->output, diag);
	return maker_kernel(command->kernel, command->image, command->options.jobs, diag);
}

/* True where every mean that is asked for is known to within --until. */
static bool enough(const struct record *record, size_t wave, void *data)
{
	const struct command *command = data;
	struct analysis_question question = analysis_question_default();
	struct diag counted = { 0 };
	struct analysis analysis;
	bool known = false;

	(void)wave;
	question.confidence = command->options.confidence;
	question.best_of = command->options.best_of;
	analysis_make(&analysis, record, &question, &counted);
	/* Primary ones come first. */
	if (analysis.portraits.count > 0)
		known = record->metrics.at[analysis.portraits.at[0].metric].primary;
	for (size_t i = 0; i < analysis.portraits.count; i++) {
		const struct portrait *portrait = &analysis.portraits.at[i];
		const struct interval *mean = &portrait->components.mean;

		if (record->metrics.at[portrait->metric].primary &&
		    !((mean->high - mean->low) / 2 <= command->until * fabs(mean->estimate)))
			known = false;
	}
	analysis_release(&analysis);
	return known;
}

static void report(const struct command *command, const struct record *record, enum sweep_end end)
{
	struct analysis_question question = analysis_question_default();
	struct diag counted = { 0 };
	struct analysis analysis;

	sweep_tell_end(&command->options, end);
	question.confidence = command->options.confidence;
	question.best_of = command->options.best_of;
	if (!analysis_make(&analysis, record, &question,
			   end == SWEEP_FAILED ? &counted : (struct diag *)&command->options.diag)) {
		analysis_release(&analysis);
		return;
	}
	if (command->json)
		json_write(&analysis, stdout);
	else
		text_write(&analysis, stdout);
	analysis_release(&analysis);
}

static void make_waves(struct command *command, struct sweep_spec *spec, struct store *store)
{
	size_t count = command->options.layouts;
	bool stops = command->until > 0 || spec->budget > 0;

	if (command->until > 0) {
		spec->enough = enough;
		spec->data = command;
	}
	if (count == 0)
		count = stops ? MAX_LAYOUTS : DEFAULT_LAYOUTS;
	sweep_waves(spec, store, stops ? FIRST_WAVE : count, stops ? WAVE_GROWTH : 1, count);
}

static int run(void *data, int argc, char **argv)
{
	struct command *command = data;
	struct sweep_options *asked = &command->options;
	enum sweep_end end = SWEEP_FAILED;
	struct sweep_spec spec = { 0 };
	struct maker *maker;
	struct store store;

	if (!sweep_options_check(asked) || !check_source(command))
		return (int)asked->diag.status;
	if (begun_open(asked, &store, argc, argv) && sweep_options_fill(asked, &spec, argv) &&
	    (maker = make_maker(command)) != NULL) {
		*vec_push(&spec.sides) = (struct sweep_side){ maker->name, maker };
		make_waves(command, &spec, &store);
		begun_keep(&store, "confidence", asked->confidence);
		begun_keep(&store, "best-of", asked->best_of > 0 ? asked->best_of : NAN);
		end = sweep_run(&spec, &store, &asked->diag);
		report(command, &store.record, end);
	}
	store_close(&store);
	sweep_spec_release(&spec);
	return end_status(end, &asked->diag);
}

/* Parses ARGV into DATA, a command. */
static struct sweep_options *read_words(void *data, const char *program, int argc, char **argv)
{
	struct command *command = data;

	*command = (struct command){ 0 };
	sweep_options_init(&command->options, program);
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, command);
	return &command->options;
}

int command_sweep(int argc, char **argv)
{
	struct command given, whole;

	return begun_run(&(struct begun_command){ &given, &whole, read_words, run }, argc, argv);
}
