/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bundles and their links as JSON.
 *
 *	{"kerning-bundle": 1, "command": ["make"], "folder": "/src/lua", "time": "...",
 *	 "links": [{"output": "/src/lua/lua", "name": "lua", "words": [...], ...}]}
 *
 * A text that is no UTF-8 is {"bytes": "..."}, with %XX for a byte.
 */
#ifndef KERNING_LD_BUNDLE_JSON_H
#define KERNING_LD_BUNDLE_JSON_H

#include "ld/bundle.h"
#include "lib/source.h"

/* Reads into BUNDLE (its arena and links) what SOURCE holds.  False, reported. */
bool bundle_from_json(struct bundle *bundle, const struct source *source, struct diag *diag);
/* The same of one link's record, which a driver left. */
bool bundle_link_from_json(struct bundle *bundle, struct bundle_link *link,
			   const struct source *source, struct diag *diag);

/* False with errno set, where STREAM cannot be written. */
bool bundle_to_json(const struct bundle *bundle, FILE *stream);
bool bundle_link_to_json(const struct bundle_link *link, FILE *stream);

#endif
