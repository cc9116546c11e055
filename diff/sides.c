/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is read of a file depends on what the other one is.
 */
#include "config.h"

#include "diff/sides.h"

#include <stdlib.h>

#include "diff/owner.h"

/* A program's layout, which is to be a program's. */
static bool find_layout(const struct image *image, const char *given, char **layout,
			struct diag *diag)
{
	*layout = NULL;
	if (image->kind == IMAGE_PROGRAM) {
		*layout = owner_find(image, given, diag);
		return *layout != NULL || given == NULL;
	}
	if (given == NULL)
		return true;
	diag_error(diag, NULL, "\"%s\" is a %s: a layout (\"%s\") belongs to an ELF file",
		   image->path, image_kind_name(image->kind), given);
	return false;
}

/* Looks at PROGRAM by its LAYOUT instead, because the other side is one too. */
static bool by_layout(struct image *program, char *layout, struct diag *diag)
{
	image_release(program);
	if (!image_open(program, layout, diag)) {
		free(layout);
		return false;
	}
	program->layout = layout;
	return true;
}

static bool read_image(struct image *image, const struct image *other, char *layout, bool dynamic,
		       struct diag *diag)
{
	const struct image_want want = {
		.labels = other->kind == IMAGE_MAP,
		.dynamic = dynamic,
		.units = other->kind == IMAGE_LAYOUT,
	};

	if (!image_read(image, &want, diag)) {
		free(layout);
		return false;
	}
	return layout == NULL || owner_read(image, layout, diag);
}

/* Where one program has .dynsym alone, the other one is asked for the same. */
static bool match_tables(struct image *image, const struct image *other, struct diag *diag)
{
	char *layout = image->layout;

	if (image->kind != IMAGE_PROGRAM || !other->dynamic || image->dynamic)
		return true;
	image->layout = NULL;
	return read_image(image, other, layout, true, diag);
}

static const char *noun(const struct image *image)
{
	return image->units ? "units" : "symbols";
}

static bool nothing_in_common(const struct sides *sides, struct diag *diag)
{
	const struct image *a = &sides->a, *b = &sides->b;

	diag_error(
		diag, NULL,
		"nothing to compare: \"%s\" is a%s %s of %zu %s%s, \"%s\" a%s %s of %zu %s%s",
		a->path, a->kind == IMAGE_PROGRAM ? "n" : "", image_kind_name(a->kind),
		a->pieces.count, noun(a),
		a->kind == IMAGE_LAYOUT && !a->units ? " (its units are not split by symbol)" : "",
		b->path, b->kind == IMAGE_PROGRAM ? "n" : "", image_kind_name(b->kind),
		b->pieces.count, noun(b),
		b->kind == IMAGE_LAYOUT && !b->units ? " (its units are not split by symbol)" : "");
	return false;
}

bool sides_read(struct sides *sides, const char *path_a, const char *path_b,
		const char *layout_a, const char *layout_b, struct diag *diag)
{
	struct image *a = &sides->a, *b = &sides->b;
	bool open_a = image_open(a, path_a, diag), open_b = image_open(b, path_b, diag);
	char *of_a = NULL, *of_b = NULL;

	if (!open_a || !open_b || !find_layout(a, layout_a, &of_a, diag) ||
	    !find_layout(b, layout_b, &of_b, diag)) {
		free(of_a);
		free(of_b);
		return false;
	}
	if (b->kind == IMAGE_LAYOUT && of_a != NULL) {
		if (!by_layout(a, of_a, diag))
			return false;
		of_a = NULL;
	} else if (a->kind == IMAGE_LAYOUT && of_b != NULL) {
		if (!by_layout(b, of_b, diag))
			return false;
		of_b = NULL;
	}
	if (!read_image(a, b, of_a, false, diag)) {
		free(of_b);
		return false;
	}
	if (!read_image(b, a, of_b, false, diag) || !match_tables(a, b, diag) ||
	    !match_tables(b, a, diag))
		return false;
	return (a->pieces.count > 0 && b->pieces.count > 0) || nothing_in_common(sides, diag);
}

void sides_release(struct sides *sides)
{
	image_release(&sides->a);
	image_release(&sides->b);
}
