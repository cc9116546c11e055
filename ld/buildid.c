/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The build-id of a linked program: the note of that type and owner "GNU".
 */
#include "config.h"
#include "ld/buildid.h"

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

char *build_id(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	char *id = NULL;
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (id == NULL && elf != NULL && (section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_NOTE)
			id = in_notes(elf_getdata(section, NULL));
	}
	elf_end(elf);
	close(fd);
	return id;
}
