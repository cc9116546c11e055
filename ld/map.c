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

#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

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

/* An input section, whose name ends at END and whose numbers are NUMBERS.  False: it is none. */
static bool add_section(struct map *map, char *name, char *end, char *numbers)
{
	struct map_section section = {
		.name = name,
		.output = map->reader.part == MAP_PLACED ? map->reader.output : NULL,
		.statement = map->reader.statement,
	};

	if (!read_numbers(numbers, &section))
		return false;
	while (end > name && end[-1] == ' ')
		end--;
	*end = '\0';
	*vec_push(&map->sections) = section;
	return true;
}

/* " NAME  0xADDR 0xSIZE FILE", or " NAME" and the rest on the next line. */
static bool take_section(struct map *map, char *line)
{
	char *numbers = strstr(line + 1, " 0x");

	if (numbers != NULL)
		return add_section(map, line + 1, numbers, numbers);
	map->reader.pending = line;
	return true;
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

/* A member is listed because of a symbol; of a whole archive each is, "(--whole-archive)". */
static void add_member(struct map *map, const char *member, const char *why)
{
	if (why == NULL || strcmp(why + strspn(why, " "), "(--whole-archive)") != 0)
		*vec_push(&map->members) = member;
}

/* "libx.a(m.o)   main.o (f)", or the second half on the next line; an empty line before and behind all. */
static bool take_member(struct map *map, char *line)
{
	char *pending = map->reader.pending, *why;

	map->reader.pending = NULL;
	if (pending != NULL) {
		add_member(map, pending, line[0] == ' ' ? line : NULL);
		if (line[0] == ' ')
			return false;
	}
	if (line[0] == '\0') {
		if (map->reader.begun)
			map->reader.part = MAP_BEFORE;
		return false;
	}
	map->reader.begun = true;
	why = strstr(line, "  ");
	if (why == NULL) {
		map->reader.pending = line;
		return true;
	}
	*why++ = '\0';
	add_member(map, line, why);
	return true;
}

/* Of "SYMBOL = .", "PROVIDE (SYMBOL = ALIGN (0x8))" the symbol, cut off; NULL: another value. */
static char *assigned_symbol(char *text)
{
	char *equals = strstr(text, " = "), *paren;

	if (equals == NULL || (strcmp(equals, " = .") != 0 && strcmp(equals, " = .)") != 0 &&
			       strncmp(equals, " = ALIGN (", 10) != 0))
		return NULL;
	*equals = '\0';
	paren = strchr(text, '(');
	return paren != NULL ? paren + 1 : text;
}

/*
 *	                0xADDR                _etext = .
 *	                0xADDR                . = 0x11?(. + 0x40):.
 *
 * The second is how a fragment holds the seam 0x11 (see fragment.c).
 */
static bool take_assignment(struct map *map, char *line)
{
	struct map_assignment assignment = { .output = map->reader.output,
					     .sections = map->sections.count };
	char *text, *end;

	if (strncmp(line, "                0x", 18) != 0)
		return false;
	assignment.value = strtoull(line + 16, &text, 16);
	text += strspn(text, " ");
	if (strncmp(text, ". = 0x", 6) == 0) {
		assignment.seam = (unsigned)strtoul(text + 4, &end, 16);
		if (*end != '?')
			return false;
	} else {
		assignment.symbol = assigned_symbol(text);
		if (assignment.symbol == NULL || strcmp(assignment.symbol, ".") == 0)
			return false;
	}
	*vec_push(&map->assignments) = assignment;
	return true;
}

static bool take_placed(struct map *map, char *line)
{
	struct map_reader *reader = &map->reader;

	if (line[0] == ' ' && line[1] == ' ')
		return take_assignment(map, line);
	if (line[0] == '\0' || strncmp(line, " *fill*", 7) == 0)
		return false;
	if (line[0] != ' ') {
		*strchrnul(line, ' ') = '\0';
		reader->output = line;
		reader->statement = 0;
		return true;
	}
	if (is_statement(line)) {
		reader->statement = ++reader->statements;
		return false;
	}
	return reader->output != NULL && take_section(map, line);
}

/* One line, without its newline.  True if the map keeps it. */
static bool take_line(struct map *map, char *line)
{
	struct map_reader *reader = &map->reader;

	if (reader->part == MAP_MEMBERS)
		return take_member(map, line);
	if (reader->pending != NULL) {
		char *name = reader->pending + 1;

		reader->pending = NULL;
		if (strncmp(line, "                0x", 18) == 0)
			return add_section(map, name, name + strlen(name), line);
	}
	if (reader->part == MAP_PLACED)
		return take_placed(map, line);
	if (strncmp(line, "Archive member included", 23) == 0)
		reader->part = MAP_MEMBERS;
	else if (strcmp(line, "Discarded input sections") == 0)
		reader->part = MAP_DISCARDED;
	else if (strcmp(line, "Memory Configuration") == 0)
		reader->part = MAP_BEFORE;
	else if (strcmp(line, "Linker script and memory map") == 0)
		reader->part = MAP_PLACED;
	else if (reader->part == MAP_DISCARDED && line[0] == ' ' && line[1] != ' ')
		return take_section(map, line);
	return false;
}

void map_begin(struct map *map)
{
	memset(map, 0, sizeof *map);
	obstack_init(&map->arena);
}

void map_take(struct map *map, const char *bytes, size_t size)
{
	const char *newline;

	while ((newline = memchr(bytes, '\n', size)) != NULL) {
		size_t length = (size_t)(newline - bytes);
		char *line;

		obstack_grow0(&map->arena, bytes, (int)length);
		line = obstack_finish(&map->arena);
		if (!take_line(map, line))
			obstack_free(&map->arena, line);
		bytes += length + 1;
		size -= length + 1;
	}
	obstack_grow(&map->arena, bytes, (int)size);
}

void map_end(struct map *map)
{
	if (obstack_object_size(&map->arena) > 0)
		map_take(map, "\n", 1);
}

void map_release(struct map *map)
{
	vec_release(&map->sections);
	vec_release(&map->assignments);
	vec_release(&map->members);
	obstack_free(&map->arena, NULL);
}
