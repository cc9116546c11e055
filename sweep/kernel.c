/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A built kernel, linked anew for each layout by its own make.
 *
 * Each job has a clone of the build's folder beside it: a build in a folder of the source
 * names that "..".  In the clone make is run with what the build was made with, so it has
 * nothing to do but the links, and the driver is found under the linker's own name: by the
 * PATH, and by a compiler that links (UML) in COMPILER_PATH.  No command changes.
 *
 * With "-o" make takes for done what comes before the links: the configuration, and going
 * through all folders to see what must be compiled, which takes longer than the links.
 * Where a kernel's Makefile has other names for these, they are looked at; then an object
 * that is compiled is an error.
 *
 * What "ld -r" makes of all objects, and objtool checks, hangs on the policy, not on the
 * seed: while only seeds change, it stays.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"
#include "ld/libexec.h"
#include "sweep/clone.h"
#include "sweep/kbuild.h"
#include "sweep/maker.h"

struct kernel {
	struct kbuild kbuild;
	char *libexec;		/* where the driver is, as "ld" */
	char *clones;		/* of each job: this, '-' and its number */
};

/* --- The clone ---------------------------------------------------------- */

/* A link makes these anew, all at the top. */
static bool is_product(const char *path)
{
	static const char *const names[] = {
		"vmlinux", "vmlinux.o", "vmlinux.layout", "vmlinux.unstripped", "linux",
	};

	if (strncmp(path, ".tmp_vmlinux", strlen(".tmp_vmlinux")) == 0)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(path, names[i]) == 0)
			return true;
	}
	return false;
}

static bool leave(const char *path, bool is_folder)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	if (is_folder)
		return strcmp(base, ".git") == 0 || strcmp(base, ".kerning") == 0;
	return is_product(path) || (dot != NULL && strcmp(dot, ".ko") == 0);
}

/* What a build makes, and headers, among which it makes some. */
static bool made(const char *path)
{
	const char *dot = strrchr(path, '.');

	return strncmp(path, "include/", 8) == 0 || strstr(path, "/include/") != NULL ||
	       strchr(path, '/') == NULL ||
	       (dot != NULL && (strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0 ||
				strcmp(dot, ".cmd") == 0));
}

static char *clone_path(const struct kernel *kernel, unsigned job)
{
	return xasprintf("%s-%u", kernel->clones, job);
}

/* CLONE with the driver in it, made where it is not there. */
static bool prepare(const struct kernel *kernel, const char *clone, struct diag *diag)
{
	const struct clone_rules rules = {
		.leave = leave, .made = kernel->kbuild.in_tree ? made : NULL,
	};
	char *driver, *folder, *linker;
	bool good = true;

	if (access(clone, F_OK) == 0)
		return true;
	driver = xasprintf("%s/ld", kernel->libexec);
	folder = xasprintf("%s/.linker", clone);
	linker = xasprintf("%s/%s", folder, kernel->kbuild.linker);
	good = clone_make(kernel->kbuild.folder, clone, &rules, diag);
	if (good && (!make_folders(folder) || symlink(driver, linker) != 0)) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot make \"%s\": %s", linker,
				 strerror(errno));
		remove_folder(clone);
		good = false;
	}
	free(driver);
	free(folder);
	free(linker);
	return good;
}

/* What the last link left, away, but for vmlinux.o where it is to be kept: make links again. */
static void unlink_products(const struct kernel *kernel, const char *clone, bool keep_object)
{
	DIR *folder = opendir(clone);
	struct dirent *entry;
	char *image = xasprintf("%s/%s", clone, kernel->kbuild.image_path);

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		if (is_product(entry->d_name) &&
		    !(keep_object && strcmp(entry->d_name, "vmlinux.o") == 0))
			unlinkat(dirfd(folder), entry->d_name, 0);
	}
	if (folder != NULL)
		closedir(folder);
	unlink(image);
	free(image);
}

/* FLAGS without the seed, which is the caller's. */
static char *policy_of(const char *flags)
{
	char *copy = xstrdup(flags), *at = copy, *word, *policy = xcalloc(1, strlen(flags) + 2);

	while ((word = strsep(&at, " \t\n")) != NULL) {
		if (word[0] != '\0' && strncmp(word, "seed=", strlen("seed=")) != 0) {
			strcat(policy, word);
			strcat(policy, " ");
		}
	}
	free(copy);
	return policy;
}

/* Whether the link that PATH tells of was made with POLICY. */
static bool was_made_with(const char *path, const char *policy)
{
	FILE *stream = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	bool same = stream != NULL && getdelim(&line, &room, '\0', stream) >= 0 &&
		    strcmp(line, policy) == 0;

	free(line);
	if (stream != NULL)
		fclose(stream);
	return same;
}

static void note_policy(const char *path, const char *policy)
{
	struct outfile file;

	/* Where that fails the next link makes all anew. */
	if (outfile_open(&file, path)) {
		fputs(policy, file.stream);
		outfile_commit(&file);
	}
}

/* Reports each object of CLONE that is not the build's. */
static bool check_objects(const struct kernel *kernel, const char *clone, struct diag *diag)
{
	char *roots[] = { (char *)clone, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *found;
	bool good = true;

	while (tree != NULL && (found = fts_read(tree)) != NULL) {
		const char *path = found->fts_path + strlen(clone), *dot;
		struct stat status;
		char *original;

		path += strspn(path, "/");
		if (found->fts_info == FTS_D && strcmp(found->fts_name, ".kerning") == 0)
			fts_set(tree, found, FTS_SKIP);
		dot = strrchr(found->fts_name, '.');
		if (found->fts_info != FTS_F || dot == NULL || strcmp(dot, ".o") != 0 ||
		    kbuild_is_of_link(path))
			continue;
		original = xasprintf("%s/%s", kernel->kbuild.folder, path);
		if (lstat(original, &status) != 0 ||
		    status.st_mtim.tv_sec != found->fts_statp->st_mtim.tv_sec ||
		    status.st_mtim.tv_nsec != found->fts_statp->st_mtim.tv_nsec) {
			diag_error(diag, NULL, "expected that nothing is compiled, but \"%s\" is "
				   "not that of \"%s\" any more", path, kernel->kbuild.folder);
			good = false;
		}
		free(original);
	}
	if (tree != NULL)
		fts_close(tree);
	return good;
}

/* --- Making ------------------------------------------------------------- */

static unsigned processors_for(unsigned jobs)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors > (long)jobs ? (unsigned)processors / jobs : 1;
}

static void set_environment(const struct kernel *kernel, const char *clone, const char *flags)
{
	char *options = xasprintf("kernel %s", flags);
	char *linker = xasprintf("%s/.linker", clone);
	/* What an outer make says to its own, and what would lead make elsewhere. */
	static const char *const foreign[] = {
		"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "GNUMAKEFLAGS", "O",
		"KBUILD_OUTPUT", "KBUILD_VERBOSE", "V",
	};

	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++)
		unsetenv(foreign[i]);
	for (size_t i = 0; i < kernel->kbuild.variables.count; i++)
		putenv((char *)kernel->kbuild.variables.at[i]);
	setenv("KERNING_FLAGS", options, 1);
	libexec_export(linker);
	if (kernel->kbuild.real_linker != NULL)
		setenv("KERNING_LD", kernel->kbuild.real_linker, 0);
	free(options);
	free(linker);
}

/* Runs make in CLONE and returns its exit status; -1, reported, where it cannot be run. */
static int run_make(const struct maker *maker, const char *clone, struct diag *diag)
{
	static const char *const done[] = {
		".", "descend", "prepare", "include/config/auto.conf",
		"include/config/auto.conf.cmd", "include/generated/autoconf.h",
	};
	const struct kernel *kernel = maker->data;
	VEC(char *) words = VEC_INIT;
	char *jobs = xasprintf("-j%u", processors_for(maker->jobs));
	char *output = xasprintf("O=%s", clone);
	int status = -1, error;
	pid_t child;

	*vec_push(&words) = "make";
	*vec_push(&words) = "-s";
	*vec_push(&words) = jobs;
	*vec_push(&words) = "-C";
	*vec_push(&words) = (char *)clone;
	for (size_t i = 0; i < sizeof done / sizeof done[0]; i++) {
		*vec_push(&words) = "-o";
		*vec_push(&words) = (char *)done[i];
	}
	/* Since Linux 6.13 the folder's Makefile names the folder that it was written for. */
	if (!kernel->kbuild.in_tree)
		*vec_push(&words) = output;
	for (size_t i = 0; i < kernel->kbuild.words.count; i++)
		*vec_push(&words) = (char *)kernel->kbuild.words.at[i];
	*vec_push(&words) = (char *)kernel->kbuild.image;
	*vec_push(&words) = NULL;
	error = posix_spawnp(&child, "make", NULL, NULL, words.at, environ);
	if (error != 0)
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot run make: %s",
				 strerror(error));
	else
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	free(jobs);
	free(output);
	vec_release(&words);
	return error != 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* FROM of the clone becomes TO of the folder. */
static bool keep(const char *clone, const char *from, const char *folder, const char *name,
		 const char *suffix, struct diag *diag)
{
	char *made_one = xasprintf("%s/%s", clone, from);
	char *kept = xasprintf("%s/%s%s", folder, name, suffix);
	bool good = file_move(made_one, kept);

	if (!good)
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot move \"%s\" to \"%s\": %s",
				 made_one, kept, strerror(errno));
	free(made_one);
	free(kept);
	return good;
}

/* Links in CLONE; false, reported, where that does not work. */
static bool link_here(const struct maker *maker, const char *clone, const char *flags,
		      struct diag *diag)
{
	const struct kernel *kernel = maker->data;
	char *note = xasprintf("%s/.linker/policy", clone), *policy = policy_of(flags);
	bool same = was_made_with(note, policy);
	int status;

	if (!same)
		unlink(note);
	unlink_products(kernel, clone, same);
	set_environment(kernel, clone, flags);
	status = run_make(maker, clone, diag);
	if (status > 0)
		diag_error(diag, NULL, "make %s failed: exit status %d", kernel->kbuild.image,
			   status);
	else if (status == 0 && !same)
		note_policy(note, policy);
	free(note);
	free(policy);
	return status == 0 && check_objects(kernel, clone, diag);
}

static int make_kernel(const struct maker *maker, const struct making *making)
{
	const struct kernel *kernel = maker->data;
	const struct kbuild *kbuild = &kernel->kbuild;
	char *clone = clone_path(kernel, making->job);
	struct diag diag;

	diag_init(&diag, "kerning", stderr);
	if (prepare(kernel, clone, &diag) && link_here(maker, clone, making->flags, &diag) &&
	    keep(clone, "vmlinux.layout", making->folder, kbuild->image, ".layout", &diag))
		keep(clone, kbuild->image_path, making->folder, kbuild->image, "", &diag);
	free(clone);
	return (int)diag.status;
}

/* --- The maker ---------------------------------------------------------- */

static void free_kernel(struct maker *maker)
{
	struct kernel *kernel = maker->data;

	for (unsigned job = 0; kernel->clones != NULL && job < maker->jobs; job++) {
		char *clone = clone_path(kernel, job);

		remove_folder(clone);
		free(clone);
	}
	kbuild_release(&kernel->kbuild);
	free(kernel->libexec);
	free(kernel->clones);
	free(kernel);
	free(maker->name);
	free(maker->description);
	free(maker);
}

/* Removes the clones NAME-PID-JOB of processes that are no longer running. */
static void remove_orphans(const char *folder, const char *name)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		size_t length = strlen(name);
		char *clone, *end;
		long pid;

		if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '-')
			continue;
		pid = strtol(entry->d_name + length + 1, &end, 10);
		if (pid <= 0 || *end != '-' || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		clone = xasprintf("%s/%s", folder, entry->d_name);
		remove_folder(clone);
		free(clone);
	}
	if (dir != NULL)
		closedir(dir);
}

/*
 * Beside the build's folder, where the file system is the same and ".." is too; in a
 * temporary one where that cannot be written.
 */
static char *place_clones(const struct kbuild *kbuild)
{
	const char *slash = strrchr(kbuild->folder, '/'), *temporary = getenv("TMPDIR");
	char *beside = xasprintf("%.*s", (int)(slash - kbuild->folder), kbuild->folder);
	char *name = xasprintf(".%s.kerning", slash + 1), *path;

	if (access(beside[0] != '\0' ? beside : "/", W_OK) != 0) {
		free(beside);
		beside = realpath(temporary != NULL ? temporary : "/tmp", NULL);
		if (beside == NULL)
			beside = xstrdup("/tmp");
	}
	remove_orphans(beside, name);
	path = xasprintf("%s/%s-%ld", beside, name, (long)getpid());
	free(name);
	free(beside);
	return path;
}

struct maker *maker_kernel(const char *folder, const char *image, unsigned jobs,
			   struct diag *diag)
{
	struct maker *maker = xcalloc(1, sizeof *maker);
	struct kernel *kernel = xcalloc(1, sizeof *kernel);

	*maker = (struct maker){
		.description = image != NULL ? xasprintf("--kernel %s --image %s", folder, image) :
					       xasprintf("--kernel %s", folder),
		.jobs = jobs > 0 ? jobs : 1,
		.make = make_kernel,
		.free = free_kernel,
		.data = kernel,
	};
	if (!kbuild_read(&kernel->kbuild, folder, image, diag) ||
	    (kernel->libexec = libexec_folder(diag)) == NULL) {
		free_kernel(maker);
		return NULL;
	}
	maker->name = xstrdup(kernel->kbuild.image);
	kernel->clones = place_clones(&kernel->kbuild);
	return maker;
}
