/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What reading a store and writing one have in common.
 */
#ifndef KERNING_SWEEP_STORE_LOAD_H
#define KERNING_SWEEP_STORE_LOAD_H

#include "sweep/store.h"

/* "kern": what file(1) and we know a store by. */
#define STORE_APPLICATION_ID 0x6b65726e
#define STORE_VERSION 1

/* The words that stand for states and directions, by number; NULL for null. */
extern const char *const store_layout_states[];
extern const char *const store_run_states[];
extern const char *const store_betters[];

/* False, reported, where PATH holds something that is no database; DB, no store, or a newer one. */
bool store_check_is_one(const char *path, struct diag *diag);
bool store_check_version(struct db *db);
/* All tables as they are at one moment.  False, reported. */
bool store_load_tables(struct db *db, struct record *record);
/* In ARENA; NULL where it is not set. */
char *store_get_setting(struct db *db, struct obstack *arena, const char *name);

#endif
