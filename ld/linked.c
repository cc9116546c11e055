/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a linked program's headers.  Its build-id is the note of that type and
 * of the owner "GNU".
 */
#include "config.h"
#include "ld/linked.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/memory.h"

static char *in_notes(Elf_Data *data)
{
	GElf_Nhdr note;
	size_t offset = 0, name, text;

	while (data != NULL && (offset = gelf_getnote(data, offset, &note, &name, &text)) > 0) {
		const unsigned char *bytes = (const unsigned char *)data->d_buf + text;
		char *id;

		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp((const char *)data->d_buf + name, "GNU", 4) != 0)
			continue;
		id = xcalloc(2 * note.n_descsz + 1, 1);
		for (size_t i = 0; i < note.n_descsz; i++)
			sprintf(id + 2 * i, "%02x", bytes[i]);
		return id;
	}
	return NULL;
}

static void read_section(struct linked *linked, Elf *elf, Elf_Scn *section, size_t names)
{
	const char *name;
	GElf_Shdr header;

	if (gelf_getshdr(section, &header) == NULL)
		return;
	if (header.sh_type == SHT_NOTE && linked->build_id == NULL)
		linked->build_id = in_notes(elf_getdata(section, NULL));
	name = elf_strptr(elf, names, header.sh_name);
	if ((header.sh_flags & SHF_ALLOC) == 0 || name == NULL)
		return;
	*vec_push(&linked->sections) = (struct linked_section){
		.name = xstrdup(name), .address = header.sh_addr, .size = header.sh_size,
		.align = header.sh_addralign > 0 ? header.sh_addralign : 1,
		.nowhere = header.sh_type == SHT_NOBITS && (header.sh_flags & SHF_TLS) != 0 };
}

void linked_read(struct linked *linked, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	GElf_Ehdr header;
	size_t names;
	Elf *elf;

	*linked = (struct linked){ NULL };
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf != NULL && gelf_getehdr(elf, &header) != NULL &&
	    elf_getshdrstrndx(elf, &names) == 0) {
		linked->machine = header.e_machine;
		while ((section = elf_nextscn(elf, section)) != NULL)
			read_section(linked, elf, section, names);
	}
	elf_end(elf);
	close(fd);
}

void linked_release(struct linked *linked)
{
	for (size_t i = 0; i < linked->sections.count; i++)
		free(linked->sections.at[i].name);
	vec_release(&linked->sections);
	free(linked->build_id);
}
