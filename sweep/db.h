/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQLite, thinly: what fails is reported with the statement that failed, once; what
 * comes after it does nothing, so that a caller looks at the end.
 */
#ifndef KERNING_SWEEP_DB_H
#define KERNING_SWEEP_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/diag.h"

struct db {
	sqlite3 *handle;
	const char *path;	/* for messages; the caller's */
	struct diag *diag;
	bool failed;
};

/* FLAGS are SQLite's, SQLITE_OPEN_....  False, reported; db_close() is due either way. */
bool db_open(struct db *db, const char *path, int flags, struct diag *diag);
void db_close(struct db *db);

/* Statements without values or rows, parted by ';'. */
bool db_exec(struct db *db, const char *sql);
/* The same, left undone where another process is in the way. */
void db_try(struct db *db, const char *sql);
/* The number that SQL gives: a pragma's, a count.  0 where it fails. */
int64_t db_number(struct db *db, const char *sql);

/* One statement.  Values are bound by name, in SQL ":seed", here "seed". */
struct query {
	struct db *db;
	sqlite3_stmt *statement;
};

void query_begin(struct query *query, struct db *db, const char *sql);
void query_text(struct query *query, const char *name, const char *text);	/* NULL: null */
void query_integer(struct query *query, const char *name, int64_t value);
void query_real(struct query *query, const char *name, double value);		/* NaN: null */
/* True where there is a row more. */
bool query_row(struct query *query);
/* Of the row: NULL (NaN) for null.  The text lives until the next row. */
const char *query_get_text(struct query *query, int column);
int64_t query_get_integer(struct query *query, int column);
double query_get_real(struct query *query, int column);
void query_end(struct query *query);
/* For a statement without rows: runs it, ends it, and returns the new row's number; 0: failed. */
int64_t query_run(struct query *query);

#endif
