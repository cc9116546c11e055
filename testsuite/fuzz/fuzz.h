/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What fuzz targets share.  A target is a function of libFuzzer's name: with
 * mutate.c it is a program that tries so many mutations of the files that it is
 * given; with clang one that searches, in the build's folder, with SOURCE for ours:
 *
 *	clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize=pointer-overflow \
 *		-D_GNU_SOURCE -DHAVE_CONFIG_H -I. -ISOURCE SOURCE/testsuite/fuzz/fuzz-map.c \
 *		SOURCE/{lib,layout,ldscripts}/[a-z]*.c SOURCE/plugin/arguments.c \
 *		`ls SOURCE/ld/[a-z]*.c | grep -v kerning-ld.c` -lelf -liberty -lxxhash
 *	./a.out CORPUS
 *
 * (Clang takes what the C library's obstacks do with null pointers for an overflow.)
 * A target that wants files in its folder says so.
 */
#ifndef KERNING_TESTSUITE_FUZZ_H
#define KERNING_TESTSUITE_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Ends the program by a signal, NDEBUG or not. */
static inline void fuzz_check(bool holds)
{
	if (!holds)
		abort();
}

/* A file of these bytes that has no name but PATH, until it is closed. */
static inline int fuzz_file(const uint8_t *bytes, size_t size, char *path, size_t path_size)
{
	int fd = memfd_create("fuzz", 0);

	fuzz_check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	snprintf(path, path_size, "/proc/self/fd/%d", fd);
	return fd;
}

/* Where messages go that are only made; fclose() it. */
static inline FILE *fuzz_messages(void)
{
	FILE *stream = fopen("/dev/null", "w");

	fuzz_check(stream != NULL);
	return stream;
}

/* Closes it and removes the file OUTPUT, if one was made. */
static inline void fuzz_close(int fd, const char *output)
{
	close(fd);
	if (output != NULL)
		unlink(output);
}

#endif
