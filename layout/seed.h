/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choices from a seed.
 */
#ifndef KERNING_LAYOUT_SEED_H
#define KERNING_LAYOUT_SEED_H

#include "layout/unit.h"

/*
 * 64 bits from a seed, an identity and a purpose ("pad", "jitter", "shuffle"):
 * XXH3 (64 bits, with SEED) of the purpose, a NUL, and the identity's text as
 * identity_format() writes it, without a NUL behind it.
 */
uint64_t seed_hash(uint64_t seed, const struct identity *identity, const char *purpose);

#endif
