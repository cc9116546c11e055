/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From rules to placements.  One pass over the units: each meets every rule
 * once, the last rule to answer a question is the unit's, and rules are
 * tallied on the way.  Then shuffles, statement by statement; then what the
 * tallies say about rules that did nothing.
 */
#include "config.h"

#include "layout/plan.h"

#include <string.h>

#include "layout/check.h"
#include "layout/reserve.h"
#include "lib/memory.h"

/* The rules that answer the questions about one unit; NULL: none does. */
struct answers {
	const struct rule *begin, *pad, *shuffle, *mobility, *reserve;
};

struct planner {
	const struct unit *units;
	const struct policy *policy;
	struct tally *tallies;		/* by rule */
	const struct rule **shuffles;	/* by unit: the rule that shuffles it, or NULL */
	bool reserve;			/* room is left behind units */
	VEC(size_t) named;		/* scratch: the rules that name the unit at hand */
};

/* --- One unit ----------------------------------------------------------- */

static void answer(struct answers *answers, const struct rule *rule)
{
	switch (rule->kind) {
	case RULE_ALIGN:
	case RULE_OFFSET:
	case RULE_JITTER:
		answers->begin = rule;
		break;
	case RULE_PAD:
		answers->pad = rule;
		break;
	case RULE_SHUFFLE:
		answers->shuffle = rule;
		break;
	case RULE_FIX:
	case RULE_MOVE:
		answers->mobility = rule;
		break;
	case RULE_RESERVE:
		answers->reserve = rule;
		break;
	case RULE_RESERVE_END:
	case RULE_APART:
		break;
	}
}

static void place_jitter(struct placement *placement, const struct unit *unit,
			 const struct rule *rule, uint64_t seed)
{
	uint64_t step, choices;

	if (unit->align >= rule->value.modulus)
		return;
	/* A residue must keep the own alignment: only its multiples do. */
	step = (rule->value.step + unit->align - 1) & ~(unit->align - 1);
	choices = (rule->value.modulus - 1) / step + 1;
	placement->modulus = rule->value.modulus;
	placement->residue = step * (seed_hash(seed, &unit->identity, "jitter") % choices);
}

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Where the unit begins.  False where RULE contradicts its own alignment. */
static bool place_begin(struct placement *placement, const struct unit *unit,
			const struct rule *rule, uint64_t seed)
{
	switch (rule->kind) {
	case RULE_ALIGN:
		placement->modulus = max(unit->align, rule->value.align);
		return true;
	case RULE_OFFSET:
		/* The residue is below the modulus: below a larger alignment, only 0 agrees. */
		if (rule->value.residue % unit->align != 0)
			return false;
		placement->residue = rule->value.residue;
		placement->modulus = max(unit->align, rule->value.modulus);
		return true;
	default:
		place_jitter(placement, unit, rule, seed);
		return true;
	}
}

static uint64_t pad_size(const struct unit *unit, const struct rule *rule, uint64_t seed)
{
	uint64_t choices = (rule->value.high - rule->value.low) / rule->value.step + 1;

	return rule->value.low + rule->value.step * (seed_hash(seed, &unit->identity, "pad") % choices);
}

/* Unit INDEX's placement, and its rules' tallies. */
static struct placement place(struct planner *planner, uint32_t index, bool movable)
{
	const struct unit *unit = &planner->units[index];
	const struct policy *policy = planner->policy;
	struct placement placement = { .unit = index, .modulus = 1 };
	struct answers answers = { 0 };

	planner->named.count = 0;
	for (size_t i = 0; i < policy->rules.count && !policy->null; i++) {
		if (rule_kind_places(policy->rules.at[i].kind) &&
		    units_match(&policy->rules.at[i].units, &unit->identity)) {
			answer(&answers, &policy->rules.at[i]);
			*vec_push(&planner->named) = i;
		}
	}
	if (answers.mobility != NULL)
		movable = answers.mobility->kind == RULE_MOVE;
	placement.movable = movable && !unit->merged;
	for (size_t i = 0; i < planner->named.count; i++) {
		struct tally *tally = &planner->tallies[planner->named.at[i]];

		tally->named++;
		tally->movable += placement.movable;
	}
	if (planner->reserve && answers.reserve != NULL)
		placement.behind = value_room(&answers.reserve->value, unit->size);
	if (!placement.movable)
		return placement;
	if (answers.begin != NULL && !place_begin(&placement, unit, answers.begin, policy->seed)) {
		struct tally *tally = &planner->tallies[answers.begin - policy->rules.at];

		if (tally->contradictions++ == 0)
			tally->contradicted = index;
	}
	if (answers.pad != NULL)
		placement.pad = pad_size(unit, answers.pad, policy->seed);
	planner->shuffles[index] = answers.shuffle;
	return placement;
}

/* --- Shuffling ---------------------------------------------------------- */

/* A unit that changes places, and the key that says where it goes. */
struct shuffled {
	struct placement placement;
	const struct identity *identity;
	uint64_t hash;
};

static int compare_shuffled(const void *a, const void *b)
{
	const struct shuffled *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return identity_compare(x->identity, y->identity);
}

/* Shuffles those of the placements [begin, end), one statement's, that RULE chose. */
static void shuffle(struct planner *planner, const struct rule *rule, struct placement *begin,
		    struct placement *end)
{
	VEC(struct shuffled) chosen = VEC_INIT;
	VEC(struct placement *) places = VEC_INIT;

	for (struct placement *p = begin; p < end; p++) {
		const struct identity *identity = &planner->units[p->unit].identity;

		if (planner->shuffles[p->unit] != rule)
			continue;
		*vec_push(&places) = p;
		*vec_push(&chosen) = (struct shuffled){
			*p, identity, seed_hash(planner->policy->seed, identity, "shuffle"),
		};
	}
	if (chosen.count > 1)
		qsort(chosen.at, chosen.count, sizeof *chosen.at, compare_shuffled);
	for (size_t i = 0; i < chosen.count; i++)
		*places.at[i] = chosen.at[i].placement;
	vec_release(&chosen);
	vec_release(&places);
}

static void shuffle_all(struct planner *planner, struct plan *plan)
{
	const struct policy *policy = planner->policy;
	struct placement *at = plan->placements.at, *all = at + plan->placements.count;

	while (at < all) {
		unsigned statement = planner->units[at->unit].statement;
		struct placement *begin = at;

		while (at < all && planner->units[at->unit].statement == statement)
			at++;
		for (size_t i = 0; i < policy->rules.count && !policy->null; i++) {
			if (policy->rules.at[i].kind == RULE_SHUFFLE)
				shuffle(planner, &policy->rules.at[i], begin, at);
		}
	}
}

/* --- The plan ----------------------------------------------------------- */

bool plan_make(struct plan *plan, const struct unit *units, size_t count, const bool *movable,
	       const struct policy *policy, struct diag *diag)
{
	struct planner planner = {
		.units = units,
		.policy = policy,
		.tallies = xcalloc(policy->rules.count + 1, sizeof *planner.tallies),
		.shuffles = xcalloc(count + 1, sizeof *planner.shuffles),
		.reserve = reserve_wanted(policy) && policy->lock == NULL,
	};
	bool good = true;

	*plan = (struct plan){ 0 };
	for (size_t i = 0; i < count; i++)
		*vec_push(&plan->placements) = place(&planner, (uint32_t)i, movable[i]);
	shuffle_all(&planner, plan);
	if (!policy->null)
		good = check_rules(policy, planner.tallies, units, count, diag);
	vec_release(&planner.named);
	free(planner.tallies);
	free(planner.shuffles);
	return good;
}

/* A placement with what it is sorted by. */
struct sorted {
	struct placement placement;
	unsigned statement;
	size_t at;
};

static int compare_sorted(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->placement.room != y->placement.room)
		return x->placement.room < y->placement.room ? -1 : 1;
	if (x->placement.room == 0 && x->statement != y->statement)
		return x->statement < y->statement ? -1 : 1;
	if (x->placement.address != y->placement.address)
		return x->placement.address < y->placement.address ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void plan_sort(struct plan *plan, const struct unit *units)
{
	size_t count = plan->placements.count;
	struct sorted *sorted = xcalloc(count + 1, sizeof *sorted);

	for (size_t i = 0; i < count; i++) {
		struct placement placement = plan->placements.at[i];

		sorted[i] = (struct sorted){ placement, units[placement.unit].statement, i };
	}
	if (count > 1)
		qsort(sorted, count, sizeof *sorted, compare_sorted);
	for (size_t i = 0; i < count; i++)
		plan->placements.at[i] = sorted[i].placement;
	free(sorted);
}

void plan_release(struct plan *plan)
{
	vec_release(&plan->placements);
	vec_release(&plan->rooms);
}
