/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where messages go.  Library code reports here and never prints or exits;
 * the program decides what is shown and what the exit status is.
 *
 *	vmlinux.lds:51:7: error: expected ')' or ',', got '}'
 *	   51 |   *(.text }
 *	      |           ^
 */
#ifndef KERNING_LIB_DIAG_H
#define KERNING_LIB_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "lib/source.h"

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/*
 * What an error means for the exit status, worst last: the input is wrong or a
 * check failed (1), the command line is (2), the environment is: no linker, no
 * space, no permission (3).
 */
enum diag_class { DIAG_INPUT = 1, DIAG_USAGE = 2, DIAG_ENVIRONMENT = 3 };

struct diag {
	FILE *stream;		/* NULL: count only */
	const char *program;	/* shown where a message has no source */
	bool color;
	unsigned errors, warnings;
	enum diag_class status;	/* the worst class of the errors so far; 0: none */
};

/* Colour only where STREAM is a terminal and NO_COLOR is not set. */
void diag_init(struct diag *diag, const char *program, FILE *stream);

/* SPAN may be NULL: the message then bears the program's name. */
void diag_error(struct diag *diag, const struct span *span, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void diag_error_class(struct diag *diag, enum diag_class class, const struct span *span,
		      const char *format, ...) __attribute__((format(printf, 4, 5)));
/* NAME is the warning's name, shown as [name]. */
void diag_warning(struct diag *diag, const char *name, const struct span *span,
		  const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_note(struct diag *diag, const struct span *span, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
