/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report for a mail or a pull request: Markdown that reads well as it is, too.
 */
#ifndef KERNING_REPORT_MARKDOWN_H
#define KERNING_REPORT_MARKDOWN_H

#include <stdio.h>

#include "report/analysis.h"

void markdown_write(const struct analysis *analysis, FILE *stream);

#endif
