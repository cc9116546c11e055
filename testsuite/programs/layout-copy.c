/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a layout file and writes it to standard output, sorted.
 */
#include "config.h"

#include <stdio.h>

#include "layout/record.h"

int main(int argc, char **argv)
{
	struct layout layout;
	struct diag diag;

	diag_init(&diag, "layout-copy", stderr);
	layout_init(&layout);
	if (argc == 2 && layout_read(&layout, argv[1], &diag)) {
		layout_sort(&layout);
		layout_write(&layout, stdout);
	}
	layout_release(&layout);
	return argc == 2 ? (int)diag.status : 2;
}
