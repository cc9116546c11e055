/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was read of a link's objects, kept in one file for the next link: a
 * thousand objects are then known without opening one.  An entry holds while
 * the file's size, time and inode are what they were.
 */
#ifndef KERNING_LD_OBJINDEX_H
#define KERNING_LD_OBJINDEX_H

#include <obstack.h>
#include <stdbool.h>

#include "ld/object.h"

struct objindex;

/* Opens the index at PATH; an empty one where there is none, or it is damaged. */
struct objindex *objindex_open(const char *path);
/* Objects that it gave lose their names with it. */
void objindex_close(struct objindex *index);

/*
 * Fills OBJECT with what the index knows of PLACE (object_release() it).
 * False: nothing, or the file has changed since.
 */
bool objindex_find(struct objindex *index, const struct object_place *place,
		   struct object *object);
/* Notes that OBJECT, which has to stay until objindex_save(), was read from PLACE. */
void objindex_add(struct objindex *index, const struct object_place *place,
		  const struct object *object);
/*
 * Where anything was added, writes all that is known and still true.  A failure
 * is no harm: the next link reads its objects again.
 */
void objindex_save(struct objindex *index);

#endif
