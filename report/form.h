/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The forms that a report has.
 */
#ifndef KERNING_REPORT_FORM_H
#define KERNING_REPORT_FORM_H

#include <stdbool.h>

#include "report/analysis.h"

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_HTML, FORM_JSON, FORM_LKP, FORM_UNKNOWN };

#define FORM_NAMES "text, md, html, json or lkp"

/* By name: "text", "md", "html", "json", "lkp"; by how a file's name ends.  FORM_UNKNOWN: none. */
enum form form_of_name(const char *name);
enum form form_of_path(const char *path);

/*
 * Writes ANALYSIS in FORM to PATH, which is whole then or as before, or to standard output
 * (NULL).  False, reported, where that cannot be done.  LKP's table is of two builds: for
 * one that is reported as wrong input.
 */
bool form_write(const struct analysis *analysis, enum form form, const char *path,
		struct diag *diag);

#endif
