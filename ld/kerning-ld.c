/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning-ld: see driver.c.
 */
#include "config.h"

#include "ld/driver.h"

int main(int argc, char **argv)
{
	return driver_run(argc, argv);
}
