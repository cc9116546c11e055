/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/join.h"

#include <string.h>

#include "lib/memory.h"

static bool has_one_build(const struct record *record, struct diag *diag)
{
	if (record->builds.count == 1)
		return true;
	diag_error(diag, NULL, "expected one build in \"%s\", found %zu%s", record->path,
		   record->builds.count, record->builds.count == 2 ?
		   ": it is compared by itself, \"kerning compare\" of it alone" : "");
	return false;
}

/* "lua.db" of "/tmp/lua.db". */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static size_t join_condition(struct record *joined, const struct condition *condition)
{
	for (size_t i = 0; i < joined->conditions.count; i++)
		if (strcmp(joined->conditions.at[i].name, condition->name) == 0)
			return i;
	*vec_push(&joined->conditions) = *condition;
	return joined->conditions.count - 1;
}

static const struct swept_metric *find_metric(const struct record *record, const char *name)
{
	for (size_t i = 0; i < record->metrics.count; i++)
		if (strcmp(record->metrics.at[i].name, name) == 0)
			return &record->metrics.at[i];
	return NULL;
}

static size_t join_metric(struct record *joined, const struct swept_metric *metric)
{
	const struct swept_metric *known = find_metric(joined, metric->name);

	if (known != NULL) {
		size_t index = (size_t)(known - joined->metrics.at);

		joined->metrics.at[index].primary |= metric->primary;
		return index;
	}
	*vec_push(&joined->metrics) = *metric;
	return joined->metrics.count - 1;
}

/* Appends PART, whose one build is BUILD in JOINED. */
static void add(struct record *joined, const struct record *part, size_t build)
{
	size_t sessions = joined->sessions.count, layouts = joined->layouts.count;

	for (size_t i = 0; i < part->sessions.count; i++)
		*vec_push(&joined->sessions) = part->sessions.at[i];
	for (size_t i = 0; i < part->layouts.count; i++) {
		*vec_push(&joined->layouts) = part->layouts.at[i];
		joined->layouts.at[layouts + i].build = build;
	}
	for (size_t i = 0; i < part->runs.count; i++) {
		struct swept_run run = part->runs.at[i];

		run.session += sessions;
		run.layout += layouts;
		run.condition = join_condition(joined, &part->conditions.at[run.condition]);
		run.order = (unsigned)joined->runs.count;
		run.first = joined->values.count;
		for (size_t j = 0; j < run.count; j++) {
			const struct swept_value *value = &part->values.at[part->runs.at[i].first + j];

			*vec_push(&joined->values) = (struct swept_value){
				join_metric(joined, &part->metrics.at[value->metric]), value->value,
			};
		}
		*vec_push(&joined->runs) = run;
	}
}

/* One name, but not one thing: reported. */
static bool check_metrics(const struct record *a, const struct record *b, struct diag *diag)
{
	static const char *const betters[] = { "neither", "lower", "higher" };
	bool ok = true;

	for (size_t i = 0; i < a->metrics.count; i++) {
		const struct swept_metric *x = &a->metrics.at[i], *y = find_metric(b, x->name);

		if (y == NULL || (strcmp(x->unit, y->unit) == 0 && x->better == y->better))
			continue;
		diag_error(diag, NULL, "the metric \"%s\" is not the same: \"%s\", %s is better, in "
			   "\"%s\"; \"%s\", %s is better, in \"%s\"", x->name, x->unit, betters[x->better],
			   a->path, y->unit, betters[y->better], b->path);
		ok = false;
	}
	return ok;
}

static unsigned best_of(const struct record *record)
{
	return record->best_of > 0 ? record->best_of : 1;
}

/* What makes two sweeps ones of unlike things. */
static void warn_unlike(const struct record *a, const struct record *b, struct diag *diag)
{
	const char *x = a->builds.at[0].policy, *y = b->builds.at[0].policy;

	if (strcmp(a->benchmark, b->benchmark) != 0)
		diag_warning(diag, "other-benchmark", NULL, "\"%s\" ran '%s', \"%s\" ran '%s'",
			     a->path, a->benchmark, b->path, b->benchmark);
	if (strcmp(x, y) != 0)
		diag_warning(diag, "other-policy", NULL, "\"%s\" has the policy '%s', \"%s\" has '%s': "
			     "the same seeds are not the same layouts", a->path, x, b->path, y);
	if (best_of(a) != best_of(b))
		diag_warning(diag, "other-best-of", NULL, "a run of \"%s\" is the best of %u, one of "
			     "\"%s\" the best of %u: unless --best-of says of how many, all runs are "
			     "compared", a->path, best_of(a), b->path, best_of(b));
	if (strcmp(a->axes, b->axes) != 0)
		diag_warning(diag, "other-axes", NULL, "\"%s\" has the axes '%s', \"%s\" has '%s': "
			     "only those of both are compared", a->path, a->axes, b->path, b->axes);
}

static void tell_unlike(const struct record *a, const struct record *b, struct diag *diag)
{
	for (size_t i = 0; i < a->metrics.count; i++)
		if (find_metric(b, a->metrics.at[i].name) == NULL)
			diag_note(diag, NULL, "the metric \"%s\" is in \"%s\" alone: it is not compared",
				  a->metrics.at[i].name, a->path);
}

bool record_join(struct record *joined, const struct record *a, const struct record *b,
		 struct diag *diag)
{
	bool same;

	record_init(joined);
	if (!has_one_build(a, diag) || !has_one_build(b, diag) || !check_metrics(a, b, diag))
		return false;
	same = strcmp(a->builds.at[0].name, b->builds.at[0].name) == 0;
	joined->path = obstack_format(&joined->arena, "%s and %s", a->path, b->path);
	joined->axes = a->axes;
	joined->confidence = a->confidence;
	joined->effect = a->effect;
	joined->apart = true;
	joined->best_of = best_of(a) == best_of(b) ? best_of(a) : 1;
	for (int side = 0; side < 2; side++) {
		const struct record *part = side == 0 ? a : b;
		struct build build = part->builds.at[0];

		if (same)
			build.name = obstack_strdup(&joined->arena, base_name(part->path));
		*vec_push(&joined->builds) = build;
		add(joined, part, (size_t)side);
	}
	warn_unlike(a, b, diag);
	tell_unlike(a, b, diag);
	tell_unlike(b, a, diag);
	return true;
}
