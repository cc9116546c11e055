/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sweep-machine [ROOT [PROCESSOR...]]: what machine that is, as JSON that was read and
 * written once more.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "sweep/machine.h"

int main(int argc, char **argv)
{
	struct machine machine, again;
	json_t *json, *copy;
	cpu_set_t cpus;
	bool same;

	CPU_ZERO(&cpus);
	for (int i = 2; i < argc; i++)
		CPU_SET(atoi(argv[i]), &cpus);
	machine_look_below(&machine, argc > 1 ? argv[1] : "", argc > 2 ? &cpus : NULL);
	json = machine_to_json(&machine);
	if (!machine_from_json(&again, json))
		return 1;
	copy = machine_to_json(&again);
	same = json_equal(json, copy) == 1;
	json_dumpf(copy, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(json);
	json_decref(copy);
	machine_release(&machine);
	machine_release(&again);
	return same ? 0 : 1;
}
