/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning diff: a comparison, and the forms that it is shown in.
 */
#ifndef KERNING_SRC_DIFF_H
#define KERNING_SRC_DIFF_H

#include "diff/change.h"
#include "diff/filter.h"
#include "diff/hot.h"
#include "diff/step.h"

struct diff {
	struct comparison comparison;
	struct steps steps;
	struct filter filter;
	VEC(const struct change *) listed; /* those that are shown, worst first */
	struct hot hot;
	bool has_hot;
	size_t cold;			/* hot symbols that neither side has */
	size_t limit;			/* of rows; SIZE_MAX: all */
};

/* One screen of text. */
void diff_print_text(const struct diff *diff);
void diff_print_json(const struct diff *diff);

/* "hot", "line", "residue", ...: the word for what is worst of a change. */
const char *diff_harm_name(const struct change *change);
/* "address", "residue", ...; NULL behind the last.  BIT is CHANGE_... */
const char *diff_what_name(size_t index, unsigned *bit);

/* Of a section: how many shown pieces there are, and of which kind. */
struct diff_section {
	const char *name;
	size_t pieces, same, shifted, moved;	/* address; residue alone; neither */
	size_t grown, shrunk, added, removed;
};

struct diff_sections {
	VEC(struct diff_section) list;		/* by address in B; the last has all */
};

void diff_count(struct diff_sections *sections, const struct diff *diff);

#endif
