/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tagged copy is the source's bytes, with new section headers written over
 * the old ones, and a tail:
 *
 *	the source's bytes		as they are, but for the section headers
 *	the old names, the new names	what .shstrtab now is
 *	struct trailer			what the copy was made from
 *
 * The old names stay at their offsets in the new table, so only the headers of
 * renamed sections change, and that of the table itself; and a table that
 * holds the symbols' names too, as LLVM makes it, serves both as before.
 */
#include "config.h"

#include "ld/tag.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "layout/escape.h"
#include "lib/file.h"
#include "lib/memory.h"
#include "ld/mapping.h"

/* ---- names ---- */

/* What is no plain letter of a tag, and so written %XX. */
static const unsigned char escapes[256] = {
	[1 ... ' '] = 1, ['\177'] = 1, ['"'] = 1, ['*'] = 1, ['?'] = 1, ['['] = 1, ['\\'] = 1,
	['%'] = 1, ['#'] = 1, ['@'] = 1, [':'] = 1,
};

static void grow_escaped(struct obstack *arena, const char *text, size_t size)
{
	for (const char *end = text + size; text < end;) {
		const char *plain = text;

		while (text < end && escapes[(unsigned char)*text] == 0)
			text++;
		obstack_grow(arena, plain, (int)(text - plain));
		if (text < end)
			obstack_printf(arena, "%%%02X", (unsigned char)*text++);
	}
}

/* How much of a section's name stands before the file: of ".data.x" the ".data", of "..x" all. */
static size_t head_length(const char *section, enum tag_form form)
{
	size_t dots = strspn(section, ".");

	return form == TAG_PARTIAL ? strlen(section) : dots + strcspn(section + dots, ".");
}

const char *tag_format(const struct identity *identity, enum tag_form form,
		       struct obstack *arena)
{
	const char *section = identity->section;
	size_t head = head_length(section, form), plain = head;

	/* A dot at the end is escaped too: before the '@' it says TAG_PARTIAL. */
	if (head > 0 && section[head - 1] == '.')
		plain--;
	grow_escaped(arena, section, plain);
	if (plain < head)
		obstack_grow(arena, "%2E", 3);
	if (form == TAG_PARTIAL)
		obstack_1grow(arena, '.');
	obstack_1grow(arena, '@');
	grow_escaped(arena, identity->file, strlen(identity->file));
	if (identity->symbol != NULL) {
		obstack_1grow(arena, ':');
		grow_escaped(arena, identity->symbol, strlen(identity->symbol));
	}
	if (section[head] != '\0') {
		obstack_1grow(arena, '@');
		grow_escaped(arena, section + head, strlen(section + head));
	}
	if (identity->ordinal > 1)
		obstack_printf(arena, "#%u", identity->ordinal);
	obstack_1grow(arena, '\0');
	return obstack_finish(arena);
}

bool tag_parse(const char *name, struct identity *identity, struct obstack *arena)
{
	const char *at = strchr(name, '@'), *file_end, *symbol_end, *end, *head, *tail;
	enum tag_form form;
	char *start;

	if (name[0] != '.' || at == NULL || at < name + 2 || at[1] == '\0')
		return false;
	form = at[-1] == '.' ? TAG_PARTIAL : TAG_FINAL;
	file_end = at + 1 + strcspn(at + 1, ":@#");
	symbol_end = file_end + strcspn(file_end, "@#");
	end = strchrnul(at, '#');
	start = obstack_alloc(arena, 1);
	head = unescape_text(name, form == TAG_PARTIAL ? at - 1 : at, arena);
	tail = *symbol_end == '@' ? unescape_text(symbol_end + 1, end, arena) : "";
	*identity = (struct identity){
		.file = unescape_text(at + 1, file_end, arena),
		.ordinal = *end != '\0' ? strtoul(end + 1, NULL, 10) : 1,
		.symbol = *file_end == ':' ? unescape_text(file_end + 1, symbol_end, arena) : NULL,
	};
	if (*file_end == ':' && (identity->symbol == NULL || identity->symbol[0] == '\0'))
		identity->file = NULL;
	if (head != NULL && tail != NULL && identity->file != NULL) {
		identity->section = obstack_format(arena, "%s%s", head, tail);
		if (strcmp(tag_format(identity, form, arena), name) == 0)
			return true;
	}
	obstack_free(arena, start);
	return false;
}

/*
 * Names that mean something, of sections that are in the program's memory:
 * each stands for itself, and for itself with a '.' and more behind it.
 */
static const char *const meaningful[] = {
	/* Run or read in the order that they are linked in, between crt files. */
	".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors",
	".jcr", ".tm_clone_table",
	/* Parsed, merged or made by bfd. */
	".eh_frame", ".eh_frame_hdr", ".eh_frame_entry", ".gcc_except_table", ".sframe", ".stab",
	".stabstr", ".interp", ".dynamic", ".dynsym", ".dynstr", ".dynbss", ".dynrelro", ".hash",
	".rel", ".rela", ".relr", ".got", ".got1", ".got2", ".plt", ".iplt", ".igot", ".toc",
	".toc1", ".tocbss", ".opd", ".glink", ".branch_lt", ".sfpr", ".exports",
	".glue_7", ".glue_7t", ".vfp11_veneer", ".v4_bx", ".reginfo",
	/* Reached from a register, within a distance that depends on the name. */
	".sdata", ".sdata1", ".sdata2", ".srdata", ".sbss", ".sbss2", ".scommon", ".lit", ".lit4",
	".lit8", ".lita",
	".tdata", ".tbss", ".tcommon",
};

/* What begins with one of these. */
static const char *const reserved[] = {
	".gnu.", ".gnu_", ".note", ".llvm.", ".ARM.", ".MIPS.", ".IA_64.", ".PARISC.",
};

bool tag_allowed(const struct object_section *section, const char *name)
{
	if (section->type != SHT_PROGBITS && section->type != SHT_NOBITS)
		return false;
	/* ld sorts sections with a link order itself. */
	if ((section->flags & SHF_ALLOC) == 0 || section->names_group ||
	    (section->flags & (SHF_TLS | SHF_LINK_ORDER | SHF_EXCLUDE)) != 0)
		return false;
	/* No C identifier begins with a '.'; what has an '@' would be read as a tag. */
	if (name[0] != '.' || name[1] == '\0' || strchr(name, '@') != NULL ||
	    strcmp(name, ".init") == 0 || strcmp(name, ".fini") == 0)
		return false;
	for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
		if (name[1] == reserved[i][1] &&
		    strncmp(name, reserved[i], strlen(reserved[i])) == 0)
			return false;
	for (size_t i = 0; i < sizeof meaningful / sizeof *meaningful; i++) {
		size_t length;

		if (name[1] != meaningful[i][1])
			continue;
		length = strlen(meaningful[i]);
		if (strncmp(name, meaningful[i], length) == 0 &&
		    (name[length] == '\0' || name[length] == '.'))
			return false;
	}
	return true;
}

/* ---- copies ---- */

#define TRAILER_MAGIC "kerning tagged 3"

/* What a copy was made from.  It never leaves the machine that wrote it. */
struct trailer {
	char magic[16];
	uint64_t size, inode, device;	/* of the source's file */
	int64_t seconds, nanoseconds;	/* when that was modified */
	int64_t changed, changed_nanoseconds; /* st_ctim, which no program can set */
	uint64_t offset, bytes;		/* of the object in it */
	uint64_t renames;		/* hash of the tags */
};

static struct trailer make_trailer(const struct stat *source, const struct object_place *from,
				   const struct rename *renames, size_t count)
{
	struct trailer trailer = {
		.magic = TRAILER_MAGIC,
		.size = source->st_size,
		.inode = source->st_ino,
		.device = source->st_dev,
		.seconds = source->st_mtim.tv_sec,
		.nanoseconds = source->st_mtim.tv_nsec,
		.changed = source->st_ctim.tv_sec,
		.changed_nanoseconds = source->st_ctim.tv_nsec,
		.offset = from->offset,
		.bytes = from->size,
	};

	for (size_t i = 0; i < count; i++) {
		trailer.renames = XXH3_64bits_withSeed(renames[i].name, strlen(renames[i].name),
						       trailer.renames + renames[i].shndx);
		if (renames[i].reflagged)
			trailer.renames = XXH3_64bits_withSeed(&renames[i].flags, sizeof renames[i].flags,
							       trailer.renames);
	}
	return trailer;
}

/* TAG_REUSED if TO ends with TRAILER, TAG_TAKEN if with one that has other tags; else TAG_FAILED. */
static enum tag_result look_at_copy(const char *to, const struct trailer *trailer)
{
	enum tag_result result = TAG_FAILED;
	int fd = open(to, O_RDONLY | O_CLOEXEC);
	struct trailer found;
	struct stat status;

	if (fd < 0)
		return TAG_FAILED;
	if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof found &&
	    pread(fd, &found, sizeof found, status.st_size - sizeof found) == sizeof found) {
		if (memcmp(&found, trailer, sizeof found) == 0)
			result = TAG_REUSED;
		found.renames = trailer->renames;
		if (result == TAG_FAILED && memcmp(&found, trailer, sizeof found) == 0)
			result = TAG_TAKEN;
	}
	close(fd);
	return result;
}

/* What is written over the copy: the section headers, and the tail. */
struct edit {
	const char *label;
	struct diag *diag;
	GElf_Ehdr header;
	size_t count, names;		/* section headers; which one is of their names */
	unsigned char *headers;		/* as they will be in the file; NULL: as they are */
	size_t headers_size;
	char *tail;			/* new names, then the trailer */
	size_t tail_size;
};

static bool bad(const struct edit *edit, const char *what)
{
	diag_error(edit->diag, NULL, "'%s': %s", edit->label, what);
	return false;
}

/* Finds the section headers and the old names, and checks what is used of them. */
static bool read_headers(struct edit *edit, Elf *elf, size_t size, GElf_Shdr *names)
{
	size_t entry;

	if (elf == NULL || gelf_getehdr(elf, &edit->header) == NULL ||
	    elf_getshdrnum(elf, &edit->count) != 0 || elf_getshdrstrndx(elf, &edit->names) != 0)
		return bad(edit, "no ELF object that can be read");
	entry = gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
	if (edit->header.e_shentsize != entry || edit->header.e_shoff > size ||
	    edit->count > (size - edit->header.e_shoff) / entry)
		return bad(edit, "section headers lie outside the file");
	edit->headers_size = edit->count * entry;
	if (gelf_getshdr(elf_getscn(elf, edit->names), names) == NULL ||
	    names->sh_offset > size || names->sh_size > size - names->sh_offset)
		return bad(edit, "section names lie outside the file");
	return true;
}

/* Stores NUMBER, of WIDTH bytes, in the byte order of the object. */
static void put(const struct edit *edit, unsigned char *at, size_t width, uint64_t number)
{
	bool big = edit->header.e_ident[EI_DATA] == ELFDATA2MSB;

	for (size_t i = 0; i < width; i++)
		at[big ? width - 1 - i : i] = number >> 8 * i;
}

/* Header INDEX's field, which both classes have under one name. */
#define PUT_FIELD(edit, index, field, number)							\
	do {											\
		if ((edit)->header.e_ident[EI_CLASS] == ELFCLASS32)				\
			put(edit, (edit)->headers + (index) * sizeof(Elf32_Shdr) +		\
			    offsetof(Elf32_Shdr, field), sizeof((Elf32_Shdr *)0)->field, number); \
		else										\
			put(edit, (edit)->headers + (index) * sizeof(Elf64_Shdr) +		\
			    offsetof(Elf64_Shdr, field), sizeof((Elf64_Shdr *)0)->field, number); \
	} while (0)

/* Writes the names' new table to TAIL, and changes the headers for it. */
static bool rename_sections(struct edit *edit, const struct mapping *file,
			    const struct rename *renames, size_t count, FILE *tail)
{
	Elf *elf = elf_memory((char *)file->bytes, file->size);
	size_t names_size;
	GElf_Shdr names;
	bool done = read_headers(edit, elf, file->size, &names);

	elf_end(elf);
	if (!done)
		return false;
	edit->headers = xmalloc(edit->headers_size);
	memcpy(edit->headers, file->bytes + edit->header.e_shoff, edit->headers_size);
	names_size = fwrite(file->bytes + names.sh_offset, 1, names.sh_size, tail);
	for (size_t i = 0; i < count; i++) {
		if (renames[i].shndx == 0 || renames[i].shndx >= edit->count)
			return bad(edit, "a section to be tagged is not there");
		PUT_FIELD(edit, renames[i].shndx, sh_name, names_size);
		if (renames[i].reflagged)
			PUT_FIELD(edit, renames[i].shndx, sh_flags, renames[i].flags);
		names_size += fwrite(renames[i].name, 1, strlen(renames[i].name) + 1, tail);
	}
	if (names_size > UINT32_MAX)
		return bad(edit, "section names are longer than 4 GiB");
	PUT_FIELD(edit, edit->names, sh_offset, file->size);
	PUT_FIELD(edit, edit->names, sh_size, names_size);
	return true;
}

/* Without a rename the object is of no concern, and need not be one. */
static bool make_edit(struct edit *edit, const struct mapping *file,
		      const struct rename *renames, size_t count, const struct trailer *trailer)
{
	FILE *tail = open_memstream(&edit->tail, &edit->tail_size);
	bool done = count == 0 || rename_sections(edit, file, renames, count, tail);

	fwrite(trailer, sizeof *trailer, 1, tail);
	fclose(tail);
	return done;
}

static bool write_at(int fd, const void *bytes, size_t size, off_t offset)
{
	while (size > 0) {
		ssize_t written = pwrite(fd, bytes, size, offset);

		if (written < 0)
			return false;
		bytes = (const char *)bytes + written;
		size -= written;
		offset += written;
	}
	return true;
}

/* In the kernel, by reference where it can; else the bytes that are mapped anyway. */
static bool write_source(int fd, const struct mapping *file, off_t offset)
{
	size_t done = 0;

	while (done < file->size) {
		ssize_t copied = copy_file_range(file->fd, &offset, fd, &(off_t){ done },
						 file->size - done, 0);

		if (copied < 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO))
			return false;
		if (copied <= 0)
			break;
		done += copied;
	}
	return write_at(fd, file->bytes + done, file->size - done, done);
}

static bool write_copy(const char *to, const struct mapping *file, off_t offset,
		       const struct edit *edit)
{
	struct outfile out;
	int fd;

	if (outfile_open(&out, to)) {
		fd = fileno(out.stream);
		if (write_source(fd, file, offset) &&
		    write_at(fd, edit->headers, edit->headers_size, edit->header.e_shoff) &&
		    write_at(fd, edit->tail, edit->tail_size, file->size)) {
			if (outfile_commit(&out))
				return true;
		} else {
			int saved = errno;

			outfile_abandon(&out);
			errno = saved;
		}
	}
	diag_error_class(edit->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s", to,
			 strerror(errno));
	return false;
}

/* One attempt.  CHANGED: the source was modified meanwhile, the copy may be of neither state. */
static bool copy_once(const char *to, const struct object_place *from,
		      const struct rename *renames, size_t count, bool *changed,
		      struct diag *diag)
{
	struct edit edit = { .label = place_label(from), .diag = diag };
	struct trailer before, after;
	struct mapping file;
	struct stat status;
	bool done;

	if (!mapping_open(&file, from, diag))
		return false;
	before = make_trailer(&file.status, from, renames, count);
	done = make_edit(&edit, &file, renames, count, &before) &&
	       write_copy(to, &file, from->offset, &edit);
	if (done) {
		done = fstat(file.fd, &status) == 0;
		after = make_trailer(&status, from, renames, count);
		*changed = memcmp(&before, &after, sizeof before) != 0;
	}
	free(edit.headers);
	free(edit.tail);
	mapping_release(&file);
	return done;
}

enum tag_result tag_copy(const char *to, const struct object_place *from,
			 const struct rename *renames, size_t count, struct diag *diag)
{
	bool changed = true;
	enum tag_result found;
	struct trailer trailer;
	struct stat status;

	if (stat(from->path, &status) == 0) {
		trailer = make_trailer(&status, from, renames, count);
		found = look_at_copy(to, &trailer);
		if (found != TAG_FAILED)
			return found;
	}
	elf_version(EV_CURRENT);
	for (int attempt = 0; attempt < 2 && changed; attempt++)
		if (!copy_once(to, from, renames, count, &changed, diag))
			return TAG_FAILED;
	if (!changed)
		return TAG_MADE;
	unlink(to);
	diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "'%s' changed while it was copied",
			 place_label(from));
	return TAG_FAILED;
}
