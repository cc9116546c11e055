/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table that "lkp compare" prints, of the two plain builds, and beside each row what
 * became of the change over layouts.
 */
#ifndef KERNING_REPORT_LKP_H
#define KERNING_REPORT_LKP_H

#include <stdio.h>

#include "report/analysis.h"

/* Where no plain builds were run it is of the means over layouts, and says so. */
void lkp_write(const struct analysis *analysis, FILE *stream);

#endif
