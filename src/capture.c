/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning capture: runs a build, and keeps its final links in a bundle.
 *
 * The build needs no change: the driver is found as "ld" by what gcc, clang and make ask,
 * links as ld does, and leaves a record of each link in the folder that becomes the bundle.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ld/capture.h"
#include "ld/gather.h"
#include "ld/inputs.h"
#include "ld/libexec.h"
#include "ld/run.h"
#include "lib/file.h"
#include "lib/memory.h"
#include "src/bundle-list.h"
#include "src/command.h"

struct capture_command {
	const char *output, *list;
	bool json;
	char **build;			/* the words of the command, NULL at the end */
	char *folder;			/* where the bundle is made, beside OUTPUT; NULL: not yet */
	struct diag diag;
};

enum { OPTION_LIST = 256 };

static const struct argp_option options[] = {
	{ "output", 'o', "BUNDLE", 0, "Make the folder BUNDLE, in the place of one that is there", 0 },
	{ "list", OPTION_LIST, "BUNDLE", 0, "List the links of BUNDLE instead", 0 },
	{ "json", 'j', NULL, 0, "List them as JSON", 0 },
	{ 0 },
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct capture_command *command = state->input;

	switch (key) {
	case 'o':
		command->output = argument;
		return 0;
	case OPTION_LIST:
		command->list = argument;
		return 0;
	case 'j':
		command->json = true;
		return 0;
	case ARGP_KEY_ARG:
		(void)argument;
		command->build = state->argv + state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (command->list != NULL)
			return 0;
		if (command->output == NULL)
			argp_error(state, "expected -o BUNDLE");
		else if (command->build == NULL)
			argp_error(state, "expected the command that builds, behind \"--\"");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "-o BUNDLE -- COMMAND [ARGUMENT...]\n--list BUNDLE",
	.doc = "Runs the COMMAND that builds a program, and keeps its final links, with all that they "
	       "opened, in the folder BUNDLE.  kerning link makes them again: placed, anywhere, "
	       "without sources and objects.\v"
	       "What the build makes is what it makes without.  It has to link: what is up to date is "
	       "not linked, so clean before.  Links of which the output is gone when the build has "
	       "ended (those of configure) are left out; so are partial links (ld -r), and, with a "
	       "warning, those of bytecode (-flto).  Linkers other than GNU ld (-fuse-ld=...) are not "
	       "seen.  A build that fails leaves no bundle.\n"
	       "\n"
	       "Examples:\n"
	       "  kerning capture -o lua.bundle -- make -C lua\n"
	       "  kerning capture -o a.bundle -- gcc -O2 a.c b.c -o prog\n"
	       "  kerning link lua.bundle:lua --seed=7 --pad='.text*:0..4080/16' -o lua-7\n"
	       "\n"
	       "Exit status: 0 done; that of COMMAND where it fails; else 1 there is no link to keep; "
	       "2 the command line is wrong; 3 the environment is (no space, no linker).",
};

/* --- The build ------------------------------------------------------------ */

static bool fail(struct capture_command *command, const char *what, const char *path)
{
	diag_error_class(&command->diag, DIAG_ENVIRONMENT, NULL, "cannot %s '%s': %s", what, path,
			 strerror(errno));
	return false;
}

/* What is at BUNDLE already has to be a bundle, or nothing. */
static bool check_output(struct capture_command *command)
{
	char *index = xasprintf("%s/" BUNDLE_INDEX, command->output);
	struct stat status;
	bool ok = lstat(command->output, &status) != 0 || access(index, F_OK) == 0;

	if (!ok)
		diag_error(&command->diag, NULL, "'%s' is there and is no bundle: it is left as it is",
			   command->output);
	free(index);
	return ok;
}

/* The folder beside BUNDLE in which it is made. */
static bool make_folder(struct capture_command *command)
{
	struct obstack arena;
	char *path, *folder;
	bool ok;

	obstack_init(&arena);
	path = normal_path(command->output, &arena);
	folder = obstack_strdup(&arena, path);
	*strrchr(folder, '/') = '\0';
	ok = make_folders(folder);
	if (ok) {
		path = obstack_format(&arena, "%s.XXXXXX", path);
		ok = mkdtemp(path) != NULL;
		if (ok)
			command->folder = xstrdup(path);
	}
	if (!ok)
		fail(command, "make a folder beside", command->output);
	obstack_free(&arena, NULL);
	return ok && gather_prepare(command->folder, &command->diag);
}

/* What the build's linkers have to know. */
static bool prepare_environment(struct capture_command *command)
{
	char *libexec = libexec_folder(&command->diag), *ld = real_ld(&command->diag);
	struct obstack arena;

	obstack_init(&arena);
	if (libexec != NULL && ld != NULL) {
		libexec_export(libexec);
		/* Found now: with the new PATH "ld" is the driver. */
		setenv("KERNING_LD", normal_path(ld, &arena), 1);
		setenv(CAPTURE_VARIABLE, command->folder, 1);
	}
	obstack_free(&arena, NULL);
	free(libexec);
	free(ld);
	return command->diag.errors == 0;
}

static volatile sig_atomic_t running, interrupted;

/* The terminal tells the build too; who tells this process alone has it told. */
static void on_signal(int signal)
{
	interrupted = signal;
	if (signal != SIGINT && running != 0)
		kill((pid_t)running, signal);
}

/* Runs the build to its end.  Its status as waitpid(2) has it; -1, reported: it did not start. */
static int run_build(struct capture_command *command)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	int status = -1;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		execvp(command->build[0], command->build);
		fail(command, "run", command->build[0]);
		_exit(errno == ENOENT ? 127 : 126);
	}
	running = (sig_atomic_t)child;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old;

		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	if (child < 0)
		fail(command, "run", command->build[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	return status;
}

/* True where every driver could keep what it had to. */
static bool is_whole(const struct capture_command *command)
{
	char *path = xasprintf("%s/whole", command->folder);
	bool whole = access(path, F_OK) == 0;

	free(path);
	return whole;
}

/* 0: the build ended well; else the exit status, reported. */
static int build(struct capture_command *command)
{
	int status = run_build(command);

	if (status == -1 || interrupted != 0)
		return DIAG_ENVIRONMENT;
	if (!is_whole(command)) {
		diag_error_class(&command->diag, DIAG_ENVIRONMENT, NULL, "a link could not be kept: "
				 "'%s' is not made", command->output);
		return DIAG_ENVIRONMENT;
	}
	if (WIFSIGNALED(status)) {
		diag_error(&command->diag, NULL, "'%s' was ended by a signal: %s: '%s' is not made",
			   command->build[0], strsignal(WTERMSIG(status)), command->output);
		return 128 + WTERMSIG(status);
	}
	if (WEXITSTATUS(status) != 0)
		diag_error(&command->diag, NULL, "'%s' failed with exit status %d: '%s' is not made",
			   command->build[0], WEXITSTATUS(status), command->output);
	return WEXITSTATUS(status);
}

/* --- The bundle ----------------------------------------------------------- */

static bool no_link(struct capture_command *command, const struct gathered *gathered)
{
	if (gathered->links == 0) {
		diag_error(&command->diag, NULL, "the build linked nothing that could be kept");
		diag_note(&command->diag, NULL, "what is up to date is not linked: clean before; not "
			  "seen are linkers that are called by an absolute path, are not GNU ld "
			  "(-fuse-ld=lld), or run without the environment of this build");
	} else {
		diag_error(&command->diag, NULL, "no link is left to be kept: of %zu, %zu left no "
			   "output", gathered->links, gathered->gone);
	}
	return false;
}

/* Gives the folder its name; a bundle that had it goes. */
static bool install(struct capture_command *command)
{
	if (rename(command->folder, command->output) != 0) {
		if ((errno != EEXIST && errno != ENOTEMPTY) ||
		    renameat2(AT_FDCWD, command->folder, AT_FDCWD, command->output,
			      RENAME_EXCHANGE) != 0)
			return fail(command, "write", command->output);
		remove_folder(command->folder);
	}
	free(command->folder);
	command->folder = NULL;
	return true;
}

static bool make_bundle(struct capture_command *command, const char *begun)
{
	struct gathered gathered;
	struct bundle bundle;
	char *folder = getcwd(NULL, 0);
	mode_t mask = umask(0);
	bool ok;

	umask(mask);
	bundle_init(&bundle);
	for (char **word = command->build; *word != NULL; word++)
		*vec_push(&bundle.command) = *word;
	bundle.folder = folder != NULL ? folder : "/";
	bundle.time = begun;
	ok = gather(&bundle, command->folder, &gathered, &command->diag);
	if (ok && bundle.links.count == 0)
		ok = no_link(command, &gathered);
	ok = ok && (chmod(command->folder, 0777 & ~mask) == 0 ||
		    fail(command, "write", command->folder)) && install(command);
	if (ok) {
		printf("%s: %zu link%s", command->output, bundle.links.count,
		       bundle.links.count == 1 ? "" : "s");
		if (gathered.gone > 0)
			printf(" (without %zu whose output is gone)", gathered.gone);
		putchar('\n');
		for (size_t i = 0; i < bundle.links.count && i < 20; i++)
			printf("  %s\n", bundle.links.at[i].output);
		if (bundle.links.count > 20)
			printf("  and %zu more: kerning link --list %s\n", bundle.links.count - 20,
			       command->output);
	}
	bundle_release(&bundle);
	free(folder);
	return ok;
}

static int capture(struct capture_command *command)
{
	char begun[64];
	time_t now = time(NULL);
	struct tm utc;
	int status;

	strftime(begun, sizeof begun, "%Y-%m-%d %H:%M:%S", gmtime_r(&now, &utc));
	if (!check_output(command) || !make_folder(command) || !prepare_environment(command))
		return 0;
	status = build(command);
	if (status == 0)
		make_bundle(command, begun);
	return status;
}

static void list(struct capture_command *command)
{
	struct bundle bundle;

	bundle_init(&bundle);
	if (bundle_read(&bundle, command->list, &command->diag))
		bundle_list(&bundle, command->json);
	bundle_release(&bundle);
}

int command_capture(int argc, char **argv)
{
	struct capture_command command = { 0 };
	int status = 0;

	diag_init(&command.diag, argv[0], stderr);
	argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &command);
	if (command.list != NULL)
		list(&command);
	else
		status = capture(&command);
	if (command.folder != NULL)
		remove_folder(command.folder);
	free(command.folder);
	if (interrupted != 0) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status != 0 ? status : (int)command.diag.status;
}
