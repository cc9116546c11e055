/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sweep measured, on disk: an SQLite database, in which each run is safe the moment
 * it ends, and beside it a folder, STORE.d, with the layouts' outputs.
 *
 * The database's tables are those of record.h, and may be read with any tool.  One process
 * writes at a time; others may read while it does.
 */
#ifndef KERNING_SWEEP_STORE_H
#define KERNING_SWEEP_STORE_H

#include "lib/diag.h"
#include "sweep/db.h"
#include "sweep/record.h"

struct store {
	struct db db;
	char *path;
	char *folder;			/* STORE.d, absolute */
	int lock;			/* a file in it, held as long as this process writes */
	bool new_file, new_folder;	/* this process made them */
	struct record record;		/* all that is in it */
};

enum store_mode {
	STORE_NEW,			/* must not be there */
	STORE_RESUME,			/* must be there */
};

/*
 * Opens the store PATH to write.  False, reported: it is there (or is not), is no store, is
 * of a newer version, another process writes to it, the disk is full.  store_close() is due
 * either way.
 */
bool store_open(struct store *store, const char *path, enum store_mode mode, struct diag *diag);
/*
 * What of a new store without a session was made here is removed.  False where something could not be written,
 * which was reported.
 */
bool store_close(struct store *store);

/*
 * Adds to the store and to its record; strings are copied.  The index in the record; what
 * fails was reported, and store->db.failed is set.
 */
size_t store_add_session(struct store *store, const struct session *session);
size_t store_add_build(struct store *store, const struct build *build);
size_t store_add_condition(struct store *store, const struct condition *condition);
size_t store_add_layout(struct store *store, const struct swept_layout *layout);
/* RUN's first and count are of VALUES. */
size_t store_add_run(struct store *store, const struct swept_run *run,
		     const struct swept_value *values);
/* The metric NAME, which is added where it is not there yet. */
size_t store_metric(struct store *store, const char *name, const char *unit,
		    enum metric_better better, bool primary);
/* The last session has ended. */
void store_end_session(struct store *store);

/* What is written between the two is there as a whole, or not. */
void store_begin(struct store *store);
void store_commit(struct store *store);

/*
 * What a sweep is made of, by name, which stays the same as long as the store is there; and
 * where it is, which does not.  NULL where it was not set.  In the record's arena.
 */
const char *store_setting(struct store *store, const char *name);
void store_set(struct store *store, const char *name, const char *value);

/* UTC now, "2026-11-30 22:36:01", in ARENA. */
char *store_time(struct obstack *arena);

/* The same of the store PATH, without opening it to write.  NULL: not set, or reported. */
char *store_peek(const char *path, const char *name, struct obstack *arena, struct diag *diag);

/* Reads the store PATH, which may be one that is being written.  False, reported. */
bool store_load(const char *path, struct record *record, struct diag *diag);

#endif
