/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A System.map, and what nm prints in its usual form:
 *
 *	ffffffff81000000 T _stext
 *	ffffffff81c00480 0000000000000040 d mce_banks	(nm -S)
 *	ffffffffc0000000 t init_module	[loop]		(/proc/kallsyms)
 *
 * It has kinds of sections, not their names; and without -S no sizes: what
 * stands for one is the distance to the next address, if that is of the same
 * kind of section.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "diff/image.h"
#include "diff/word.h"
#include "lib/memory.h"

enum { TEXT, RODATA, DATA, BSS, KINDS };

static const struct image_section kinds[KINDS] = {
	[TEXT] = { .name = "text", .code = true },
	[RODATA] = { .name = "rodata" },
	[DATA] = { .name = "data", .writable = true },
	[BSS] = { .name = "bss", .writable = true },
};

struct reader {
	struct image *image;
	const struct source *source;
	struct diag *diag;
	uint32_t kind;			/* of the line before */
	bool sizes;
};

static bool unexpected(const struct reader *r, const struct word *word, const char *expected)
{
	const struct span span = { r->source, (uint32_t)(word->begin - r->source->text),
				   (uint32_t)(word->end - r->source->text) };

	if (word->begin == word->end)
		diag_error(r->diag, &span, "expected %s, got nothing", expected);
	else
		diag_error(r->diag, &span, "expected %s, got \"%.*s\"", expected,
			   (int)(word->end - word->begin), word->begin);
	return false;
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_hex(const struct word *word, uint64_t *value)
{
	*value = 0;
	for (const char *p = word->begin; p < word->end; p++) {
		if (digit(*p) < 0 || *value >> 60 != 0)
			return false;
		*value = *value << 4 | (uint64_t)digit(*p);
	}
	return word->begin < word->end;
}

/* The kind of section that a letter of nm's means; the LAST line's where it says none. */
static uint32_t kind_of(char letter, uint32_t last)
{
	switch (letter) {
	case 'T': case 't':
		return TEXT;
	case 'R': case 'r':
		return RODATA;
	case 'D': case 'd': case 'G': case 'g':
		return DATA;
	case 'B': case 'b': case 'S': case 's': case 'C': case 'c':
		return BSS;
	default:
		return last;
	}
}

static bool read_line(struct reader *r, const char *at, const char *end)
{
	struct word address = word_next(&at, end), letter = word_next(&at, end), size, name, module;
	struct image *image = r->image;
	struct piece piece = { .order = (uint32_t)image->pieces.count };

	if (address.begin == address.end)
		return true;
	if (letter.begin < letter.end && (*address.begin == 'U' || *address.begin == 'w' ||
	    *address.begin == 'v') && address.end - address.begin == 1)
		return true;		/* undefined */
	if (!read_hex(&address, &piece.address))
		return unexpected(r, &address, "an address in hexadecimal");
	size = letter;
	if (letter.end - letter.begin > 1) {
		if (!read_hex(&size, &piece.size))
			return unexpected(r, &size, "a letter (T, t, D, ...), or a size");
		piece.size = piece_size(piece.address, piece.size);
		r->sizes = true;
		letter = word_next(&at, end);
	}
	if (letter.end - letter.begin != 1)
		return unexpected(r, &letter, "a letter (T, t, D, ...)");
	name = word_next(&at, end);
	if (name.begin == name.end)
		return unexpected(r, &name, "a symbol");
	module = word_next(&at, end);
	if (*letter.begin == 'A' || *letter.begin == 'a') {
		image->left_out.absolute++;
		return true;
	}
	piece.name = piece.symbol =
		obstack_strndup(&image->arena, name.begin, (size_t)(name.end - name.begin));
	if (image_is_table_entry(piece.name)) {
		image->left_out.tables++;
		return true;
	}
	if (module.begin < module.end)
		piece.file = obstack_strndup(&image->arena, module.begin,
					     (size_t)(module.end - module.begin));
	piece.section = r->kind = kind_of(*letter.begin, r->kind);
	*vec_push(&image->pieces) = piece;
	return true;
}

/* Gives each piece the distance to the next address where that is of its kind. */
static void measure(struct image *image)
{
	size_t count = image->pieces.count, end;

	for (size_t i = 0; i < count; i = end) {
		struct piece *piece = &image->pieces.at[i];
		bool present[KINDS] = { false };
		uint64_t next = 0;
		size_t j;

		for (end = i; end < count && image->pieces.at[end].address == piece->address; end++)
			;
		if (end < count)
			next = image->pieces.at[end].address;
		for (j = end; j < count && image->pieces.at[j].address == next; j++)
			present[image->pieces.at[j].section] = true;
		for (j = i; j < end; j++)
			if (end < count && present[image->pieces.at[j].section])
				image->pieces.at[j].size =
					piece_size(piece->address, next - piece->address);
	}
}

bool map_read(struct image *image, struct diag *diag)
{
	struct reader r = { .image = image, .source = image->source, .diag = diag };
	const char *at = image->source->text, *all = at + image->source->size;
	unsigned bad = 0;

	for (uint32_t kind = 0; kind < KINDS; kind++)
		*vec_push(&image->sections) = kinds[kind];
	while (at < all && bad < MAP_ERRORS_MAX) {
		const char *newline = memchr(at, '\n', (size_t)(all - at));
		const char *end = newline != NULL ? newline : all;

		bad += !read_line(&r, at, end);
		at = end + 1;
	}
	image->distances = !r.sizes;
	if (bad == 0 && image->distances) {
		image_sort(image);
		measure(image);
	}
	for (size_t i = image->pieces.count; i-- > 0; )
		image->sections.at[image->pieces.at[i].section].address =
			image->pieces.at[i].address;
	return bad == 0;
}
