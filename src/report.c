/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning report: what a store's runs say.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/analysis.h"
#include "report/form.h"
#include "src/command.h"
#include "src/values.h"
#include "sweep/store.h"

struct report {
	const char *store, *output;
	enum form form;
	struct analysis_question question;
};

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0,
	  "Write the report to FILE, in the form that its name ends with "
	  "(.html, .md, .json, .txt, .lkp); without this as text on standard output",
	  0 },
	{ "format", 'f', "FORM", 0, "text, md, html, json or lkp, whatever the name is", 0 },
	{ "metric", 'm', "GLOB", 0,
	  "Tell of metrics of this name alone; verdicts are still reached "
	  "among all",
	  0 },
	{ "best-of", 'b', "K", 0,
	  "Of each K rounds the best run counts (default: as the store was begun)", 0 },
	{ "effect", 'e', "SIZE", 0, "Changes up to this size do not matter (default: 1%)", 0 },
	{ "confidence", 'c', "LEVEL", 0, "Of intervals and verdicts (default: 95%)", 0 },
	{ "reported", 'r', "CHANGE", 0,
	  "The change that somebody reports and that is to be "
	  "explained, such as -4.5% (default: what the plain builds show)",
	  0 },
	{ 0 },
};

/* "1%" or "0.01", above LEAST and below MOST; as a part of 1. */
static double parse_part(const char *option, const char *text, double least, double most,
			 struct argp_state *state)
{
	double value = 0;

	if (!parse_ratio(text, &value) || value <= least || value >= most)
		argp_error(state,
			   "expected --%s as a part or a percentage above %g%% and below %g%%, "
			   "got \"%s\"",
			   option, 100 * least, 100 * most, text);
	return value;
}

static unsigned parse_best_of(const char *text, struct argp_state *state)
{
	uint64_t number = 0;

	if (!parse_count(text, SWEEP_ROUNDS_MAX, &number) || number == 0)
		argp_error(state, "expected --best-of=K with a number from 1 to %d, got \"%s\"",
			   SWEEP_ROUNDS_MAX, text);
	return (unsigned)number;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct report *report = state->input;

	switch (key) {
	case 'o':
		report->output = argument;
		return 0;
	case 'f':
		report->form = form_of_name(argument);
		if (report->form == FORM_UNKNOWN)
			argp_error(state, "expected --format=" FORM_NAMES ", got \"%s\"", argument);
		return 0;
	case 'm':
		report->question.metrics = argument;
		return 0;
	case 'b':
		report->question.best_of = parse_best_of(argument, state);
		return 0;
	case 'e':
		report->question.effect = parse_part("effect", argument, 0, 1, state);
		return 0;
	case 'c':
		report->question.confidence = parse_part("confidence", argument, 0.5, 1, state);
		return 0;
	case 'r':
		report->question.reported = parse_part("reported", argument, -1, 1000, state);
		return 0;
	case ARGP_KEY_ARG:
		if (report->store != NULL)
			argp_error(state, "expected one store, got a second: \"%s\"", argument);
		report->store = argument;
		return 0;
	case ARGP_KEY_END:
		if (report->store == NULL)
			argp_error(state, "expected a store");
		if (report->form == FORM_UNKNOWN && report->output != NULL)
			report->form = form_of_path(report->output);
		else if (report->form == FORM_UNKNOWN)
			report->form = FORM_TEXT;
		if (report->form == FORM_UNKNOWN)
			argp_error(state,
				   "cannot tell the form by the name of \"%s\": expected it to end "
				   "in .html, .md, .json, .txt or .lkp, or --format",
				   report->output);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "STORE",
	.doc = "Says what the runs in a store tell: how much of each metric is layout, and of two "
	       "builds which changes are real.\v"
	       "As HTML it is one page with figures, drawn by gnuplot, which opens without a "
	       "network.  "
	       "Verdicts on two builds are\n"
	       "  real         the interval of the change lies beyond the effect\n"
	       "  layout       it lies within: what single builds show is where things lie\n"
	       "  cannot tell  neither; and what it would take\n"
	       "\n"
	       "Examples:\n"
	       "  kerning report lua.db\n"
	       "  kerning report lua.db -o lua.html\n"
	       "  kerning report --format=md --effect=2% compare.db >mail\n"
	       "  kerning report --reported=-4.5% --metric='will-it-scale*' compare.db\n"
	       "  kerning report -f json lua.db | jq '.portraits[].components.share'\n"
	       "\n" EXIT_STATUS_HELP,
};

int command_report(int argc, char **argv)
{
	struct report report = { .form = FORM_UNKNOWN, .question = analysis_question_default() };
	struct analysis analysis;
	struct record record;
	struct diag diag;

	diag_init(&diag, argv[0], stderr);
	argp_parse(&argp, argc, argv, 0, NULL, &report);
	if (store_load(report.store, &record, &diag)) {
		/* What little there is, such as which layouts failed, is told all the same. */
		if (analysis_make(&analysis, &record, &report.question, &diag) ||
		    report.form != FORM_LKP)
			form_write(&analysis, report.form, report.output, &diag);
		analysis_release(&analysis);
	}
	record_release(&record);
	return (int)diag.status;
}
