/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page around an HTML report: style and script, all of it within the one file.
 */
#ifndef KERNING_REPORT_PAGE_H
#define KERNING_REPORT_PAGE_H

#include <stdio.h>

/* Writes all up to where the contents begin.  TITLE is text. */
void page_begin(FILE *stream, const char *title);
void page_end(FILE *stream);

#endif
