/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a locked link says of itself when it is done.
 */
#ifndef KERNING_LD_VERDICT_H
#define KERNING_LD_VERDICT_H

#include "layout/policy.h"
#include "layout/record.h"

/*
 * Reports to DIAG how much of REFERENCE the LAYOUT of OUTPUT holds, and what it
 * does not: as notes; as errors, and returns false, where POLICY is strict about a
 * unit that did not change and was not held.
 */
bool verdict_tell(const struct layout *reference, const struct layout *layout,
		  const struct policy *policy, const char *output, struct diag *diag);

#endif
