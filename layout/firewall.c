/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing walls: one section at a price, then the price.
 */
#include "config.h"

#include "layout/firewall.h"

#include <math.h>
#include <string.h>

#include "lib/memory.h"

struct choice {			/* a VEC: the units that walls stand before, ascending */
	size_t *at, count, capacity;
};

/* A stretch that begins at unit FROM, as a function of the value before its end. */
struct line {
	size_t from;
	double slope, intercept;
};

/* Stretches whose largest alignment is the same: their lower envelope. */
struct envelope {
	size_t begin;			/* of its lines, which end where those of the next begin */
	uint64_t align;
};

struct chooser {
	const struct ripple *ripple;
	const struct firewall_options *options;
	/* Summed over the units before one: */
	double *chances, *values;
	double *moves;			/* what changes of all before a unit move of it */
	size_t *previous;		/* the wall before the one at a unit, where the path is best */
	VEC(struct line) lines;
	VEC(struct envelope) envelopes;	/* by falling alignment, and so by rising FROM */
	struct choice cheap, dear;	/* at a price that is too high, and too low */
};

static void chooser_init(struct chooser *chooser, const struct ripple *ripple,
			 const struct firewall_options *options)
{
	size_t count = ripple->count;

	*chooser = (struct chooser){ .ripple = ripple, .options = options };
	chooser->chances = xcalloc(count + 1, sizeof *chooser->chances);
	chooser->values = xcalloc(count + 1, sizeof *chooser->values);
	chooser->moves = xcalloc(count + 1, sizeof *chooser->moves);
	chooser->previous = xcalloc(count + 1, sizeof *chooser->previous);
	for (size_t i = 0; i < count; i++) {
		const struct ripple_unit *unit = &ripple->units[i];

		chooser->chances[i + 1] = chooser->chances[i] + unit->chance;
		chooser->values[i + 1] = chooser->values[i] + unit->value;
		chooser->moves[i + 1] = chooser->moves[i] + unit->value * chooser->chances[i];
	}
}

static void chooser_release(struct chooser *chooser)
{
	free(chooser->chances);
	free(chooser->values);
	free(chooser->moves);
	free(chooser->previous);
	vec_release(&chooser->lines);
	vec_release(&chooser->envelopes);
	vec_release(&chooser->cheap);
	vec_release(&chooser->dear);
}

/* --- The envelopes ------------------------------------------------------ */

static double line_at(const struct line *line, double value)
{
	return line->intercept + line->slope * value;
}

/* True if B is nowhere below both A and C, whose slopes fall in this order. */
static bool is_hidden(const struct line *a, const struct line *b, const struct line *c)
{
	return (c->intercept - a->intercept) * (a->slope - b->slope) <=
	       (b->intercept - a->intercept) * (a->slope - c->slope);
}

/* Adds LINE behind the envelope [BEGIN, count) of LINES; returns how many lines there are then. */
static size_t append(struct line *lines, size_t begin, size_t count, struct line line)
{
	if (count > begin && lines[count - 1].slope == line.slope) {
		if (lines[count - 1].intercept <= line.intercept)
			return count;
		count--;
	}
	while (count >= begin + 2 && is_hidden(&lines[count - 2], &lines[count - 1], &line))
		count--;
	lines[count] = line;
	return count + 1;
}

/* The lowest line at VALUE of the lines [begin, end). */
static const struct line *lowest(const struct line *lines, size_t begin, size_t end, double value)
{
	while (end - begin > 1) {
		size_t middle = begin + (end - begin) / 2;

		if (line_at(&lines[middle - 1], value) > line_at(&lines[middle], value))
			begin = middle;
		else
			end = middle;
	}
	return &lines[begin];
}

/* A wall at unit FROM, to where the best path costs COST, begins a stretch. */
static void begin_stretch(struct chooser *chooser, size_t from, double cost)
{
	const struct line line = {
		.from = from,
		.slope = -chooser->chances[from],
		.intercept = cost - chooser->moves[from] +
			     chooser->chances[from] * chooser->values[from],
	};

	*vec_push(&chooser->envelopes) = (struct envelope){ chooser->lines.count, 1 };
	*vec_push(&chooser->lines) = line;
}

/* Every open stretch has a unit of alignment ALIGN in it now. */
static void raise_stretches(struct chooser *chooser, uint64_t align)
{
	size_t kept = chooser->envelopes.count, begin, end;

	while (kept > 0 && chooser->envelopes.at[kept - 1].align <= align)
		kept--;
	if (kept == chooser->envelopes.count)
		return;
	begin = chooser->envelopes.at[kept].begin;
	end = kept + 1 < chooser->envelopes.count ? chooser->envelopes.at[kept + 1].begin
						  : chooser->lines.count;
	for (size_t i = end; i < chooser->lines.count; i++)
		end = append(chooser->lines.at, begin, end, chooser->lines.at[i]);
	chooser->lines.count = end;
	chooser->envelopes.at[kept].align = align;
	chooser->envelopes.count = kept + 1;
}

/* --- A section at a price ----------------------------------------------- */

/* What a wall before UNIT costs, behind a stretch of largest alignment ALIGN. */
static double wall_cost(const struct chooser *chooser, size_t unit, uint64_t align, double price)
{
	uint64_t push = ripple_push(chooser->options->growth, align);

	if (ripple_is_wall(chooser->ripple, unit, push))
		return 0;
	if (!chooser->ripple->units[unit].wallable)
		return INFINITY;
	return price * (double)ripple_price(chooser->ripple, unit, push);
}

/* The best path to a wall before UNIT (to the end, where WALLED is false): what it costs. */
static double best_path(struct chooser *chooser, size_t unit, bool walled, double price)
{
	double best = INFINITY, value = chooser->values[unit];

	for (size_t e = 0; e < chooser->envelopes.count; e++) {
		const struct envelope *envelope = &chooser->envelopes.at[e];
		size_t end = e + 1 < chooser->envelopes.count ? envelope[1].begin : chooser->lines.count;
		double cost = walled ? wall_cost(chooser, unit, envelope->align, price) : 0;
		const struct line *line;

		if (cost == INFINITY)
			continue;
		line = lowest(chooser->lines.at, envelope->begin, end, value);
		cost += chooser->moves[unit] + line_at(line, value);
		if (cost < best) {
			best = cost;
			chooser->previous[unit] = line->from;
		}
	}
	return best;
}

/* Leaves in CHOICE the best walls where a byte of them costs PRICE. */
static void choose(struct chooser *chooser, double price, struct choice *choice)
{
	size_t count = chooser->ripple->count;

	chooser->lines.count = chooser->envelopes.count = choice->count = 0;
	if (count == 0)
		return;
	begin_stretch(chooser, 0, 0);
	for (size_t i = 1; i < count; i++) {
		double cost = best_path(chooser, i, true, price);

		raise_stretches(chooser, chooser->ripple->gaps[i].round);
		if (cost < INFINITY)
			begin_stretch(chooser, i, cost);
	}
	best_path(chooser, count, false, price);
	for (size_t i = chooser->previous[count]; i > 0; i = chooser->previous[i])
		*vec_push(choice) = i;
	for (size_t i = 0; i < choice->count / 2; i++) {
		size_t swapped = choice->at[i];

		choice->at[i] = choice->at[choice->count - 1 - i];
		choice->at[choice->count - 1 - i] = swapped;
	}
}

/* --- The price ---------------------------------------------------------- */

static uint64_t build(const struct chooser *chooser, const struct choice *choice,
		      struct firewall_section *section)
{
	section->bytes = ripple_build(chooser->ripple, choice->at, choice->count,
				      chooser->options->growth, chooser->options->modulus,
				      &section->walls);
	return section->bytes;
}

/* Chooses the walls of all sections at PRICE, and builds them; returns the bytes that they add. */
static uint64_t choose_all(struct chooser *choosers, struct firewall_section *sections,
			   size_t count, double price, bool dear)
{
	uint64_t bytes = 0;

	for (size_t s = 0; s < count; s++) {
		struct choice *choice = dear ? &choosers[s].dear : &choosers[s].cheap;

		choose(&choosers[s], price, choice);
		bytes += build(&choosers[s], choice, &sections[s]);
	}
	return bytes;
}

/* In CHOICE the dear walls of the units before CUT, which both have, the cheap ones behind. */
static void mix(const struct chooser *chooser, size_t cut, struct choice *choice)
{
	choice->count = 0;
	for (size_t i = 0; i < chooser->dear.count && chooser->dear.at[i] < cut; i++)
		*vec_push(choice) = chooser->dear.at[i];
	for (size_t i = 0; i < chooser->cheap.count; i++)
		if (chooser->cheap.at[i] >= cut)
			*vec_push(choice) = chooser->cheap.at[i];
}

/*
 * Where many walls are worth the same, a little less in price buys them all, which is too
 * much.  Between two walls that both choices have, each is the best at its price: so the
 * dear one is taken as far as LEFT bytes more than those of the cheap one will do, and
 * is the cheap one then.  Returns what is left.
 */
static uint64_t spend(struct chooser *chooser, struct firewall_section *section, uint64_t left)
{
	uint64_t budget = build(chooser, &chooser->cheap, section) + left;
	VEC(size_t) cuts = VEC_INIT;
	struct choice mixed = { 0 };
	size_t low = 0, high, d = 0;

	*vec_push(&cuts) = 0;
	for (size_t i = 0; i < chooser->cheap.count; i++) {
		while (d < chooser->dear.count && chooser->dear.at[d] < chooser->cheap.at[i])
			d++;
		if (d < chooser->dear.count && chooser->dear.at[d] == chooser->cheap.at[i])
			*vec_push(&cuts) = chooser->cheap.at[i];
	}
	*vec_push(&cuts) = chooser->ripple->count;
	for (high = cuts.count; high - low > 1;) {
		size_t middle = low + (high - low) / 2;

		mix(chooser, cuts.at[middle], &mixed);
		if (build(chooser, &mixed, section) <= budget)
			low = middle;
		else
			high = middle;
	}
	mix(chooser, cuts.at[low], &mixed);
	vec_release(&chooser->cheap);
	chooser->cheap = mixed;
	vec_release(&cuts);
	return budget - build(chooser, &chooser->cheap, section);
}

/* Prices are tried down to 2^-60 of one that buys nothing, then to within 2^-40 of each other. */
#define HALVINGS 60
#define BISECTIONS 40
/* Where a page swallows or makes much of what walls cost, what is left buys some more. */
#define ROUNDS 16

/* Finds the prices HIGH, with which the walls cost no more than the budget, and LOW below it. */
static void bisect(struct chooser *choosers, struct firewall_section *sections, size_t count,
		   uint64_t budget, double *low, double *high)
{
	for (unsigned i = 0; i < HALVINGS; i++) {
		*low = *high / 2;
		if (choose_all(choosers, sections, count, *low, false) > budget)
			break;
		*high = *low;
	}
	for (unsigned i = 0; i < BISECTIONS; i++) {
		double price = (*low + *high) / 2;
		uint64_t bytes = choose_all(choosers, sections, count, price, false);

		if (bytes > budget) {
			*low = price;
			continue;
		}
		*high = price;
		if (budget - bytes < WALL_LINE)	/* no wall's worth is left */
			break;
	}
}

void firewall_choose(struct firewall_section *sections, size_t count,
		     const struct firewall_options *options)
{
	struct chooser *choosers = xcalloc(count + 1, sizeof *choosers);
	double high = 1, low = 0;
	uint64_t left;

	for (size_t s = 0; s < count; s++) {
		const struct ripple *ripple = &sections[s].ripple;

		chooser_init(&choosers[s], ripple, options);
		/* No wall saves as much. */
		high += choosers[s].moves[ripple->count];
	}
	bisect(choosers, sections, count, options->budget, &low, &high);
	left = options->budget - choose_all(choosers, sections, count, high, false);
	for (unsigned i = 0; i < ROUNDS && (i == 0 || left >= WALL_LINE); i++) {
		choose_all(choosers, sections, count, low, true);
		for (size_t s = 0; s < count; s++)
			left = spend(&choosers[s], &sections[s], left);
		low -= low / 8;
	}
	for (size_t s = 0; s < count; s++)
		chooser_release(&choosers[s]);
	free(choosers);
}
