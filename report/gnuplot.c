/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The script, what gnuplot draws and what it says are files without a name: there is no
 * pipe that could fill up, and nothing is left behind.
 */
#include "config.h"

#include "report/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/memory.h"
#include "report/drawing.h"

extern char **environ;

static const struct {
	const char *color, *name;
} inks[INKS] = {
	[INK_TEXT] = { "'#010000'", "--text" },     [INK_MUTED] = { "'#010001'", "--muted" },
	[INK_GRID] = { "'#010002'", "--grid" },     [INK_A] = { "'#010003'", "--a" },
	[INK_B] = { "'#010004'", "--b" },           [INK_A_SOFT] = { "'#010005'", "--a-soft" },
	[INK_B_SOFT] = { "'#010006'", "--b-soft" }, [INK_PLAIN] = { "'#010007'", "--plain" },
	[INK_BAND] = { "'#010008'", "--band" },     [INK_REAL] = { "'#010009'", "--real" },
	[INK_LAYOUT] = { "'#01000a'", "--layout" }, [INK_DOUBT] = { "'#01000b'", "--doubt" },
};

const char *gnuplot_ink(enum ink ink)
{
	return inks[ink].color;
}

const char *gnuplot_ink_name(enum ink ink)
{
	return inks[ink].name;
}

/* --- The script --------------------------------------------------------- */

void gnuplot_init(struct gnuplot *gnuplot)
{
	*gnuplot = (struct gnuplot){ .script = NULL };
	obstack_init(&gnuplot->arena);
	gnuplot->script = open_memstream(&gnuplot->text, &gnuplot->size);
	if (gnuplot->script == NULL)
		abort();
}

void gnuplot_release(struct gnuplot *gnuplot)
{
	if (gnuplot->script != NULL)
		fclose(gnuplot->script);
	free(gnuplot->text);
	free(gnuplot->drawn);
	vec_release(&gnuplot->texts);
	vec_release(&gnuplot->figures);
	obstack_free(&gnuplot->arena, NULL);
}

size_t gnuplot_begin(struct gnuplot *gnuplot, unsigned width, unsigned height, const char *label)
{
	*vec_push(&gnuplot->figures) = (struct gnuplot_figure){
		.width = width,
		.height = height,
		.label = obstack_strdup(&gnuplot->arena, label),
	};
	fprintf(gnuplot->script,
		"reset\n"
		"set terminal svg size %u,%u fixed font ',13' noenhanced\n"
		"unset key\n"
		"set border 0\n"
		"set tics nomirror scale 0 textcolor rgb %s\n",
		width, height, inks[INK_MUTED].color);
	return gnuplot->figures.count - 1;
}

size_t gnuplot_number(struct gnuplot *gnuplot, const char *text)
{
	*vec_push(&gnuplot->texts) = obstack_strdup(&gnuplot->arena, text);
	return gnuplot->texts.count - 1;
}

const char *gnuplot_word(struct gnuplot *gnuplot, const char *text)
{
	return obstack_format(&gnuplot->arena, "@%zu@", gnuplot_number(gnuplot, text));
}

/* --- Running it --------------------------------------------------------- */

/* The environment, where numbers and messages are as in C. */
static char **plain_environment(void)
{
	static char locale[] = "LC_ALL=C";
	size_t count = 0, kept = 0;
	char **environment;

	while (environ[count] != NULL)
		count++;
	environment = xcalloc(count + 2, sizeof *environment);
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "LC_ALL=", 7) != 0)
			environment[kept++] = environ[i];
	environment[kept] = locale;
	return environment;
}

struct files {
	int script, drawn, errors;
};

static bool open_files(struct files *files, const struct gnuplot *gnuplot)
{
	files->script = memfd_create("script", MFD_CLOEXEC);
	files->drawn = memfd_create("drawn", MFD_CLOEXEC);
	files->errors = memfd_create("errors", MFD_CLOEXEC);
	if (files->script < 0 || files->drawn < 0 || files->errors < 0)
		return false;
	for (size_t done = 0; done < gnuplot->size;) {
		ssize_t written = write(files->script, gnuplot->text + done, gnuplot->size - done);

		if (written < 0 && errno != EINTR)
			return false;
		done += written > 0 ? (size_t)written : 0;
	}
	return lseek(files->script, 0, SEEK_SET) == 0;
}

static void close_files(const struct files *files)
{
	close(files->script);
	close(files->drawn);
	close(files->errors);
}

/* All that is in FD, and a NUL; NULL with errno set. */
static char *contents(int fd, size_t *size)
{
	struct stat status;
	char *text;

	if (fstat(fd, &status) != 0)
		return NULL;
	text = xmalloc((size_t)status.st_size + 1);
	for (*size = 0; *size < (size_t)status.st_size;) {
		ssize_t got = pread(fd, text + *size, (size_t)status.st_size - *size, (off_t)*size);

		if (got == 0)
			break;
		if (got < 0 && errno != EINTR) {
			free(text);
			return NULL;
		}
		*size += got > 0 ? (size_t)got : 0;
	}
	text[*size] = '\0';
	return text;
}

/* Returns 0, or an error's number where it cannot be started. */
static int run(const struct files *files, int *status)
{
	char name[] = "gnuplot", defaults[] = "-d", from_input[] = "-";
	char *argv[] = { name, defaults, from_input, NULL };
	char **environment = plain_environment();
	posix_spawn_file_actions_t actions;
	pid_t child;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, files->script, 0);
	posix_spawn_file_actions_adddup2(&actions, files->drawn, 1);
	posix_spawn_file_actions_adddup2(&actions, files->errors, 2);
	error = posix_spawnp(&child, name, &actions, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	while (error == 0 && waitpid(child, status, 0) < 0)
		if (errno != EINTR)
			error = errno;
	return error;
}

/* What gnuplot said last: what was wrong stands at the end. */
static void report_failure(const struct files *files, int status, struct diag *diag)
{
	size_t size;
	char *text = contents(files->errors, &size), *line;

	while (text != NULL && size > 0 && (text[size - 1] == '\n' || text[size - 1] == ' '))
		text[--size] = '\0';
	line = text != NULL ? strrchr(text, '\n') : NULL;
	line = line != NULL ? line + 1 : text;
	if (WIFSIGNALED(status))
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "gnuplot was ended by signal %d (%s)", WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	else
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "gnuplot failed: %s",
				 line != NULL && line[0] != '\0' ? line : "it drew too little");
	free(text);
}

/* Finds each figure's svg element in what was drawn.  False where one is missing. */
static bool part(struct gnuplot *gnuplot, size_t size)
{
	const char *at = gnuplot->drawn, *end = gnuplot->drawn + size;

	for (size_t i = 0; i < gnuplot->figures.count; i++) {
		const char *begin = memmem(at, (size_t)(end - at), "<svg", 4);
		const char *close =
			begin == NULL ? NULL : memmem(begin, (size_t)(end - begin), "</svg>", 6);

		if (close == NULL)
			return false;
		gnuplot->figures.at[i].svg = begin;
		gnuplot->figures.at[i].size = (size_t)(close + 6 - begin);
		at = close + 6;
	}
	return true;
}

bool gnuplot_draw(struct gnuplot *gnuplot, struct diag *diag)
{
	struct files files;
	bool done = false;
	int error, status = 0;
	size_t size = 0;

	fclose(gnuplot->script);
	gnuplot->script = NULL;
	if (gnuplot->figures.count == 0)
		return true;
	error = open_files(&files, gnuplot) ? run(&files, &status) : errno;
	if (error == ENOENT) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "expected gnuplot to draw the figures, "
				 "found none: install it (Debian's package is gnuplot-nox)");
	} else if (error != 0) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot run gnuplot: %s",
				 strerror(error));
	} else {
		gnuplot->drawn = contents(files.drawn, &size);
		done = status == 0 && gnuplot->drawn != NULL && part(gnuplot, size);
		if (!done)
			report_failure(&files, status, diag);
	}
	close_files(&files);
	return done;
}

/* --- What was drawn ----------------------------------------------------- */

void gnuplot_write(const struct gnuplot *gnuplot, size_t figure, FILE *stream)
{
	drawing_write(&gnuplot->figures.at[figure], gnuplot->texts.at, gnuplot->texts.count,
		      stream);
}

/* Those of gnuplot's points that figures have: a dot, a ring, a diamond. */
void gnuplot_write_symbols(FILE *stream)
{
	fputs("<svg width=\"0\" height=\"0\" class=\"symbols\" aria-hidden=\"true\"><defs>"
	      "<circle id=\"gpPt6\" r=\"1\" fill=\"currentColor\"/>"
	      "<circle id=\"gpPt5\" r=\"1\" fill=\"none\" stroke=\"currentColor\" "
	      "stroke-width=\"0.3\"/>"
	      "<path id=\"gpPt12\" fill=\"currentColor\" d=\"M0,-1.5 1.5,0 0,1.5 -1.5,0z\"/>"
	      "</defs></svg>\n",
	      stream);
}
