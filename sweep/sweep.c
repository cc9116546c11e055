/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/sweep.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <xxhash.h>

#include "lib/memory.h"
#include "sweep/helper.h"
#include "sweep/inner.h"

/* One run that is to be made. */
struct turn {
	size_t layout, condition;
	uint64_t pair, draw;		/* they are sorted by */
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = signal;
}

int sweep_signal(void)
{
	return interrupted;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old;

		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

uint64_t sweep_draw(const struct sweep_spec *spec, const char *purpose, uint64_t a, uint64_t b,
		    uint64_t c)
{
	uint64_t words[4] = { 0, a, b, c };

	memcpy(&words[0], purpose, strnlen(purpose, sizeof words[0]));
	return XXH3_64bits_withSeed(words, sizeof words, spec->chance);
}

/* --- Rounds -------------------------------------------------------------------- */

static bool was_run(const struct sweep *sweep, size_t layout, size_t condition, unsigned round)
{
	const struct record *record = &sweep->store->record;

	for (size_t i = 0; i < record->runs.count; i++) {
		const struct swept_run *run = &record->runs.at[i];

		if (run->round == round && run->layout == layout && run->condition == condition)
			return true;
	}
	return false;
}

static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->pair != y->pair)
		return x->pair < y->pair ? -1 : 1;
	return x->draw < y->draw ? -1 : x->draw > y->draw;
}

/* Runs a command which enters or leaves a condition.  False, reported unless interrupted. */
static bool change_condition(struct sweep *sweep, const char *command, const char *what,
			     const volatile sig_atomic_t *interrupt)
{
	struct helper helper = { .command = command, .input = -1, .interrupt = interrupt };
	int status;

	if (command == NULL || *command == '\0')
		return true;
	status = helper_run(&helper);
	if (status != 0 && (interrupt == NULL || !*interrupt))
		diag_error_class(sweep->diag, DIAG_ENVIRONMENT, NULL, "'%s', which is to %s, failed "
				 "with status %d", command, what,
				 WIFEXITED(status) ? WEXITSTATUS(status) : status);
	return status == 0;
}

/* What was entered is left however the sweep ends; the store knows it while it is not. */
static bool enter(struct sweep *sweep, const struct condition *condition)
{
	char *what;
	bool done;

	if (condition->name[0] == '\0')
		return true;
	store_set(sweep->store, "entered", condition->name);
	what = xasprintf("enter the condition \"%s\"", condition->name);
	done = !sweep->store->db.failed &&
	       change_condition(sweep, condition->enter, what, &interrupted);
	free(what);
	return done;
}

static bool leave(struct sweep *sweep, const struct condition *condition)
{
	char *what;
	bool done;

	if (condition->name[0] == '\0')
		return true;
	what = xasprintf("leave the condition \"%s\"", condition->name);
	done = change_condition(sweep, condition->leave, what, NULL);
	free(what);
	if (done)
		store_set(sweep->store, "entered", "");
	return done;
}

/* Leaves the condition that a sweep which was killed was in. */
static bool leave_old(struct sweep *sweep)
{
	const struct record *record = &sweep->store->record;
	const char *entered = store_setting(sweep->store, "entered");

	for (size_t i = 0; entered != NULL && i < record->conditions.count; i++)
		if (strcmp(record->conditions.at[i].name, entered) == 0)
			return leave(sweep, &record->conditions.at[i]);
	return true;
}

static bool out_of_time(const struct sweep *sweep)
{
	return sweep->spec->budget > 0 &&
	       progress_now() - sweep->begin > sweep->spec->budget;
}

/*
 * What of ROUND is still to be run under CONDITION, in the order that was drawn: one layout
 * of all builds after another, for what the machine does now it does in the next moment
 * too.  But where all shall print the same, the first layout of each build, whose output
 * that is, is first.
 */
static size_t list_turns(const struct sweep *sweep, size_t condition, unsigned round,
			 struct turn *turns)
{
	const struct sweep_spec *spec = sweep->spec;
	size_t count = 0, sides = spec->sides.count;

	for (size_t i = 0; i < sweep->orders.count; i++) {
		size_t layout = sweep->orders.at[i].layout;
		size_t first = sweep->orders.at[i - i % sides].layout;
		bool leads = spec->same_output && round == 0 && i < sides;

		if (sweep->store->record.layouts.at[layout].state == LAYOUT_MADE &&
		    !was_run(sweep, layout, condition, round))
			turns[count++] = (struct turn){
				layout, condition,
				leads ? 0 : sweep_draw(spec, "pair", first, condition, round),
				sweep_draw(spec, "order", layout, condition, round),
			};
	}
	qsort(turns, count, sizeof *turns, compare_turns);
	return count;
}

static bool run_condition(struct sweep *sweep, const struct condition *condition,
			  const struct turn *turns, size_t count, unsigned round)
{
	bool going = enter(sweep, condition);

	for (size_t i = 0; going && i < count && !out_of_time(sweep); i++) {
		going = sweep_once(sweep, turns[i].layout, turns[i].condition, round, true);
		if (going)
			progress_step(&sweep->progress);
	}
	return leave(sweep, condition) && going;
}

/* Every layout of the wave once under each condition, the conditions in an order drawn too. */
static bool run_round(struct sweep *sweep, unsigned round)
{
	size_t conditions = sweep->spec->conditions.count;
	struct turn *turns = xcalloc(sweep->orders.count + 1, sizeof *turns);
	struct turn *order = xcalloc(conditions, sizeof *order);
	bool going = true;

	for (size_t i = 0; i < conditions; i++)
		order[i] = (struct turn){ 0, i, 0, sweep_draw(sweep->spec, "cond", i, round, 0) };
	qsort(order, conditions, sizeof *order, compare_turns);
	for (size_t i = 0; going && i < conditions; i++) {
		size_t count = list_turns(sweep, order[i].condition, round, turns);

		if (count > 0)
			going = run_condition(sweep,
					      &sweep->spec->conditions.at[order[i].condition], turns,
					      count, round);
	}
	free(order);
	free(turns);
	return going;
}

/* --- Waves --------------------------------------------------------------------- */

/* What the wave's rounds run: its seeds on each axis of each build, and the plain ones. */
static void list_orders(struct sweep *sweep, size_t first, size_t end)
{
	const struct sweep_spec *spec = sweep->spec;

	sweep->orders.count = 0;
	for (size_t b = 0; b < spec->sides.count; b++) {
		struct order order = { .build = b, .maker = spec->sides.at[b].maker, .axis = "",
				       .plain = true, .flags = "" };

		if (spec->plain)
			*vec_push(&sweep->orders) = order;
	}
	for (size_t i = first; i < end; i++)
		for (size_t a = 0; a < spec->axes.count; a++)
			for (size_t b = 0; b < spec->sides.count; b++)
				*vec_push(&sweep->orders) = (struct order){
					.build = b, .maker = spec->sides.at[b].maker,
					.seed = spec->first_seed + i, .axis = spec->axes.at[a].name,
					.flags = spec->axes.at[a].flags,
				};
}

/* True where there is something to run; else why not was reported. */
static bool any_made(const struct sweep *sweep)
{
	const struct record *record = &sweep->store->record;

	for (size_t i = 0; i < sweep->orders.count; i++)
		if (record->layouts.at[sweep->orders.at[i].layout].state == LAYOUT_MADE)
			return true;
	diag_error(sweep->diag, NULL, "no layout could be made:\n%s",
		   record->layouts.at[sweep->orders.at[0].layout].why);
	return false;
}

static size_t runs_left(const struct sweep *sweep, size_t wave)
{
	struct turn *turns = xcalloc(sweep->orders.count + 1, sizeof *turns);
	size_t left = 0;

	for (unsigned r = 0; r < sweep->spec->rounds; r++)
		for (size_t c = 0; c < sweep->spec->conditions.count; c++)
			left += list_turns(sweep, c, (unsigned)(wave * SWEEP_ROUNDS_MAX) + r, turns);
	free(turns);
	return left;
}

/* After the first round: a benchmark of which no run ends well is not worth the others. */
static bool any_good(const struct sweep *sweep)
{
	const struct record *record = &sweep->store->record;
	const struct swept_run *run;

	if (record->runs.count == 0)
		return true;
	for (size_t i = 0; i < record->runs.count; i++)
		if (record->runs.at[i].state == RUN_DONE)
			return true;
	run = &record->runs.at[0];
	diag_error(sweep->diag, NULL, "no run of the benchmark ended well: %s", run->why);
	return false;
}

/* After a warm-up, of which nothing is kept: the same. */
static bool any_warm(const struct sweep *sweep)
{
	if (sweep->good || sweep->why == NULL)
		return true;
	diag_error(sweep->diag, NULL, "no run of the benchmark ended well: %s", sweep->why);
	return false;
}

static bool run_rounds(struct sweep *sweep, size_t wave)
{
	const struct sweep_spec *spec = sweep->spec;
	size_t left = runs_left(sweep, wave), all;
	bool going = true;

	if (left == 0)
		return true;
	for (unsigned w = 0; going && w < spec->warmup; w++)
		for (size_t i = 0; going && i < sweep->orders.count && !out_of_time(sweep); i++) {
			size_t layout = sweep->orders.at[i].layout;

			if (sweep->store->record.layouts.at[layout].state == LAYOUT_MADE)
				going = sweep_once(sweep, layout, 0, w, false);
		}
	going = going && any_warm(sweep);
	all = sweep->orders.count * spec->rounds * spec->conditions.count;
	progress_begin(&sweep->progress, spec->said, "runs", all - left, all);
	if (spec->budget > 0)
		sweep->progress.limit = spec->budget - (progress_now() - sweep->begin);
	for (unsigned r = 0; going && r < spec->rounds && !out_of_time(sweep); r++)
		going = run_round(sweep, (unsigned)(wave * SWEEP_ROUNDS_MAX) + r) &&
			any_good(sweep);
	progress_end(&sweep->progress);
	return going;
}

/* How far a wave went, for those who go on. */
static void keep_wave(struct sweep *sweep, size_t wave)
{
	char name[32], end[32];

	snprintf(name, sizeof name, "wave %zu", wave);
	snprintf(end, sizeof end, "%zu", sweep->spec->waves.at[wave]);
	if (store_setting(sweep->store, name) == NULL)
		store_set(sweep->store, name, end);
}

/* Of a comparison only whole waves are looked at. */
static void keep_whole_wave(struct sweep *sweep, size_t wave)
{
	char name[32];

	if (wave < sweep->store->record.waves)
		return;
	snprintf(name, sizeof name, "whole wave %zu", wave);
	store_set(sweep->store, name, "1");
	sweep->store->record.waves = wave + 1;
}

static enum sweep_end run_waves(struct sweep *sweep)
{
	const struct sweep_spec *spec = sweep->spec;

	for (size_t w = 0; w < spec->waves.count; w++) {
		keep_wave(sweep, w);
		list_orders(sweep, w > 0 ? spec->waves.at[w - 1] : 0, spec->waves.at[w]);
		if (!workshop_make(sweep->orders.at, sweep->orders.count, sweep->store,
				   &sweep->progress, &interrupted, sweep->diag) ||
		    !any_made(sweep) || !run_rounds(sweep, w))
			return interrupted ? SWEEP_INTERRUPTED : SWEEP_FAILED;
		if (out_of_time(sweep) && runs_left(sweep, w) > 0)
			return SWEEP_OUT_OF_TIME;
		keep_whole_wave(sweep, w);
		if (spec->enough != NULL && spec->enough(&sweep->store->record, w, spec->data))
			return w + 1 < spec->waves.count ? SWEEP_ENOUGH : SWEEP_DONE;
		if (out_of_time(sweep))
			return SWEEP_OUT_OF_TIME;
	}
	return SWEEP_DONE;
}

enum sweep_end sweep_run(const struct sweep_spec *spec, struct store *store, struct diag *diag)
{
	struct sweep sweep = { .spec = spec, .store = store, .diag = diag, .begin = progress_now(),
			       .progress = { .stream = spec->said }, .setup = spec->process };
	enum sweep_end end = SWEEP_FAILED;

	obstack_init(&sweep.arena);
	sweep.setup.interrupt = &interrupted;
	for (size_t i = 0; i < store->record.runs.count; i++)
		sweep.good |= store->record.runs.at[i].state == RUN_DONE;
	sweep.ended = sweep.good;
	catch_signals();
	if (sweep_begin(&sweep)) {
		if (leave_old(&sweep))
			end = run_waves(&sweep);
		if (end == SWEEP_OUT_OF_TIME && store->record.runs.count == 0) {
			diag_error(diag, NULL, "the time was over before the first run");
			end = SWEEP_FAILED;
		}
		store_end_session(store);
		if (store->db.failed)
			end = SWEEP_FAILED;
	}
	vec_release(&sweep.orders);
	obstack_free(&sweep.arena, NULL);
	return end;
}
