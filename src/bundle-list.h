/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bundle's links as a table, or as JSON, on standard output.
 */
#ifndef KERNING_SRC_BUNDLE_LIST_H
#define KERNING_SRC_BUNDLE_LIST_H

#include "ld/bundle.h"

void bundle_list(const struct bundle *bundle, bool json);

#endif
