/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The build-id of a linked program.
 */
#ifndef KERNING_LD_BUILDID_H
#define KERNING_LD_BUILDID_H

/* The build-id of the ELF file at PATH in hexadecimal; NULL: it has none.  The caller frees it. */
char *build_id(const char *path);

#endif
