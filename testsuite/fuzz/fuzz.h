/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What fuzz targets share.  A target is a function of libFuzzer's name: with
 * "clang -fsanitize=fuzzer" it is a program that searches; with mutate.c it is
 * one that tries so many mutations of the files that it is given.
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

/* Closes it and removes the file OUTPUT, if one was made. */
static inline void fuzz_close(int fd, const char *output)
{
	close(fd);
	if (output != NULL)
		unlink(output);
}

#endif
