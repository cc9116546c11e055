/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model, computed.  Measuring follows all changes at once through a section,
 * as waves: those that push by the same amount at the same place are one from
 * there on.  Behind a unit of alignment N all pushes are multiples of N, so there are
 * never more than a few waves, and measuring takes one pass.
 */
#include "config.h"

#include "layout/ripple.h"

#include "layout/number.h"

static uint64_t round_up(uint64_t value, uint64_t align)
{
	return (value + align - 1) & ~(align - 1);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- Gaps --------------------------------------------------------------- */

/* What explains the gap before ADDRESS: its own alignment, or one that the script asks for. */
static struct ripple_gap explain(const struct ripple_unit *unit, uint64_t end)
{
	struct ripple_gap gap = { .bytes = unit->address - end, .round = unit->align };

	if (unit->address < end) {	/* merged with what is before */
		gap.bytes = 0;
		return gap;
	}
	while (gap.round <= gap.bytes && gap.round < (uint64_t)1 << 40)
		gap.round *= 2;
	gap.known = unit->address % gap.round == 0;
	if (!gap.known)
		gap.round = unit->align;
	return gap;
}

void ripple_init(struct ripple *ripple, const struct ripple_unit *units, size_t count)
{
	uint64_t end = count > 0 ? units[0].address : 0;

	*ripple = (struct ripple){ units, count, xcalloc(count + 1, sizeof *ripple->gaps) };
	for (size_t i = 0; i < count; i++) {
		ripple->gaps[i] = explain(&units[i], end);
		end = larger(end, units[i].address + units[i].size);
	}
}

void ripple_release(struct ripple *ripple)
{
	free(ripple->gaps);
}

/* --- Prices ------------------------------------------------------------- */

/* Where the location counter is before UNIT's gap, or is taken to be; SHIFT bytes on. */
static uint64_t dot_before(const struct ripple *ripple, size_t unit, uint64_t shift)
{
	const struct ripple_gap *gap = &ripple->gaps[unit];

	return ripple->units[unit].address + shift - (gap->known ? gap->bytes : 0);
}

uint64_t ripple_push(uint64_t growth, uint64_t align)
{
	return round_up(growth, align);
}

uint64_t ripple_price(const struct ripple *ripple, size_t unit, uint64_t push)
{
	const struct ripple_gap *gap = &ripple->gaps[unit];
	uint64_t slack = gap->known ? gap->bytes : 0;

	if (push <= slack)
		return 0;
	return round_up(push - slack, larger(ripple->units[unit].align, WALL_LINE));
}

bool ripple_is_wall(const struct ripple *ripple, size_t unit, uint64_t push)
{
	const struct ripple_gap *gap = &ripple->gaps[unit];

	return gap->known && gap->bytes >= push && gap->bytes + push < gap->round;
}

/* --- Building ----------------------------------------------------------- */

/* Puts a wall before UNIT, all before which is SHIFT bytes on; returns what is so behind it. */
static uint64_t build(const struct ripple *ripple, size_t unit, uint64_t shift, uint64_t push,
		      uint64_t modulus, struct walls *walls)
{
	const struct ripple_unit *at = &ripple->units[unit];
	const struct ripple_gap *gap = &ripple->gaps[unit];
	uint64_t dot = dot_before(ripple, unit, shift);
	uint64_t step = larger(at->align, WALL_LINE), address = at->address;

	if (dot + push > address)
		address += round_up(dot + push - address, step);
	while (modulus < at->align || modulus <= address - dot + gap->bytes + push)
		modulus *= 2;
	*vec_push(walls) = (struct wall){
		.unit = unit, .address = address, .residue = address & (modulus - 1),
		.modulus = modulus, .bytes = address - at->address - shift,
	};
	return address - at->address;
}

uint64_t ripple_build(const struct ripple *ripple, const size_t *chosen, size_t count,
		      uint64_t growth, uint64_t modulus, struct walls *walls)
{
	uint64_t shift = 0, align = 1;	/* the largest alignment since the last wall */

	walls->count = 0;
	for (size_t i = 0; i < ripple->count; i++) {
		uint64_t dot = dot_before(ripple, i, shift), push = ripple_push(growth, align);
		uint64_t round = ripple->gaps[i].round, address = round_up(dot, round);
		bool wanted = count > 0 && *chosen == i;

		if (wanted) {
			chosen++;
			count--;
		}
		if (i == 0)	/* nothing comes from before it */
			continue;
		if (ripple->gaps[i].known && address - dot >= push && address - dot + push < round) {
			align = 1;
		} else if (wanted && ripple->units[i].wallable) {
			shift = build(ripple, i, shift, push, modulus, walls);
			align = 1;
			continue;
		} else {
			align = larger(align, round);
		}
		shift = address - ripple->units[i].address;
	}
	return shift;
}

/* --- Measuring ---------------------------------------------------------- */

/* Changes that push alike at the unit at hand. */
struct wave {
	uint64_t growth, shrinkage; /* what pushes: by so much up, or down (64 bits wrap around) */
	double chance;		/* of its changes, summed */
	double from;		/* value of all units up to the first change, inclusive */
};

struct sea {
	VEC(struct wave) waves;
	double passed;		/* value of all units up to here */
	struct ripple_effect effect;
};

/* Where unit I begins when the location counter is at DOT before its gap. */
static uint64_t lands(const struct ripple *ripple, size_t i, const struct wall *wall, uint64_t dot)
{
	if (wall != NULL)
		return dot + ((wall->residue - dot) & (wall->modulus - 1));
	return round_up(dot, ripple->gaps[i].round);
}

static void add_wave(struct sea *sea, const struct wave *wave)
{
	for (size_t i = 0; i < sea->waves.count; i++) {
		struct wave *other = &sea->waves.at[i];

		if (other->growth != wave->growth || other->shrinkage != wave->shrinkage)
			continue;
		other->chance += wave->chance;
		if (other->from > wave->from)
			other->from = wave->from;
		return;
	}
	*vec_push(&sea->waves) = *wave;
}

/* A wave ends: the farthest that one of it came. */
static void end_wave(struct sea *sea, const struct wave *wave)
{
	if (sea->passed - wave->from > sea->effect.worst)
		sea->effect.worst = sea->passed - wave->from;
}

/* All waves meet unit I, before which walls have added SHIFT bytes. */
static void meet(struct sea *sea, const struct ripple *ripple, size_t i, const struct wall *wall,
		 uint64_t shift)
{
	uint64_t dot = dot_before(ripple, i, shift), here = lands(ripple, i, wall, dot);
	size_t count = sea->waves.count;
	double chance = 0;

	sea->waves.count = 0;
	for (size_t w = 0; w < count; w++) {
		struct wave wave = sea->waves.at[w];

		wave.growth = lands(ripple, i, wall, dot + wave.growth) - here;
		/* Of a gap that nothing explains, shrinking pulls on its whole. */
		if (ripple->gaps[i].known || wall != NULL)
			wave.shrinkage = here - lands(ripple, i, wall, dot - wave.shrinkage);
		else
			wave.shrinkage = round_up(wave.shrinkage, ripple->gaps[i].round);
		if (wave.growth == 0 && wave.shrinkage == 0) {
			end_wave(sea, &wave);
		} else {
			chance += wave.chance;
			add_wave(sea, &wave);
		}
	}
	sea->effect.moved += chance * ripple->units[i].value;
}

struct ripple_effect ripple_measure(const struct ripple *ripple, const struct walls *walls,
				    uint64_t growth)
{
	struct sea sea = { .passed = 0 };
	uint64_t shift = 0;
	size_t next = 0;

	for (size_t i = 0; i < ripple->count; i++) {
		const struct ripple_unit *unit = &ripple->units[i];
		const struct wall *wall = NULL;
		struct wave own = {
			.growth = growth, .shrinkage = unit->size < growth ? unit->size : growth,
			.chance = unit->chance,
		};

		if (next < walls->count && walls->at[next].unit == i)
			wall = &walls->at[next++];
		meet(&sea, ripple, i, wall, shift);
		shift = lands(ripple, i, wall, dot_before(ripple, i, shift)) - unit->address;
		sea.passed += unit->value;
		own.from = sea.passed;
		sea.effect.chance += unit->chance;
		if (unit->chance > 0)
			add_wave(&sea, &own);
	}
	for (size_t w = 0; w < sea.waves.count; w++)
		end_wave(&sea, &sea.waves.at[w]);
	vec_release(&sea.waves);
	return sea.effect;
}
