/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The link runs in the bundle's copy of its folder.  Absolute words are led into the
 * bundle, and so is what scripts and search folders name, by --sysroot.  The driver is told
 * (within=, as=) to name all as it was named then: the same options give the same layout.
 *
 * The output is linked under its old name, which ld may put into it, in a folder of the
 * cache, and moved when it is right.
 */
#include "config.h"
#include "ld/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ld/cache.h"
#include "ld/capture.h"
#include "ld/driver.h"
#include "ld/inputs.h"
#include "ld/linkline.h"
#include "ld/run.h"
#include "lib/file.h"
#include "lib/memory.h"

struct replaying {
	const struct replay *replay;
	struct obstack arena;
	struct diag *diag;
	struct cache cache;
	bool placed;
	const char *root;		/* the bundle's folder that stands for "/" */
	const char *target, *layout;	/* where they are until they are right */
	const char *output, *final_layout; /* where they go: absolute */
	const char *dependencies;	/* what ld says that it opened */
	VEC(const char *) words;
};

/* --- The link line -------------------------------------------------------- */

static void put(struct replaying *replaying, const char *word)
{
	*vec_push(&replaying->words) = word != NULL ? obstack_strdup(&replaying->arena, word) : NULL;
}

static void put_option(struct replaying *replaying, const char *name, const char *value)
{
	put(replaying, obstack_format(&replaying->arena, "%s%s", name, value));
}

/* WORD with its absolute path led into the bundle. */
static void put_led(struct replaying *replaying, const struct word *word)
{
	const char *text = word->text[0], *path;

	if (word->value == NULL || word->value[0] != '/') {
		put(replaying, text);
		if (word->text[1] != NULL)
			put(replaying, word->text[1]);
		return;
	}
	path = obstack_format(&replaying->arena, "%s%s", replaying->root, word->value);
	if (word->text[1] != NULL) {
		put(replaying, text);
		put(replaying, path);
	} else {
		put(replaying, obstack_format(&replaying->arena, "%.*s%s",
					      (int)(word->value - text), text, path));
	}
}

static void put_word(struct replaying *replaying, const struct word *word)
{
	if (word->kind == WORD_OUTPUT)
		return;
	switch (word->role) {
	case ROLE_WRITES:
	case ROLE_PLUGIN:	/* no bytecode takes part: such a link is not kept */
	case ROLE_SYSROOT:
		return;
	case ROLE_RPATH:	/* says where the output will look, and where ld does */
		put(replaying, word->text[0]);
		if (word->text[1] != NULL)
			put(replaying, word->text[1]);
		if (word->value[0] == '/')
			put_option(replaying, "-rpath-link=",
				   obstack_format(&replaying->arena, "%s%s", replaying->root,
						  word->value));
		return;
	case ROLE_READS:
	case ROLE_FOLDER:
	case ROLE_RPATH_LINK:
	case ROLE_JUST_SYMBOLS:
		put_led(replaying, word);
		return;
	case ROLE_NONE:
		break;
	}
	if (word->kind == WORD_INPUT) {
		put_led(replaying, word);
		return;
	}
	put(replaying, word->text[0]);
	if (word->text[1] != NULL)
		put(replaying, word->text[1]);
}

/* Folders of shared libraries, where ld finds those that others ask for. */
static void put_library_folders(struct replaying *replaying)
{
	const struct bundle_link *link = replaying->replay->link;
	const char *last = "";

	for (size_t i = 0; i < link->files.count; i++) {
		const char *path = link->files.at[i].path, *slash = strrchr(path, '/');
		const char *folder;

		if (strstr(slash, ".so") == NULL)
			continue;
		folder = obstack_format(&replaying->arena, "%s%.*s", replaying->root,
					(int)(slash - path), path);
		if (strcmp(folder, last) != 0)
			put_option(replaying, "-rpath-link=", folder);
		last = folder;
	}
	for (size_t i = 0; i < link->symlinks.count; i++) {
		const char *path = link->symlinks.at[i].path, *slash = strrchr(path, '/');

		if (strstr(slash, ".so") != NULL)
			put_option(replaying, "-rpath-link=",
				   obstack_format(&replaying->arena, "%s%.*s", replaying->root,
						  (int)(slash - path), path));
	}
}

/* The bundle's copy of what was "/" for search folders and in scripts. */
static const char *sysroot(struct replaying *replaying, const char *original)
{
	if (original == NULL || original[0] == '\0' || strcmp(original, "/") == 0)
		return replaying->root;
	if (original[0] == '/')
		return obstack_format(&replaying->arena, "%s%s", replaying->root, original);
	return obstack_format(&replaying->arena, "%s%s/%s", replaying->root,
			      replaying->replay->link->folder, original);
}

static void make_line(struct replaying *replaying)
{
	const struct bundle_link *link = replaying->replay->link;
	VEC(char *) words = VEC_INIT;
	struct linkline line;

	*vec_push(&words) = (char *)"ld";
	for (size_t i = 0; i < link->words.count; i++)
		*vec_push(&words) = (char *)link->words.at[i];
	*vec_push(&words) = NULL;
	linkline_parse(&line, (int)words.count - 1, words.at);
	vec_release(&words);

	put(replaying, "ld");
	put_option(replaying, "--sysroot=", sysroot(replaying, line.sysroot));
	for (size_t i = 0; i < line.words.count; i++)
		put_word(replaying, &line.words.at[i]);
	put_library_folders(replaying);
	linkline_release(&line);
	put(replaying, "-o");
	put(replaying, replaying->target);
	put_option(replaying, "--dependency-file=", replaying->dependencies);
	for (const char *const *option = replaying->replay->options;
	     option != NULL && *option != NULL; option++)
		put_option(replaying, "--kerning-", *option);
	if (replaying->placed) {
		put_option(replaying, "--kerning-as=", link->name);
		put_option(replaying, "--kerning-within=", replaying->root);
		put_option(replaying, "--kerning-layout=", replaying->layout);
		put_option(replaying, "--kerning-cache=", replaying->replay->cache);
	}
	put(replaying, NULL);
}

/* --- Running it ----------------------------------------------------------- */

static bool has_flags(const struct replay *replay)
{
	return replay->flags != NULL && replay->flags[0] != '\0';
}

static void set_environment(const struct replaying *replaying)
{
	const struct bundle_link *link = replaying->replay->link;
	const char *ld = getenv("KERNING_LD");

	for (const char *const *name = capture_variables; *name != NULL; name++)
		unsetenv(*name);
	for (size_t i = 0; i < link->environment.count; i++)
		setenv(link->environment.at[i].name, link->environment.at[i].value, 1);
	unsetenv(CAPTURE_VARIABLE);
	if (has_flags(replaying->replay))
		setenv("KERNING_FLAGS", replaying->replay->flags, 1);
	else
		unsetenv("KERNING_FLAGS");
	if ((ld == NULL || ld[0] == '\0') && access(link->linker, X_OK) == 0)
		setenv("KERNING_LD", link->linker, 1);
}

/* In a process of its own. */
static int run_driver(struct replaying *replaying)
{
	const char *folder = obstack_format(&replaying->arena, "%s%s", replaying->root,
					    replaying->replay->link->folder);
	int status;

	if (chdir(folder) != 0) {
		diag_error_class(replaying->diag, DIAG_ENVIRONMENT, NULL,
				 "cannot go to the folder '%s': %s", folder, strerror(errno));
		return DIAG_ENVIRONMENT;
	}
	set_environment(replaying);
	status = driver_run((int)replaying->words.count - 1, (char **)replaying->words.at);
	fflush(NULL);
	return status;
}

/* The process that is waited for.  What a signal handler can know. */
static volatile sig_atomic_t running, interrupted;

static void on_signal(int signal)
{
	interrupted = signal;
	if (running != 0)
		kill((pid_t)running, signal);
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
#define SIGNALS (sizeof signals / sizeof *signals)

static int run_child(struct replaying *replaying)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction old[SIGNALS];
	sigset_t blocked, mask;
	int status = 0;
	pid_t child;

	sigemptyset(&blocked);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&blocked, signals[i]);
	interrupted = running = 0;
	fflush(NULL);
	sigprocmask(SIG_BLOCK, &blocked, &mask);
	child = fork();
	if (child == 0) {
		sigprocmask(SIG_SETMASK, &mask, NULL);
		_exit(run_driver(replaying));
	}
	running = child > 0 ? (sig_atomic_t)child : 0;
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (child < 0)
		diag_error_class(replaying->diag, DIAG_ENVIRONMENT, NULL,
				 "cannot start a process: %s", strerror(errno));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	running = 0;
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &old[i], NULL);
	if (child < 0)
		return DIAG_ENVIRONMENT;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* --- What came of it ------------------------------------------------------ */

/* Warns of files that ld took from this machine: their bytes may be others than then. */
static void check_opened(struct replaying *replaying)
{
	struct source *source = source_read(replaying->dependencies);
	size_t root = strlen(replaying->root), cache = strlen(replaying->replay->cache);
	const char *folder = obstack_format(&replaying->arena, "%s%s", replaying->root,
					    replaying->replay->link->folder);
	char *text, *end;

	if (source == NULL)
		return;
	text = source->text;
	for (end = strchr(text, '\n'); end != NULL && end > text; end = strchr(text, '\n')) {
		const char *path;

		*end = '\0';
		if (end - text > 2 && strcmp(end - 2, " \\") == 0)
			end[-2] = '\0';
		path = text + 2;
		text = end + 1;
		if (strncmp(path - 2, "  ", 2) != 0)
			continue;
		if (path[0] != '/')
			path = obstack_format(&replaying->arena, "%s/%s", folder, path);
		path = normal_path(path, &replaying->arena);
		if ((strncmp(path, replaying->root, root) != 0 || path[root] != '/') &&
		    (strncmp(path, replaying->replay->cache, cache) != 0 || path[cache] != '/'))
			diag_warning(replaying->diag, "outside-bundle", NULL, "'%s' is not in the "
				     "bundle, and was taken from this machine", path);
	}
	source_free(source);
}

/* ld alone has to give what the build got. */
static void compare_with_original(struct replaying *replaying)
{
	const struct bundle_link *link = replaying->replay->link;
	uint64_t hash, size;

	if (replaying->placed || link->placed || !hash_file(replaying->target, &hash, &size) ||
	    (hash == link->hash && size == link->size))
		return;
	diag_warning(replaying->diag, "other-bytes", NULL, "'%s' has other bytes than '%s' had when "
		     "the build linked it, with %s", replaying->replay->output, link->output,
		     link->version);
}

static bool move(struct replaying *replaying, const char *from, const char *to)
{
	if (file_move(from, to))
		return true;
	diag_error_class(replaying->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s", to,
			 strerror(errno));
	return false;
}

static void remove_output(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(path);
}

static int finish(struct replaying *replaying, int status)
{
	if (status == 0 && access(replaying->target, F_OK) != 0) {
		diag_error(replaying->diag, NULL, "the link of '%s' made no output",
			   replaying->replay->link->output);
		status = DIAG_INPUT;
	}
	if (status == 0) {
		check_opened(replaying);
		compare_with_original(replaying);
		if (access(replaying->layout, F_OK) != 0)
			remove_output(replaying->final_layout);
		else if (!move(replaying, replaying->layout, replaying->final_layout))
			status = DIAG_ENVIRONMENT;
	}
	if (status == 0 && !move(replaying, replaying->target, replaying->output))
		status = DIAG_ENVIRONMENT;
	if (status != 0 && interrupted == 0) {
		remove_output(replaying->output);
		remove_output(replaying->final_layout);
	}
	return status;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int run(struct replaying *replaying)
{
	const struct replay *replay = replaying->replay;
	struct obstack *arena = &replaying->arena;
	const char *stamp;

	replaying->root = obstack_format(arena, "%s/%s", replay->bundle->path, replay->link->root);
	replaying->output = normal_path(replay->output, arena);
	replaying->final_layout = replay->layout != NULL ? normal_path(replay->layout, arena) :
				  obstack_format(arena, "%s.layout", replaying->output);
	stamp = obstack_format(arena, "%s/seen/%s", replay->cache, base_name(replay->link->name));
	if (!bundle_check(replay->bundle, replay->link, stamp, replaying->diag))
		return (int)replaying->diag->status;
	replaying->target = obstack_format(arena, "%s/%s", replaying->cache.out,
					   base_name(replay->link->name));
	replaying->layout = obstack_format(arena, "%s.layout", replaying->target);
	replaying->dependencies = obstack_format(arena, "%s/dependencies", replaying->cache.work);
	make_line(replaying);
	return finish(replaying, run_child(replaying));
}

/* True, reported, if PATH, normal, lies in the bundle. */
static bool is_inside(const struct replay *replay, const char *what, const char *path,
		      struct diag *diag)
{
	size_t length = strlen(replay->bundle->path);

	if (strncmp(path, replay->bundle->path, length) != 0 || path[length] != '/')
		return false;
	diag_error_class(diag, DIAG_USAGE, NULL, "the %s '%s' lies in the bundle, which is not "
			 "written to", what, path);
	return true;
}

/* True, reported, if PATH is a device or the like, which a file would take the place of. */
static bool is_special(const char *what, const char *path, struct diag *diag)
{
	struct stat status;

	if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
		return false;
	diag_error_class(diag, DIAG_USAGE, NULL, "the %s '%s' is there, and is no regular file", what,
			 path);
	return true;
}

int replay_run(const struct replay *replay, struct diag *diag)
{
	struct replaying replaying = { .replay = replay, .diag = diag };
	struct replay absolute = *replay;
	const char *slash = strrchr(replay->output, '/'), *cache;
	int status;

	obstack_init(&replaying.arena);
	cache = replay->cache != NULL ? replay->cache :
		obstack_format(&replaying.arena, "%.*s.kerning",
			       (int)(slash != NULL ? slash + 1 - replay->output : 0), replay->output);
	absolute.cache = normal_path(cache, &replaying.arena);
	replaying.replay = &absolute;
	replaying.placed = has_flags(replay) ||
			   (replay->options != NULL && replay->options[0] != NULL);
	if (is_inside(replay, "output", normal_path(replay->output, &replaying.arena), diag) ||
	    is_inside(replay, "cache", absolute.cache, diag) ||
	    is_special("output", replay->output, diag) ||
	    (replay->layout != NULL && is_special("layout", replay->layout, diag))) {
		obstack_free(&replaying.arena, NULL);
		return DIAG_USAGE;
	}
	if (!cache_open(&replaying.cache, replay->link->name, false, absolute.cache, NULL, diag)) {
		status = DIAG_ENVIRONMENT;
	} else {
		status = run(&replaying);
	}
	cache_close(&replaying.cache);
	vec_release(&replaying.words);
	obstack_free(&replaying.arena, NULL);
	if (interrupted != 0) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status;
}
