/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many metrics, one question: the rate of false discoveries, by Benjamini & Hochberg
 * ("Controlling the false discovery rate", 1995).
 */
#ifndef KERNING_STATS_DISCOVERY_H
#define KERNING_STATS_DISCOVERY_H

#include <stddef.h>

/* Turns COUNT p-values into q-values in place; NaN stays and does not count. */
void discovery_adjust(double *values, size_t count);

#endif
