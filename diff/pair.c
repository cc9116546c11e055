/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs are found in passes, each with a key that says less than the one before.
 * A pass sorts what is left of both images by the key's hash and walks the two
 * in step: where both have as many of a key as the pass allows, they are pairs.
 */
#include "config.h"

#include "diff/pair.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "lib/memory.h"

/* What a pass takes for the same. */
enum key {
	KEY_OBJECT,	/* the object by the layout, and the family of the name */
	KEY_FILE,	/* the source that the symbol table names, and the family */
	KEY_STEM,	/* the source's name without folder and ending, and the family */
	KEY_SIZE,	/* source, family, size */
	KEY_BASE,	/* source, and what the name was before GCC cloned the function */
	KEY_NAME,	/* the name */
};

struct pass {
	enum key key;
	bool several;	/* as many on both sides are in order; else there must be one on each */
};

static const struct pass of_symbols[] = {
	{ KEY_OBJECT, true }, { KEY_FILE, true }, { KEY_STEM, true }, { KEY_SIZE, false },
	{ KEY_BASE, false }, { KEY_NAME, false },
};
/* A map does not know sources: of a number of GCC's nothing follows there. */
static const struct pass of_maps[] = {
	{ KEY_FILE, false }, { KEY_NAME, true }, { KEY_BASE, false },
};
static const struct pass of_units[] = { { KEY_NAME, true } };

struct candidate {
	uint64_t hash;			/* of the key */
	const struct piece *piece;	/* NULL: paired */
	uint32_t number;		/* that the compiler put into the name */
	bool keyed;			/* the pass has a key for it */
};

struct side {
	VEC(struct candidate) left;	/* not paired yet */
};

struct matcher {
	struct pairing *pairing;
	struct obstack arena;		/* the key that is being made */
	struct side a, b;
	bool by_address;		/* order is that of addresses: one has no other */
	bool scopes;			/* both know, or neither, where a local symbol is from */
	bool maps;			/* one is a map */
	bool sizes;			/* both have sizes of one kind */
};

/* --- Names -------------------------------------------------------------- */

static bool is_number(const char *p, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (p[i] < '0' || p[i] > '9')
			return false;
	return size > 0;
}

static bool is_clone(const char *p, size_t size)
{
	static const char *const words[] = { "constprop", "isra", "part", "lto_priv", "llvm" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i]) == size && memcmp(words[i], p, size) == 0)
			return true;
	return false;
}

/*
 * Adds NAME's family to the key: the name with its numbers left out; where
 * BASE, without the words of GCC's clones too, but with ".cold".  Returns the
 * last number.
 */
static uint32_t add_family(struct obstack *keys, const char *name, bool base)
{
	const char *dot = strchr(name + (name[0] != '\0'), '.');
	uint32_t number = 0;

	obstack_grow(keys, name, dot != NULL ? (size_t)(dot - name) : strlen(name));
	while (dot != NULL) {
		const char *word = dot + 1, *end = strchr(word, '.');
		size_t size = end != NULL ? (size_t)(end - word) : strlen(word);

		if (is_number(word, size)) {
			number = (uint32_t)strtoul(word, NULL, 10);
			if (!base)
				obstack_1grow(keys, '.');
		} else if (!base || !is_clone(word, size)) {
			obstack_1grow(keys, '.');
			obstack_grow(keys, word, size);
		}
		dot = end;
	}
	return number;
}

/* "count.3", and not "f.isra.3". */
static bool has_bare_number(const char *name)
{
	const char *last = strrchr(name, '.'), *before;

	if (last == NULL || !is_number(last + 1, strlen(last + 1)))
		return false;
	before = memrchr(name, '.', (size_t)(last - name));
	return before == NULL || !is_clone(before + 1, (size_t)(last - before - 1));
}

/* "kernel/sched/core.o", "liblua.a(core.o)" and "core.c" are all "core". */
static void add_stem(struct obstack *keys, const char *file)
{
	const char *slash = strrchr(file, '/'), *begin = slash != NULL ? slash + 1 : file, *dot;
	const char *open = strrchr(begin, '(');

	if (open != NULL)
		begin = open + 1;
	dot = strchr(begin, '.');
	obstack_grow(keys, begin, dot != NULL ? (size_t)(dot - begin) : strlen(begin));
}

/* Makes the candidate's key in a pass, or none where its piece has not what the key is of. */
static void make_key(struct matcher *m, struct candidate *candidate, enum key kind)
{
	const struct piece *piece = candidate->piece;
	const char *file = m->scopes ? piece->file : NULL;
	struct obstack *keys = &m->arena;

	candidate->number = 0;
	candidate->keyed = !(kind == KEY_OBJECT && (piece->object == NULL || !m->scopes)) &&
			   !(kind == KEY_STEM && piece->file == NULL && piece->object == NULL) &&
			   !(kind == KEY_SIZE && (piece->size == 0 || !m->sizes)) &&
			   !(kind == KEY_BASE && m->maps && has_bare_number(piece->name));
	if (!candidate->keyed)
		return;
	if (kind == KEY_OBJECT && !piece->global)
		obstack_grow(keys, piece->object, strlen(piece->object));
	else if (kind == KEY_STEM && !piece->global)
		add_stem(keys, piece->file != NULL ? piece->file : piece->object);
	else if (kind != KEY_NAME && kind != KEY_STEM && file != NULL)
		obstack_grow(keys, file, strlen(file));
	obstack_1grow(keys, '|');
	if (kind == KEY_NAME)
		obstack_grow(keys, piece->name, strlen(piece->name));
	else
		candidate->number = add_family(keys, piece->name, kind == KEY_BASE);
	if (kind == KEY_SIZE) {
		obstack_1grow(keys, '|');
		obstack_grow(keys, &piece->size, sizeof piece->size);
	}
	candidate->hash = XXH3_64bits(obstack_base(keys), (size_t)obstack_object_size(keys));
	obstack_free(keys, obstack_finish(keys));
}

/* --- Passes ------------------------------------------------------------- */

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->keyed != y->keyed)
		return x->keyed ? -1 : 1;
	if (!x->keyed)
		return 0;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return (x->piece->order > y->piece->order) - (x->piece->order < y->piece->order);
}

static int compare_candidates_address(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->keyed && y->keyed && x->hash == y->hash && x->number == y->number)
		return (x->piece > y->piece) - (x->piece < y->piece);
	return compare_candidates(a, b);
}

static void sort_side(struct matcher *m, struct side *side, enum key key)
{
	for (size_t i = 0; i < side->left.count; i++)
		make_key(m, &side->left.at[i], key);
	if (side->left.count > 1)
		qsort(side->left.at, side->left.count, sizeof *side->left.at,
		      m->by_address ? compare_candidates_address : compare_candidates);
}

/* Where the run of one key that begins at FIRST ends. */
static size_t run_end(const struct side *side, size_t first)
{
	const struct candidate *at = side->left.at;
	size_t end = first + 1;

	while (end < side->left.count && at[end].keyed && at[end].hash == at[first].hash)
		end++;
	return end;
}

/* -1, 0, 1: the key at A comes before, is, comes behind the one at B. */
static int order(const struct matcher *m, size_t a, size_t b)
{
	bool has_a = a < m->a.left.count && m->a.left.at[a].keyed;
	bool has_b = b < m->b.left.count && m->b.left.at[b].keyed;
	uint64_t x, y;

	if (!has_a || !has_b)
		return has_b - has_a;
	x = m->a.left.at[a].hash;
	y = m->b.left.at[b].hash;
	return (x > y) - (x < y);
}

static void add_pair(struct matcher *m, struct candidate *a, struct candidate *b, bool several)
{
	*vec_push(&m->pairing->pairs) = (struct pair){ a->piece, b->piece };
	m->pairing->by_order += several;
	m->pairing->renamed += strcmp(a->piece->name, b->piece->name) != 0;
	a->piece = b->piece = NULL;
}

static void drop_paired(struct side *side)
{
	size_t kept = 0;

	for (size_t i = 0; i < side->left.count; i++)
		if (side->left.at[i].piece != NULL)
			side->left.at[kept++] = side->left.at[i];
	side->left.count = kept;
}

/* True if one of a name on each side may be the same: not two statics of two known sources. */
static bool may_differ(const struct piece *a, const struct piece *b)
{
	return a->global || b->global || (a->file == NULL && a->object == NULL) ||
	       (b->file == NULL && b->object == NULL);
}

static void run_pass(struct matcher *m, const struct pass *pass)
{
	size_t a = 0, b = 0;

	sort_side(m, &m->a, pass->key);
	sort_side(m, &m->b, pass->key);
	while (a < m->a.left.count || b < m->b.left.count) {
		int side = order(m, a, b);
		size_t a_end, b_end;

		if (side == 0 && (a == m->a.left.count || !m->a.left.at[a].keyed))
			break;
		a_end = side <= 0 ? run_end(&m->a, a) : a;
		b_end = side >= 0 ? run_end(&m->b, b) : b;
		if (side == 0 && a_end - a == b_end - b && (pass->several || a_end - a == 1) &&
		    (pass->key != KEY_NAME ||
		     may_differ(m->a.left.at[a].piece, m->b.left.at[b].piece)))
			for (size_t i = 0; i < a_end - a; i++)
				add_pair(m, &m->a.left.at[a + i], &m->b.left.at[b + i],
					 a_end - a > 1);
		a = a_end;
		b = b_end;
	}
	drop_paired(&m->a);
	drop_paired(&m->b);
}

static void run_passes(struct matcher *m, const struct pass *passes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		run_pass(m, &passes[i]);
}

/* --- What is left ------------------------------------------------------- */

/* What has a namesake on the other side is ambiguous; the rest is in one image alone. */
static void sort_out(struct matcher *m)
{
	struct pairing *pairing = m->pairing;
	size_t a = 0, b = 0;

	sort_side(m, &m->a, KEY_FILE);
	sort_side(m, &m->b, KEY_FILE);
	while (a < m->a.left.count || b < m->b.left.count) {
		int side = order(m, a, b);
		size_t a_end = side <= 0 ? run_end(&m->a, a) : a;
		size_t b_end = side >= 0 ? run_end(&m->b, b) : b;

		for (; a < a_end; a++) {
			if (side == 0)
				*vec_push(&pairing->ambiguous_a) = m->a.left.at[a].piece;
			else
				*vec_push(&pairing->pairs) =
					(struct pair){ .a = m->a.left.at[a].piece };
		}
		for (; b < b_end; b++) {
			if (side == 0)
				*vec_push(&pairing->ambiguous_b) = m->b.left.at[b].piece;
			else
				*vec_push(&pairing->pairs) =
					(struct pair){ .b = m->b.left.at[b].piece };
		}
	}
}

static void fill(struct side *side, const struct image *image)
{
	for (size_t i = 0; i < image->pieces.count; i++)
		*vec_push(&side->left) = (struct candidate){ .piece = &image->pieces.at[i] };
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if ((x->a != NULL && x->b != NULL) != (y->a != NULL && y->b != NULL))
		return x->a != NULL && x->b != NULL ? -1 : 1;
	if ((x->b == NULL) != (y->b == NULL))
		return x->b == NULL ? 1 : -1;
	/* Pieces are sorted by address within their image. */
	return x->b != NULL ? (x->b > y->b) - (x->b < y->b) : (x->a > y->a) - (x->a < y->a);
}

void pairing_make(struct pairing *pairing, const struct image *a, const struct image *b)
{
	struct matcher m = {
		.pairing = pairing,
		.by_address =
			a->kind != b->kind || a->kind == IMAGE_MAP || a->dynamic != b->dynamic,
		.scopes = (a->kind == IMAGE_MAP) == (b->kind == IMAGE_MAP),
		.maps = a->kind == IMAGE_MAP || b->kind == IMAGE_MAP,
		.sizes = a->kind == b->kind && !a->distances && !b->distances,
	};

	*pairing = (struct pairing){ .both = 0 };
	obstack_init(&m.arena);
	fill(&m.a, a);
	fill(&m.b, b);
	if (a->units)
		run_passes(&m, of_units, sizeof of_units / sizeof of_units[0]);
	else if (!m.maps)
		run_passes(&m, of_symbols, sizeof of_symbols / sizeof of_symbols[0]);
	else
		run_passes(&m, of_maps, sizeof of_maps / sizeof of_maps[0]);
	pairing->both = pairing->pairs.count;
	sort_out(&m);
	if (pairing->pairs.count > 1)
		qsort(pairing->pairs.at, pairing->pairs.count, sizeof *pairing->pairs.at,
		      compare_pairs);
	obstack_free(&m.arena, NULL);
	vec_release(&m.a.left);
	vec_release(&m.b.left);
}

void pairing_release(struct pairing *pairing)
{
	vec_release(&pairing->pairs);
	vec_release(&pairing->ambiguous_a);
	vec_release(&pairing->ambiguous_b);
}
