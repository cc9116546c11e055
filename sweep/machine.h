/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What machine this is, and what on it makes measurements noisy.
 */
#ifndef KERNING_SWEEP_MACHINE_H
#define KERNING_SWEEP_MACHINE_H

#include <jansson.h>
#include <sched.h>
#include <stdbool.h>

#include "lib/vec.h"

struct noise {
	char *name;		/* "governor", "turbo", "smt", "load", "pinned tasks", ... */
	char *state;		/* what is: "powersave on 8 of 8 processors" */
	char *advice;		/* what would help, as a command where there is one */
};

struct machine {
	char *cpu, *kernel, *host;	/* model name; release; name */
	unsigned processors;		/* online */
	bool virtual;			/* a guest of a hypervisor */
	VEC(struct noise) noises;	/* worst first */
};

/*
 * Looks at the machine as it is for a run on CPUS (NULL: anywhere).  Takes a fifth of a
 * second, for what changes.  What cannot be read is not there.
 */
void machine_look(struct machine *machine, const cpu_set_t *cpus);
/* The same, with ROOT before each path of /proc and /sys. */
void machine_look_below(struct machine *machine, const char *root, const cpu_set_t *cpus);
void machine_release(struct machine *machine);
/* For the store; the caller's.  machine_from_json() undoes it, or is false and MACHINE empty. */
json_t *machine_to_json(const struct machine *machine);
bool machine_from_json(struct machine *machine, const json_t *json);

#endif
