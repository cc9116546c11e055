/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the driver is.
 */
#include "config.h"

#include "ld/libexec.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"

static bool holds_driver(const char *folder)
{
	char *path = xasprintf("%s/ld", folder);
	bool there = access(path, X_OK) == 0;

	free(path);
	return there;
}

/* "libexec/kerning" beside this program, as a build tree has it; NULL: not known. */
static char *built_folder(void)
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (length <= 0)
		return NULL;
	self[length] = '\0';
	*strrchr(self, '/') = '\0';
	return xasprintf("%s/libexec/kerning", self);
}

char *libexec_folder(struct diag *diag)
{
	char *folder = built_folder();

	if (folder != NULL && holds_driver(folder))
		return folder;
	free(folder);
	if (holds_driver(KERNING_LIBEXECDIR))
		return xstrdup(KERNING_LIBEXECDIR);
	diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
			 "expected the driver at \"%s\", found none: it is not installed",
			 KERNING_LIBEXECDIR "/ld");
	return NULL;
}

static void prepend(const char *variable, const char *folder)
{
	const char *old = getenv(variable);
	char *value = old == NULL || old[0] == '\0' ? xstrdup(folder) :
						      xasprintf("%s:%s", folder, old);

	setenv(variable, value, 1);
	free(value);
}

void libexec_export(const char *folder)
{
	prepend("PATH", folder);
	prepend("COMPILER_PATH", folder);
}

char *plugin_file(struct diag *diag)
{
	char *folder = libexec_folder(diag), *file;

	if (folder == NULL)
		return NULL;
	file = xasprintf("%s/plugin/kerning.so", folder);
	if (access(file, R_OK) == 0) {
		free(folder);
		return file;
	}
	diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
			 "expected the plugin at \"%s\", found none: it is built where GCC's plugin headers "
			 "are (gcc-12-plugin-dev)", file);
	free(folder);
	free(file);
	return NULL;
}
