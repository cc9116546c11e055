/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts in memory: read whole, so that a token or a message can be two offsets.
 */
#include "config.h"

#include "lib/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/memory.h"

static struct source *source_new(const char *name, char *text, size_t size)
{
	struct source *source = xmalloc(sizeof *source);

	text[size] = '\0';
	*source = (struct source){ .name = xstrdup(name), .text = text, .size = size };
	return source;
}

struct source *source_read(const char *path)
{
	struct source *source = NULL;
	size_t size = 0, capacity;
	char *text = NULL;
	struct stat status;
	int saved;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) != 0)
		goto out;
	if (S_ISDIR(status.st_mode)) {
		errno = EISDIR;
		goto out;
	}
	/* One byte for the NUL, one so that the read that finds the end has room. */
	capacity = S_ISREG(status.st_mode) && status.st_size > 0 ? (size_t)status.st_size + 2
								 : 8192;
	text = xmalloc(capacity);
	for (;;) {
		ssize_t count = read(fd, text + size, capacity - size - 1);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			goto out;
		if (count == 0)
			break;
		size += (size_t)count;
		if (size > UINT32_MAX - 1) {	/* an offset has 32 bits */
			errno = EFBIG;
			goto out;
		}
		if (size == capacity - 1) {
			text = xrealloc_array(text, 2, capacity);
			capacity *= 2;
		}
	}
	source = source_new(path, text, size);
	text = NULL;
out:
	saved = errno;
	free(text);
	close(fd);
	errno = saved;
	return source;
}

struct source *source_from_memory(const char *name, const char *text, size_t size)
{
	char *copy = xmalloc(size + 1);

	if (size > 0)
		memcpy(copy, text, size);
	return source_new(name, copy, size);
}

void source_free(struct source *source)
{
	if (source == NULL)
		return;
	free(source->name);
	free(source->text);
	free(source);
}

struct position source_position(const struct source *source, uint32_t offset)
{
	struct position position = { .line = 1, .column = 1 };
	const char *line = source->text;
	const char *end = source->text + (offset < source->size ? offset : source->size);
	const char *newline;

	while ((newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
		position.line++;
		line = newline + 1;
	}
	position.column += (unsigned)(end - line);
	return position;
}
