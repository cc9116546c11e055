/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An object is read in one pass over its section headers, which are checked as
 * they come: the pass remembers where the symbol tables and the groups are, and
 * these are read after it, when every header that they refer to is known good.
 * What libelf says about a broken file is seldom more than "invalid data", so
 * the checks are made here, with a message each, before libelf follows an
 * offset.
 */
#include "config.h"

#include "ld/object.h"

#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ld/content.h"
#include "ld/mapping.h"
#include "lib/memory.h"

struct reader {
	struct object *object;
	const char *label;
	struct diag *diag;
	size_t size;			/* bytes of the file */
	Elf *elf;
	size_t count, names;		/* section headers; which one is of their names */
	size_t symtab, shndxs, versions; /* section indices; 0: none */
	VEC(size_t) groups;
};

static bool bad(const struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reports; false, for the caller to return. */
static bool bad(const struct reader *reader, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	diag_error(reader->diag, NULL, "'%s': %s", reader->label, text);
	return false;
}

static const char *keep(const struct reader *reader, const char *name)
{
	return obstack_strdup(&reader->object->arena, name);
}

/* What libelf takes for granted, or refuses without a reason. */
static bool check_ident(const struct reader *reader, const unsigned char *ident)
{
	size_t header;

	if (reader->size < EI_NIDENT)
		return bad(reader, "truncated: expected an ELF header, got %zu bytes",
			   reader->size);
	if (ident[EI_CLASS] != ELFCLASS32 && ident[EI_CLASS] != ELFCLASS64)
		return bad(reader, "expected ELF class 1 or 2, got %u", ident[EI_CLASS]);
	if (ident[EI_DATA] != ELFDATA2LSB && ident[EI_DATA] != ELFDATA2MSB)
		return bad(reader, "expected ELF byte order 1 or 2, got %u", ident[EI_DATA]);
	if (ident[EI_VERSION] != EV_CURRENT)
		return bad(reader, "expected ELF version 1, got %u", ident[EI_VERSION]);
	header = ident[EI_CLASS] == ELFCLASS32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
	if (reader->size < header)
		return bad(reader, "truncated: expected an ELF header of %zu bytes, got %zu bytes",
			   header, reader->size);
	return true;
}

/* The section headers: where they are, how many, and which one is of their names. */
static bool read_header(struct reader *reader)
{
	struct object *object = reader->object;
	GElf_Ehdr header;
	size_t entry;

	if (gelf_getehdr(reader->elf, &header) == NULL)
		return bad(reader, "no ELF header that can be read: %s", elf_errmsg(-1));
	object->machine = header.e_machine;
	object->elf_type = header.e_type;
	object->elf_class = header.e_ident[EI_CLASS];
	object->data = header.e_ident[EI_DATA];
	if (header.e_shoff == 0)
		return true;

	entry = gelf_fsize(reader->elf, ELF_T_SHDR, 1, EV_CURRENT);
	if (header.e_shentsize != entry)
		return bad(reader, "expected section headers of %zu bytes, got %u", entry,
			   header.e_shentsize);
	if (header.e_shoff > reader->size || reader->size - header.e_shoff < entry)
		return bad(reader, "section headers at byte %" PRIu64 " lie outside the file, "
			   "which has %zu bytes", header.e_shoff, reader->size);
	if (elf_getshdrnum(reader->elf, &reader->count) != 0 ||
	    elf_getshdrstrndx(reader->elf, &reader->names) != 0)
		return bad(reader, "section headers cannot be read: %s", elf_errmsg(-1));
	if (reader->count == 0 || (header.e_shnum != 0 && header.e_shnum != reader->count) ||
	    reader->count > (reader->size - header.e_shoff) / entry)
		return bad(reader, "section headers, %u at byte %" PRIu64
			   ", lie outside the file, which has %zu bytes", header.e_shnum,
			   header.e_shoff, reader->size);
	return true;
}

/* The header of section INDEX, whose bytes are known to lie in the file. */
static bool section_header(const struct reader *reader, size_t index, GElf_Shdr *header)
{
	Elf_Scn *section = elf_getscn(reader->elf, index);

	if (section == NULL || gelf_getshdr(section, header) == NULL)
		return bad(reader, "section header %zu cannot be read: %s", index, elf_errmsg(-1));
	if (header->sh_type != SHT_NULL && header->sh_type != SHT_NOBITS &&
	    (header->sh_offset > reader->size ||
	     header->sh_size > reader->size - header->sh_offset))
		return bad(reader, "section %zu, of %" PRIu64 " bytes at byte %" PRIu64
			   ", lies outside the file, which has %zu bytes", index,
			   header->sh_size, header->sh_offset, reader->size);
	return true;
}

/* The bytes of section INDEX, in the machine's byte order. */
static Elf_Data *section_data(const struct reader *reader, size_t index)
{
	Elf_Data *data = elf_getdata(elf_getscn(reader->elf, index), NULL);

	if (data == NULL)
		bad(reader, "section %zu cannot be read: %s", index, elf_errmsg(-1));
	return data;
}

static bool read_sections(struct reader *reader)
{
	struct object *object = reader->object;
	bool dynamic = object->elf_type == ET_DYN;

	for (size_t index = 1; index < reader->count; index++) {
		GElf_Shdr header;
		const char *name;

		if (!section_header(reader, index, &header))
			return false;
		if (header.sh_type == SHT_NULL)
			continue;
		if (header.sh_type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB) && reader->symtab == 0)
			reader->symtab = index;
		if (header.sh_type == SHT_GNU_versym && dynamic)
			reader->versions = index;
		if (dynamic)
			continue;

		if (header.sh_type == SHT_SYMTAB_SHNDX)
			reader->shndxs = index;
		if (header.sh_type == SHT_GROUP)
			*vec_push(&reader->groups) = index;
		name = elf_strptr(reader->elf, reader->names, header.sh_name);
		if (name == NULL)
			return bad(reader, "section %zu has no name: byte %u of section %zu "
				   "begins no string", index, header.sh_name, reader->names);
		if ((header.sh_addralign & (header.sh_addralign - 1)) != 0)
			return bad(reader, "section %zu, '%s': expected an alignment that is a "
				   "power of two, got %" PRIu64, index, name, header.sh_addralign);
		*vec_push(&object->sections) = (struct object_section){
			.name = keep(reader, name),
			.shndx = index,
			.type = header.sh_type,
			.flags = header.sh_flags,
			.size = header.sh_size,
			.align = header.sh_addralign > 1 ? header.sh_addralign : 1,
		};
	}
	return true;
}

/* Bytecode is known by the names that GCC and LLVM give its sections. */
static void find_lto(struct object *object)
{
	bool gcc = false, llvm = false, code = false;

	for (size_t i = 0; i < object->sections.count; i++) {
		const struct object_section *section = &object->sections.at[i];

		if (strncmp(section->name, ".gnu.lto_", strlen(".gnu.lto_")) == 0)
			gcc = true;
		else if (strcmp(section->name, ".llvm.lto") == 0)
			llvm = true;
		else if ((section->flags & SHF_ALLOC) != 0 && section->type != SHT_NOTE)
			code |= section->size > 0;
	}
	object->lto = gcc && !code;
	object->fat_lto = llvm || (gcc && code);
}

/* A symbol table while it is read. */
struct symtab {
	Elf_Data *symbols, *shndxs, *versions;
	size_t count, first_global, strings;
};

static bool symtab_open(const struct reader *reader, struct symtab *table)
{
	GElf_Shdr header;
	size_t entry = gelf_fsize(reader->elf, ELF_T_SYM, 1, EV_CURRENT);

	if (!section_header(reader, reader->symtab, &header))
		return false;
	if (header.sh_entsize != entry || header.sh_size % entry != 0)
		return bad(reader, "symbol table (section %zu): expected entries of %zu bytes, "
			   "got %" PRIu64 " in %" PRIu64 " bytes", reader->symtab, entry,
			   header.sh_entsize, header.sh_size);
	table->count = header.sh_size / entry;
	table->strings = header.sh_link;
	if (header.sh_info > table->count)
		return bad(reader, "symbol table (section %zu): expected the first global among "
			   "its %zu symbols, got %u", reader->symtab, table->count, header.sh_info);
	table->first_global = header.sh_info;

	table->symbols = section_data(reader, reader->symtab);
	if (table->symbols == NULL)
		return false;
	table->shndxs = reader->shndxs != 0 ? section_data(reader, reader->shndxs) : NULL;
	table->versions = reader->versions != 0 ? section_data(reader, reader->versions) : NULL;
	if ((reader->shndxs != 0 && table->shndxs == NULL) ||
	    (reader->versions != 0 && table->versions == NULL))
		return false;
	if (table->shndxs != NULL && table->shndxs->d_size / sizeof(Elf32_Word) < table->count)
		return bad(reader, "section %zu: expected indices for %zu symbols, got %zu",
			   reader->shndxs, table->count,
			   table->shndxs->d_size / sizeof(Elf32_Word));
	return true;
}

/* Symbol INDEX, the section it is defined in (0: in none), and its name where NAME. */
static bool symtab_get(const struct reader *reader, const struct symtab *table, size_t index,
		       GElf_Sym *symbol, uint32_t *shndx, const char **name)
{
	Elf32_Word extended = 0;

	if (gelf_getsymshndx(table->symbols, table->shndxs, index, symbol, &extended) == NULL)
		return bad(reader, "symbol %zu cannot be read: %s", index, elf_errmsg(-1));
	*shndx = symbol->st_shndx == SHN_XINDEX ? extended
		 : symbol->st_shndx < SHN_LORESERVE ? symbol->st_shndx : 0;
	if (*shndx >= reader->count)
		return bad(reader, "symbol %zu is in section %u, and there are %zu", index,
			   *shndx, reader->count);
	if (name == NULL)
		return true;
	*name = elf_strptr(reader->elf, table->strings, symbol->st_name);
	if (*name == NULL)
		return bad(reader, "symbol %zu has no name: byte %u of section %zu begins no "
			   "string", index, symbol->st_name, table->strings);
	return true;
}

static enum object_binding binding(const GElf_Sym *symbol)
{
	bool weak = GELF_ST_BIND(symbol->st_info) == STB_WEAK;

	if (symbol->st_shndx == SHN_UNDEF)
		return weak ? OBJECT_UNDEFINED_WEAK : OBJECT_UNDEFINED;
	if (symbol->st_shndx == SHN_COMMON)
		return OBJECT_COMMON;
	return weak ? OBJECT_DEFINED_WEAK : OBJECT_DEFINED;
}

/* Of a version that the dynamic linker finds and ld does not: "name@VERSION". */
static bool is_hidden(const struct symtab *table, size_t index)
{
	GElf_Versym version;

	return table->versions != NULL &&
	       gelf_getversym(table->versions, index, &version) != NULL &&
	       (version & 0x8000) != 0;
}

static bool read_symbols(const struct reader *reader, const struct symtab *table)
{
	for (size_t i = table->first_global; i < table->count; i++) {
		struct object_symbol *added;
		const char *name;
		GElf_Sym symbol;
		uint32_t shndx;
		int type;

		if (!symtab_get(reader, table, i, &symbol, &shndx, &name))
			return false;
		if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL || is_hidden(table, i))
			continue;
		type = GELF_ST_TYPE(symbol.st_info);
		added = vec_push(&reader->object->symbols);
		*added = (struct object_symbol){
			.name = keep(reader, name),
			.shndx = shndx,
			.value = symbol.st_value,
			.binding = type == STT_COMMON && shndx == 0 && symbol.st_shndx != SHN_UNDEF
				 ? OBJECT_COMMON : binding(&symbol),
			.function = type == STT_FUNC || type == STT_GNU_IFUNC,
		};
	}
	return true;
}

static bool read_source_file(const struct reader *reader, const struct symtab *table)
{
	for (size_t i = 1; i < table->first_global; i++) {
		const char *name;
		GElf_Sym symbol;
		uint32_t shndx;

		if (!symtab_get(reader, table, i, &symbol, &shndx, NULL))
			return false;
		if (GELF_ST_TYPE(symbol.st_info) != STT_FILE)
			continue;
		if (!symtab_get(reader, table, i, &symbol, &shndx, &name))
			return false;
		reader->object->source_file = keep(reader, name);
		break;
	}
	return true;
}

static bool read_group(const struct reader *reader, const struct symtab *table, size_t index)
{
	struct object *object = reader->object;
	struct object_section *section;
	const char *signature;
	const Elf32_Word *words;
	GElf_Shdr header;
	GElf_Sym symbol;
	uint32_t shndx;
	Elf_Data *data;

	if (!section_header(reader, index, &header))
		return false;
	if (header.sh_size < sizeof *words || header.sh_size % sizeof *words != 0)
		return bad(reader, "group (section %zu): expected words of 4 bytes, got %" PRIu64
			   " bytes", index, header.sh_size);
	if (header.sh_link != reader->symtab || header.sh_info >= table->count)
		return bad(reader, "group (section %zu): there is no symbol %u in section %u",
			   index, header.sh_info, header.sh_link);
	data = section_data(reader, index);
	if (data == NULL ||
	    !symtab_get(reader, table, header.sh_info, &symbol, &shndx, &signature))
		return false;
	section = object_section(object, shndx);
	if (signature[0] == '\0' && GELF_ST_TYPE(symbol.st_info) == STT_SECTION &&
	    section != NULL) {
		section->names_group = true;
		signature = section->name;
	}

	words = data->d_buf;
	*vec_push(&object->groups) = (struct object_group){
		.signature = keep(reader, signature),
		.comdat = (words[0] & GRP_COMDAT) != 0,
	};
	for (size_t i = 1; i < header.sh_size / sizeof *words; i++) {
		section = object_section(object, words[i]);
		if (section == NULL)
			return bad(reader, "group (section %zu): there is no section %u", index,
				   words[i]);
		section->group = object->groups.count;
	}
	return true;
}

static int compare_names(const void *a, const void *b)
{
	const struct object_section *x = *(struct object_section *const *)a;
	const struct object_section *y = *(struct object_section *const *)b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : x->shndx < y->shndx ? -1 : x->shndx > y->shndx;
}

/* Counts, of each name, the sections that bear it; true if some name has several. */
static bool number_sections(struct object *object)
{
	bool several = false;
	size_t count = object->sections.count;
	struct object_section **sorted = xcalloc(count + 1, sizeof *sorted);

	for (size_t i = 0; i < count; i++)
		sorted[i] = &object->sections.at[i];
	qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 0; i < count; i++)
		sorted[i]->ordinal = 1;
	for (size_t i = 1; i < count; i++)
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
			sorted[i]->ordinal += sorted[i - 1]->ordinal;
			several = true;
		}
	free(sorted);
	return several;
}

/* Of a section, while its first symbol is looked for; by index of the object's list. */
struct first_symbol {
	bool wanted;
	uint64_t value;
};

/* For each header index the section of the object's list, + 1; 0: none that is wanted. */
static uint32_t *list_wanted(const struct reader *reader, struct first_symbol *first)
{
	uint32_t *wanted = xcalloc(reader->count + 1, sizeof *wanted);

	for (size_t i = 0; i < reader->object->sections.count; i++)
		if (first[i].wanted)
			wanted[reader->object->sections.at[i].shndx] = (uint32_t)i + 1;
	return wanted;
}

static bool find_first_symbols(const struct reader *reader, const struct symtab *table,
			       struct first_symbol *first)
{
	uint32_t *wanted = list_wanted(reader, first);
	bool good = true;

	for (size_t i = 1; i < table->count && good; i++) {
		struct object_section *section;
		const char *name;
		GElf_Sym symbol;
		uint32_t shndx, at;
		int type;

		good = symtab_get(reader, table, i, &symbol, &shndx, &name);
		at = good ? wanted[shndx] : 0;
		if (at-- == 0)
			continue;
		type = GELF_ST_TYPE(symbol.st_info);
		section = &reader->object->sections.at[at];
		if (type == STT_SECTION || type == STT_FILE || name[0] == '\0' ||
		    (section->symbol != NULL && symbol.st_value >= first[at].value))
			continue;
		section->symbol = keep(reader, name);
		first[at].value = symbol.st_value;
	}
	free(wanted);
	return good;
}

static int compare_symbols(const void *a, const void *b)
{
	const struct object_section *x = *(struct object_section *const *)a;
	const struct object_section *y = *(struct object_section *const *)b;
	int order = strcmp(x->symbol, y->symbol);

	return order != 0 ? order : compare_names(a, b);
}

/* Finds what tells apart sections of one name. */
static bool name_sections(const struct reader *reader, const struct symtab *table)
{
	struct object *object = reader->object;
	size_t count = object->sections.count, named = 0;
	struct object_section **sorted = xcalloc(count + 1, sizeof *sorted);
	struct first_symbol *first = xcalloc(count + 1, sizeof *first);
	bool good;

	for (size_t i = 0; i < count; i++)
		sorted[i] = &object->sections.at[i];
	qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 1; i < count; i++)
		if (sorted[i]->ordinal > 1) {
			first[sorted[i] - object->sections.at].wanted = true;
			first[sorted[i - 1] - object->sections.at].wanted = true;
		}
	good = find_first_symbols(reader, table, first);
	for (size_t i = 0; i < count; i++)
		if (object->sections.at[i].symbol != NULL)
			sorted[named++] = &object->sections.at[i];
	qsort(sorted, named, sizeof *sorted, compare_symbols);
	for (size_t i = 0; i < named; i++)
		sorted[i]->symbol_ordinal =
			i > 0 && strcmp(sorted[i - 1]->symbol, sorted[i]->symbol) == 0 &&
			strcmp(sorted[i - 1]->name, sorted[i]->name) == 0 ?
			sorted[i - 1]->symbol_ordinal + 1 : 1;
	free(first);
	free(sorted);
	return good;
}

static bool read_all(struct reader *reader, bool symbols)
{
	struct symtab table = { NULL };

	if (!read_header(reader) || !read_sections(reader))
		return false;
	if (reader->symtab != 0 && !symtab_open(reader, &table))
		return false;
	if (!read_source_file(reader, &table) || (symbols && !read_symbols(reader, &table)))
		return false;
	for (size_t i = 0; i < reader->groups.count; i++)
		if (!read_group(reader, &table, reader->groups.at[i]))
			return false;
	find_lto(reader->object);
	if (number_sections(reader->object) && reader->object->elf_type == ET_REL &&
	    table.symbols != NULL && !name_sections(reader, &table))
		return false;
	if (reader->object->elf_type == ET_REL)
		content_hash(reader->object, reader->elf, reader->symtab);
	return true;
}

static bool begins(const struct mapping *file, const char *magic)
{
	return file->size >= strlen(magic) && memcmp(file->bytes, magic, strlen(magic)) == 0;
}

enum object_status object_read(struct object *object, const struct object_place *place,
			       bool symbols, struct diag *diag)
{
	struct reader reader = { .object = object, .label = place_label(place), .diag = diag };
	enum object_status status = OBJECT_NOT_ELF;
	struct mapping file;

	*object = (struct object){ .lto = false };
	if (!mapping_open(&file, place, diag))
		return OBJECT_BAD;
	obstack_init(&object->arena);
	reader.size = file.size;
	if (begins(&file, "BC\xc0\xde") || begins(&file, "\xde\xc0\x17\x0b")) {
		object->lto = true;
		status = OBJECT_OK;
	} else if (begins(&file, ELFMAG)) {
		elf_version(EV_CURRENT);
		if (check_ident(&reader, file.bytes)) {
			reader.elf = elf_memory((char *)file.bytes, file.size);
			if (reader.elf == NULL)
				bad(&reader, "%s", elf_errmsg(-1));
		}
		status = reader.elf != NULL && read_all(&reader, symbols) ? OBJECT_OK : OBJECT_BAD;
		elf_end(reader.elf);
	}
	vec_release(&reader.groups);
	mapping_release(&file);
	if (status != OBJECT_OK)
		object_release(object);
	return status;
}

void object_release(struct object *object)
{
	vec_release(&object->sections);
	vec_release(&object->groups);
	vec_release(&object->symbols);
	obstack_free(&object->arena, NULL);
}

struct object_section *object_section(const struct object *object, uint32_t shndx)
{
	size_t low = 0, high = object->sections.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (object->sections.at[middle].shndx < shndx)
			low = middle + 1;
		else
			high = middle;
	}
	return low < object->sections.count && object->sections.at[low].shndx == shndx
	     ? &object->sections.at[low] : NULL;
}
