/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layouts by a command that builds: run with KERNING_FLAGS, and with the driver in the
 * place of ld, it leaves a program and its layout.
 */
#include "config.h"
#include "sweep/maker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ld/capture.h"
#include "ld/libexec.h"
#include "ld/run.h"
#include "lib/file.h"
#include "lib/memory.h"

struct build_maker {
	struct maker maker;
	char *command, *output, *layout, *libexec, *ld;
};

/* Whether a file is another one than before: there, inode, and when it was changed. */
static bool is_same(const char *path, const struct stat *before)
{
	struct stat status;

	return stat(path, &status) == 0 && status.st_ino == before->st_ino &&
	       status.st_dev == before->st_dev && status.st_size == before->st_size &&
	       status.st_ctim.tv_sec == before->st_ctim.tv_sec &&
	       status.st_ctim.tv_nsec == before->st_ctim.tv_nsec;
}

static int run_command(const struct build_maker *own, const char *flags, struct diag *diag)
{
	char *argv[] = { (char *)"sh", (char *)"-c", own->command, NULL };
	int status;

	libexec_export(own->libexec);
	setenv("KERNING_LD", own->ld, 1);
	setenv("KERNING_FLAGS", flags, 1);
	unsetenv(CAPTURE_VARIABLE);
	status = run_as_is("/bin/sh", argv, diag);
	if (status > 0)
		diag_error(diag, NULL, "'%s' failed with exit status %d", own->command, status);
	return status < 0 ? DIAG_ENVIRONMENT : status > 0 ? DIAG_INPUT : 0;
}

/* Whether the command has linked OUTPUT as it was to. */
static bool check(const struct build_maker *own, const struct stat *output,
		  const struct stat *layout, bool placed, struct diag *diag)
{
	if (access(own->output, F_OK) != 0)
		diag_error(diag, NULL, "'%s' has not made '%s'", own->command, own->output);
	else if (is_same(own->output, output))
		diag_error(diag, NULL, "'%s' has not linked '%s', which it takes for up to date: have "
			   "it remove that first, as in 'rm -f %s; %s'", own->command, own->output,
			   own->output, own->command);
	else if (placed && (access(own->layout, F_OK) != 0 || is_same(own->layout, layout)))
		diag_error(diag, NULL, "'%s' has made '%s' without '%s': its linker was not "
			   "kerning-ld; add \"$(kerning flags)\" to the words of gcc that link it, or name the "
			   "file that is linked", own->command, own->output, own->layout);
	return diag->errors == 0;
}

static bool copy(const char *from, const char *folder, const char *name, const char *suffix,
		 struct diag *diag)
{
	char *to = xasprintf("%s/%s%s", folder, name, suffix);
	struct stat status = { .st_mode = 0777 };
	bool done = stat(from, &status) == 0 && file_copy(from, to, status.st_mode & 0777);

	if (!done)
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot copy '%s' to '%s': %s", from, to,
				 strerror(errno));
	free(to);
	return done;
}

static int make(const struct maker *maker, const struct making *making)
{
	const struct build_maker *own = maker->data;
	struct stat output = { 0 }, layout = { 0 };
	bool placed = making->flags[0] != '\0';
	struct diag diag;
	int status;

	diag_init(&diag, "kerning", stderr);
	stat(own->output, &output);
	stat(own->layout, &layout);
	status = run_command(own, making->flags, &diag);
	if (status != 0)
		return status;
	if (check(own, &output, &layout, placed, &diag) &&
	    copy(own->output, making->folder, maker->name, "", &diag) && placed)
		copy(own->layout, making->folder, maker->name, ".layout", &diag);
	return (int)diag.status;
}

static void release(struct maker *maker)
{
	struct build_maker *own = maker->data;

	free(maker->name);
	free(maker->description);
	free(own->command);
	free(own->output);
	free(own->layout);
	free(own->libexec);
	free(own->ld);
	free(own);
}

/* TEXT as one word of the shell. */
static char *quote(const char *text)
{
	char *word = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&word, &size);

	putc('\'', stream);
	for (; *text != '\0'; text++)
		if (*text == '\'')
			fputs("'\\''", stream);
		else
			putc(*text, stream);
	putc('\'', stream);
	fclose(stream);
	return word;
}

struct maker *maker_build(const char *command, const char *output, struct diag *diag)
{
	const char *slash = strrchr(output, '/'), *base = slash != NULL ? slash + 1 : output;
	struct build_maker *own;
	char *quoted, *quoted_output;

	if (base[0] == '\0') {
		diag_error_class(diag, DIAG_USAGE, NULL, "expected the file that '%s' links, got '%s'",
				 command, output);
		return NULL;
	}
	own = xcalloc(1, sizeof *own);
	own->maker = (struct maker){ .jobs = 1, .make = make, .free = release, .data = own };
	own->command = xstrdup(command);
	own->output = xstrdup(output);
	own->layout = xasprintf("%s.layout", output);
	own->libexec = libexec_folder(diag);
	own->ld = real_ld(diag);
	own->maker.name = xstrdup(base);
	quoted = quote(command);
	quoted_output = quote(output);
	own->maker.description = xasprintf("--build %s --output %s", quoted, quoted_output);
	free(quoted);
	free(quoted_output);
	if (own->libexec != NULL && own->ld != NULL)
		return &own->maker;
	release(&own->maker);
	return NULL;
}
