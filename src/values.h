/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of options.  False where TEXT is none.
 */
#ifndef KERNING_SRC_VALUES_H
#define KERNING_SRC_VALUES_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* "10", "90s", "15m", "2h30m": seconds. */
bool parse_seconds(const char *text, double *seconds);
/* "1%", "0.01". */
bool parse_ratio(const char *text, double *ratio);
/* A number as ld writes them, up to MAX. */
bool parse_count(const char *text, uint64_t max, uint64_t *value);
/* Processors: "2", "0-3,5". */
bool parse_cpus(const char *text, cpu_set_t *cpus);

#endif
