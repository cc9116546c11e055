/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold of walls, on random sections: laid out anew by a linker of a
 * few lines, which knows of alignments, of sections that are not listed and of
 * walls' rules, with one unit changed at a time,
 *
 *  - no unit moves that was said to stay, and where nothing is hidden as much moves
 *    in the mean, and at worst, as was said;
 *  - a change that is too large moves what is behind a wall by multiples of its modulus;
 *  - walls move things by whole lines, cost what is said, and never more than the budget;
 *  - of a few units, where choosing is exact, no other set of walls that costs as much moves less;
 *  - of many, walls at even distances do not either, though they cost all of the budget.
 *
 * Says what failed, by case number, and exits with 1.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout/firewall.h"

#define CASES 4000
#define LARGE_CASES 40
#define FEW 11
#define MANY 1500

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

/* What a section holds: listed units, with what the layout does not list before each. */
struct sample {
	struct ripple_unit units[MANY];
	uint64_t hidden[MANY];		/* bytes that are not listed */
	uint64_t script[MANY];		/* an alignment that the script asks for; 1: none */
	size_t count;
	bool is_plain;			/* nothing hidden, no alignment above a line */
	bool is_exact;			/* and the growth is a multiple of every alignment */
	uint64_t start;
	struct firewall_options options;
};

static uint64_t round_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) / align * align;
}

/* The linker: addresses of all units, of which CHANGED is DELTA bytes larger. */
static void lay_out(const struct sample *sample, const struct walls *walls, size_t changed,
		    uint64_t delta, uint64_t addresses[MANY])
{
	uint64_t dot = sample->start;
	size_t wall = 0;

	for (size_t i = 0; i < sample->count; i++) {
		const struct ripple_unit *unit = &sample->units[i];

		dot = round_up(dot + sample->hidden[i], sample->script[i]);
		if (wall < walls->count && walls->at[wall].unit == i) {
			while (dot % walls->at[wall].modulus != walls->at[wall].residue)
				dot++;
			wall++;
		}
		addresses[i] = dot = round_up(dot, unit->align);
		dot += unit->size + (i == changed ? delta : 0);
	}
}

static void make_sample(struct sample *sample, struct random *random, size_t count, bool is_plain)
{
	static const struct walls none;
	uint64_t addresses[MANY];

	*sample = (struct sample){ .count = count, .is_plain = is_plain };
	sample->options = (struct firewall_options){
		.growth = 1 + draw(random, draw(random, 3) ? 64 : 300),
		.modulus = (uint64_t)64 << draw(random, 7),
		.budget = draw(random, 64 * count),
	};
	sample->is_exact = is_plain && draw(random, 2);
	if (sample->is_exact)
		sample->options.growth = round_up(sample->options.growth, WALL_LINE);
	for (size_t i = 0; i < count; i++) {
		uint64_t align = (uint64_t)1 << draw(random, 7);

		if (!is_plain && draw(random, 12) == 0)
			align = (uint64_t)64 << draw(random, 7);
		sample->script[i] = !is_plain && draw(random, 12) == 0 ? (uint64_t)1 << draw(random, 13) : 1;
		sample->hidden[i] = !is_plain && draw(random, 12) == 0 ? draw(random, 5000) : 0;
		sample->units[i] = (struct ripple_unit){
			.size = draw(random, 8) ? draw(random, 2000) : draw(random, 2) * 16, .align = align,
			.chance = (double)draw(random, 4), .wallable = draw(random, 6) != 0,
		};
		sample->units[i].value = draw(random, 4) ? (double)sample->units[i].size : 0;
	}
	sample->start = draw(random, 1 << 20) * 64;
	lay_out(sample, &none, SIZE_MAX, 0, addresses);
	for (size_t i = 0; i < count; i++)
		sample->units[i].address = addresses[i];
}

/* --- What was said against what happens --------------------------------- */

static uint64_t shrinkage(const struct sample *sample, size_t unit)
{
	uint64_t size = sample->units[unit].size;

	return size < sample->options.growth ? size : sample->options.growth;
}

/* Measures as ripple_measure() does, change by change. */
static struct ripple_effect observe(const struct sample *sample, const struct walls *walls)
{
	uint64_t addresses[MANY], grown[MANY], shrunk[MANY];
	struct ripple_effect effect = { .moved = 0 };

	lay_out(sample, walls, SIZE_MAX, 0, addresses);
	for (size_t i = 0; i < sample->count; i++) {
		double moved = 0;

		if (sample->units[i].chance == 0)
			continue;
		lay_out(sample, walls, i, sample->options.growth, grown);
		lay_out(sample, walls, i, -shrinkage(sample, i), shrunk);
		for (size_t j = 0; j < sample->count; j++)
			if (grown[j] != addresses[j] || shrunk[j] != addresses[j])
				moved += sample->units[j].value;
		effect.chance += sample->units[i].chance;
		effect.moved += sample->units[i].chance * moved;
		if (moved > effect.worst)
			effect.worst = moved;
	}
	return effect;
}

/* One unit changes by less than it may: what is behind the next wall stays. */
static const char *change_fault(const struct sample *sample, const struct walls *walls,
				struct random *random)
{
	size_t changed = draw(random, sample->count), next = 0;
	uint64_t addresses[MANY], after[MANY];
	bool grows = draw(random, 2) != 0;
	uint64_t delta = draw(random, (grows ? sample->options.growth : shrinkage(sample, changed)) + 1);

	while (next < walls->count && walls->at[next].unit <= changed)
		next++;
	lay_out(sample, walls, SIZE_MAX, 0, addresses);
	lay_out(sample, walls, changed, grows ? delta : -delta, after);
	for (size_t i = 0; i < sample->count; i++) {
		bool stays = i <= changed || (next < walls->count && i >= walls->at[next].unit);

		if (stays && sample->is_plain && addresses[i] != after[i])
			return "a unit moved that was said to stay";
	}
	/* And by more: by whole moduli, from the wall to the next unit of a larger alignment. */
	lay_out(sample, walls, changed, 5 * sample->options.growth + draw(random, 10000), after);
	for (size_t w = next; w < walls->count; w++) {
		const struct wall *wall = &walls->at[w];

		if ((after[wall->unit] - addresses[wall->unit]) % wall->modulus != 0)
			return "a wall moved by something else than multiples of its modulus";
	}
	return NULL;
}

static bool is_near(double a, double b)
{
	double difference = a > b ? a - b : b - a;

	return difference <= 1e-9 * (a + b) + 1e-6;
}

static const char *wall_fault(const struct sample *sample, const struct firewall_section *section)
{
	const struct walls *walls = &section->walls;
	uint64_t addresses[MANY];
	static const struct walls none;
	uint64_t before[MANY];
	size_t last = sample->count - 1;

	lay_out(sample, walls, SIZE_MAX, 0, addresses);
	lay_out(sample, &none, SIZE_MAX, 0, before);
	if (section->bytes > sample->options.budget)
		return "the budget";
	for (size_t i = 0; i < walls->count; i++) {
		const struct wall *wall = &walls->at[i];

		if (!sample->units[wall->unit].wallable)
			return "a wall where none may be";
		if (sample->is_plain && addresses[wall->unit] != wall->address)
			return "a wall is not where it was said to be";
		if (sample->is_plain && (addresses[wall->unit] - before[wall->unit]) % WALL_LINE != 0)
			return "a wall moved by a part of a line";
	}
	if (sample->is_plain && addresses[last] - before[last] != section->bytes)
		return "the cost";
	return NULL;
}

static const char *sample_fault(const struct sample *sample, const struct firewall_section *section,
				struct random *random)
{
	struct ripple_effect said, seen;
	const char *fault = wall_fault(sample, section);

	said = ripple_measure(&section->ripple, &section->walls, sample->options.growth);
	seen = observe(sample, &section->walls);
	if (sample->is_plain && (!is_near(said.moved, seen.moved) || !is_near(said.worst, seen.worst)))
		return "what was said to move is not what moves";
	if (!is_near(said.chance, seen.chance))
		return "how often something changes";
	for (unsigned i = 0; i < 8 && fault == NULL; i++)
		fault = change_fault(sample, &section->walls, random);
	return fault;
}

/* --- Other walls -------------------------------------------------------- */

/* True if walls before the units CHOSEN cost no more than BUDGET and let less move than SECTION's. */
static bool is_better(const struct sample *sample, const struct firewall_section *section,
		      const size_t *chosen, size_t count, uint64_t budget)
{
	struct walls walls = { .count = 0 };
	uint64_t bytes = ripple_build(&section->ripple, chosen, count, sample->options.growth,
				      sample->options.modulus, &walls);
	struct ripple_effect ours, theirs;

	ours = ripple_measure(&section->ripple, &section->walls, sample->options.growth);
	theirs = ripple_measure(&section->ripple, &walls, sample->options.growth);
	vec_release(&walls);
	return bytes <= budget && theirs.moved < ours.moved &&
	       !is_near(theirs.moved, ours.moved);
}

static const char *subset_fault(const struct sample *sample, const struct firewall_section *section)
{
	size_t chosen[FEW];

	for (unsigned set = 0; set < 1U << sample->count; set++) {
		size_t count = 0;

		for (size_t i = 0; i < sample->count; i++)
			if (set >> i & 1)
				chosen[count++] = i;
		if (is_better(sample, section, chosen, count, section->bytes))
			return "other walls are better";
	}
	return NULL;
}

/* Walls every so many units, or bytes, for all numbers of them. */
static const char *even_fault(const struct sample *sample, const struct firewall_section *section)
{
	size_t chosen[MANY];
	uint64_t bytes = sample->units[sample->count - 1].address - sample->start;

	for (size_t walls = 1; walls < sample->count / 2; walls++) {
		size_t count = 0;

		for (size_t i = 1; i <= walls; i++)
			chosen[count++] = i * sample->count / (walls + 1);
		if (is_better(sample, section, chosen, count, sample->options.budget))
			return "walls every so many units are better";
		count = 0;
		for (size_t i = 1; i < sample->count && count < walls; i++)
			if (sample->units[i].address - sample->start >= (count + 1) * bytes / (walls + 1))
				chosen[count++] = i;
		if (is_better(sample, section, chosen, count, sample->options.budget))
			return "walls every so many bytes are better";
	}
	return NULL;
}

/* --- Cases -------------------------------------------------------------- */

static const char *run(unsigned number, struct random *random, size_t count, bool is_plain,
		       size_t *walls)
{
	static struct sample sample;
	struct firewall_section section = { .bytes = 0 };
	const char *fault;

	make_sample(&sample, random, count, is_plain);
	ripple_init(&section.ripple, sample.units, sample.count);
	firewall_choose(&section, 1, &sample.options);
	fault = count > FEW ? wall_fault(&sample, &section) : sample_fault(&sample, &section, random);
	if (fault == NULL && sample.is_exact)
		fault = count > FEW ? even_fault(&sample, &section) : subset_fault(&sample, &section);
	if (fault != NULL)
		printf("case %u: %s\n", number, fault);
	*walls += section.walls.count;
	vec_release(&section.walls);
	ripple_release(&section.ripple);
	return fault;
}

int main(void)
{
	struct random random = { 1 };
	unsigned faults = 0;
	size_t walls = 0;

	for (unsigned i = 0; i < CASES; i++)
		faults += run(i, &random, 1 + draw(&random, FEW), i % 2 == 0, &walls) != NULL;
	for (unsigned i = 0; i < LARGE_CASES; i++)
		faults += run(CASES + i, &random, 200 + draw(&random, i < 4 ? MANY - 200 : 100), i % 4 != 0,
			      &walls) != NULL;
	printf("%u cases, %s walls, %u faults\n", CASES + LARGE_CASES,
	       walls > CASES ? "many" : "few", faults);
	return faults != 0;
}
