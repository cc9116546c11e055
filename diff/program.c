/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A linked ELF file: its functions and objects, by .symtab or else .dynsym.  A
 * symbol that has neither type nor size is a mark, not a piece.
 */
#include "config.h"

#include <elf.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/image.h"
#include "ld/mapping.h"
#include "lib/memory.h"

/* What a piece's section has in place of a header index that names none. */
#define NOWHERE UINT32_MAX

struct reader {
	struct image *image;
	const struct image_want *want;
	struct diag *diag;
	size_t size;			/* bytes of the file */
	Elf *elf;
	size_t count, names;		/* section headers; which one is of their names */
	uint32_t *index;		/* header index -> index into sections, or NOWHERE */
	bool *thread;			/* header index -> SHF_TLS */
	size_t symtab, dynsym, shndxs;	/* header indices; 0: none */
};

static bool bad(const struct reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reports; false, for the caller to return. */
static bool bad(const struct reader *r, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	diag_error(r->diag, NULL, "\"%s\": %s", r->image->path, text);
	return false;
}

static bool read_header(struct reader *r, const unsigned char *ident)
{
	GElf_Ehdr header;
	size_t entry;

	if (r->size < EI_NIDENT || ident[EI_VERSION] != EV_CURRENT)
		return bad(r, "truncated, or of no known ELF version");
	if (gelf_getehdr(r->elf, &header) == NULL)
		return bad(r, "no ELF header that can be read: %s", elf_errmsg(-1));
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return bad(r, "expected a program or a shared library, got %s",
			   header.e_type == ET_REL
				   ? "an object that is not linked (see kerning units)"
				   : "another kind of ELF file");
	entry = gelf_fsize(r->elf, ELF_T_SHDR, 1, EV_CURRENT);
	if (header.e_shoff == 0)
		return bad(r, "it has no section headers");
	if (header.e_shentsize != entry || header.e_shoff > r->size ||
	    r->size - header.e_shoff < entry ||
	    elf_getshdrnum(r->elf, &r->count) != 0 || elf_getshdrstrndx(r->elf, &r->names) != 0 ||
	    r->count > (r->size - header.e_shoff) / entry)
		return bad(r, "section headers at byte %" PRIu64 " lie outside the file, which has "
			   "%zu bytes", header.e_shoff, r->size);
	return true;
}

static bool section_header(const struct reader *r, size_t index, GElf_Shdr *header)
{
	Elf_Scn *section = elf_getscn(r->elf, index);

	if (section == NULL || gelf_getshdr(section, header) == NULL)
		return bad(r, "section header %zu cannot be read: %s", index, elf_errmsg(-1));
	if (header->sh_type != SHT_NULL && header->sh_type != SHT_NOBITS &&
	    (header->sh_offset > r->size || header->sh_size > r->size - header->sh_offset))
		return bad(r, "section %zu, of %" PRIu64 " bytes at byte %" PRIu64
			   ", lies outside the file, which has %zu bytes", index, header->sh_size,
			   header->sh_offset, r->size);
	return true;
}

static bool read_sections(struct reader *r)
{
	for (size_t i = 1; i < r->count; i++) {
		GElf_Shdr header;
		const char *name;

		r->index[i] = NOWHERE;
		if (!section_header(r, i, &header))
			return false;
		if (header.sh_type == SHT_SYMTAB && r->symtab == 0)
			r->symtab = i;
		if (header.sh_type == SHT_DYNSYM && r->dynsym == 0)
			r->dynsym = i;
		if (header.sh_type == SHT_SYMTAB_SHNDX)
			r->shndxs = i;
		/* The kernel's .data_nosave has marks and an address, but no byte to load. */
		if ((header.sh_flags & SHF_ALLOC) == 0 && header.sh_addr == 0)
			continue;
		name = elf_strptr(r->elf, r->names, header.sh_name);
		if (name == NULL)
			return bad(r, "section %zu has no name", i);
		r->thread[i] = (header.sh_flags & SHF_TLS) != 0;
		r->index[i] = (uint32_t)r->image->sections.count;
		*vec_push(&r->image->sections) = (struct image_section){
			.name = obstack_strdup(&r->image->arena, name),
			.address = header.sh_addr,
			.code = (header.sh_flags & SHF_EXECINSTR) != 0,
			/* The kernel's .rodata is writable until it has started. */
			.writable = (header.sh_flags & SHF_WRITE) != 0 &&
				    strstr(name, "rodata") == NULL && strstr(name, "relro") == NULL,
		};
	}
	return true;
}

static void add_symbol(struct reader *r, const GElf_Sym *symbol, uint32_t shndx, const char *name,
		       const char *file)
{
	struct image_left_out *left_out = &r->image->left_out;
	int type = GELF_ST_TYPE(symbol->st_info);
	bool object = type == STT_OBJECT || type == STT_COMMON;
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
	struct piece *piece;

	if (symbol->st_shndx == SHN_ABS) {
		left_out->absolute++;
		return;
	}
	if (shndx == 0 || shndx >= r->count || r->index[shndx] == NOWHERE)
		return;
	if (type == STT_TLS || r->thread[shndx]) {
		left_out->thread++;
		return;
	}
	if (image_is_table_entry(name)) {
		left_out->tables++;
		return;
	}
	if (!r->want->labels && !object && !function && symbol->st_size == 0) {
		left_out->labels++;
		return;
	}
	piece = vec_push(&r->image->pieces);
	*piece = (struct piece){
		.address = symbol->st_value,
		.size = piece_size(symbol->st_value, symbol->st_size),
		.file = file,
		.section = r->index[shndx],
		.order = (uint32_t)r->image->pieces.count,
		.empty = object && symbol->st_size == 0 && !r->want->labels,
		.global = GELF_ST_BIND(symbol->st_info) != STB_LOCAL,
	};
	piece->name = piece->symbol = obstack_strdup(&r->image->arena, name);
}

static bool read_symbols(struct reader *r, size_t table)
{
	size_t entry = gelf_fsize(r->elf, ELF_T_SYM, 1, EV_CURRENT), count;
	Elf_Data *symbols, *shndxs = NULL;
	const char *file = NULL;
	GElf_Shdr header;

	if (!section_header(r, table, &header))
		return false;
	if (header.sh_entsize != entry)
		return bad(r, "symbol table (section %zu): expected entries of %zu bytes, got %"
			   PRIu64, table, entry, header.sh_entsize);
	count = header.sh_size / entry;
	symbols = elf_getdata(elf_getscn(r->elf, table), NULL);
	if (table == r->symtab && r->shndxs != 0)
		shndxs = elf_getdata(elf_getscn(r->elf, r->shndxs), NULL);
	if (count > 0 && symbols == NULL)
		return bad(r, "symbol table (section %zu) cannot be read: %s", table,
			   elf_errmsg(-1));
	for (size_t i = 1; i < count; i++) {
		Elf32_Word extended = 0;
		const char *name;
		GElf_Sym symbol;
		int type;

		if (gelf_getsymshndx(symbols, shndxs, (int)i, &symbol, &extended) == NULL)
			return bad(r, "symbol %zu cannot be read: %s", i, elf_errmsg(-1));
		type = GELF_ST_TYPE(symbol.st_info);
		if (type == STT_SECTION)
			continue;
		name = elf_strptr(r->elf, header.sh_link, symbol.st_name);
		if (name == NULL)
			return bad(r,
				   "symbol %zu has no name: byte %u of section %u begins no string",
				   i, symbol.st_name, header.sh_link);
		if (type == STT_FILE) {
			file = name[0] != '\0' ? obstack_strdup(&r->image->arena, name) : NULL;
			continue;
		}
		if (name[0] != '\0')
			add_symbol(r, &symbol, symbol.st_shndx == SHN_XINDEX ? extended
				   : symbol.st_shndx < SHN_LORESERVE ? symbol.st_shndx : 0, name,
				   GELF_ST_BIND(symbol.st_info) == STB_LOCAL ? file : NULL);
	}
	return true;
}

static bool read_all(struct reader *r, const unsigned char *ident)
{
	bool good;

	if (!read_header(r, ident))
		return false;
	r->index = xcalloc(r->count + 1, sizeof *r->index);
	r->thread = xcalloc(r->count + 1, sizeof *r->thread);
	good = read_sections(r);
	for (size_t i = 0; good && i < 2 && r->image->pieces.count == 0; i++) {
		size_t table = r->want->dynamic == (i == 0) ? r->dynsym : r->symtab;

		r->image->left_out = (struct image_left_out){ 0 };
		r->image->dynamic = table == r->dynsym;
		good = table == 0 || read_symbols(r, table);
	}
	free(r->index);
	free(r->thread);
	if (good && r->image->pieces.count == 0)
		return bad(r, "it has no symbols: %s", r->symtab == 0 && r->dynsym == 0
			   ? "neither .symtab nor .dynsym is there (stripped?)"
			   : "neither .symtab nor .dynsym defines a function or an object");
	return good;
}

bool program_read(struct image *image, const struct image_want *want, struct diag *diag)
{
	const struct object_place place = { .path = image->path };
	struct reader r = { .image = image, .want = want, .diag = diag };
	struct mapping file;
	bool good = false;

	if (!mapping_open(&file, &place, diag))
		return false;
	r.size = file.size;
	elf_version(EV_CURRENT);
	r.elf = file.size > 0 ? elf_memory((char *)file.bytes, file.size) : NULL;
	if (r.elf == NULL)
		bad(&r, "no ELF file that can be read");
	else
		good = read_all(&r, file.bytes);
	elf_end(r.elf);
	mapping_release(&file);
	return good;
}
