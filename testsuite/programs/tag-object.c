/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tags every section of an object that may bear a tag, and compares the copy
 * with its source byte by byte.
 *
 *	tag-object FROM TO [FILE]	FILE: the file's part of the tags; else FROM
 *	tag-object -p NAME...		the identities that names are tags of
 *
 * Prints "made" or "reused", and "OLD NEW" for each section renamed.
 */
#include "config.h"

#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ld/mapping.h"
#include "ld/tag.h"

/* The header of section INDEX; but for what a tag changes: the name, and where the names are. */
static GElf_Shdr unnamed_header(Elf *elf, size_t index)
{
	size_t names;
	GElf_Shdr header;

	if (elf_getshdrstrndx(elf, &names) != 0 ||
	    gelf_getshdr(elf_getscn(elf, index), &header) == NULL)
		abort();
	header.sh_name = 0;
	if (index == names)
		header.sh_offset = header.sh_size = 0;
	return header;
}

static const char *section_name(Elf *elf, size_t index)
{
	size_t names;
	GElf_Shdr header;

	if (elf_getshdrstrndx(elf, &names) != 0 ||
	    gelf_getshdr(elf_getscn(elf, index), &header) == NULL)
		abort();
	return elf_strptr(elf, names, header.sh_name);
}

/* What differs and should not; NULL: nothing. */
static const char *compare(const struct mapping *from, const struct mapping *to,
			   const struct rename *renames, size_t rename_count)
{
	Elf *old = elf_memory((char *)from->bytes, from->size);
	Elf *new = elf_memory((char *)to->bytes, to->size);
	const char *difference = NULL;
	size_t count, new_count, end;
	GElf_Ehdr header;

	if (gelf_getehdr(old, &header) == NULL || elf_getshdrnum(old, &count) != 0 ||
	    elf_getshdrnum(new, &new_count) != 0)
		abort();
	end = header.e_shoff + count * header.e_shentsize;
	if (count != new_count)
		difference = "the number of sections";
	else if (memcmp(from->bytes, to->bytes, header.e_shoff) != 0)
		difference = "a byte before the section headers";
	else if (memcmp(from->bytes + end, to->bytes + end, from->size - end) != 0)
		difference = "a byte behind the section headers";
	for (size_t i = 1; i < count && difference == NULL; i++) {
		GElf_Shdr before = unnamed_header(old, i), after = unnamed_header(new, i);
		const char *name = section_name(old, i);

		for (size_t k = 0; k < rename_count; k++)
			if (renames[k].shndx == i)
				name = renames[k].name;
		if (memcmp(&before, &after, sizeof before) != 0)
			difference = "more than the name in a section header";
		else if (strcmp(section_name(new, i), name) != 0)
			difference = name;
	}
	elf_end(old);
	elf_end(new);
	return difference;
}

static const char *compare_files(const struct object_place *from, const char *to,
				 const struct rename *renames, size_t count, struct diag *diag)
{
	struct object_place copy = { .path = to };
	const char *difference = "the file is not there";
	struct mapping old, new;

	if (!mapping_open(&old, from, diag))
		return difference;
	if (mapping_open(&new, &copy, diag)) {
		difference = compare(&old, &new, renames, count);
		mapping_release(&new);
	}
	mapping_release(&old);
	return difference;
}

static void tag(const char *from, const char *to, const char *file, struct diag *diag)
{
	struct object_place place = { .path = from };
	VEC(struct rename) renames = VEC_INIT;
	struct object object;
	const char *difference = NULL;
	enum tag_result result;

	if (object_read(&object, &place, false, diag) != OBJECT_OK)
		return;
	for (size_t i = 0; i < object.sections.count; i++) {
		const struct object_section *section = &object.sections.at[i];
		struct identity identity = { .file = file, .section = section->name, .ordinal = section->ordinal };

		if (!tag_allowed(section, section->name))
			continue;
		*vec_push(&renames) = (struct rename){
			.shndx = section->shndx,
			.name = tag_format(&identity, TAG_FINAL, &object.arena),
		};
	}
	result = tag_copy(to, &place, renames.at, renames.count, diag);
	if (result == TAG_TAKEN) {
		puts("taken");
	} else if (result != TAG_FAILED) {
		printf("%s\n", result == TAG_MADE ? "made" : "reused");
		for (size_t i = 0; i < renames.count; i++)
			printf("%s %s\n", object_section(&object, renames.at[i].shndx)->name,
			       renames.at[i].name);
		difference = compare_files(&place, to, renames.at, renames.count, diag);
	}
	if (difference != NULL)
		diag_error(diag, NULL, "the copy differs: %s", difference);
	vec_release(&renames);
	object_release(&object);
}

static void parse(const char *name)
{
	struct identity identity;
	struct obstack arena;

	obstack_init(&arena);
	if (tag_parse(name, &identity, &arena))
		printf("\"%s\" #%u \"%s\"\n", identity.section, identity.ordinal, identity.file);
	else
		printf("no tag\n");
	obstack_free(&arena, NULL);
}

int main(int argc, char **argv)
{
	struct diag diag;

	if (argc < 3)
		return 2;
	elf_version(EV_CURRENT);
	diag_init(&diag, "tag-object", stderr);
	if (strcmp(argv[1], "-p") == 0)
		for (int i = 2; i < argc; i++)
			parse(argv[i]);
	else
		tag(argv[1], argv[2], argc > 3 ? argv[3] : argv[1], &diag);
	return diag.status;
}
