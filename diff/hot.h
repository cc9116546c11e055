/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is hot, from a file of one of these kinds, known by its content:
 *
 *	perf report --stdio	"    12.34%  bash  [kernel.kallsyms]  [k] do_wp_page"
 *	perf script		a sample counts for the function that it hit, not its callers
 *	a list			"do_wp_page", "do_wp_page 1234"; '#' begins a comment
 */
#ifndef KERNING_DIFF_HOT_H
#define KERNING_DIFF_HOT_H

#include <obstack.h>
#include <stdbool.h>

#include "diff/change.h"

enum hot_kind { HOT_LIST, HOT_REPORT, HOT_SCRIPT };

struct hot_symbol {
	const char *name;
	double weight;		/* samples, per cent or what the list says */
};

struct hot {
	struct obstack arena;
	VEC(struct hot_symbol) symbols;	/* by name, each once */
	double total;
	enum hot_kind kind;
};

/*
 * Reads PATH.  False, reported by line (at most so many), where it cannot be
 * read, or is a list and a line is none of a list, or names no symbol.
 * hot_release() it either way.
 */
#define HOT_ERRORS_MAX 20
bool hot_read(struct hot *hot, const char *path, struct diag *diag);
void hot_release(struct hot *hot);

/* Gives each change its heat.  Returns how many of the hot symbols are in neither image. */
size_t hot_apply(const struct hot *hot, struct comparison *comparison);

#endif
