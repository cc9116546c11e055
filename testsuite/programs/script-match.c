/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script-match MAP MESSAGES SCRIPT...
 *
 * Holds what the matcher says of a link's input sections against what ld did.
 * MAP is ld's -Map, MESSAGES what ld wrote to its standard error under
 * --orphan-handling=warn and --print-gc-sections, SCRIPTs are those of the link:
 * the default one first.  To be run in the folder of the link, whose objects are
 * read for their sections' flags.
 *
 * Three things have to agree: the descriptions that the map lists, in their order,
 * with the matcher's, as text; for each input section the description that it
 * stands under (none for an orphan); and for each section that the map lists as
 * discarded and that ld did not drop for a reason of its own (a duplicate of a
 * COMDAT group, unused, SHF_EXCLUDE), that a statement of /DISCARD/ takes it.
 * Prints each disagreement and the counts; exit status 1 where there is one, or
 * where nothing was compared.
 */
#include "config.h"

#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ldscripts/match.h"
#include "lib/memory.h"
#include "lib/vec.h"

/* --- Objects -------------------------------------------------------------- */

struct object_section {
	char *name;
	uint32_t type;
	uint64_t flags;
	bool seen;
};

struct object {
	char *label;		/* as the map has it: "a.o", "lib.a(a.o)" */
	char *file, *archive;	/* archive NULL: no member */
	VEC(struct object_section) sections;
};

static int compare_objects(const void *left, const void *right)
{
	return strcmp(((const struct object *)left)->label, ((const struct object *)right)->label);
}

static void read_sections(struct object *object, Elf *elf)
{
	size_t names;
	Elf_Scn *scn = NULL;

	if (elf_getshdrstrndx(elf, &names))
		errx(2, "%s: %s", object->label, elf_errmsg(-1));
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr header;

		gelf_getshdr(scn, &header);
		*vec_push(&object->sections) = (struct object_section){
			xstrdup(elf_strptr(elf, names, header.sh_name)), header.sh_type,
			header.sh_flags, false
		};
	}
}

static void read_object(struct object *object)
{
	const char *path = object->archive ? object->archive : object->file;
	int fd = open(path, O_RDONLY);
	Elf *elf, *member;
	Elf_Cmd cmd = ELF_C_READ;

	if (fd < 0)
		err(2, "%s", path);
	elf = elf_begin(fd, cmd, NULL);
	if (!object->archive)
		read_sections(object, elf);
	while (object->archive && (member = elf_begin(fd, cmd, elf))) {
		const Elf_Arhdr *header = elf_getarhdr(member);

		if (header && header->ar_name && !strcmp(header->ar_name, object->file))
			read_sections(object, member);
		cmd = elf_next(member);
		elf_end(member);
	}
	elf_end(elf);
	close(fd);
}

/* The object that the map calls LABEL. */
static struct object *get_object(void **objects, const char *label)
{
	struct object key = { .label = (char *)label }, *object, **found;
	char *paren = strrchr(label, '(');

	found = tfind(&key, objects, compare_objects);
	if (found)
		return *found;
	object = xcalloc(1, sizeof *object);
	object->label = xstrdup(label);
	if (paren && label[strlen(label) - 1] == ')') {
		object->archive = xstrdup(label);
		object->archive[paren - label] = '\0';
		object->file = xstrdup(paren + 1);
		object->file[strlen(object->file) - 1] = '\0';
	} else {
		object->file = xstrdup(label);
	}
	read_object(object);
	tsearch(object, objects, compare_objects);
	return object;
}

/* The next section of this name, or the last; NULL: ld made it. */
static struct object_section *next_section(struct object *object, const char *name)
{
	struct object_section *last = NULL;

	for (size_t i = 0; i < object->sections.count; i++) {
		struct object_section *section = &object->sections.at[i];

		if (strcmp(section->name, name))
			continue;
		last = section;
		if (!section->seen)
			break;
	}
	if (last)
		last->seen = true;
	return last;
}

/* --- The map -------------------------------------------------------------- */

struct map_statement {
	char *output, *text;
};

struct map_section {
	char *name, *file;
	int statement;		/* index into statements; -1: none printed before it */
	bool discarded, empty;
};

struct map {
	VEC(struct map_statement) statements;
	VEC(struct map_section) sections;
};

/* Reads "0xADDRESS 0xSIZE FILE"; returns FILE, or NULL. */
static const char *parse_place(const char *text, unsigned long *size)
{
	int length = 0;

	if (sscanf(text, " 0x%*x 0x%lx %n", size, &length) != 1 || !length || !text[length])
		return NULL;
	return text + length;
}

static void read_map(struct map *map, const char *path)
{
	enum { HEAD, DISCARDED, MEMORY, BODY, TAIL } part = HEAD;
	FILE *stream = fopen(path, "r");
	char *line = NULL, *next = NULL, *output = NULL;
	size_t size = 0, next_size = 0;
	ssize_t next_length;
	int statement = -1;

	if (!stream)
		err(2, "%s", path);
	for (next_length = getline(&next, &next_size, stream); next_length > 0;) {
		char *swap = line, *name, *rest;
		size_t swap_size = size;
		unsigned long section_size;
		const char *file;

		line = next, size = next_size;
		next = swap, next_size = swap_size;
		next_length = getline(&next, &next_size, stream);
		line[strcspn(line, "\n")] = '\0';
		if (next_length > 0)
			next[strcspn(next, "\n")] = '\0';

		if (!strcmp(line, "Discarded input sections"))
			part = DISCARDED;
		else if (!strcmp(line, "Memory Configuration"))
			part = MEMORY;
		else if (!strcmp(line, "Linker script and memory map"))
			part = BODY;
		else if (part == BODY && !strncmp(line, "OUTPUT(", 7))
			part = TAIL;
		if (part == BODY && line[0] && line[0] != ' ') {
			output = xstrdup(line);
			output[strcspn(output, " ")] = '\0';
			statement = -1;
		}
		if ((part != DISCARDED && part != BODY) || line[0] != ' ' || line[1] == ' ' || !line[1])
			continue;

		name = line + 1;
		rest = name + strcspn(name, " ");
		file = parse_place(rest, &section_size);
		if (!*rest && next_length > 0 && next[0] == ' ')
			file = parse_place(next, &section_size);
		if (file && strncmp(name, "*fill*", 6)) {
			struct map_section *section = vec_push(&map->sections);

			section->file = xstrdup(file);
			*rest = '\0';
			section->name = xstrdup(name);
			section->statement = statement;
			section->discarded = part == DISCARDED;
			section->empty = !section_size;
		} else if (part == BODY && name[strlen(name) - 1] == ')') {
			statement = (int)map->statements.count;
			*vec_push(&map->statements) = (struct map_statement){ output, xstrdup(name) };
		}
	}
	free(line);
	free(next);
	fclose(stream);
}

/* --- ld's messages -------------------------------------------------------- */

struct messages {
	void *orphans, *unused;		/* trees of "FILE(SECTION)" */
};

static int compare_strings(const void *left, const void *right)
{
	return strcmp(left, right);
}

/* Takes the text between BEFORE and the quote behind it. */
static char *quoted(const char *line, const char *before)
{
	const char *begin = strstr(line, before);
	char *text;

	if (!begin)
		return NULL;
	text = xstrdup(begin + strlen(before));
	text[strcspn(text, "'")] = '\0';
	return text;
}

static void read_messages(struct messages *messages, const char *path)
{
	FILE *stream = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!stream)
		err(2, "%s", path);
	while (getline(&line, &size, stream) > 0) {
		bool orphan = strstr(line, "orphan section `") != NULL;
		char *name = quoted(line, orphan ? "orphan section `" : "removing unused section '");
		char *file = quoted(line, orphan ? "from `" : "in file '");

		if (name && file)
			tsearch(xasprintf("%s(%s)", file, name),
				orphan ? &messages->orphans : &messages->unused, compare_strings);
		free(name);
		free(file);
	}
	free(line);
	fclose(stream);
}

/* --- The comparison ------------------------------------------------------- */

static struct matcher *make_matcher(char **paths, size_t count)
{
	const struct script **scripts = xcalloc(count, sizeof *scripts);
	struct matcher *matcher;
	struct diag diag;

	diag_init(&diag, "script-match", stderr);
	for (size_t i = 0; i < count; i++) {
		struct source *source = source_read(paths[i]);

		if (!source)
			err(2, "%s", paths[i]);
		scripts[i] = script_parse(source, &(struct script_options){ 0 }, &diag);
		if (!scripts[i])
			exit(2);
	}
	matcher = matcher_new(scripts, count, &diag);
	if (!matcher)
		exit(2);
	return matcher;
}

static size_t compare_statements(const struct map *map, const struct statement **by_place,
				 size_t count, struct obstack *arena)
{
	size_t agree = 0, most = count > map->statements.count ? count : map->statements.count;

	for (size_t i = 0; i < most; i++) {
		const struct map_statement *theirs = i < map->statements.count ?
			&map->statements.at[i] : NULL;
		const char *ours = i < count ? statement_text(by_place[i], arena) : NULL;

		if (theirs && ours && !strcmp(theirs->text, ours) &&
		    !strcmp(theirs->output, by_place[i]->output_name))
			agree++;
		else
			printf("statement %zu: ld has %s %s, we have %s %s\n", i,
			       theirs ? theirs->output : "", theirs ? theirs->text : "none",
			       ours ? by_place[i]->output_name : "", ours ? ours : "none");
	}
	printf("%zu of %zu statements agree\n", agree, most);
	return most - agree;
}

/* True where ld drops a section whatever a script says. */
static bool drops_itself(const struct object_section *section)
{
	return !section || section->flags & (SHF_GROUP | SHF_EXCLUDE) ||
	       section->type == SHT_GROUP || !strncmp(section->name, ".gnu.linkonce.", 14) ||
	       !strncmp(section->name, ".gnu.warning.", 13) ||
	       !strcmp(section->name, ".note.gnu.property");
}

static size_t compare_sections(const struct map *map, const struct messages *messages,
			       struct matcher *matcher, const struct statement **by_place,
			       struct obstack *arena)
{
	struct match_section *sections = xcalloc(map->sections.count, sizeof *sections);
	bool *dropped = xcalloc(map->sections.count, sizeof *dropped);
	size_t orphans = 0, discarded = 0, compared = 0, agree = 0;
	void *objects = NULL;

	for (size_t i = 0; i < map->sections.count; i++) {
		const struct map_section *section = &map->sections.at[i];
		struct object *object = get_object(&objects, section->file);
		const struct object_section *header = next_section(object, section->name);
		const char *label = obstack_format(arena, "%s(%s)", section->file, section->name);

		sections[i] = (struct match_section){
			.file = object->file,
			.archive = object->archive,
			.section = section->name,
			.flags = header ? header->flags : 0,
			.type = header ? header->type : SHT_NULL,
		};
		/* Of what is unused and empty, ld says nothing. */
		dropped[i] = section->discarded &&
			     (drops_itself(header) || (messages->unused && section->empty) ||
			      tfind(label, &messages->unused, compare_strings));
	}
	matcher_resolve_constraints(matcher, sections, map->sections.count);

	for (size_t i = 0; i < map->sections.count; i++) {
		const struct map_section *section = &map->sections.at[i];
		const char *label = obstack_format(arena, "%s(%s)", section->file, section->name);
		bool orphan = tfind(label, &messages->orphans, compare_strings) != NULL;
		const struct statement *ours, *theirs = NULL;

		if (dropped[i])
			continue;
		compared++;
		ours = matcher_match(matcher, &sections[i], NULL);
		if (section->discarded) {
			discarded++;
			if (ours && !strcmp(ours->output_name, "/DISCARD/"))
				theirs = ours;
		} else if (orphan) {
			orphans++;
		} else if (section->statement >= 0) {
			theirs = by_place[section->statement];
		}
		if (ours == theirs && (ours || orphan)) {
			agree++;
			continue;
		}
		printf("%s: ld says %s %s, we say %s %s\n", label,
		       theirs ? theirs->output_name : "",
		       theirs ? statement_text(theirs, arena) :
		       section->discarded ? "/DISCARD/" : orphan ? "orphan" : "nothing",
		       ours ? ours->output_name : "", ours ? statement_text(ours, arena) : "orphan");
	}
	printf("%zu of %zu input sections agree (%zu orphans, %zu discarded)\n", agree, compared,
	       orphans, discarded);
	free(sections);
	free(dropped);
	return compared ? compared - agree : 1;
}

int main(int argc, char **argv)
{
	struct map map = { 0 };
	struct messages messages = { 0 };
	const struct statement **by_place;
	struct matcher *matcher;
	struct obstack arena;
	size_t count, wrong;

	if (argc < 4)
		errx(2, "usage: script-match MAP MESSAGES SCRIPT...");
	elf_version(EV_CURRENT);
	obstack_init(&arena);
	read_map(&map, argv[1]);
	read_messages(&messages, argv[2]);
	matcher = make_matcher(argv + 3, (size_t)(argc - 3));

	count = matcher_count(matcher);
	by_place = xcalloc(count + 1, sizeof *by_place);
	for (unsigned i = 0; i < count; i++)
		by_place[matcher_statement(matcher, i)->place] = matcher_statement(matcher, i);
	wrong = compare_statements(&map, by_place, count, &arena);
	if (!wrong)
		wrong = compare_sections(&map, &messages, matcher, by_place, &arena);
	return wrong ? 1 : 0;
}
