/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is in a bundle.
 */
#include "config.h"

#include "src/bundle-list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/table.h"

static uint64_t bytes_of(const struct bundle_link *link)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < link->files.count; i++)
		bytes += link->files.at[i].size;
	return bytes;
}

static void print_table(const struct bundle *bundle)
{
	static const struct column columns[] = {
		{ "OUTPUT", false }, { "SIZE", true }, { "FILES", true }, { "BYTES", true },
		{ "LINKED", false }, { "LINKER", false },
	};
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < bundle->links.count; i++) {
		const struct bundle_link *link = &bundle->links.at[i];

		table_add(&table, "%s", link->output);
		table_add(&table, "%" PRIu64, link->size);
		table_add(&table, "%zu", link->files.count);
		table_add(&table, "%" PRIu64, bytes_of(link));
		table_add(&table, "%s", link->time);
		table_add(&table, "%s", link->version);
	}
	table_print(&table, stdout);
	table_release(&table);
}

static json_t *texts(const char *const *list, size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_text(list[i]));
	return array;
}

static void print_json(const struct bundle *bundle)
{
	json_t *head = json_pack("{s:o, s:o, s:o}", "command",
				 texts(bundle->command.at, bundle->command.count), "folder",
				 json_text(bundle->folder), "time", json_text(bundle->time));
	char *text = json_dumps(head, 0);

	/* The list is the last member. */
	printf("%.*s, \"links\": [", (int)strlen(text) - 1, text);
	free(text);
	json_decref(head);
	for (size_t i = 0; i < bundle->links.count; i++) {
		const struct bundle_link *link = &bundle->links.at[i];
		json_t *paths = json_array();

		for (size_t k = 0; k < link->files.count; k++)
			json_array_append_new(paths, json_text(link->files.at[k].path));
		json_row(json_pack("{s:o, s:o, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o}",
				   "output", json_text(link->output), "name", json_text(link->name),
				   "size", (json_int_t)link->size, "placed", link->placed,
				   "folder", json_text(link->folder), "time", json_text(link->time),
				   "linker", json_text(link->linker),
				   "version", json_text(link->version),
				   "words", texts(link->words.at, link->words.count),
				   "files", paths), i);
	}
	puts("\n]}");
}

void bundle_list(const struct bundle *bundle, bool json)
{
	if (json)
		print_json(bundle);
	else
		print_table(bundle);
}
