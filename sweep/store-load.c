/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A store's tables as a record.  What a kerning did not write is an error: a row whose
 * number is not the next one, one that refers to what is not there, a word of no meaning.
 */
#include "config.h"

#include "sweep/store-load.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/memory.h"

const char *const store_layout_states[] = { "made", "failed" };
const char *const store_run_states[] = { "done", "failed", "timed out", "wrong", "no metric" };
const char *const store_betters[] = { NULL, "lower", "higher" };

#define MAX_ROUND 10000000
#define MAX_LOOKS 1000

/* The index of NAME in a table of COUNT names; COUNT: it is not there. */
static unsigned number_of(const char *const *names, unsigned count, const char *name)
{
	unsigned i = 0;

	while (i < count && (name == NULL || names[i] == NULL ? name != names[i] :
							       strcmp(names[i], name) != 0))
		i++;
	return i;
}

#define NUMBER_OF(names, name) number_of(names, sizeof(names) / sizeof *(names), name)

/* True if PATH begins as an SQLite database does. */
static bool is_one(const char *path)
{
	static const char magic[16] = "SQLite format 3";
	char bytes[sizeof magic];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is = fd >= 0 && read(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes &&
		  memcmp(bytes, magic, sizeof bytes) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* An empty file is a database to SQLite, and may be one that is just being made. */
static bool is_something_else(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_size > 0 || S_ISDIR(status.st_mode)) &&
	       !is_one(path);
}

bool store_check_is_one(const char *path, struct diag *diag)
{
	if (!is_something_else(path))
		return true;
	diag_error(diag, NULL, "\"%s\" is no store of kerning sweep", path);
	return false;
}

/* False, reported, where it is no store, or one that is not understood. */
bool store_check_version(struct db *db)
{
	int64_t application = db_number(db, "PRAGMA application_id");
	int64_t version = db_number(db, "PRAGMA user_version");

	if (db->failed)
		return false;
	if (application != STORE_APPLICATION_ID) {
		diag_error(db->diag, NULL, "\"%s\" is a database, but no store of kerning sweep",
			   db->path);
		return false;
	}
	if (version != STORE_VERSION) {
		diag_error(db->diag, NULL, "\"%s\" is a store of version %jd, this is kerning %s, "
			   "which reads version %d: use the kerning that wrote it", db->path,
			   (intmax_t)version, PACKAGE_VERSION, STORE_VERSION);
		return false;
	}
	return true;
}

static const char *keep(struct record *record, const char *text)
{
	return text != NULL ? obstack_strdup(&record->arena, text) : NULL;
}

/* The text of a column that must have one. */
static const char *take(struct record *record, struct query *query, int column)
{
	const char *text = query_get_text(query, column);

	return obstack_strdup(&record->arena, text != NULL ? text : "");
}

/*
 * A row whose number is not one more than the last one's, or that refers to what is not
 * there, was not written by a kerning.
 */
static bool check_row(struct db *db, const char *table, int64_t id, size_t count, bool refers)
{
	if (id == (int64_t)count + 1 && refers)
		return true;
	diag_error(db->diag, NULL, "\"%s\": row %jd of its table \"%s\" %s", db->path, (intmax_t)id,
		   table, refers ? "is not the next one" : "refers to a row that is not there, or "
		   "has a word that is not known");
	db->failed = true;
	return false;
}

/* What counts, or is a part, has bounds. */
static bool check_number(struct db *db, const char *name, double number, double low, double high)
{
	if (number >= low && number <= high)
		return true;
	diag_error(db->diag, NULL, "\"%s\": expected a %s from %g to %g, got %g", db->path, name, low,
		   high, number);
	db->failed = true;
	return false;
}

/* Row numbers count from 1. */
static size_t index_of(struct query *query, int column)
{
	return (size_t)query_get_integer(query, column) - 1;
}

static void load_sessions(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT id, command, folder, started, ended, machine FROM session "
		    "ORDER BY id");
	while (query_row(&query) && check_row(db, "session", query_get_integer(&query, 0),
					      record->sessions.count, true))
		*vec_push(&record->sessions) = (struct session){
			.command = take(record, &query, 1), .folder = take(record, &query, 2),
			.started = take(record, &query, 3),
			.ended = keep(record, query_get_text(&query, 4)),
			.machine = keep(record, query_get_text(&query, 5)),
		};
	query_end(&query);
}

static void load_builds(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT id, name, source, policy FROM build ORDER BY id");
	while (query_row(&query) && check_row(db, "build", query_get_integer(&query, 0),
					      record->builds.count, true))
		*vec_push(&record->builds) = (struct build){
			.name = take(record, &query, 1), .source = take(record, &query, 2),
			.policy = take(record, &query, 3),
		};
	query_end(&query);
}

static void load_conditions(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT id, name, enter, leave FROM condition ORDER BY id");
	while (query_row(&query) && check_row(db, "condition", query_get_integer(&query, 0),
					      record->conditions.count, true))
		*vec_push(&record->conditions) = (struct condition){
			.name = take(record, &query, 1),
			.enter = keep(record, query_get_text(&query, 2)),
			.leave = keep(record, query_get_text(&query, 3)),
		};
	query_end(&query);
}

static void load_metrics(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT id, name, unit, better, is_primary FROM metric ORDER BY id");
	while (query_row(&query)) {
		unsigned better = NUMBER_OF(store_betters, query_get_text(&query, 3));

		if (!check_row(db, "metric", query_get_integer(&query, 0), record->metrics.count,
			       better < sizeof store_betters / sizeof *store_betters))
			break;
		*vec_push(&record->metrics) = (struct swept_metric){
			.name = take(record, &query, 1), .unit = take(record, &query, 2),
			.better = (enum metric_better)better,
			.primary = query_get_integer(&query, 4) != 0,
		};
	}
	query_end(&query);
}

static void load_layouts(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT id, build, seed, axis, state, why, output, layout, build_id, "
		    "hash, seconds FROM layout ORDER BY id");
	while (query_row(&query)) {
		unsigned state = NUMBER_OF(store_layout_states, query_get_text(&query, 4));

		if (!check_row(db, "layout", query_get_integer(&query, 0), record->layouts.count,
			       state < sizeof store_layout_states / sizeof *store_layout_states &&
			       index_of(&query, 1) < record->builds.count))
			break;
		*vec_push(&record->layouts) = (struct swept_layout){
			.build = index_of(&query, 1),
			.plain = query_get_text(&query, 2) == NULL,
			.seed = (uint64_t)query_get_integer(&query, 2),
			.axis = take(record, &query, 3), .state = (enum layout_state)state,
			.why = keep(record, query_get_text(&query, 5)),
			.output = keep(record, query_get_text(&query, 6)),
			.layout = keep(record, query_get_text(&query, 7)),
			.build_id = keep(record, query_get_text(&query, 8)),
			.hash = keep(record, query_get_text(&query, 9)),
			.seconds = query_get_real(&query, 10),
		};
	}
	query_end(&query);
}

static void load_runs(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT id, session, layout, condition, round, started, state, why, "
		    "seconds, environment FROM run ORDER BY id");
	while (query_row(&query)) {
		unsigned state = NUMBER_OF(store_run_states, query_get_text(&query, 6));
		int64_t round = query_get_integer(&query, 4);
		unsigned order = (unsigned)record->runs.count;

		if (!check_number(db, "round", (double)round, 0, MAX_ROUND) ||
		    !check_row(db, "run", query_get_integer(&query, 0), order,
			       state < sizeof store_run_states / sizeof *store_run_states &&
			       index_of(&query, 1) < record->sessions.count &&
			       index_of(&query, 2) < record->layouts.count &&
			       index_of(&query, 3) < record->conditions.count))
			break;
		*vec_push(&record->runs) = (struct swept_run){
			.session = index_of(&query, 1), .layout = index_of(&query, 2),
			.condition = index_of(&query, 3),
			.round = (unsigned)round, .order = order,
			.started = take(record, &query, 5), .state = (enum run_state)state,
			.why = keep(record, query_get_text(&query, 7)),
			.seconds = query_get_real(&query, 8),
			.environment = (unsigned)query_get_integer(&query, 9),
		};
	}
	query_end(&query);
}

static void load_values(struct db *db, struct record *record)
{
	struct query query;

	query_begin(&query, db, "SELECT run, metric, value FROM value ORDER BY run, metric, iteration");
	while (query_row(&query)) {
		struct swept_run *run;

		if (index_of(&query, 0) >= record->runs.count ||
		    index_of(&query, 1) >= record->metrics.count) {
			check_row(db, "value", query_get_integer(&query, 0), 0, false);
			break;
		}
		run = &record->runs.at[index_of(&query, 0)];
		if (run->count == 0)
			run->first = record->values.count;
		run->count++;
		*vec_push(&record->values) = (struct swept_value){
			.metric = index_of(&query, 1), .value = query_get_real(&query, 2),
		};
	}
	query_end(&query);
}

char *store_get_setting(struct db *db, struct obstack *arena, const char *name)
{
	char *value = NULL;
	struct query query;

	query_begin(&query, db, "SELECT value FROM setting WHERE name = :name");
	query_text(&query, "name", name);
	if (query_row(&query))
		value = obstack_strdup(arena, query_get_text(&query, 0));
	query_end(&query);
	return value;
}

/* NaN where it is not set. */
static double load_number(struct db *db, struct record *record, const char *name, double low,
			  double high)
{
	const char *text = store_get_setting(db, &record->arena, name);
	double number = text != NULL ? strtod(text, NULL) : NAN;

	return text != NULL && check_number(db, name, number, low, high) ? number : NAN;
}

static void load_settings(struct db *db, struct record *record)
{
	const char *axes = store_get_setting(db, &record->arena, "axes");
	const char *benchmark = store_get_setting(db, &record->arena, "benchmark");

	record->axes = axes != NULL ? axes : "";
	record->benchmark = benchmark != NULL ? benchmark : "";
	record->looks = (unsigned)fmax(0, load_number(db, record, "looks", 1, MAX_LOOKS));
	record->confidence = load_number(db, record, "confidence", 0.5, 0.9999);
	record->effect = load_number(db, record, "effect", 0, HUGE_VAL);
	record->best_of = (unsigned)fmax(0, load_number(db, record, "best-of", 1, SWEEP_ROUNDS_MAX));
	record->waves = (size_t)db_number(db, "SELECT count(*) FROM setting WHERE name GLOB "
					  "'whole wave *'");
}

/* All tables as they are at one moment. */
bool store_load_tables(struct db *db, struct record *record)
{
	db_exec(db, "BEGIN");
	load_sessions(db, record);
	load_builds(db, record);
	load_conditions(db, record);
	load_metrics(db, record);
	load_layouts(db, record);
	load_runs(db, record);
	load_values(db, record);
	load_settings(db, record);
	return db_exec(db, "END");
}

bool store_load(const char *path, struct record *record, struct diag *diag)
{
	struct db db;
	bool ok;

	record_init(record);
	record->path = obstack_strdup(&record->arena, path);
	if (!store_check_is_one(path, diag))
		return false;
	ok = db_open(&db, path, SQLITE_OPEN_READONLY, diag) && store_check_version(&db) &&
	     store_load_tables(&db, record);
	db_close(&db);
	return ok;
}

char *store_peek(const char *path, const char *name, struct obstack *arena, struct diag *diag)
{
	char *value = NULL;
	struct db db;

	if (!store_check_is_one(path, diag))
		return NULL;
	if (db_open(&db, path, SQLITE_OPEN_READONLY, diag) && store_check_version(&db))
		value = store_get_setting(&db, arena, name);
	db_close(&db);
	return value;
}
