/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: as a store may have them for a machine.  What is read is written the same.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include "sweep/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	json_t *json = json_loadb((const char *)bytes, size, JSON_DECODE_ANY, NULL);
	struct machine machine, again;
	json_t *written, *twice;

	if (machine_from_json(&machine, json)) {
		written = machine_to_json(&machine);
		fuzz_check(machine_from_json(&again, written));
		twice = machine_to_json(&again);
		fuzz_check(json_equal(written, twice));
		json_decref(written);
		json_decref(twice);
		machine_release(&again);
	}
	machine_release(&machine);
	json_decref(json);
	return 0;
}
