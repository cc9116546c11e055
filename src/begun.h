/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a store was begun: the words of the call that did, and the folder it was made in, so
 * that another call can go on with it.
 */
#ifndef KERNING_SRC_BEGUN_H
#define KERNING_SRC_BEGUN_H

#include "src/sweep-options.h"

/*
 * Opens the store that the options name: a new one is told how it is begun, with one that
 * is there this process goes to where that was, and takes its chance.  False, reported;
 * store_close() is due either way.
 */
bool begun_open(struct sweep_options *options, struct store *store, int argc, char **argv);

/* Keeps VALUE, which reports of STORE are to ask as well, by its NAME; NaN: nothing. */
void begun_keep(struct store *store, const char *name, double value);

/* A command that sweeps, and how: its own struct, twice, for it may be read twice. */
struct begun_command {
	void *given, *whole;		/* what the call says; with what the store was begun with */
	/* Parses a call into one of the two, and returns the options in it. */
	struct sweep_options *(*read)(void *command, const char *program, int argc, char **argv);
	int (*run)(void *command, int argc, char **argv);
};

/*
 * Reads the call and runs it.  One that goes on with a store has the words of that store's
 * first call before its own (unless its own have all of them), and then the benchmark.
 * Returns the exit status.
 */
int begun_run(const struct begun_command *command, int argc, char **argv);

#endif
