/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold for every plan, on 10,000 random sets of units and rules:
 * each placement is what its rule promises; laying the units out one behind
 * the other gives addresses that agree with residue, modulus and own
 * alignment; a second plan is the same; and without one of the units, all
 * others have the same placements and the same order.
 *
 * Says what failed, by case number, and exits with 1.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout/plan.h"

#define CASES 10000
#define UNITS 24

struct random {
	uint64_t state;
};

/* A number below BOUND (splitmix64). */
static uint64_t draw(struct random *random, uint64_t bound)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % bound;
}

static const char *const files[] = { "a.o", "b.o", "lib/c.a(d.o)", "e/f.o", "g.o", "h.o" };
static const char *const sections[] = { ".data", ".text", ".bss", ".data.x" };

struct sample {
	struct unit units[UNITS];
	bool movable[UNITS];
	size_t count;
	struct policy policy;
};

static void add_rule(struct sample *sample, struct random *random, struct diag *diag)
{
	uint64_t modulus = (uint64_t)1 << draw(random, 13), low = draw(random, 100);
	const char *section = draw(random, 2) ? "*" : sections[draw(random, 4)];
	char *text = NULL;

	switch (draw(random, 5)) {
	case 0:
		text = xasprintf("align=%s:%" PRIu64, section, modulus);
		break;
	case 1:
		text = xasprintf("offset=%s:%" PRIu64 "/%" PRIu64, section,
				 draw(random, modulus) & ~(uint64_t)63, modulus);
		break;
	case 2:
		text = xasprintf("pad=%s:%" PRIu64 "..%" PRIu64 "/%" PRIu64, section, low,
				 low + draw(random, 5000), 1 + draw(random, 70));
		break;
	case 3:
		text = xasprintf("jitter=%s:%" PRIu64 "/%" PRIu64, section, 2 * modulus,
				 1 + draw(random, 2 * modulus - 1));
		break;
	case 4:
		text = xasprintf("shuffle=%s", section);
		break;
	}
	if (!policy_add(&sample->policy, text, "case", diag))
		abort();
	free(text);
}

static void make_sample(struct sample *sample, struct random *random, struct diag *diag)
{
	char *seed = xasprintf("seed=%" PRIu64, draw(random, UINT64_MAX));

	*sample = (struct sample){ .count = 0 };
	policy_init(&sample->policy);
	policy_add(&sample->policy, seed, "case", diag);
	free(seed);
	for (unsigned s = 0; s < 4; s++) {
		for (unsigned f = 0; f < 6; f++) {
			if (draw(random, 4) == 0)
				continue;
			sample->units[sample->count] = (struct unit){
				.identity = { .file = files[f], .section = sections[s], .ordinal = 1 },
				.size = draw(random, 300),
				.align = (uint64_t)1 << draw(random, 9),
				.statement = s / 2,
				.merged = draw(random, 10) == 0,
			};
			sample->movable[sample->count++] = draw(random, 8) != 0;
		}
	}
	for (uint64_t rules = draw(random, 5); rules > 0; rules--)
		add_rule(sample, random, diag);
}

/* The last rule of the policy that is of one of the KINDS (bits) and names the unit. */
static const struct rule *last_rule(const struct sample *sample, unsigned kinds,
				    const struct unit *unit)
{
	for (size_t i = sample->policy.rules.count; i > 0; i--) {
		const struct rule *rule = &sample->policy.rules.at[i - 1];

		if (kinds >> rule->kind & 1 && units_match(&rule->units, &unit->identity))
			return rule;
	}
	return NULL;
}

/* What of the placement is wrong, or NULL. */
static const char *placement_fault(const struct sample *sample, const struct placement *placement)
{
	const struct unit *unit = &sample->units[placement->unit];
	const struct rule *pad = last_rule(sample, 1 << RULE_PAD, unit);
	const struct rule *begin =
		last_rule(sample, 1 << RULE_ALIGN | 1 << RULE_OFFSET | 1 << RULE_JITTER, unit);

	if (placement->movable != (sample->movable[placement->unit] && !unit->merged))
		return "movable";
	if (!placement->movable)
		return placement->pad != 0 || placement->modulus != 1 || placement->residue != 0
			       ? "an unmovable unit is touched" : NULL;
	if (pad == NULL && placement->pad != 0)
		return "a pad without a rule";
	if (pad != NULL && (placement->pad < pad->value.low || placement->pad > pad->value.high ||
			    (placement->pad - pad->value.low) % pad->value.step != 0))
		return "a pad that is not of its rule";
	if (!is_power_of_two(placement->modulus) || placement->residue >= placement->modulus)
		return "residue and modulus";
	if (begin == NULL)
		return placement->modulus != 1 ? "a residue without a rule" : NULL;
	switch (begin->kind) {
	case RULE_ALIGN:
		return placement->residue != 0 || placement->modulus < begin->value.align ||
		       placement->modulus < unit->align ? "align" : NULL;
	case RULE_OFFSET:
		return placement->residue != begin->value.residue ||
		       placement->modulus < begin->value.modulus ? "offset" : NULL;
	default:
		if (unit->align >= begin->value.modulus)
			return placement->modulus != 1 ? "jitter below the alignment" : NULL;
		if (begin->value.step % unit->align == 0 && placement->residue % begin->value.step != 0)
			return "jitter's step";
		return placement->modulus != begin->value.modulus ? "jitter" : NULL;
	}
}

/* Lays the units out from ADDRESS on, as a linker would. */
static const char *layout_fault(const struct sample *sample, const struct plan *plan,
				uint64_t address)
{
	for (size_t i = 0; i < plan->placements.count; i++) {
		const struct placement *placement = &plan->placements.at[i];
		const struct unit *unit = &sample->units[placement->unit];

		address += placement->pad;
		address += (placement->residue - address) & (placement->modulus - 1);
		address += -address & (unit->align - 1);
		if ((address & (placement->modulus - 1)) != placement->residue)
			return "the own alignment contradicts the residue";
		address += unit->size;
	}
	return NULL;
}

static bool same_placement(const struct placement *a, const struct placement *b)
{
	return a->pad == b->pad && a->residue == b->residue && a->modulus == b->modulus &&
	       a->movable == b->movable;
}

/* Where in PLAN each unit lies. */
static void find_places(const struct plan *plan, size_t places[UNITS])
{
	for (size_t i = 0; i < plan->placements.count; i++)
		places[plan->placements.at[i].unit] = i;
}

/*
 * Plans again without unit LEFT_OUT: all others have the same placements, and
 * the units that one rule shuffles within one statement the same order.
 */
static const char *removal_fault(const struct sample *sample, const struct plan *plan,
				 size_t left_out)
{
	struct diag quiet = { .stream = NULL };
	size_t before[UNITS], after[UNITS];
	const char *fault = NULL;
	struct sample less = *sample;
	struct plan other;

	less.count--;
	memmove(less.units + left_out, less.units + left_out + 1,
		(less.count - left_out) * sizeof *less.units);
	memmove(less.movable + left_out, less.movable + left_out + 1,
		(less.count - left_out) * sizeof *less.movable);
	plan_make(&other, less.units, less.count, less.movable, &less.policy, &quiet);
	find_places(plan, before);
	find_places(&other, after);
	for (size_t i = 0; i < less.count; i++) {
		size_t was_i = i + (i >= left_out);
		const struct rule *rule = last_rule(&less, 1 << RULE_SHUFFLE, &less.units[i]);

		if (!same_placement(&plan->placements.at[before[was_i]],
				    &other.placements.at[after[i]]))
			fault = "with one unit gone, another's choice changed";
		for (size_t j = 0; j < i && rule != NULL; j++) {
			size_t was_j = j + (j >= left_out);

			if (less.units[i].statement == less.units[j].statement &&
			    other.placements.at[after[i]].movable &&
			    other.placements.at[after[j]].movable &&
			    last_rule(&less, 1 << RULE_SHUFFLE, &less.units[j]) == rule &&
			    (before[was_i] < before[was_j]) != (after[i] < after[j]))
				fault = "with one unit gone, the others' order changed";
		}
	}
	plan_release(&other);
	return fault;
}

/* Every unit lies somewhere once, and only movable ones elsewhere than they did. */
static const char *permutation_fault(const struct sample *sample, const struct plan *plan)
{
	bool seen[UNITS] = { false };

	if (plan->placements.count != sample->count)
		return "the number of placements";
	for (size_t i = 0; i < plan->placements.count; i++) {
		const struct placement *placement = &plan->placements.at[i];

		if (seen[placement->unit])
			return "a unit that lies twice";
		seen[placement->unit] = true;
		if (placement->unit != i &&
		    (!placement->movable ||
		     last_rule(sample, 1 << RULE_SHUFFLE, &sample->units[placement->unit]) == NULL))
			return "a unit moved that no rule shuffles";
		if (sample->units[placement->unit].statement != sample->units[i].statement)
			return "a unit left its statement";
	}
	return NULL;
}

static const char *sample_fault(const struct sample *sample, struct random *random)
{
	struct diag quiet = { .stream = NULL };
	struct plan plan, again;
	bool good = plan_make(&plan, sample->units, sample->count, sample->movable,
			      &sample->policy, &quiet);
	const char *fault = permutation_fault(sample, &plan);

	/* A contradiction was reported; what it would have been is not promised. */
	for (size_t i = 0; good && fault == NULL && i < sample->count; i++)
		fault = placement_fault(sample, &plan.placements.at[i]);
	if (good && fault == NULL)
		fault = layout_fault(sample, &plan, draw(random, 1 << 20));
	plan_make(&again, sample->units, sample->count, sample->movable, &sample->policy, &quiet);
	for (size_t i = 0; fault == NULL && i < sample->count; i++) {
		if (plan.placements.at[i].unit != again.placements.at[i].unit ||
		    !same_placement(&plan.placements.at[i], &again.placements.at[i]))
			fault = "a second plan differs";
	}
	if (fault == NULL && sample->count > 0)
		fault = removal_fault(sample, &plan, draw(random, sample->count));
	plan_release(&plan);
	plan_release(&again);
	return fault;
}

int main(void)
{
	struct random random = { 1 };
	unsigned faults = 0, planned = 0;
	struct sample sample;
	struct diag diag;

	diag_init(&diag, "plan-properties", stderr);
	for (unsigned i = 0; i < CASES; i++) {
		const char *fault;

		make_sample(&sample, &random, &diag);
		fault = sample_fault(&sample, &random);
		if (fault != NULL) {
			char *policy = policy_format(&sample.policy);

			printf("case %u: %s (%s)\n", i, fault, policy);
			free(policy);
			faults++;
		}
		planned += sample.policy.rules.count > 0;
		policy_release(&sample.policy);
	}
	printf("%u cases, %u with rules, %u faults\n", CASES, planned, faults);
	return faults != 0;
}
