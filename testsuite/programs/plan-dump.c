/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the plan for units read from standard input, under the options given
 * as arguments.  A unit is a line
 *
 *	SIZE ALIGN FLAGS STATEMENT MOVABLE IDENTITY
 *
 * FLAGS being '-' or letters (m: merged), MOVABLE 0 or 1.  Each line printed
 * is "IDENTITY pad PAD at RESIDUE mod MODULUS" or "IDENTITY natural", in the
 * plan's order.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout/plan.h"
#include "layout/record.h"

struct input {
	struct obstack arena;
	VEC(struct unit) units;
	VEC(bool) movable;
};

static bool read_unit(struct input *input, const char *line)
{
	char flags[8], identity[4096];
	struct unit unit = { 0 };
	int movable;

	if (sscanf(line, "%" SCNu64 " %" SCNu64 " %7s %u %d %4095s", &unit.size, &unit.align, flags,
		   &unit.statement, &movable, identity) != 6 ||
	    !identity_parse(identity, &unit.identity, &input->arena))
		return false;
	unit.merged = strchr(flags, 'm') != NULL;
	*vec_push(&input->units) = unit;
	*vec_push(&input->movable) = movable != 0;
	return true;
}

static void print_placement(const struct placement *placement, const struct unit *unit)
{
	char identity[4096];

	identity_format(identity, sizeof identity, &unit->identity);
	if (!placement->movable)
		printf("%s natural\n", identity);
	else
		printf("%s pad %" PRIu64 " at %" PRIu64 " mod %" PRIu64 "\n", identity,
		       placement->pad, placement->residue, placement->modulus);
}

int main(int argc, char **argv)
{
	struct input input = { .units = VEC_INIT };
	struct policy policy;
	struct plan plan;
	struct diag diag;
	char line[8192];

	diag_init(&diag, "plan-dump", stderr);
	policy_init(&policy);
	obstack_init(&input.arena);
	for (int i = 1; i < argc; i++)
		policy_add(&policy, argv[i], "command line", &diag);
	while (fgets(line, sizeof line, stdin) != NULL) {
		if (!read_unit(&input, line))
			diag_error(&diag, NULL, "expected a unit, got \"%s\"", line);
	}
	if (diag.errors == 0) {
		plan_make(&plan, input.units.at, input.units.count, input.movable.at, &policy,
			  &diag);
		for (size_t i = 0; i < plan.placements.count; i++)
			print_placement(&plan.placements.at[i],
					&input.units.at[plan.placements.at[i].unit]);
		plan_release(&plan);
	}
	vec_release(&input.units);
	vec_release(&input.movable);
	obstack_free(&input.arena, NULL);
	policy_release(&policy);
	return (int)diag.status;
}
