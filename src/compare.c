/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning compare: is a change real, is it layout, or can we not tell.
 *
 * Of stores it tells; of bundles, kernels or revisions it makes a store first, with both
 * builds in it, that take turns.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layout/number.h"
#include "lib/file.h"
#include "lib/memory.h"
#include "lib/shell.h"
#include "report/form.h"
#include "src/begun.h"
#include "src/command.h"
#include "src/sweep-options.h"
#include "src/values.h"
#include "sweep/join.h"

#define DEFAULT_LAYOUTS 40
#define DEFAULT_LOOKS 4

enum gate { GATE_NONE, GATE_WORSE, GATE_REAL, GATE_UNSURE };

static const char *const gates[] = { "none", "worse", "real", "unsure" };

struct command {
	struct sweep_options options;
	const char *sides[2];
	size_t given;			/* of sides */
	bool kernel;
	const char *build, *output, *image;
	struct analysis_question question;
	unsigned looks;
	enum gate gate;
	enum form form;
};

enum { OPTION_BUILD = 0x100, OPTION_KERNEL, OPTION_IMAGE, OPTION_EFFECT, OPTION_REPORTED,
       OPTION_LOOKS, OPTION_GATE };

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is compared:", 0 },
	{ "kernel", OPTION_KERNEL, NULL, 0, "A and B are folders of built Linux kernels", 0 },
	{ "image", OPTION_IMAGE, "NAME", 0, "What of a kernel is run: vmlinux, bzImage, linux", 0 },
	{ "build", OPTION_BUILD, "COMMAND", 0, "A and B are revisions in git, which this command "
	  "builds", 0 },
	{ "output", 'o', "FILE", 0, "Which of the links of a bundle, or of that command", 0 },
	{ "effect", OPTION_EFFECT, "RATIO", 0, "Changes up to this size do not matter (default: 1%)",
	  0 },
	{ "reported", OPTION_REPORTED, "RATIO", 0, "The change that is to be explained, as -14.1% "
	  "(default: that of the plain layouts)", 0 },
	{ "looks", OPTION_LOOKS, "N", 0, "Stop as soon as it is sure, with N looks in all (default: "
	  "4; 1: only at the end)", 1 },
	{ NULL, 0, NULL, 0, "What is told:", 6 },
	{ "format", 'f', "FORM", 0, "text, md, html, json or lkp (default: text)", 6 },
	{ "json", 'J', NULL, 0, "The same as --format=json", 6 },
	{ "gate", OPTION_GATE, "WHEN", 0, "Exit with status 1 where a change is real and for the "
	  "worse (worse), where it is real (real), or where that cannot be excluded (unsure)", 6 },
	{ 0 },
};

static void parse_gate(struct command *command, const char *text, struct argp_state *state)
{
	for (size_t i = 0; i < sizeof gates / sizeof *gates; i++)
		if (strcmp(gates[i], text) == 0) {
			command->gate = (enum gate)i;
			return;
		}
	argp_error(state, "expected --gate with worse, real or unsure, got \"%s\"", text);
}

static void parse_form(struct command *command, const char *text, struct argp_state *state)
{
	command->form = form_of_name(text);
	if (command->form == FORM_UNKNOWN)
		argp_error(state, "expected --format with " FORM_NAMES ", got \"%s\"", text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct command *command = state->input;
	uint64_t number;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &command->options;
		return 0;
	case OPTION_KERNEL:
		command->kernel = true;
		return 0;
	case OPTION_IMAGE:
		command->image = argument;
		return 0;
	case OPTION_BUILD:
		command->build = argument;
		return 0;
	case 'o':
		command->output = argument;
		return 0;
	case OPTION_EFFECT:
		if (!parse_ratio(argument, &command->question.effect) || command->question.effect < 0)
			argp_error(state, "expected --effect=RATIO, as 1%%, got \"%s\"", argument);
		return 0;
	case OPTION_REPORTED:
		if (!parse_ratio(argument, &command->question.reported) ||
		    command->question.reported <= -1)
			argp_error(state, "expected --reported=RATIO, as -14.1%%, got \"%s\"", argument);
		return 0;
	case OPTION_LOOKS:
		if (!parse_number(argument, NULL, &number) || number < 1 || number > 20)
			argp_error(state, "expected --looks=N with a number from 1 to 20, got \"%s\"",
				   argument);
		else
			command->looks = (unsigned)number;
		return 0;
	case OPTION_GATE:
		parse_gate(command, argument, state);
		return 0;
	case 'f':
		parse_form(command, argument, state);
		return 0;
	case 'J':
		parse_form(command, "json", state);
		return 0;
	case ARGP_KEY_ARG:
		if (state->quoted > 0 && state->next - 1 >= state->quoted) {
			command->options.command = state->argv + state->next - 1;
			state->next = state->argc;
		} else if (command->given == 2) {
			argp_error(state, "expected two sides, got a third: \"%s\" (the benchmark comes "
				   "behind \"--\")", argument);
		} else {
			command->sides[command->given++] = argument;
		}
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
	.args_doc = "STORE [STORE]\nA B --store=FILE -- BENCHMARK [ARGUMENT...]",
	.doc = "Tells whether a change is real, is layout, or cannot be told, for each metric that was "
	       "asked for.\n"
	       "\n"
	       "Of two stores that kerning sweep made, or of one that holds two builds, it tells what "
	       "they say. Of bundles, kernels or revisions A and B it sweeps both first: the same seeds "
	       "on both sides, which take turns.\n"
	       "\n"
	       "  real         the change is larger than --effect, and not by the chance of layouts\n"
	       "  layout       it is not; what single builds show is within what layouts do\n"
	       "  cannot tell  more layouts would; it says how many\v"
	       "Examples:\n"
	       "  kerning compare base.db head.db\n"
	       "  kerning compare base.bundle head.bundle --store ab.db -- \\\n"
	       "      sh -c '\"$KERNING_OUTPUT\" bench.lua'\n"
	       "  kerning compare --build 'make -j8' -o lua v5.4.4 HEAD --store ab.db -- ./bench\n"
	       "  kerning compare --kernel --reported=-14.1% build/base build/head --store k.db \\\n"
	       "      --metric 'ops=([0-9]+) ops:higher' -- ./run-vm\n"
	       "  kerning compare --format=lkp ab.db\n"
	       "\n" EXIT_STATUS_HELP,
};

/* --- What is told ----------------------------------------------------------------- */

static bool for_the_worse(const struct record *record, const struct difference *difference)
{
	enum metric_better better = record->metrics.at[difference->metric].better;
	double change = difference->judgement.change.estimate;

	return better == BETTER_UNKNOWN || (better == BETTER_LOWER ? change > 0 : change < 0);
}

static size_t count_judged(const struct analysis *analysis)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->differences.count; i++)
		count += analysis->differences.at[i].judged;
	return count;
}

/* What cannot be told of what is judged; what one side alone has cannot be. */
static size_t count_unsure(const struct analysis *analysis)
{
	size_t count = analysis->unmatched;

	for (size_t i = 0; i < analysis->differences.count; i++)
		count += analysis->differences.at[i].judged &&
			 analysis->differences.at[i].judgement.verdict == VERDICT_CANNOT_TELL;
	return count;
}

/* True where layouts or runs of the second side failed, and none of the first. */
static bool fails_alone(const struct analysis *analysis)
{
	size_t failed[2] = { 0, 0 };

	for (size_t i = 0; i < analysis->failures.count; i++)
		failed[analysis->record->layouts.at[analysis->failures.at[i].layout].build]++;
	return failed[0] == 0 && failed[1] > 0;
}

static bool passes(const struct command *command, const struct analysis *analysis, struct diag *diag)
{
	if (command->gate == GATE_NONE)
		return true;
	if (count_judged(analysis) == 0) {
		diag_note(diag, NULL, "nothing could be compared: the gate is closed");
		return false;
	}
	if (fails_alone(analysis)) {
		diag_note(diag, NULL, "layouts or runs of \"%s\" alone failed: the gate is closed",
			  analysis->record->builds.at[1].name);
		return false;
	}
	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];
		enum verdict verdict = difference->judgement.verdict;

		if (!difference->judged)
			continue;
		if (verdict == VERDICT_REAL &&
		    (command->gate != GATE_WORSE || for_the_worse(analysis->record, difference)))
			return false;
	}
	return command->gate != GATE_UNSURE || count_unsure(analysis) == 0;
}

/* Tells what RECORD, of two builds, says as of its last look. */
static void tell(struct command *command, const struct record *record)
{
	struct diag *diag = &command->options.diag;
	struct analysis_question question = command->question;
	struct analysis analysis;

	question.confidence = command->options.confidence;
	question.best_of = command->options.best_of;
	if (analysis_make(&analysis, record, &question, diag)) {
		form_write(&analysis, command->form, NULL, diag);
		if (analysis.differences.count == 0)
			diag_note(diag, NULL, "nothing was measured of both \"%s\" and \"%s\"",
				   record->builds.at[0].name, record->builds.at[1].name);
		if (!passes(command, &analysis, diag) && diag->errors == 0)
			diag->status = DIAG_INPUT;
	}
	analysis_release(&analysis);
}

static int compare_stores(struct command *command)
{
	struct diag *diag = &command->options.diag;
	struct record records[2], joined;

	if (!store_load(command->sides[0], &records[0], diag)) {
		record_release(&records[0]);
		return (int)diag->status;
	}
	if (command->given == 1) {
		if (records[0].builds.count == 2)
			tell(command, &records[0]);
		else
			diag_error(diag, NULL, "\"%s\" has %zu build%s: expected a second store to "
				   "compare it with", records[0].path, records[0].builds.count,
				   records[0].builds.count == 1 ? "" : "s");
		record_release(&records[0]);
		return (int)diag->status;
	}
	if (store_load(command->sides[1], &records[1], diag)) {
		if (record_join(&joined, &records[0], &records[1], diag))
			tell(command, &joined);
		record_release(&joined);
	}
	record_release(&records[0]);
	record_release(&records[1]);
	return (int)diag->status;
}

/* --- Sides ------------------------------------------------------------------------ */

static bool run_program(struct command *command, const char *folder, char *const *argv)
{
	pid_t pid;
	int status = 0;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		if (dup2(2, 1) == 1 && (folder == NULL || chdir(folder) == 0))
			execvp(argv[0], argv);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (pid > 0 && status == 0)
		return true;
	diag_error(&command->options.diag, NULL, "'%s' failed, with status %d",
		   shell_words(&command->options.arena, argv),
		   WIFEXITED(status) ? WEXITSTATUS(status) : status);
	return false;
}

/* The commit that a side's word names now; NULL, reported. */
static const char *find_commit(struct command *command, int side)
{
	struct obstack *arena = &command->options.arena;
	char *words[] = { (char *)"git", (char *)"rev-parse", (char *)"--verify",
			  obstack_format(arena, "%s^{commit}", command->sides[side]), NULL };
	FILE *stream = popen(shell_words(arena, words), "re");
	char line[128] = "";

	if (stream != NULL && fgets(line, sizeof line, stream) == NULL)
		line[0] = '\0';
	if (stream != NULL && pclose(stream) == 0 && strchr(line, '\n') != NULL)
		return obstack_strndup(arena, line, strcspn(line, "\n"));
	diag_error(&command->options.diag, NULL, "git knows no revision '%s' here",
		   command->sides[side]);
	return NULL;
}

/*
 * Builds a side's revision, what it was when STORE was begun, in a work tree of its own and
 * keeps its links.  The bundle; NULL, reported.
 */
static const char *capture_revision(struct command *command, struct store *store, int side)
{
	struct obstack *arena = &command->options.arena;
	const char *setting = side == 0 ? "revision a" : "revision b";
	const char *begun = store_setting(store, setting);
	const char *commit = begun != NULL ? begun : find_commit(command, side);
	char *bundle = obstack_format(arena, "%s/%c-%s.bundle", store->folder, "ab"[side],
				      commit != NULL ? commit : "");
	char *tree = obstack_format(arena, "%s/%c.tree", store->folder, "ab"[side]);
	char *add[] = { (char *)"git", (char *)"worktree", (char *)"add", (char *)"--force",
			(char *)"--detach", tree, (char *)commit, NULL };
	char *capture[] = { (char *)"/proc/self/exe", (char *)"capture", (char *)"-o", bundle,
			    (char *)"--", (char *)"sh", (char *)"-c", (char *)command->build, NULL };
	char *away[] = { (char *)"git", (char *)"worktree", (char *)"remove", (char *)"--force", tree,
			 NULL };
	bool ok;

	if (commit == NULL)
		return NULL;
	if (begun != NULL && access(bundle, F_OK) == 0)
		return bundle;
	if (begun == NULL) {
		remove_folder(bundle);	/* an older store's of this name */
		store_set(store, setting, commit);
	}
	if (access(tree, F_OK) == 0 && !run_program(command, NULL, away))
		return NULL;
	ok = run_program(command, NULL, add) && run_program(command, tree, capture);
	return run_program(command, NULL, away) && ok ? bundle : NULL;
}

static struct maker *make_side(struct command *command, struct store *store, int side)
{
	struct diag *diag = &command->options.diag;
	const char *bundle = command->sides[side];

	if (command->kernel)
		return maker_kernel(command->sides[side], command->image, command->options.jobs, diag);
	if (command->build != NULL && (bundle = capture_revision(command, store, side)) == NULL)
		return NULL;
	if (command->output != NULL)
		bundle = obstack_format(&command->options.arena, "%s:%s", bundle, command->output);
	return maker_bundle(bundle, command->options.jobs, diag);
}

/* The last component of PATH, without ".bundle" and what follows. */
static const char *base_name(struct obstack *arena, const char *path)
{
	const char *end = path + strlen(path), *begin, *suffix;

	while (end > path && end[-1] == '/')
		end--;
	for (begin = end; begin > path && begin[-1] != '/'; begin--)
		continue;
	path = obstack_strndup(arena, begin, (size_t)(end - begin));
	suffix = strstr(path, ".bundle");
	return suffix != NULL && suffix > path ?
	       obstack_strndup(arena, path, (size_t)(suffix - path)) : path;
}

/* What a side is called, unlike the other. */
static const char *side_name(struct command *command, int side)
{
	const char *own = command->sides[side], *other = command->sides[!side];

	if (command->build == NULL) {
		own = base_name(&command->options.arena, own);
		other = base_name(&command->options.arena, other);
	}
	return strcmp(own, other) != 0 ? own : side == 0 ? "base" : "head";
}

/* True where every metric that is judged has its verdict. */
static bool enough(const struct record *record, size_t wave, void *data)
{
	const struct command *command = data;
	struct analysis_question question = command->question;
	struct diag counted = { 0 };
	struct analysis analysis;
	bool sure;

	question.confidence = command->options.confidence;
	question.best_of = command->options.best_of;
	question.waves = wave + 1;
	sure = analysis_make(&analysis, record, &question, &counted) && count_judged(&analysis) > 0 &&
	       count_unsure(&analysis) == 0;
	analysis_release(&analysis);
	return sure;
}

/* A number that is the same as long as the store is there. */
static bool keep_number(struct command *command, struct store *store, const char *name,
			size_t number)
{
	const char *begun = store_setting(store, name);
	char text[32];

	snprintf(text, sizeof text, "%zu", number);
	if (begun == NULL)
		store_set(store, name, text);
	else if (strcmp(begun, text) != 0)
		diag_error_class(&command->options.diag, DIAG_USAGE, NULL, "\"%s\" was begun with %s "
				 "%s, not %s: what each look may claim hangs on that; in a new store, "
				 "--%s=%s", store->path, begun, name, text, name, text);
	return begun == NULL || strcmp(begun, text) == 0;
}

/* How many looks there may be decides what each may claim: known before the first run. */
static bool make_waves(struct command *command, struct sweep_spec *spec, struct store *store)
{
	size_t count = command->options.layouts > 0 ? command->options.layouts : DEFAULT_LAYOUTS;

	if (!keep_number(command, store, "looks", command->looks) ||
	    !keep_number(command, store, "layouts", count))
		return false;
	for (unsigned look = 1; look <= command->looks; look++)
		*vec_push(&spec->waves) = (count * look + command->looks - 1) / command->looks;
	spec->enough = enough;
	spec->data = command;
	return !store->db.failed;
}

/* The two sides of SPEC.  False, reported. */
static bool make_sides(struct command *command, struct sweep_spec *spec, struct store *store)
{
	for (int side = 0; side < 2; side++) {
		struct maker *maker = make_side(command, store, side);

		if (maker == NULL)
			return false;
		*vec_push(&spec->sides) = (struct sweep_side){ side_name(command, side), maker };
	}
	return true;
}

static int compare_by_sweep(struct command *command, int argc, char **argv)
{
	struct sweep_options *asked = &command->options;
	enum sweep_end end = SWEEP_FAILED;
	struct sweep_spec spec = { 0 };
	struct store store;

	if (begun_open(asked, &store, argc, argv) && sweep_options_fill(asked, &spec, argv) &&
	    make_sides(command, &spec, &store) && make_waves(command, &spec, &store)) {
		begun_keep(&store, "confidence", asked->confidence);
		begun_keep(&store, "best-of", asked->best_of > 0 ? asked->best_of : NAN);
		begun_keep(&store, "effect", command->question.effect);
		end = sweep_run(&spec, &store, &asked->diag);
		sweep_tell_end(asked, end);
		if (end != SWEEP_FAILED)
			tell(command, &store.record);
	}
	store_close(&store);
	sweep_spec_release(&spec);
	return end_status(end, &asked->diag);
}

/* --- The command ------------------------------------------------------------------- */

static int run(void *data, int argc, char **argv)
{
	struct command *command = data;
	struct diag *diag = &command->options.diag;

	if (command->options.command == NULL && command->options.store == NULL &&
	    command->given > 0 && command->build == NULL && !command->kernel)
		return compare_stores(command);
	if (command->given != 2)
		diag_error_class(diag, DIAG_USAGE, NULL, "expected two sides to compare, got %zu",
				 command->given);
	if (command->kernel && command->build != NULL)
		diag_error_class(diag, DIAG_USAGE, NULL, "expected --kernel or --build, got both");
	if (!sweep_options_check(&command->options))
		return (int)diag->status;
	return compare_by_sweep(command, argc, argv);
}

/* Parses ARGV into DATA, a command. */
static struct sweep_options *read_words(void *data, const char *program, int argc, char **argv)
{
	struct command *command = data;

	*command = (struct command){
		.looks = DEFAULT_LOOKS, .form = FORM_TEXT,
		.question = analysis_question_default(),
	};
	sweep_options_init(&command->options, program);
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, command);
	return &command->options;
}

int command_compare(int argc, char **argv)
{
	struct command given, whole;

	return begun_run(&(struct begun_command){ &given, &whole, read_words, run }, argc, argv);
}
