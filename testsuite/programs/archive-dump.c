/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what an archive holds, or writes a thin one that stands for it.
 *
 *	archive-dump ARCHIVE
 *	archive-dump ARCHIVE THIN [MEMBER=FILE...]	FILEs in place of members
 *
 * "member ORDINAL SHORT-NAME LABEL OFFSET" (the offset of its first byte), then
 * "symbol NAME SHORT-NAME" for each line of the index, or "no index".
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ld/archive.h"

static void print(const struct archive *archive)
{
	for (size_t i = 0; i < archive->members.count; i++) {
		const struct archive_member *member = &archive->members.at[i];

		printf("member %u %s %s 0x%jx\n", member->ordinal, member->short_name,
		       member->place.label, (uintmax_t)member->place.offset);
	}
	for (size_t i = 0; i < archive->symbols.count; i++)
		printf("symbol %s %s\n", archive->symbols.at[i].name,
		       archive->members.at[archive->symbols.at[i].member].short_name);
	if (!archive->has_index)
		printf("no index\n");
}

static bool write_thin(const struct archive *archive, char **arguments, struct diag *diag)
{
	const char **files = xcalloc(archive->members.count, sizeof *files);
	bool done;

	for (char **replace = arguments + 1; *replace != NULL; replace++) {
		size_t length = strcspn(*replace, "=");

		for (size_t i = 0; i < archive->members.count; i++) {
			const char *name = archive->members.at[i].short_name;

			if (strlen(name) == length && strncmp(name, *replace, length) == 0)
				files[i] = *replace + length + 1;
		}
	}
	done = archive_write_thin(arguments[0], archive, files, diag);
	free(files);
	return done;
}

int main(int argc, char **argv)
{
	struct archive archive;
	struct diag diag;

	if (argc < 2)
		return 2;
	diag_init(&diag, "archive-dump", stderr);
	switch (archive_read(&archive, argv[1], &diag)) {
	case ARCHIVE_OK:
		if (argc == 2)
			print(&archive);
		else
			write_thin(&archive, argv + 2, &diag);
		archive_release(&archive);
		break;
	case ARCHIVE_NOT:
		printf("no archive\n");
		break;
	case ARCHIVE_BAD:
		break;
	}
	return diag.status;
}
