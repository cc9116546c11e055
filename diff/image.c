/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files told apart, and layouts read as pieces.
 */
#include "config.h"

#include "diff/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout/record.h"
#include "lib/memory.h"

static const char layout_magic[] = "# kerning-layout ";

const char *image_kind_name(enum image_kind kind)
{
	static const char *const names[] = {
		[IMAGE_PROGRAM] = "ELF file", [IMAGE_MAP] = "System.map", [IMAGE_LAYOUT] = "layout",
	};

	return names[kind];
}

bool image_is_table_entry(const char *name)
{
	static const char *const prefixes[] = {
		"__ksymtab_", "__kstrtab", "__crc_", "__initcall__", "__pfx_", "__cfi_",
	};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

uint64_t piece_size(uint64_t address, uint64_t size)
{
	return size >> 62 == 0 && address + size >= address ? size : 0;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->size != y->size)
		return x->size < y->size ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

void image_sort(struct image *image)
{
	if (image->pieces.count > 1)
		qsort(image->pieces.at, image->pieces.count, sizeof *image->pieces.at,
		      compare_pieces);
}

/* --- Opening ------------------------------------------------------------ */

/* True if PATH is a regular file that begins as ELF files do. */
static bool is_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[SELFMAG];
	bool elf;

	if (fd < 0)
		return false;
	elf = pread(fd, magic, sizeof magic, 0) == sizeof magic &&
	      memcmp(magic, ELFMAG, SELFMAG) == 0;
	close(fd);
	return elf;
}

static bool begins(const struct source *source, const char *magic)
{
	return source->size >= strlen(magic) && memcmp(source->text, magic, strlen(magic)) == 0;
}

/* A map's lines begin with an address; nm leaves that of undefined symbols blank. */
static bool looks_like_map(const struct source *source)
{
	const char *p = source->text;
	size_t digits = strspn(p, "0123456789abcdefABCDEF"), blanks = strspn(p, " \t\n");

	return blanks > 0 ? strspn(p, " \t\n0123456789abcdefABCDEF") > blanks || p[blanks] != '\0'
			  : digits > 0 && (p[digits] == ' ' || p[digits] == '\t');
}

bool image_open(struct image *image, const char *path, struct diag *diag)
{
	*image = (struct image){ .path = path };
	obstack_init(&image->arena);
	if (is_elf(path)) {
		image->kind = IMAGE_PROGRAM;
		return true;
	}
	image->source = source_read(path);
	if (image->source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s", path,
				 strerror(errno));
		return false;
	}
	if (begins(image->source, layout_magic)) {
		image->kind = IMAGE_LAYOUT;
		return true;
	}
	if (looks_like_map(image->source)) {
		image->kind = IMAGE_MAP;
		return true;
	}
	diag_error(diag, NULL,
		   "\"%s\": expected an ELF file, a System.map (\"ADDRESS T name\") or a "
		   "layout, got %s",
		   path, image->source->size == 0 ? "an empty file" : "something else");
	return false;
}

void image_release(struct image *image)
{
	source_free(image->source);
	free(image->layout);
	vec_release(&image->sections);
	vec_release(&image->pieces);
	obstack_free(&image->arena, NULL);
}

/* --- Layouts ------------------------------------------------------------ */

/* Most units are in the section of the one before them. */
static uint32_t find_section(struct image *image, const char *name, uint64_t address)
{
	for (size_t i = image->sections.count; i-- > 0; )
		if (strcmp(image->sections.at[i].name, name) == 0)
			return (uint32_t)i;
	*vec_push(&image->sections) = (struct image_section){
		.name = obstack_strdup(&image->arena, name), .address = address,
		.code = strstr(name, "text") != NULL,
		.writable = strstr(name, "data") != NULL || strstr(name, "bss") != NULL,
	};
	return (uint32_t)image->sections.count - 1;
}

static void add_unit(struct image *image, const struct layout_unit *unit,
		     const struct image_want *want)
{
	const struct identity *identity = &unit->identity;
	struct piece *piece;
	const char *symbol;
	char *name;

	if (unit->size == 0 || (!want->units && identity->symbol == NULL)) {
		image->left_out.units++;
		return;
	}
	name = identity_string(identity);
	symbol = identity->symbol != NULL ? obstack_strdup(&image->arena, identity->symbol) : NULL;
	piece = vec_push(&image->pieces);
	*piece = (struct piece){
		.address = unit->address, .size = piece_size(unit->address, unit->size),
		.name = want->units ? obstack_strdup(&image->arena, name) : symbol,
		.symbol = symbol,
		.object = obstack_strdup(&image->arena, identity->file),
		.section = find_section(image, unit->section, unit->address),
		.order = (uint32_t)image->pieces.count,
		.global = want->units,
	};
	free(name);
}

static bool read_layout(struct image *image, const struct image_want *want, struct diag *diag)
{
	struct layout layout;
	bool good;

	layout_init(&layout);
	good = layout_read(&layout, image->path, diag);
	for (size_t i = 0; good && i < layout.units.count; i++)
		add_unit(image, &layout.units.at[i], want);
	layout_release(&layout);
	image->units = want->units;
	return good;
}

bool image_read(struct image *image, const struct image_want *want, struct diag *diag)
{
	bool good;

	image->pieces.count = 0;
	image->sections.count = 0;
	image->left_out = (struct image_left_out){ 0 };
	if (image->kind == IMAGE_PROGRAM)
		good = program_read(image, want, diag);
	else if (image->kind == IMAGE_MAP)
		good = map_read(image, diag);
	else
		good = read_layout(image, want, diag);
	image_sort(image);
	return good;
}
