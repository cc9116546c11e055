/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is read of a linked program: its build-id, its machine, and where its output
 * sections lie.
 */
#ifndef KERNING_LD_LINKED_H
#define KERNING_LD_LINKED_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct linked_section {
	char *name;
	uint64_t address, size, align;
	bool nowhere;		/* .tbss: what follows lies at its address */
};

struct linked {
	char *build_id;		/* in hexadecimal; NULL: it has none */
	unsigned machine;	/* e_machine; 0: it cannot be read */
	VEC(struct linked_section) sections; /* those with SHF_ALLOC */
};

/* Reads the ELF file at PATH; what cannot be read is not there. */
void linked_read(struct linked *linked, const char *path);
void linked_release(struct linked *linked);

#endif
