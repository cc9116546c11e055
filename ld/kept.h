/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file of the cache: believed as it was written, or not at all.
 */
#ifndef KERNING_LD_KEPT_H
#define KERNING_LD_KEPT_H

#include "lib/source.h"

/* What kept_write() wrote to PATH; source_free() it.  NULL: nothing, or it is damaged. */
struct source *kept_read(const char *path);
/* Writes SIZE bytes to PATH.  A failure is no harm: what is kept is only found out again. */
void kept_write(const char *path, const char *bytes, size_t size);

#endif
