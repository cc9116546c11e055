/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What on a machine makes measurements noisy: one look at each thing that is known to.
 */
#ifndef KERNING_SWEEP_NOISE_H
#define KERNING_SWEEP_NOISE_H

#include <stdio.h>

#include "sweep/machine.h"

/* What is looked at, as files below a root. */
struct look {
	const char *root;
	cpu_set_t online, used;		/* processors; those that the run may use */
	bool pinned;			/* it may not use all */
	struct machine *machine;
};

/*
 * The text of a file of /proc or /sys: its first 64 KiB without blanks at the end, in
 * ASCII.  NULL where it cannot be read or is empty.  free() it.
 */
char *look_read(const struct look *look, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Its number; OTHERWISE where it has none. */
long look_number(const struct look *look, const char *path, long otherwise);
/* What stands behind NAME and a colon on the first line that begins so; "" else.  free() it. */
char *look_field(const char *text, const char *name);
/* "0-3,8" as the kernel writes it. */
void look_processors(const char *text, cpu_set_t *cpus);

/* Adds what is found to the machine's noises, worst first. */
void noise_look(struct look *look);

#endif
