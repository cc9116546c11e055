/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report as one page of HTML, which needs nothing beside it.
 */
#ifndef KERNING_REPORT_HTML_H
#define KERNING_REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "report/analysis.h"

/* False, reported, where gnuplot is not there or fails: nothing is written then. */
bool html_write(const struct analysis *analysis, FILE *stream, struct diag *diag);

#endif
