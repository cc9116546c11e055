/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hashing sections: the bytes first, then each table of relocations on top.
 */
#include "config.h"
#include "ld/content.h"

#include <elf.h>
#include <gelf.h>
#include <string.h>
#include <xxhash.h>

#include "lib/memory.h"

/* The symbols that relocations name. */
struct names {
	Elf_Data *symbols;
	const char *strings;
	size_t size, count;
};

/* What a relocation is hashed as. */
struct relocation {
	uint64_t offset, type, addend, symbol;
};

static bool is_numbered(const char *name, size_t length)
{
	const char *dot = memrchr(name, '.', length);

	return dot != NULL && dot[1] >= '0' && dot[1] <= '9';
}

/* The symbol's name as a number; 0: it says nothing. */
static uint64_t hash_symbol(const struct names *names, size_t index)
{
	const char *name;
	size_t length;
	GElf_Sym symbol;

	if (index >= names->count || gelf_getsym(names->symbols, (int)index, &symbol) == NULL ||
	    GELF_ST_TYPE(symbol.st_info) == STT_SECTION || symbol.st_name >= names->size)
		return 0;
	name = names->strings + symbol.st_name;
	length = strnlen(name, names->size - symbol.st_name);
	if (GELF_ST_BIND(symbol.st_info) == STB_LOCAL && is_numbered(name, length))
		return 0;
	return XXH3_64bits(name, length);
}

static void add_relocations(struct object_section *section, Elf_Scn *scn, bool has_addends,
			    const struct names *names, uint64_t *cache)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	struct relocation hashed[256];
	size_t count = 0;

	for (int i = 0; data != NULL; i++) {
		GElf_Rela rela = { 0 };
		GElf_Rel rel;
		size_t symbol;
		bool got;

		if (has_addends) {
			got = gelf_getrela(data, i, &rela) != NULL;
		} else {
			got = gelf_getrel(data, i, &rel) != NULL;
			if (got)
				rela = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
		}
		if (got) {
			symbol = GELF_R_SYM(rela.r_info);
			if (symbol < names->count && cache[symbol] == 0)
				cache[symbol] = hash_symbol(names, symbol) | 1;
			hashed[count++] = (struct relocation){
				.offset = rela.r_offset, .type = GELF_R_TYPE(rela.r_info),
				.symbol = symbol < names->count ? cache[symbol] : 1 };
			if (hashed[count - 1].symbol != 1)
				hashed[count - 1].addend = (uint64_t)rela.r_addend;
		}
		if (count == sizeof hashed / sizeof *hashed || (!got && count > 0)) {
			section->content = XXH3_64bits_withSeed(hashed, count * sizeof *hashed,
								section->content);
			count = 0;
		}
		if (!got)
			return;
	}
}

static void open_names(struct names *names, Elf *elf, size_t symtab)
{
	GElf_Shdr header;
	Elf_Data *data;

	if (symtab == 0 || gelf_getshdr(elf_getscn(elf, symtab), &header) == NULL ||
	    header.sh_entsize == 0)
		return;
	names->symbols = elf_getdata(elf_getscn(elf, symtab), NULL);
	data = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
	if (names->symbols == NULL || data == NULL || data->d_buf == NULL)
		return;
	names->strings = data->d_buf;
	names->size = data->d_size;
	names->count = header.sh_size / header.sh_entsize;
}

void content_hash(struct object *object, Elf *elf, size_t symtab)
{
	struct names names = { NULL };
	Elf_Scn *scn = NULL;
	uint64_t *cache;

	for (size_t i = 0; i < object->sections.count; i++) {
		struct object_section *section = &object->sections.at[i];
		Elf_Data *data;

		if ((section->flags & SHF_ALLOC) == 0 || section->type == SHT_NOBITS ||
		    section->size == 0)
			continue;
		data = elf_rawdata(elf_getscn(elf, section->shndx), NULL);
		if (data != NULL && data->d_buf != NULL)
			section->content = XXH3_64bits(data->d_buf, data->d_size);
	}
	open_names(&names, elf, symtab);
	cache = xcalloc(names.count + 1, sizeof *cache);
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		struct object_section *section;
		GElf_Shdr header;

		if (gelf_getshdr(scn, &header) == NULL ||
		    (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
			continue;
		section = object_section(object, header.sh_info);
		if (section != NULL && section->content != 0)
			add_relocations(section, scn, header.sh_type == SHT_RELA, &names, cache);
	}
	free(cache);
}
