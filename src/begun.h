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
bool sweep_options_store(struct sweep_options *options, struct store *store, int argc,
			 char **argv);
/*
 * A call that goes on with a store: the words of the store's first call (unless these have
 * all of them), then these, then the benchmark (these words' own, where they have one).
 * NULL, reported.  On the options' arena.
 */
char **resumed_words(struct sweep_options *options, int *argc, char **argv);
/*
 * Goes to where the options' store was begun, for its words name files there.  The folder
 * left, for come_back(), which closes it; -1, reported.
 */
int go_to_folder(struct sweep_options *options);
bool come_back(struct sweep_options *options, int folder);
/* Keeps VALUE, which reports of STORE are to ask as well, by its NAME; NaN: nothing. */
void keep_asked(struct store *store, const char *name, double value);

#endif
