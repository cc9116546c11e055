/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table knows them all.
 */
#include "config.h"

#include "report/form.h"

#include <errno.h>
#include <string.h>

#include "lib/file.h"
#include "report/html.h"
#include "report/json.h"
#include "report/lkp.h"
#include "report/markdown.h"
#include "report/text.h"

static const struct {
	const char *name;
	const char *endings[2];		/* of files' names */
	void (*write)(const struct analysis *analysis, FILE *stream);
} forms[] = {
	[FORM_TEXT] = { "text", { ".txt", NULL }, text_write },
	[FORM_MARKDOWN] = { "md", { ".md", ".markdown" }, markdown_write },
	[FORM_HTML] = { "html", { ".html", ".htm" }, NULL },
	[FORM_JSON] = { "json", { ".json", NULL }, json_write },
	[FORM_LKP] = { "lkp", { ".lkp", NULL }, lkp_write },
};

enum form form_of_name(const char *name)
{
	for (size_t i = 0; i < FORM_UNKNOWN; i++)
		if (strcmp(forms[i].name, name) == 0)
			return (enum form)i;
	return FORM_UNKNOWN;
}

enum form form_of_path(const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < FORM_UNKNOWN; i++) {
		for (size_t j = 0; j < 2 && forms[i].endings[j] != NULL; j++) {
			size_t ending = strlen(forms[i].endings[j]);

			if (length > ending &&
			    strcmp(path + length - ending, forms[i].endings[j]) == 0)
				return (enum form)i;
		}
	}
	return FORM_UNKNOWN;
}

static bool write_to(const struct analysis *analysis, enum form form, FILE *stream,
		     struct diag *diag)
{
	if (form == FORM_HTML)
		return html_write(analysis, stream, diag);
	forms[form].write(analysis, stream);
	return true;
}

static bool cannot_write(const char *path, struct diag *diag)
{
	diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot write \"%s\": %s", path,
			 strerror(errno));
	return false;
}

bool form_write(const struct analysis *analysis, enum form form, const char *path,
		struct diag *diag)
{
	struct outfile file;

	if (form == FORM_LKP && analysis->differences.count == 0) {
		diag_error(diag, NULL, "\"%s\": expected two builds for LKP's table, got %zu",
			   analysis->record->path, analysis->record->builds.count);
		return false;
	}
	if (path == NULL)
		return write_to(analysis, form, stdout, diag);
	if (!outfile_open(&file, path))
		return cannot_write(path, diag);
	if (!write_to(analysis, form, file.stream, diag)) {
		outfile_abandon(&file);
		return false;
	}
	return outfile_commit(&file) || cannot_write(path, diag);
}
