/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading ld's map.
 *
 * The map is text for people.  What is read of it:
 *
 *	Archive member included to satisfy reference by file (symbol)
 *
 *	libx.a(m.o)                   main.o (f)	a member, at the line's start
 *	Discarded input sections
 *
 *	 .text.f        0x0000000000000000       0x1b a.o
 *	Linker script and memory map
 *
 *	.text           0x0000000000401000      0x1b5	output section, at the line's start
 *	 *(.text .text.*)				statement: a blank, then '*' or a '('
 *	 .text          0x0000000000401000       0x26 a.o	input section: a blank, then its name
 *	 .text.a_name_too_long_for_its_column
 *	                0x0000000000401026       0x10 b.o	... whose numbers stand on the next line
 *	                0x0000000000401026                main	symbol: no name in the first column
 *
 * Names may be anything but hold no newline; a file name may hold blanks, so
 * it is all the rest of its line.
 */
#include "config.h"
#include "ld/map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct map_reader {
	struct map *map;
	char *next;			/* the line after this one, or NULL */
	const char *output;
	uint32_t statement, statements;
	bool discarded;
};

/* The line at reader->next, without its newline; NULL at the end. */
static char *next_line(struct map_reader *reader)
{
	char *line = reader->next, *end;

	if (line == NULL)
		return NULL;
	end = strchr(line, '\n');
	reader->next = end != NULL && end[1] != '\0' ? end + 1 : NULL;
	if (end != NULL)
		*end = '\0';
	return line;
}

/* "   0xADDR   0xSIZE FILE", to which TEXT points.  False: something else. */
static bool read_numbers(char *text, struct map_section *section)
{
	char *end;

	text += strspn(text, " ");
	if (text[0] != '0' || text[1] != 'x')
		return false;
	section->address = strtoull(text, &end, 16);
	if (*end != ' ')
		return false;
	end += strspn(end, " ");
	if (end[0] != '0' || end[1] != 'x')
		return false;
	section->size = strtoull(end, &end, 16);
	section->file = *end == ' ' ? end + 1 : end;
	return true;
}

/* " NAME  0xADDR 0xSIZE FILE", or " NAME" and the rest on the next line. */
static void read_section(struct map_reader *reader, char *line)
{
	struct map_section section = { .name = line + 1, .output = reader->output,
				       .statement = reader->statement };
	char *end = strstr(line + 1, " 0x"), *numbers = end;

	if (numbers == NULL) {
		if (reader->next == NULL || strncmp(reader->next, "                0x", 18) != 0)
			return;
		numbers = next_line(reader);
		end = line + strlen(line);
	}
	if (!read_numbers(numbers, &section))
		return;
	while (end > line + 1 && end[-1] == ' ')
		end--;
	*end = '\0';
	if (reader->discarded)
		section.output = NULL;
	*vec_push(&reader->map->sections) = section;
}

/*
 * "libx.a(m.o)   main.o (f)", or the second half on the next line.  Of a whole
 * archive every member is listed, with "(--whole-archive)" for a reason.
 */
static void read_members(struct map_reader *reader)
{
	char *line;

	next_line(reader);	/* empty */
	while ((line = next_line(reader)) != NULL && line[0] != '\0') {
		char *why = strstr(line, "  ");

		if (why != NULL)
			*why++ = '\0';
		else if (reader->next != NULL && reader->next[0] == ' ')
			why = next_line(reader);
		if (why == NULL || strcmp(why + strspn(why, " "), "(--whole-archive)") != 0)
			*vec_push(&reader->map->members) = line;
	}
}

/* " *(.text .text.*)", " KEEP (*(.init))": a description, where section names begin with no such. */
static bool is_statement(const char *line)
{
	const char *name = line + 1;

	if (name[0] == '*')
		return true;
	return strchr(name, '(') != NULL && strstr(name, "0x") == NULL && name[strlen(name) - 1] == ')' &&
	       strchr(name, '@') == NULL;
}

bool map_read(struct map *map, const char *path, struct diag *diag)
{
	struct map_reader reader = { .map = map };
	bool in_map = false;
	char *line;

	memset(map, 0, sizeof *map);
	map->source = source_read(path);
	if (map->source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read the map '%s': %s", path,
				 strerror(errno));
		return false;
	}
	reader.next = map->source->text;
	while ((line = next_line(&reader)) != NULL) {
		if (!in_map) {
			if (strncmp(line, "Archive member included", 23) == 0)
				read_members(&reader);
			else if (strcmp(line, "Discarded input sections") == 0)
				reader.discarded = true;
			else if (strcmp(line, "Memory Configuration") == 0)
				reader.discarded = false;
			else if (strcmp(line, "Linker script and memory map") == 0)
				in_map = true;
			else if (reader.discarded && line[0] == ' ' && line[1] != ' ')
				read_section(&reader, line);
			continue;
		}
		if (line[0] == '\0' || (line[0] == ' ' && line[1] == ' ') ||
		    strncmp(line, " *fill*", 7) == 0)
			continue;
		if (line[0] != ' ') {
			char *end = strchr(line, ' ');

			if (end != NULL)
				*end = '\0';
			reader.output = line;
			reader.statement = 0;
		} else if (is_statement(line)) {
			reader.statement = ++reader.statements;
		} else if (reader.output != NULL) {
			read_section(&reader, line);
		}
	}
	return true;
}

void map_release(struct map *map)
{
	source_free(map->source);
	vec_release(&map->sections);
	vec_release(&map->members);
}
