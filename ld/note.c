/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading notes.
 *
 * A note names symbols; where they are says the object's symbol table.  A partial
 * link puts the notes of many objects behind each other, so a local symbol is
 * known by its source and name.
 */
#include "config.h"
#include "ld/note.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <libiberty/hashtab.h>
#include <stdlib.h>
#include <string.h>

#include "layout/number.h"
#include "lib/memory.h"
#include "ld/mapping.h"

/* A line that names a symbol. */
struct line {
	const char *source;	/* the last component of its source's path; of a global one "" */
	const char *name;
	uint64_t modulus, residue;
};

struct reader {
	struct note *note;
	htab_t lines;
};

bool is_note(const struct object_section *section)
{
	return (section->flags & SHF_ALLOC) == 0 && strcmp(section->name, ".note.kerning") == 0;
}

static hashval_t hash_line(const void *entry)
{
	const struct line *line = entry;

	return htab_hash_string(line->name) + htab_hash_string(line->source);
}

static int same_line(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return strcmp(x->name, y->name) == 0 && strcmp(x->source, y->source) == 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* --- Lines ---------------------------------------------------------------- */

static void add_line(struct reader *reader, const struct line *from)
{
	struct line *line = obstack_copy(&reader->note->arena, from, sizeof *from);

	*htab_find_slot(reader->lines, line, INSERT) = line;
}

/* "SYMBOL 64 16 0 32": numbers that no directive can ask for are none that the plugin wrote. */
static bool parse_numbers(struct line *line, const char *text)
{
	char *end;

	line->modulus = strtoull(text, &end, 10);
	line->residue = strtoull(end, NULL, 10);
	return line->name[0] != '\0' &&
	       (line->modulus == 0 ? line->residue == 0 :
		is_power_of_two(line->modulus) && line->residue < line->modulus);
}

/* Lines of kinds that are not known are those of another version. */
static void read_lines(struct reader *reader, char *text)
{
	const char *source = "";

	for (char *rest, *line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *second = strchr(line, ' '), *third;

		if (second == NULL)
			continue;
		*second++ = '\0';
		if (strcmp(line, "source") == 0) {
			source = base_name(second);
			continue;
		}
		third = strchr(second, ' ');
		if (third == NULL)
			continue;
		*third++ = '\0';
		if (strcmp(line, "d") == 0) {
			*vec_push(&reader->note->directives) =
				(struct note_directive){ third, strtoull(second, NULL, 10) };
		} else if (line[0] != '\0' && line[1] == '\0' && strchr("fFvV", line[0]) != NULL) {
			struct line symbol = { .name = second,
					       .source = strchr("FV", line[0]) != NULL ? "" : source };

			if (parse_numbers(&symbol, third))
				add_line(reader, &symbol);
		}
	}
}

/* --- Symbols -------------------------------------------------------------- */

/* True if SYMBOL lies within its section, SHNDX: of a damaged object it may not. */
static bool lies_within(Elf *elf, const GElf_Sym *symbol, uint32_t shndx)
{
	GElf_Shdr section;

	return shndx != SHN_UNDEF && gelf_getshdr(elf_getscn(elf, shndx), &section) != NULL &&
	       section.sh_type != SHT_NULL && symbol->st_value <= section.sh_size &&
	       symbol->st_size <= section.sh_size - symbol->st_value;
}

static void read_symbol(struct reader *reader, Elf *elf, const char *source, const char *name,
			const GElf_Sym *symbol, uint32_t shndx)
{
	/* A global one stands behind all files' symbols. */
	struct line key = { .name = name, .source = GELF_ST_BIND(symbol->st_info) == STB_LOCAL ?
						    source : "" };
	const struct line *line = htab_find(reader->lines, &key);

	if (line != NULL && lies_within(elf, symbol, shndx))
		*vec_push(&reader->note->symbols) = (struct note_symbol){
			.name = line->name, .shndx = shndx,
			.value = symbol->st_value, .size = symbol->st_size,
			.modulus = line->modulus, .residue = line->residue };
}

/* The section of TYPE; NULL: none. */
static Elf_Data *find_data(Elf *elf, uint32_t type, GElf_Shdr *header)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;)
		if (gelf_getshdr(section, header) != NULL && header->sh_type == type)
			return elf_getdata(section, NULL);
	return NULL;
}

/* The symbols of one object, each with the source that it is of. */
static void read_symbols(struct reader *reader, Elf *elf)
{
	GElf_Shdr header, unused;
	Elf_Data *data = find_data(elf, SHT_SYMTAB, &header);
	Elf_Data *extended = find_data(elf, SHT_SYMTAB_SHNDX, &unused);
	const char *source = "";

	if (data == NULL || header.sh_entsize == 0)
		return;
	for (size_t i = 1; i < header.sh_size / header.sh_entsize; i++) {
		Elf32_Word far = 0;
		GElf_Sym symbol;
		const char *name;
		int type;

		if (gelf_getsymshndx(data, extended, (int)i, &symbol, &far) == NULL)
			return;
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
		type = GELF_ST_TYPE(symbol.st_info);
		if (name == NULL)
			continue;
		if (type == STT_FILE)
			source = base_name(obstack_strdup(&reader->note->arena, name));
		else if (symbol.st_shndx == SHN_XINDEX || symbol.st_shndx < SHN_LORESERVE)
			read_symbol(reader, elf, source, name, &symbol,
				    symbol.st_shndx == SHN_XINDEX ? far : symbol.st_shndx);
	}
}

/* --- The whole ------------------------------------------------------------ */

bool note_read(struct note *note, const struct object_place *place, uint32_t shndx,
	       struct diag *diag)
{
	struct reader reader = { .note = note };
	struct mapping file;
	Elf_Data *data;
	Elf *elf;

	if (!mapping_open(&file, place, diag))
		return false;
	memset(note, 0, sizeof *note);
	obstack_init(&note->arena);
	reader.lines = htab_create_alloc(256, hash_line, same_line, NULL, xcalloc, free);
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)file.bytes, file.size);
	data = elf != NULL ? elf_getdata(elf_getscn(elf, shndx), NULL) : NULL;
	if (data != NULL && data->d_buf != NULL) {
		read_lines(&reader, obstack_strndup(&note->arena, data->d_buf, data->d_size));
		read_symbols(&reader, elf);
	}
	htab_delete(reader.lines);
	elf_end(elf);
	mapping_release(&file);
	return true;
}

void note_release(struct note *note)
{
	vec_release(&note->symbols);
	vec_release(&note->directives);
	obstack_free(&note->arena, NULL);
}

bool note_symbol_placed(const struct note_symbol *symbol, uint64_t align)
{
	return symbol->modulus <= 1 || (align % symbol->modulus == 0 &&
					symbol->value % symbol->modulus == symbol->residue);
}
