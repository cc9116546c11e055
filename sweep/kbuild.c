/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a built kernel's folder.
 *
 * kconfig leaves in include/config/auto.conf.cmd what make's variables held, so that make
 * can see that one of them changed:
 *
 *	ifneq "$(CC)" "ccache gcc"
 *
 * The same values are given to make again.  The stamps of the time, the user and the host
 * are read where they were written for the compiler.
 */
#include "config.h"

#include "sweep/kbuild.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	size_t length = strlen(text), wanted = strlen(with);

	return length >= wanted && strcmp(text + length - wanted, with) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool has(const struct kbuild *kbuild, const char *file)
{
	char *path = xasprintf("%s/%s", kbuild->folder, file);
	bool there = access(path, R_OK) == 0;

	free(path);
	return there;
}

/* --- Text of the folder ------------------------------------------------- */

/* The folder's file FILE; NULL: there is none. */
static FILE *open_text(struct kbuild *kbuild, const char *file)
{
	char *path = xasprintf("%s/%s", kbuild->folder, file);
	FILE *stream = fopen(path, "re");

	free(path);
	return stream;
}

/* The first line of FILE that begins with START, without that and the newline; NULL: none. */
static const char *find_line(struct kbuild *kbuild, const char *file, const char *start)
{
	FILE *stream = open_text(kbuild, file);
	const char *found = NULL;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;

	while (stream != NULL && found == NULL && (length = getline(&line, &room, stream)) > 0) {
		if (line[length - 1] == '\n')
			line[--length] = '\0';
		if (starts(line, start))
			found = obstack_strdup(&kbuild->arena, line + strlen(start));
	}
	free(line);
	if (stream != NULL)
		fclose(stream);
	return found;
}

/* TEXT between its first and its last quote; NULL: there are no two. */
static const char *unquote(struct kbuild *kbuild, const char *text)
{
	const char *first = text != NULL ? strchr(text, '"') : NULL;
	const char *last = first != NULL ? strrchr(text, '"') : NULL;

	if (first == last)
		return NULL;
	return obstack_strndup(&kbuild->arena, first + 1, (size_t)(last - first - 1));
}

static bool is_set(struct kbuild *kbuild, const char *option)
{
	char *start = xasprintf("CONFIG_%s=", option);
	const char *value = find_line(kbuild, ".config", start);

	free(start);
	return value != NULL && strcmp(value, "y") == 0;
}

/* What make's variable NAME held when the kernel was configured; NULL: not known. */
static const char *made_with(struct kbuild *kbuild, const char *name)
{
	char *start = xasprintf("ifneq \"$(%s)\" ", name);
	const char *value = find_line(kbuild, "include/config/auto.conf.cmd", start);

	free(start);
	return unquote(kbuild, value);
}

static const char *defined(struct kbuild *kbuild, const char *file, const char *macro)
{
	char *start = xasprintf("#define %s", macro);
	const char *value = find_line(kbuild, file, start);

	free(start);
	return unquote(kbuild, value);
}

/* --- What make is told -------------------------------------------------- */

static void add_word(struct kbuild *kbuild, const char *name, const char *value)
{
	if (value != NULL)
		*vec_push(&kbuild->words) = obstack_format(&kbuild->arena, "%s=%s", name, value);
}

static void add_variable(struct kbuild *kbuild, const char *name, const char *value)
{
	if (value != NULL)
		*vec_push(&kbuild->variables) =
			obstack_format(&kbuild->arena, "%s=%s", name, value);
}

/* "-BFOLDER", and a linker is there. */
static bool names_linker(const char *word)
{
	char *linker;
	bool there;

	if (!starts(word, "-B"))
		return false;
	linker = xasprintf("%s/ld", word + 2);
	there = access(linker, X_OK) == 0;
	free(linker);
	return there;
}

/*
 * The compiler without "-BFOLDER" where that FOLDER has a linker: a user-mode kernel is linked by
 * the compiler, which would look for one there first.
 */
static const char *without_linker(struct kbuild *kbuild, const char *compiler)
{
	char *copy = xstrdup(compiler), *at = copy, *word;

	while ((word = strsep(&at, " ")) != NULL) {
		if (word[0] == '\0' || names_linker(word))
			continue;
		if (obstack_object_size(&kbuild->arena) > 0)
			obstack_1grow(&kbuild->arena, ' ');
		obstack_grow(&kbuild->arena, word, strlen(word));
	}
	free(copy);
	obstack_1grow(&kbuild->arena, '\0');
	return obstack_finish(&kbuild->arena);
}

/* The path of the program NAME, as a shell finds it; NULL: nowhere. */
static const char *find_program(struct kbuild *kbuild, const char *name)
{
	const char *path = getenv("PATH");
	char *copy = xstrdup(path != NULL ? path : "/usr/bin:/bin"), *at = copy, *folder;
	const char *found = NULL;

	if (strchr(name, '/') != NULL)
		found = access(name, X_OK) == 0 ? name : NULL;
	while (strchr(name, '/') == NULL && found == NULL && (folder = strsep(&at, ":")) != NULL) {
		const char *file = obstack_format(&kbuild->arena, "%s/%s", folder, name);

		if (access(file, X_OK) == 0)
			found = file;
	}
	free(copy);
	return found;
}

static void add_linker(struct kbuild *kbuild)
{
	const char *recorded = made_with(kbuild, "LD");
	char real[PATH_MAX];

	if (recorded == NULL)
		recorded = "ld";
	kbuild->linker = base_name(recorded);
	/* "ld" is the one that the driver was built for; the driver stands for no other. */
	if (strcmp(recorded, "ld") != 0)
		kbuild->real_linker = find_program(kbuild, recorded);
	if (kbuild->real_linker != NULL && realpath(kbuild->real_linker, real) != NULL &&
	    strcmp(base_name(real), "kerning-ld") == 0)
		kbuild->real_linker = NULL;
	if (ends(kbuild->linker, "-ld") && strcmp(kbuild->linker, "kerning-ld") != 0)
		add_word(kbuild, "CROSS_COMPILE",
			 obstack_strndup(&kbuild->arena, kbuild->linker, strlen(kbuild->linker) - 2));
	add_word(kbuild, "LD", kbuild->linker);
}

static void add_words(struct kbuild *kbuild, bool user_mode)
{
	static const char *const names[] = { "ARCH", "SUBARCH", "AR", "NM", "OBJCOPY", "PAHOLE" };
	const char *compiler = made_with(kbuild, "CC"), *arch = NULL;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = made_with(kbuild, names[i]);

		if (i == 0)
			arch = value;
		add_word(kbuild, names[i], value);
	}
	if (arch == NULL && user_mode)
		add_word(kbuild, "ARCH", "um");
	if (compiler != NULL && user_mode)
		compiler = without_linker(kbuild, compiler);
	add_word(kbuild, "CC", compiler);
	add_linker(kbuild);
}

/* UTS_VERSION: "#1 SMP PREEMPT Thu Jan  1 00:00:00 UTC 2020". */
static void add_version(struct kbuild *kbuild, const char *version)
{
	static const char *const flags[] = {
		"SMP ", "PREEMPT ", "PREEMPT_DYNAMIC ", "PREEMPT_RT ",
	};
	size_t digits;

	if (version == NULL || version[0] != '#')
		return;
	digits = strspn(version + 1, "0123456789");
	if (digits == 0 || version[1 + digits] != ' ')
		return;
	add_variable(kbuild, "KBUILD_BUILD_VERSION",
		     obstack_strndup(&kbuild->arena, version + 1, digits));
	version += 1 + digits + 1;
	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ) {
		if (starts(version, flags[i])) {
			version += strlen(flags[i]);
			i = 0;
		} else {
			i++;
		}
	}
	add_variable(kbuild, "KBUILD_BUILD_TIMESTAMP", version);
	add_variable(kbuild, "KBUILD_BUILD_VERSION_TIMESTAMP", version);	/* Debian's */
}

static void add_stamps(struct kbuild *kbuild)
{
	static const char compiled[] = "include/generated/compile.h";
	const char *version = defined(kbuild, "include/generated/utsversion.h", "UTS_VERSION ");

	if (version == NULL)	/* before Linux 6.1 */
		version = defined(kbuild, compiled, "UTS_VERSION ");
	add_version(kbuild, version);
	add_variable(kbuild, "KBUILD_BUILD_USER",
		     defined(kbuild, compiled, "LINUX_COMPILE_BY"));
	add_variable(kbuild, "KBUILD_BUILD_HOST",
		     defined(kbuild, compiled, "LINUX_COMPILE_HOST"));
}

/* --- The folder --------------------------------------------------------- */

static bool find_image(struct kbuild *kbuild, const char *image, bool user_mode,
		       struct diag *diag)
{
	bool x86 = !user_mode && is_set(kbuild, "X86");

	if (image == NULL)
		image = user_mode ? "linux" : x86 ? "bzImage" : "vmlinux";
	kbuild->image = obstack_strdup(&kbuild->arena, image);
	kbuild->image_path = kbuild->image;
	if (strcmp(image, "vmlinux") == 0 || (user_mode && strcmp(image, "linux") == 0))
		return true;
	if (x86 && strcmp(image, "bzImage") == 0) {
		kbuild->image_path = "arch/x86/boot/bzImage";
		return true;
	}
	diag_error_class(diag, DIAG_USAGE, NULL, "expected the image vmlinux%s, got \"%s\"",
			 user_mode ? " or linux" : x86 ? " or bzImage" : "", image);
	return false;
}

static bool find_source(struct kbuild *kbuild, struct diag *diag)
{
	const char *stub = find_line(kbuild, "Makefile", "include ");

	kbuild->in_tree = has(kbuild, "Kconfig") && has(kbuild, "scripts/Kbuild.include");
	if (kbuild->in_tree)
		return true;
	if (!has(kbuild, "Makefile")) {
		diag_error(diag, NULL, "expected a Makefile in \"%s\", found none", kbuild->folder);
		return false;
	}
	if (has(kbuild, "source/Makefile") && (stub == NULL || stub[0] != '/' || access(stub, R_OK) == 0))
		return true;
	diag_error(diag, NULL, "the source of the kernel in \"%s\" is not where it was: %s",
		   kbuild->folder, stub != NULL ? stub : "source/Makefile");
	return false;
}

bool kbuild_read(struct kbuild *kbuild, const char *folder, const char *image,
		 struct diag *diag)
{
	char *real = realpath(folder, NULL);
	bool user_mode;

	memset(kbuild, 0, sizeof *kbuild);
	obstack_init(&kbuild->arena);
	if (real == NULL) {
		diag_error(diag, NULL, "cannot open \"%s\": %s", folder, strerror(errno));
		return false;
	}
	kbuild->folder = obstack_strdup(&kbuild->arena, real);
	free(real);
	if (!has(kbuild, ".config")) {
		diag_error(diag, NULL, "expected the folder of a built kernel, got \"%s\": it has "
			   "no .config", folder);
		return false;
	}
	if (!has(kbuild, "vmlinux") || !has(kbuild, "include/config/auto.conf")) {
		diag_error(diag, NULL, "the kernel in \"%s\" is not built: it has no vmlinux", folder);
		return false;
	}
	if (is_set(kbuild, "LD_IS_LLD")) {
		diag_error(diag, NULL, "expected a kernel that GNU ld links, got \"%s\", linked by "
			   "lld", folder);
		return false;
	}
	user_mode = is_set(kbuild, "UML");
	if (!find_image(kbuild, image, user_mode, diag) || !find_source(kbuild, diag))
		return false;
	add_words(kbuild, user_mode);
	add_stamps(kbuild);
	return true;
}

void kbuild_release(struct kbuild *kbuild)
{
	vec_release(&kbuild->words);
	vec_release(&kbuild->variables);
	obstack_free(&kbuild->arena, NULL);
}

bool kbuild_is_of_link(const char *path)
{
	static const char *const names[] = {
		"vmlinux.o", ".vmlinux.export.o", "version.o", "version-timestamp.o",
	};
	const char *base = base_name(path), *boot = strstr(path, "/boot/");

	if (starts(base, ".tmp_") || starts(base, ".btf."))
		return true;
	/* Images that are linked by themselves and taken in as data. */
	if (starts(base, "vdso-image-") || strcmp(base, "rmpiggy.o") == 0)
		return true;
	if (starts(path, "arch/") && boot != NULL && strchr(path + 5, '/') == boot)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(base, names[i]) == 0)
			return i < 2 ? base == path : starts(path, "init/");
	}
	return false;
}
