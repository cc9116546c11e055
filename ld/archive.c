/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reader of the ar format of its own, because libbfd opens every member of a
 * thin archive to list it, knows an index only of an architecture that it was
 * built for, and does not say where a member's bytes are.
 *
 * After the magic, "!<arch>\n" or "!<thin>\n", come members, at even offsets:
 * a header of 60 characters and the bytes.  Three kinds of member are not
 * files, and they come first: the index, "/" (or "/SYM64/", with offsets of 8
 * bytes; or BSD's "__.SYMDEF"); and "//", the long names, that others refer to
 * as "/OFFSET".  BSD has a long name before the bytes: "#1/LENGTH".  In a thin
 * archive only these members have bytes, the others are paths from the
 * archive's folder; "/OFFSET:HEADER" is the member of an ordinary archive.
 */
#include "config.h"

#include "ld/archive.h"

#include <ar.h>
#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "ld/mapping.h"

#define THIN_MAGIC "!<thin>\n"

struct bytes {
	const unsigned char *at;
	size_t size;
};

enum index_kind { INDEX_NONE, INDEX_32, INDEX_64, INDEX_BSD };

struct reader {
	struct archive *archive;
	const char *path;
	struct diag *diag;
	struct bytes all, long_names, index;
	enum index_kind index_kind;
	const char *nested_path;	/* the archive in a thin one that was read last */
	struct archive nested;
};

static enum archive_status read_archive(struct archive *archive, const char *path, bool is_nested,
					struct diag *diag);

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
	diag_error(reader->diag, NULL, "'%s': %s", reader->path, text);
	return false;
}

/*
 * A decimal number at the start of the LENGTH characters at TEXT.  Returns
 * what is behind it; NULL: no number, or one too large to be an offset.
 */
static const char *parse_number(const char *text, size_t length, uint64_t *number)
{
	const char *at = text;

	for (*number = 0; at < text + length && *at >= '0' && *at <= '9'; at++) {
		*number = 10 * *number + (*at - '0');
		if (*number > INT64_MAX / 16)
			return NULL;
	}
	return at > text ? at : NULL;
}

/* A number that fills its field but for blanks. */
static bool parse_field(const char *field, size_t length, uint64_t *number)
{
	const char *at = parse_number(field, length, number);

	while (at != NULL && at < field + length && *at == ' ')
		at++;
	return at == field + length;
}

/* A path of a thin archive, which is relative to the archive's folder. */
static const char *member_path(const struct reader *reader, const char *name)
{
	const char *slash = strrchr(reader->path, '/');

	if (name[0] == '/' || slash == NULL)
		return name;
	return obstack_format(&reader->archive->arena, "%.*s/%s", (int)(slash - reader->path),
			      reader->path, name);
}

/* The long name at OFFSET: it ends with "/\n". */
static const char *long_name(const struct reader *reader, uint64_t offset)
{
	const char *names = (const char *)reader->long_names.at, *end;

	if (offset >= reader->long_names.size)
		return NULL;
	end = memchr(names + offset, '\n', reader->long_names.size - offset);
	if (end == NULL || end - (names + offset) < 2 || end[-1] != '/')
		return NULL;
	return obstack_strndup(&reader->archive->arena, names + offset, end - 1 - (names + offset));
}

static struct archive_member *member_at(const struct archive *archive, uint64_t header)
{
	size_t low = 0, high = archive->members.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((uint64_t)archive->members.at[middle].header < header)
			low = middle + 1;
		else
			high = middle;
	}
	return low < archive->members.count && (uint64_t)archive->members.at[low].header == header
	     ? &archive->members.at[low] : NULL;
}

/* Adds the member whose header is at INNER in the archive NAME, as that of HEADER in this one. */
static bool add_nested(struct reader *reader, const char *name, uint64_t inner, uint64_t header)
{
	struct obstack *arena = &reader->archive->arena;
	const char *path = member_path(reader, name);
	const struct archive_member *found;

	if (!reader->archive->thin)
		return bad(reader, "member at byte %ju: only a thin archive refers to another",
			   (uintmax_t)header);
	if (reader->nested_path == NULL || strcmp(reader->nested_path, path) != 0) {
		if (reader->nested_path != NULL)
			archive_release(&reader->nested);
		reader->nested_path = NULL;
		switch (read_archive(&reader->nested, path, true, reader->diag)) {
		case ARCHIVE_OK:
			break;
		case ARCHIVE_NOT:
			return bad(reader, "'%s': expected an ordinary archive", path);
		case ARCHIVE_BAD:
			return false;
		}
		reader->nested_path = path;
	}
	found = member_at(&reader->nested, inner);
	if (found == NULL)
		return bad(reader, "'%s' has no member at byte %ju", path, (uintmax_t)inner);
	*vec_push(&reader->archive->members) = (struct archive_member){
		.name = obstack_strdup(arena, found->name),
		.short_name = obstack_strdup(arena, found->short_name),
		.header = header,
		.place_header = inner,
		.place = {
			.path = path,
			.offset = found->place.offset,
			.size = found->place.size,
			.label = obstack_strdup(arena, found->place.label),
		},
	};
	return true;
}

static bool add_member(struct reader *reader, const char *name, uint64_t header, uint64_t data,
		       uint64_t size)
{
	struct archive *archive = reader->archive;
	const char *path = archive->thin ? member_path(reader, name) : reader->path;

	if (name[0] == '\0')
		return bad(reader, "member at byte %ju has no name", (uintmax_t)header);
	*vec_push(&archive->members) = (struct archive_member){
		.name = archive->thin ? path : name,
		.short_name = name,
		.header = header,
		.place_header = archive->thin ? 0 : header,
		.place = {
			.path = path,
			.offset = archive->thin ? 0 : data,
			.size = archive->thin ? 0 : size,
			.label = archive->thin ? path : obstack_format(&archive->arena, "%s(%s)",
								       path, name),
		},
	};
	return true;
}

static bool set_index(struct reader *reader, enum index_kind kind, struct bytes bytes)
{
	reader->index_kind = kind;
	reader->index = bytes;
	return true;
}

/*
 * The member whose header is at byte OFFSET.  NEXT: where the next one's is.
 */
static bool read_member(struct reader *reader, uint64_t offset, uint64_t *next)
{
	const struct ar_hdr *header = (const struct ar_hdr *)(reader->all.at + offset);
	const char *name = header->ar_name, *end = name + sizeof header->ar_name, *at;
	uint64_t data = offset + sizeof *header, size, number, inner;
	struct bytes bytes;
	bool special;

	if (reader->all.size - offset < sizeof *header)
		return bad(reader, "truncated: expected a member's header of %zu bytes at byte "
			   "%ju, got %ju", sizeof *header, (uintmax_t)offset,
			   (uintmax_t)(reader->all.size - offset));
	if (memcmp(header->ar_fmag, ARFMAG, strlen(ARFMAG)) != 0 ||
	    !parse_field(header->ar_size, sizeof header->ar_size, &size))
		return bad(reader, "no member's header at byte %ju", (uintmax_t)offset);

	special = memcmp(name, "/ ", 2) == 0 || memcmp(name, "// ", 3) == 0 ||
		  memcmp(name, "/SYM64/ ", 8) == 0 || memcmp(name, "__.SYMDEF", 9) == 0;
	*next = data;
	if (special || !reader->archive->thin) {
		if (size > reader->all.size - data)
			return bad(reader, "truncated: member at byte %ju has %ju bytes, expected "
				   "%ju", (uintmax_t)offset,
				   (uintmax_t)(reader->all.size - data), (uintmax_t)size);
		*next += size + size % 2;
	}
	bytes = (struct bytes){ reader->all.at + data, size };

	if (name[0] == '/') {
		if (name[1] == ' ')
			return set_index(reader, INDEX_32, bytes);
		if (memcmp(name, "/SYM64/ ", 8) == 0)
			return set_index(reader, INDEX_64, bytes);
		if (name[1] == '/') {
			reader->long_names = bytes;
			return true;
		}
		at = parse_number(name + 1, end - (name + 1), &number);
		name = at != NULL ? long_name(reader, number) : NULL;
		if (name == NULL)
			return bad(reader, "member at byte %ju has no name in the table of long "
				   "names", (uintmax_t)offset);
		if (at < end && *at == ':') {
			if (!parse_field(at + 1, end - (at + 1), &inner))
				return bad(reader, "no member's header at byte %ju",
					   (uintmax_t)offset);
			return add_nested(reader, name, inner, offset);
		}
		return add_member(reader, name, offset, data, size);
	}

	if (memcmp(name, "#1/", 3) == 0) {
		if (reader->archive->thin || !parse_field(name + 3, end - (name + 3), &number) ||
		    number > size)
			return bad(reader, "member at byte %ju: its name is longer than the member",
				   (uintmax_t)offset);
		name = obstack_strndup(&reader->archive->arena, (const char *)bytes.at,
				       strnlen((const char *)bytes.at, number));
		bytes = (struct bytes){ bytes.at + number, size - number };
		if (strncmp(name, "__.SYMDEF", 9) == 0)
			return set_index(reader, INDEX_BSD, bytes);
		return add_member(reader, name, offset, data + number, bytes.size);
	}
	if (special)
		return set_index(reader, INDEX_BSD, bytes);

	/* "name/" and blanks; BSD: "name" and blanks. */
	at = memchr(name, '/', end - name);
	while (at == NULL && end > name && end[-1] == ' ')
		end--;
	name = obstack_strndup(&reader->archive->arena, name, (at != NULL ? at : end) - name);
	return add_member(reader, name, offset, data, size);
}

/* Adds to the index that NAME, in the SIZE bytes of NAMES, is defined by the member of HEADER. */
static bool add_symbol(struct reader *reader, const char *names, size_t size, uint64_t name,
		       uint64_t header)
{
	const struct archive_member *member = member_at(reader->archive, header);

	if (name >= size)
		return bad(reader, "the index has %ju bytes of names, and symbol %zu's is at %ju",
			   (uintmax_t)size, reader->archive->symbols.count, (uintmax_t)name);
	if (member == NULL)
		return bad(reader, "the index names a member at byte %ju, where none begins",
			   (uintmax_t)header);
	*vec_push(&reader->archive->symbols) = (struct archive_symbol){
		.name = names + name,
		.member = member - reader->archive->members.at,
	};
	return true;
}

/* The names are kept in one piece, and end with a NUL whatever the file holds. */
static const char *keep_names(const struct reader *reader, const unsigned char *at, size_t size)
{
	return obstack_copy0(&reader->archive->arena, at, size);
}

static uint64_t big_endian(const unsigned char *at, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | at[i];
	return number;
}

/* The count, as many offsets, as many names; all numbers big-endian and of WIDTH bytes. */
static bool read_index(struct reader *reader, size_t width)
{
	const unsigned char *at = reader->index.at;
	size_t left = reader->index.size;
	const char *names;
	uint64_t count, name = 0;

	count = left >= width ? big_endian(at, width) : UINT64_MAX;
	if (left < width || count > (left - width) / width)
		return bad(reader, "the index has %zu bytes, too few for %ju symbols", left,
			   (uintmax_t)count);
	left -= width + count * width;
	names = keep_names(reader, at + width + count * width, left);
	for (uint64_t i = 0; i < count; i++) {
		if (!add_symbol(reader, names, left, name,
				big_endian(at + width + i * width, width)))
			return false;
		name += strlen(names + name) + 1;
	}
	return true;
}

static uint32_t number_32(const unsigned char *at, bool big)
{
	uint32_t number;

	memcpy(&number, at, sizeof number);
	return big ? be32toh(number) : le32toh(number);
}

/*
 * BSD's: the bytes of the pairs, pairs of a name's place and a member's
 * offset, the bytes of the names, the names; in the byte order of the machine,
 * which is the one in which the lengths fit.
 */
static bool read_bsd_index(struct reader *reader)
{
	const unsigned char *at = reader->index.at;
	size_t size = reader->index.size, pairs = 0, names = 0;
	const char *kept;
	bool big = false, fits = false;

	for (int order = 0; order < 2 && !fits && size >= 8; order++) {
		big = order == 1;
		pairs = number_32(at, big);
		if (pairs % 8 != 0 || pairs > size - 8)
			continue;
		names = number_32(at + 4 + pairs, big);
		fits = names <= size - 8 - pairs;
	}
	if (!fits)
		return bad(reader, "the index's lengths do not fit its %zu bytes", size);
	kept = keep_names(reader, at + 8 + pairs, names);
	for (size_t i = 4; i < 4 + pairs; i += 8)
		if (!add_symbol(reader, kept, names, number_32(at + i, big),
				number_32(at + i + 4, big)))
			return false;
	return true;
}

static int compare_names(const void *a, const void *b)
{
	const struct archive_member *left = *(struct archive_member *const *)a;
	const struct archive_member *right = *(struct archive_member *const *)b;
	int order = strcmp(left->short_name, right->short_name);

	return order != 0 ? order : (left > right) - (left < right);
}

static void number_members(struct archive *archive)
{
	struct archive_member **sorted = xcalloc(archive->members.count, sizeof *sorted);

	for (size_t i = 0; i < archive->members.count; i++)
		sorted[i] = &archive->members.at[i];
	qsort(sorted, archive->members.count, sizeof *sorted, compare_names);
	for (size_t i = 0; i < archive->members.count; i++)
		sorted[i]->ordinal = 1;
	for (size_t i = 1; i < archive->members.count; i++)
		if (strcmp(sorted[i - 1]->short_name, sorted[i]->short_name) == 0)
			sorted[i]->ordinal += sorted[i - 1]->ordinal;
	free(sorted);
}

static bool read_all(struct reader *reader)
{
	uint64_t offset = SARMAG;

	while (offset < reader->all.size)
		if (!read_member(reader, offset, &offset))
			return false;
	number_members(reader->archive);
	reader->archive->has_index = reader->index_kind != INDEX_NONE;
	switch (reader->index_kind) {
	case INDEX_NONE:
		return true;
	case INDEX_32:
		return read_index(reader, 4);
	case INDEX_64:
		return read_index(reader, 8);
	case INDEX_BSD:
		return read_bsd_index(reader);
	}
	return false;
}

static enum archive_status read_archive(struct archive *archive, const char *path, bool is_nested,
					struct diag *diag)
{
	struct reader reader = { .archive = archive, .diag = diag };
	struct object_place place = { .path = path };
	enum archive_status status = ARCHIVE_NOT;
	struct mapping file;

	*archive = (struct archive){ .thin = false };
	if (!mapping_open(&file, &place, diag))
		return ARCHIVE_BAD;
	obstack_init(&archive->arena);
	reader.path = obstack_strdup(&archive->arena, path);
	reader.all = (struct bytes){ file.bytes, file.size };
	if (file.size >= SARMAG) {
		archive->thin = memcmp(file.bytes, THIN_MAGIC, SARMAG) == 0 && !is_nested;
		if (archive->thin || memcmp(file.bytes, ARMAG, SARMAG) == 0)
			status = read_all(&reader) ? ARCHIVE_OK : ARCHIVE_BAD;
	}
	if (reader.nested_path != NULL)
		archive_release(&reader.nested);
	mapping_release(&file);
	if (status != ARCHIVE_OK)
		archive_release(archive);
	return status;
}

enum archive_status archive_read(struct archive *archive, const char *path, struct diag *diag)
{
	return read_archive(archive, path, false, diag);
}

void archive_release(struct archive *archive)
{
	vec_release(&archive->members);
	vec_release(&archive->symbols);
	obstack_free(&archive->arena, NULL);
}

/* FILE as a path from the folder of the archive at PATH; absolute where it is not below that. */
static char *path_from_archive(const char *path, const char *file)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash != NULL ? slash + 1 - path : 0;
	char *current, *absolute;

	if (strncmp(file, path, folder) == 0)
		return xstrdup(file + folder);
	if (file[0] == '/')
		return xstrdup(file);
	current = get_current_dir_name();
	absolute = xasprintf("%s/%s", current != NULL ? current : ".", file);
	free(current);
	return absolute;
}

static void put_header(FILE *stream, const char *name, uintmax_t size)
{
	fprintf(stream, "%-16s%-12d%-6d%-6d%-8d%-10ju" ARFMAG, name, 0, 0, 0, 644, size);
}

static void put_big_endian(FILE *stream, uint32_t number)
{
	number = htobe32(number);
	fwrite(&number, sizeof number, 1, stream);
}

/* The index; the first member's header is FIRST bytes behind it. */
static void put_index(FILE *stream, const struct archive *source, size_t first)
{
	size_t size = 4 + 4 * source->symbols.count;

	for (size_t i = 0; i < source->symbols.count; i++)
		size += strlen(source->symbols.at[i].name) + 1;
	first += SARMAG + sizeof(struct ar_hdr) + size + size % 2;
	put_header(stream, "/", size + size % 2);
	put_big_endian(stream, source->symbols.count);
	for (size_t i = 0; i < source->symbols.count; i++)
		put_big_endian(stream, first + sizeof(struct ar_hdr) *
						       source->symbols.at[i].member);
	for (size_t i = 0; i < source->symbols.count; i++)
		fwrite(source->symbols.at[i].name, 1, strlen(source->symbols.at[i].name) + 1,
		       stream);
	if (size % 2 != 0)
		putc('\0', stream);
}

/* What a thin archive is written from. */
struct writer {
	FILE *names, *headers;
	const char *path;
	struct diag *diag;
	const char *nested;		/* the path of the last member that is in an archive */
	long nested_name;		/* where that is among the names */
};

/* Adds FILE to the names; returns where it is among them. */
static long put_name(struct writer *writer, const char *file)
{
	long place = ftell(writer->names);
	char *name = path_from_archive(writer->path, file);

	fprintf(writer->names, "%s/\n", name);
	free(name);
	return place;
}

/* Adds the header of MEMBER, for which FILE stands (NULL: it itself).  False, reported. */
static bool put_member(struct writer *writer, const struct archive_member *member,
		       const char *file)
{
	char reference[64];
	struct stat status;

	if (file == NULL && member->place_header != 0) {
		if (writer->nested == NULL || strcmp(writer->nested, member->place.path) != 0) {
			writer->nested = member->place.path;
			writer->nested_name = put_name(writer, writer->nested);
		}
		snprintf(reference, sizeof reference, "/%ld:%jd", writer->nested_name,
			 (intmax_t)member->place_header);
		put_header(writer->headers, reference, member->place.size);
	} else {
		file = file != NULL ? file : member->place.path;
		if (stat(file, &status) != 0) {
			diag_error_class(writer->diag, DIAG_ENVIRONMENT, NULL,
					 "cannot read '%s': %s", file, strerror(errno));
			return false;
		}
		snprintf(reference, sizeof reference, "/%ld", put_name(writer, file));
		put_header(writer->headers, reference, status.st_size);
	}
	if (strlen(reference) <= sizeof ((struct ar_hdr *)0)->ar_name)
		return true;
	diag_error(writer->diag, NULL, "'%s': too large for a thin archive to refer into",
		   member->place.path);
	return false;
}

/* The whole archive as it should be.  False, reported, if it cannot be. */
static bool put_archive(FILE *stream, const char *path, const struct archive *source,
			const char *const *files, struct diag *diag)
{
	size_t names_size = 0, headers_size = 0;
	char *names, *headers;
	struct writer writer = {
		.names = open_memstream(&names, &names_size),
		.headers = open_memstream(&headers, &headers_size),
		.path = path,
		.diag = diag,
	};
	bool done = true;

	for (size_t i = 0; i < source->members.count && done; i++)
		done = put_member(&writer, &source->members.at[i], files[i]);
	if (ftell(writer.names) % 2 != 0)
		putc('\n', writer.names);
	fclose(writer.names);
	fclose(writer.headers);

	fputs(THIN_MAGIC, stream);
	if (source->has_index)
		put_index(stream, source, sizeof(struct ar_hdr) + names_size);
	put_header(stream, "//", names_size);
	fwrite(names, 1, names_size, stream);
	fwrite(headers, 1, headers_size, stream);
	free(names);
	free(headers);
	return done;
}

static bool same_bytes(const char *path, const char *bytes, size_t size)
{
	struct source *old = source_read(path);
	bool same = old != NULL && old->size == size && memcmp(old->text, bytes, size) == 0;

	if (old != NULL)
		source_free(old);
	return same;
}

bool archive_write_thin(const char *path, const struct archive *source, const char *const *files,
			struct diag *diag)
{
	struct outfile file;
	size_t size = 0;
	char *bytes = NULL;
	FILE *stream = open_memstream(&bytes, &size);
	bool done = put_archive(stream, path, source, files, diag);

	fclose(stream);
	if (done && !same_bytes(path, bytes, size)) {
		done = outfile_open(&file, path);
		if (done) {
			fwrite(bytes, 1, size, file.stream);
			done = outfile_commit(&file);
		}
		if (!done)
			diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s",
					 path, strerror(errno));
	}
	free(bytes);
	return done;
}
