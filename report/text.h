/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report for a terminal: what a sweep or a comparison ends with.
 */
#ifndef KERNING_REPORT_TEXT_H
#define KERNING_REPORT_TEXT_H

#include <stdio.h>

#include "report/analysis.h"

/* Colour only where STREAM is a terminal and NO_COLOR is not set. */
void text_write(const struct analysis *analysis, FILE *stream);

#endif
