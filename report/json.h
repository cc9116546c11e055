/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report for a program: all that the analysis has.
 */
#ifndef KERNING_REPORT_JSON_H
#define KERNING_REPORT_JSON_H

#include <stdio.h>

#include "report/analysis.h"

void json_write(const struct analysis *analysis, FILE *stream);

#endif
