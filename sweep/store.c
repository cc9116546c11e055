/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The write-ahead log makes each run's commit one write and one fsync, and lets others
 * read meanwhile; when the store is closed it is one file again.
 */
#include "config.h"

#include "sweep/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/memory.h"
#include "sweep/store-load.h"

static const char schema[] =
	"CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE session(id INTEGER PRIMARY KEY, command TEXT NOT NULL, folder TEXT NOT NULL,"
	" started TEXT NOT NULL, ended TEXT, machine TEXT);"
	"CREATE TABLE build(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" source TEXT NOT NULL, policy TEXT NOT NULL);"
	"CREATE TABLE condition(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" enter TEXT, leave TEXT);"
	"CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
	" unit TEXT NOT NULL, better TEXT, is_primary INTEGER NOT NULL);"
	"CREATE TABLE layout(id INTEGER PRIMARY KEY, build INTEGER NOT NULL REFERENCES build,"
	" seed INTEGER, axis TEXT NOT NULL, state TEXT NOT NULL, why TEXT, output TEXT,"
	" layout TEXT, build_id TEXT, hash TEXT, seconds REAL);"
	"CREATE UNIQUE INDEX layout_of ON layout(build, ifnull(seed, 'plain'), axis);"
	"CREATE TABLE run(id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session,"
	" layout INTEGER NOT NULL REFERENCES layout,"
	" condition INTEGER NOT NULL REFERENCES condition, round INTEGER NOT NULL,"
	" started TEXT NOT NULL, state TEXT NOT NULL, why TEXT, seconds REAL,"
	" environment INTEGER NOT NULL, UNIQUE(layout, condition, round));"
	"CREATE TABLE value(run INTEGER NOT NULL REFERENCES run,"
	" metric INTEGER NOT NULL REFERENCES metric, iteration INTEGER NOT NULL,"
	" value REAL NOT NULL, PRIMARY KEY(run, metric, iteration)) WITHOUT ROWID;";

char *store_time(struct obstack *arena)
{
	struct tm tm;
	time_t now = time(NULL);
	char text[32];

	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", gmtime_r(&now, &tm));
	return obstack_strdup(arena, text);
}

static const char *keep(struct record *record, const char *text)
{
	return text != NULL ? obstack_strdup(&record->arena, text) : NULL;
}

/* Keeps other processes out.  False, reported. */
static bool take_lock(struct store *store, struct diag *diag)
{
	char *path = xasprintf("%s/lock", store->folder);
	char holder[32] = "";
	/* Unlike flock(2)'s, no child has it after us. */
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	bool ok = false;

	store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (store->lock < 0) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot write \"%s\": %s", path,
				 strerror(errno));
	} else if (fcntl(store->lock, F_SETLK, &whole) != 0) {
		ssize_t got = read(store->lock, holder, sizeof holder - 1);

		holder[got > 0 ? strcspn(holder, "\n") : 0] = '\0';
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "\"%s\" is being written to by process "
				 "%s: wait for it, or take another store", store->path, holder);
	} else {
		char *text = xasprintf("%d\n", (int)getpid());

		ok = ftruncate(store->lock, 0) == 0 &&
		     write(store->lock, text, strlen(text)) == (ssize_t)strlen(text);
		if (!ok)
			diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot write \"%s\": %s", path,
					 strerror(errno));
		free(text);
	}
	free(path);
	return ok;
}

static bool create(struct store *store)
{
	db_exec(&store->db, "PRAGMA journal_mode = WAL");
	db_exec(&store->db, "PRAGMA synchronous = FULL");
	db_exec(&store->db, "BEGIN IMMEDIATE");
	if (db_number(&store->db, "SELECT count(*) FROM sqlite_master") == 0) {
		char *identity = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %d",
					   STORE_APPLICATION_ID, STORE_VERSION);

		db_exec(&store->db, schema);
		db_exec(&store->db, identity);
		free(identity);
	}
	return db_exec(&store->db, "COMMIT");
}

/* True if the store PATH's FOLDER is one that this program made. */
static bool has_lock(const char *folder)
{
	char *path = xasprintf("%s/lock", folder);
	bool has = access(path, F_OK) == 0;

	free(path);
	return has;
}

/*
 * A store that nobody has said anything of: all that a kill in its first moment leaves.
 * An empty file without FOLDER is somebody's.
 */
static bool is_unbegun(const char *path, const char *folder)
{
	struct diag counted = { 0 };
	struct db db;
	bool is = false;

	if (!has_lock(folder))
		return false;
	if (db_open(&db, path, SQLITE_OPEN_READONLY, &counted))
		is = db_number(&db, "SELECT count(*) FROM sqlite_master") == 0 ||
		     (store_check_version(&db) && db_number(&db, "SELECT count(*) FROM setting") == 0);
	is &= !db.failed;
	db_close(&db);
	return is;
}

/* True if there is nothing in it, or no such folder. */
static bool is_empty(const char *folder)
{
	DIR *stream = opendir(folder);
	struct dirent *entry = NULL;
	bool is = stream != NULL || errno == ENOENT;

	while (stream != NULL && (entry = readdir(stream)) != NULL && entry->d_name[0] == '.')
		continue;
	if (stream != NULL)
		closedir(stream);
	return is && entry == NULL;
}

static bool check_mode(const struct store *store, const char *folder, enum store_mode mode,
		       struct diag *diag)
{
	bool there = access(store->path, F_OK) == 0 &&
		     (mode == STORE_RESUME || !is_unbegun(store->path, folder));

	if (!there && mode == STORE_RESUME)
		diag_error(diag, NULL, "there is no store \"%s\" to go on with", store->path);
	if (there && mode == STORE_NEW)
		diag_error(diag, NULL, "\"%s\" is there already: --store=%s --resume goes on with "
			   "it; or take another name", store->path, store->path);
	if (!there && mode == STORE_NEW && !has_lock(folder) && !is_empty(folder)) {
		diag_error(diag, NULL, "\"%s\" is there already, and is no store's: take another name",
			   folder);
		return false;
	}
	if (there && mode == STORE_RESUME && !store_check_is_one(store->path, diag))
		return false;
	return there == (mode == STORE_RESUME);
}

bool store_open(struct store *store, const char *path, enum store_mode mode, struct diag *diag)
{
	char *folder = xasprintf("%s.d", path);
	bool new_file, new_folder;

	*store = (struct store){ .path = xstrdup(path), .lock = -1 };
	record_init(&store->record);
	store->record.path = store->path;
	store->record.axes = "";
	if (!check_mode(store, folder, mode, diag)) {
		free(folder);
		return false;
	}
	new_file = access(path, F_OK) != 0;
	new_folder = access(folder, F_OK) != 0;
	if (!make_folders(folder) || (store->folder = realpath(folder, NULL)) == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot make \"%s\": %s", folder,
				 strerror(errno));
		free(folder);
		return false;
	}
	free(folder);
	if (!take_lock(store, diag))
		return false;
	store->new_file = new_file;
	store->new_folder = new_folder;
	return db_open(&store->db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, diag) &&
	       create(store) && store_check_version(&store->db) && store_load_tables(&store->db, &store->record);
}

bool store_close(struct store *store)
{
	bool ok = !store->db.failed;

	/* One file again, which can be copied. */
	if (store->db.handle != NULL)
		db_try(&store->db, "PRAGMA journal_mode = DELETE");
	db_close(&store->db);
	if (store->new_file && store->record.sessions.count == 0)
		unlink(store->path);
	if (store->new_folder && store->record.sessions.count == 0)
		remove_folder(store->folder);
	if (store->lock >= 0)
		close(store->lock);
	record_release(&store->record);
	free(store->folder);
	free(store->path);
	return ok;
}

size_t store_add_session(struct store *store, const struct session *session)
{
	struct record *record = &store->record;
	struct query query;

	query_begin(&query, &store->db, "INSERT INTO session(id, command, folder, started, machine) "
		    "VALUES (:id, :command, :folder, :started, :machine)");
	query_integer(&query, "id", (int64_t)record->sessions.count + 1);
	query_text(&query, "command", session->command);
	query_text(&query, "folder", session->folder);
	query_text(&query, "started", session->started);
	query_text(&query, "machine", session->machine);
	query_run(&query);
	*vec_push(&record->sessions) = (struct session){
		.command = keep(record, session->command), .folder = keep(record, session->folder),
		.started = keep(record, session->started), .machine = keep(record, session->machine),
	};
	return record->sessions.count - 1;
}

void store_end_session(struct store *store)
{
	struct record *record = &store->record;
	struct session *session = &record->sessions.at[record->sessions.count - 1];
	struct query query;

	session->ended = store_time(&record->arena);
	query_begin(&query, &store->db, "UPDATE session SET ended = :ended WHERE id = :id");
	query_text(&query, "ended", session->ended);
	query_integer(&query, "id", (int64_t)record->sessions.count);
	query_run(&query);
}

size_t store_add_build(struct store *store, const struct build *build)
{
	struct record *record = &store->record;
	struct query query;

	query_begin(&query, &store->db, "INSERT INTO build(id, name, source, policy) "
		    "VALUES (:id, :name, :source, :policy)");
	query_integer(&query, "id", (int64_t)record->builds.count + 1);
	query_text(&query, "name", build->name);
	query_text(&query, "source", build->source);
	query_text(&query, "policy", build->policy);
	query_run(&query);
	*vec_push(&record->builds) = (struct build){
		.name = keep(record, build->name), .source = keep(record, build->source),
		.policy = keep(record, build->policy),
	};
	return record->builds.count - 1;
}

size_t store_add_condition(struct store *store, const struct condition *condition)
{
	struct record *record = &store->record;
	struct query query;

	query_begin(&query, &store->db, "INSERT INTO condition(id, name, enter, leave) "
		    "VALUES (:id, :name, :enter, :leave)");
	query_integer(&query, "id", (int64_t)record->conditions.count + 1);
	query_text(&query, "name", condition->name);
	query_text(&query, "enter", condition->enter);
	query_text(&query, "leave", condition->leave);
	query_run(&query);
	*vec_push(&record->conditions) = (struct condition){
		.name = keep(record, condition->name), .enter = keep(record, condition->enter),
		.leave = keep(record, condition->leave),
	};
	return record->conditions.count - 1;
}

size_t store_metric(struct store *store, const char *name, const char *unit,
		    enum metric_better better, bool primary)
{
	struct record *record = &store->record;
	struct query query;

	for (size_t i = 0; i < record->metrics.count; i++)
		if (strcmp(record->metrics.at[i].name, name) == 0)
			return i;
	query_begin(&query, &store->db, "INSERT INTO metric(id, name, unit, better, is_primary) "
		    "VALUES (:id, :name, :unit, :better, :primary)");
	query_integer(&query, "id", (int64_t)record->metrics.count + 1);
	query_text(&query, "name", name);
	query_text(&query, "unit", unit);
	query_text(&query, "better", store_betters[better]);
	query_integer(&query, "primary", primary);
	query_run(&query);
	*vec_push(&record->metrics) = (struct swept_metric){
		.name = keep(record, name), .unit = keep(record, unit), .better = better,
		.primary = primary,
	};
	return record->metrics.count - 1;
}

size_t store_add_layout(struct store *store, const struct swept_layout *layout)
{
	struct record *record = &store->record;
	struct swept_layout *kept;
	struct query query;

	query_begin(&query, &store->db, "INSERT INTO layout(id, build, seed, axis, state, why, output, "
		    "layout, build_id, hash, seconds) VALUES (:id, :build, :seed, :axis, :state, :why, "
		    ":output, :layout, :build_id, :hash, :seconds)");
	query_integer(&query, "id", (int64_t)record->layouts.count + 1);
	query_integer(&query, "build", (int64_t)layout->build + 1);
	if (!layout->plain)
		query_integer(&query, "seed", (int64_t)layout->seed);
	query_text(&query, "axis", layout->axis);
	query_text(&query, "state", store_layout_states[layout->state]);
	query_text(&query, "why", layout->why);
	query_text(&query, "output", layout->output);
	query_text(&query, "layout", layout->layout);
	query_text(&query, "build_id", layout->build_id);
	query_text(&query, "hash", layout->hash);
	query_real(&query, "seconds", layout->seconds);
	query_run(&query);
	kept = vec_push(&record->layouts);
	*kept = *layout;
	kept->axis = keep(record, layout->axis);
	kept->why = keep(record, layout->why);
	kept->output = keep(record, layout->output);
	kept->layout = keep(record, layout->layout);
	kept->build_id = keep(record, layout->build_id);
	kept->hash = keep(record, layout->hash);
	return record->layouts.count - 1;
}

/* The values' rows, iterations of one metric numbered from 0. */
static void insert_values(struct store *store, int64_t run, const struct swept_value *values,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct query query;
		int64_t iteration = 0;

		for (size_t before = 0; before < i; before++)
			iteration += values[before].metric == values[i].metric;
		query_begin(&query, &store->db, "INSERT INTO value(run, metric, iteration, value) "
			    "VALUES (:run, :metric, :iteration, :value)");
		query_integer(&query, "run", run);
		query_integer(&query, "metric", (int64_t)values[i].metric + 1);
		query_integer(&query, "iteration", iteration);
		query_real(&query, "value", values[i].value);
		query_run(&query);
	}
}

size_t store_add_run(struct store *store, const struct swept_run *run, const struct swept_value *values)
{
	struct record *record = &store->record;
	struct swept_run *kept;
	struct query query;

	db_exec(&store->db, "BEGIN IMMEDIATE");
	query_begin(&query, &store->db, "INSERT INTO run(id, session, layout, condition, round, started, "
		    "state, why, seconds, environment) VALUES (:id, :session, :layout, :condition, "
		    ":round, :started, :state, :why, :seconds, :environment)");
	query_integer(&query, "id", (int64_t)record->runs.count + 1);
	query_integer(&query, "session", (int64_t)run->session + 1);
	query_integer(&query, "layout", (int64_t)run->layout + 1);
	query_integer(&query, "condition", (int64_t)run->condition + 1);
	query_integer(&query, "round", run->round);
	query_text(&query, "started", run->started);
	query_text(&query, "state", store_run_states[run->state]);
	query_text(&query, "why", run->why);
	query_real(&query, "seconds", run->seconds);
	query_integer(&query, "environment", run->environment);
	query_run(&query);
	insert_values(store, (int64_t)record->runs.count + 1, values, run->count);
	db_exec(&store->db, "COMMIT");
	kept = vec_push(&record->runs);
	*kept = *run;
	kept->order = (unsigned)record->runs.count - 1;
	kept->started = keep(record, run->started);
	kept->why = keep(record, run->why);
	kept->first = record->values.count;
	for (size_t i = 0; i < run->count; i++)
		*vec_push(&record->values) = values[i];
	return record->runs.count - 1;
}

void store_begin(struct store *store)
{
	db_exec(&store->db, "BEGIN IMMEDIATE");
}

void store_commit(struct store *store)
{
	db_exec(&store->db, "COMMIT");
}

const char *store_setting(struct store *store, const char *name)
{
	return store_get_setting(&store->db, &store->record.arena, name);
}

void store_set(struct store *store, const char *name, const char *value)
{
	struct query query;

	query_begin(&query, &store->db, "INSERT INTO setting(name, value) VALUES (:name, :value) "
		    "ON CONFLICT(name) DO UPDATE SET value = excluded.value");
	query_text(&query, "name", name);
	query_text(&query, "value", value);
	query_run(&query);
	if (strcmp(name, "axes") == 0)
		store->record.axes = keep(&store->record, value);
	if (strcmp(name, "looks") == 0)
		store->record.looks = (unsigned)atoi(value);
}
