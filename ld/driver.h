/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning-ld: GNU ld's command line, with units placed by a policy.
 */
#ifndef KERNING_LD_DRIVER_H
#define KERNING_LD_DRIVER_H

/* Runs the link that ARGV asks for; returns the exit status. */
int driver_run(int argc, char **argv);

#endif
