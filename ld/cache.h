/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder beside the output where a link keeps its files:
 *
 *	.kerning/tags/0/kernel/sched/core.o	tagged copies, kept for the next link
 *	.kerning/tags/0/%/usr/lib/crt1.o	... of an absolute path
 *	.kerning/tags/0/liblua5.4.a.d/lvm.o	... of an archive's member
 *	.kerning/tags/1/...			copies with other tags, that another link wants
 *	.kerning/lock				held while copies are made
 *	.kerning/objects			what was read of the objects
 *	.kerning/linker				which linker it is
 *	.kerning/recall/vmlinux			what the last map of vmlinux said
 *	.kerning/partial/			the same for partial links (-r), which tag other sections
 *	.kerning/work/vmlinux-4711/		one link's script, fragments, map,
 *						the thin archives of tagged members
 *	.kerning/work/vmlinux-4711/out/		... and its output, until it is known to be right
 */
#ifndef KERNING_LD_CACHE_H
#define KERNING_LD_CACHE_H

#include <obstack.h>
#include <stdbool.h>

#include "lib/diag.h"

struct cache {
	struct obstack arena;
	const char *tags;	/* folder of tagged copies, with a '/' behind */
	const char *work;	/* folder for script, fragments and map; exists */
	const char *out;	/* folder for what ld writes; exists */
	const char *scratch;	/* the folder of this link that goes with it */
	int lock;		/* descriptor; -1: not held */
};

/*
 * Opens the cache of a link of OUTPUT in the folder DIR (NULL: ".kerning"
 * beside OUTPUT); PARTIAL: a link with -r.  KEEP (or NULL): the folder for script, fragments and map,
 * which then stays.  Removes what killed links have left.  False, reported,
 * where a folder cannot be made.
 */
bool cache_open(struct cache *cache, const char *output, bool partial, const char *dir,
		const char *keep, struct diag *diag);
/* Removes the link's folder. */
void cache_close(struct cache *cache);

/*
 * The path of the tagged copy of an object whose file part of identities is FILE;
 * VARIANT tells apart copies with different tags.
 */
const char *cache_copy_path(struct cache *cache, const char *file, unsigned variant);
/* The path, this link's own, of what stands in for the archive whose identity is FILE. */
const char *cache_archive_path(struct cache *cache, const char *file);

/*
 * Held while copies are looked at and made, so that no two links make one copy
 * with different tags.  False, reported, where it cannot be had.
 */
bool cache_lock(struct cache *cache, struct diag *diag);
void cache_unlock(struct cache *cache);

/* The path of what was read of objects (see objindex.h). */
const char *cache_index_path(struct cache *cache);
/* The path of what is known of the linker. */
const char *cache_linker_path(struct cache *cache);
/* The path of what is recalled of the link of OUTPUT. */
const char *cache_recall_path(struct cache *cache, const char *output);

#endif
