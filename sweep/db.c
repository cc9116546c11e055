/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/db.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How long another process's write is waited for. */
#define BUSY_MILLISECONDS 10000
/* And where it need not be. */
#define TRY_MILLISECONDS 200

static void fail(struct db *db, const char *sql)
{
	int code = sqlite3_errcode(db->handle);
	/* The store itself is bad, or the machine is: no space, no permission, read only. */
	bool bad = code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR ||
		   code == SQLITE_CONSTRAINT;

	if (!db->failed)
		diag_error_class(db->diag, bad ? DIAG_INPUT : DIAG_ENVIRONMENT, NULL,
				 "\"%s\": %s%s%s", db->path, sqlite3_errmsg(db->handle),
				 sql != NULL ? ", at: " : "", sql != NULL ? sql : "");
	db->failed = true;
}

bool db_open(struct db *db, const char *path, int flags, struct diag *diag)
{
	*db = (struct db){ .path = path, .diag = diag };
	if (sqlite3_open_v2(path, &db->handle, flags, NULL) != SQLITE_OK) {
		fail(db, NULL);
		return false;
	}
	sqlite3_extended_result_codes(db->handle, 0);
	sqlite3_busy_timeout(db->handle, BUSY_MILLISECONDS);
	return true;
}

void db_close(struct db *db)
{
	if (db->handle != NULL && sqlite3_close(db->handle) != SQLITE_OK)
		fail(db, NULL);
	db->handle = NULL;
}

bool db_exec(struct db *db, const char *sql)
{
	if (!db->failed && sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(db, sql);
	return !db->failed;
}

void db_try(struct db *db, const char *sql)
{
	if (db->failed)
		return;
	sqlite3_busy_timeout(db->handle, TRY_MILLISECONDS);
	if (sqlite3_exec(db->handle, sql, NULL, NULL, NULL) != SQLITE_OK &&
	    sqlite3_errcode(db->handle) != SQLITE_BUSY)
		fail(db, sql);
	sqlite3_busy_timeout(db->handle, BUSY_MILLISECONDS);
}

int64_t db_number(struct db *db, const char *sql)
{
	struct query query;
	int64_t number = 0;

	query_begin(&query, db, sql);
	if (query_row(&query))
		number = query_get_integer(&query, 0);
	query_end(&query);
	return number;
}

void query_begin(struct query *query, struct db *db, const char *sql)
{
	*query = (struct query){ .db = db };
	if (!db->failed &&
	    sqlite3_prepare_v2(db->handle, sql, -1, &query->statement, NULL) != SQLITE_OK)
		fail(db, sql);
}

/* The number of the parameter NAME; a statement without it is a bug. */
static int parameter(const struct query *query, const char *name)
{
	char full[64] = ":";
	int number;

	strncat(full, name, sizeof full - 2);
	number = sqlite3_bind_parameter_index(query->statement, full);
	if (number == 0)
		abort();
	return number;
}

static void check_bound(struct query *query, int code)
{
	if (code != SQLITE_OK)
		fail(query->db, sqlite3_sql(query->statement));
}

void query_text(struct query *query, const char *name, const char *text)
{
	if (!query->db->failed)
		check_bound(query, sqlite3_bind_text(query->statement, parameter(query, name), text,
						     -1, SQLITE_TRANSIENT));
}

void query_integer(struct query *query, const char *name, int64_t value)
{
	if (!query->db->failed)
		check_bound(query, sqlite3_bind_int64(query->statement, parameter(query, name),
						      value));
}

void query_real(struct query *query, const char *name, double value)
{
	if (!query->db->failed)
		check_bound(query, sqlite3_bind_double(query->statement, parameter(query, name),
						       value));
}

bool query_row(struct query *query)
{
	int code;

	if (query->db->failed)
		return false;
	code = sqlite3_step(query->statement);
	if (code != SQLITE_ROW && code != SQLITE_DONE)
		fail(query->db, sqlite3_sql(query->statement));
	return code == SQLITE_ROW;
}

const char *query_get_text(struct query *query, int column)
{
	return (const char *)sqlite3_column_text(query->statement, column);
}

int64_t query_get_integer(struct query *query, int column)
{
	return sqlite3_column_int64(query->statement, column);
}

double query_get_real(struct query *query, int column)
{
	if (sqlite3_column_type(query->statement, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(query->statement, column);
}

void query_end(struct query *query)
{
	sqlite3_finalize(query->statement);
	query->statement = NULL;
}

int64_t query_run(struct query *query)
{
	bool done = !query_row(query) && !query->db->failed;

	query_end(query);
	return done ? sqlite3_last_insert_rowid(query->db->handle) : 0;
}
