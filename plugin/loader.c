/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What -fplugin names.  A plugin is made for one version of GCC, whose insides
 * it uses; this part uses none, so that any GCC can load it, and loads the one
 * that was made for it: kerning-gcc12.so, in the same folder.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of gcc-plugin.h, where they have been the same since plugins began. */
struct plugin_gcc_version {
	const char *basever, *datestamp, *devphase, *revision, *configuration_arguments;
};
struct plugin_name_args;

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int plugin_is_GPL_compatible;

/* This file's folder, with a '/' behind; the caller frees it. */
static char *own_folder(void)
{
	Dl_info info;
	char *path, *slash;

	if (dladdr((void *)&plugin_is_GPL_compatible, &info) == 0)
		return NULL;
	path = realpath(info.dli_fname, NULL);
	slash = path != NULL ? strrchr(path, '/') : NULL;
	if (slash != NULL)
		slash[1] = '\0';
	return path;
}

/* The versions that there is a plugin for: " 11 12". */
static void print_versions(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	const char *before = "";

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		int length = 0;
		unsigned major;

		if (sscanf(entry->d_name, "kerning-gcc%u.so%n", &major, &length) == 1 &&
		    entry->d_name[length] == '\0') {
			fprintf(stderr, "%s%u", before, major);
			before = ", ";
		}
	}
	if (dir != NULL)
		closedir(dir);
	fputs(*before == '\0' ? "none" : "", stderr);
}

EXPORTED int plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version);

int plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
	char *folder = own_folder(), *path;
	int (*init)(struct plugin_name_args *, struct plugin_gcc_version *) = NULL;
	void *library;

	if (folder == NULL ||
	    asprintf(&path, "%skerning-gcc%lu.so", folder, strtoul(version->basever, NULL, 10)) < 0) {
		fputs("kerning: error: cannot find the folder of the plugin\n", stderr);
		return 1;
	}
	library = dlopen(path, RTLD_NOW);
	if (library != NULL)
		*(void **)&init = dlsym(library, "kerning_plugin_init");
	if (init == NULL) {
		fprintf(stderr, "kerning: error: this is GCC %s; the plugin was built for GCC ",
			version->basever);
		print_versions(folder);
		fprintf(stderr, " (%s)\n", dlerror());
		return 1;
	}
	return init(plugin, version);
}
