/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what objects, and those in archives, were read to hold.
 *
 *	object-dump FILE...
 *
 * One item a line: "object LABEL", "source NAME", "lto" or "fat-lto",
 * "section INDEX NAME SIZE ALIGN", "group SIGNATURE COMDAT MEMBER...",
 * "symbol BINDING NAME".
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "ld/archive.h"
#include "ld/object.h"

static void print_object(const struct object *object, const char *label)
{
	static const char *const bindings[] = {
		[OBJECT_UNDEFINED] = "undefined",
		[OBJECT_UNDEFINED_WEAK] = "undefined-weak",
		[OBJECT_DEFINED] = "defined",
		[OBJECT_DEFINED_WEAK] = "defined-weak",
		[OBJECT_COMMON] = "common",
	};

	printf("object %s\n", label);
	if (object->source_file != NULL)
		printf("source %s\n", object->source_file);
	if (object->lto || object->fat_lto)
		printf("%s\n", object->lto ? "lto" : "fat-lto");
	for (size_t i = 0; i < object->sections.count; i++) {
		const struct object_section *section = &object->sections.at[i];

		printf("section %u %s %" PRIx64 " %" PRIu64 "\n", section->shndx, section->name,
		       section->size, section->align);
	}
	for (size_t i = 0; i < object->groups.count; i++) {
		const struct object_group *group = &object->groups.at[i];

		printf("group %s %d", group->signature, group->comdat);
		for (size_t k = 0; k < object->sections.count; k++)
			if (object->sections.at[k].group == i + 1)
				printf(" %s", object->sections.at[k].name);
		printf("\n");
	}
	for (size_t i = 0; i < object->symbols.count; i++)
		printf("symbol %s %s\n", bindings[object->symbols.at[i].binding],
		       object->symbols.at[i].name);
}

static bool dump(const struct object_place *place, struct diag *diag)
{
	struct object object;

	switch (object_read(&object, place, true, diag)) {
	case OBJECT_OK:
		print_object(&object, place->label);
		object_release(&object);
		return true;
	case OBJECT_NOT_ELF:
		printf("other %s\n", place->label);
		return true;
	case OBJECT_BAD:
		break;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct diag diag;

	diag_init(&diag, "object-dump", stderr);
	for (int i = 1; i < argc; i++) {
		struct archive archive;

		switch (archive_read(&archive, argv[i], &diag)) {
		case ARCHIVE_OK:
			for (size_t k = 0; k < archive.members.count; k++)
				dump(&archive.members.at[k].place, &diag);
			archive_release(&archive);
			break;
		case ARCHIVE_NOT:
			dump(&(struct object_place){ .path = argv[i], .label = argv[i] }, &diag);
			break;
		case ARCHIVE_BAD:
			break;
		}
	}
	return diag.status;
}
