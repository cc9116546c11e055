/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "src/begun.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/memory.h"

/* ARGV from FIRST to END as a JSON list. */
static void set_words(struct store *store, const char *name, char **argv, int first, int end)
{
	json_t *json = json_array();
	char *text;

	for (int i = first; i < end; i++)
		json_array_append_new(json, json_text(argv[i]));
	text = json_dumps(json, JSON_COMPACT);
	store_set(store, name, text);
	free(text);
	json_decref(json);
}

/* Goes to where the store was begun, for the sake of its words. */
static bool go_there(struct sweep_options *options, struct store *store)
{
	const char *folder = store_setting(store, "folder");

	if (folder != NULL && chdir(folder) == 0)
		return true;
	diag_error_class(&options->diag, DIAG_ENVIRONMENT, NULL, "cannot go to \"%s\", where \"%s\" "
			 "was begun: %s", folder != NULL ? folder : "?", options->store,
			 strerror(errno));
	return false;
}

bool begun_open(struct sweep_options *options, struct store *store, int argc, char **argv)
{
	int command = argc;
	const char *chance;
	char *folder;

	if (!store_open(store, options->store, options->resume ? STORE_RESUME : STORE_NEW,
			&options->diag))
		return false;
	chance = store_setting(store, "chance");
	if (chance != NULL && !options->has_chance) {
		options->chance = strtoull(chance, NULL, 10);
		options->has_chance = true;
	}
	if (store_setting(store, "words") != NULL)
		return go_there(options, store);
	while (command > 0 && argv + command != options->command)
		command--;
	store_begin(store);
	set_words(store, "benchmark words", argv, command, argc);
	if (command > 1 && strcmp(argv[command - 1], "--") == 0)
		command--;
	set_words(store, "words", argv, 1, command);
	folder = getcwd(NULL, 0);
	store_set(store, "folder", folder != NULL ? folder : ".");
	free(folder);
	store_commit(store);
	return !store->db.failed;
}

void begun_keep(struct store *store, const char *name, double value)
{
	char text[32];

	snprintf(text, sizeof text, "%.9g", value);
	if (!isnan(value) && store_setting(store, name) == NULL)
		store_set(store, name, text);
}

/* The words of a JSON list behind WORDS. */
static bool add_words(struct sweep_options *options, void *words, const char *name)
{
	VEC(char *) *list = words;
	char *text = store_peek(options->store, name, &options->arena, &options->diag);
	json_t *json = text != NULL ? json_loads(text, 0, NULL) : NULL;
	bool ok = json_is_array(json);

	for (size_t i = 0; ok && i < json_array_size(json); i++) {
		const char *word = json_string_value(json_array_get(json, i));

		*vec_push(list) = obstack_strdup(&options->arena, word != NULL ? word : "");
	}
	if (!ok && options->diag.errors == 0)
		diag_error(&options->diag, NULL, "\"%s\" does not say how it was begun",
			   options->store);
	json_decref(json);
	return ok;
}

/* How many words at AT, of COUNT, say where the store is or that it is gone on with. */
static size_t words_of_store(char *const *at, size_t count)
{
	static const char *const whole[] = { "--store", "-s" };

	if (strcmp(*at, "--resume") == 0 || strncmp(*at, "--store=", 8) == 0 ||
	    (strncmp(*at, "-s", 2) == 0 && (*at)[2] != '\0'))
		return 1;
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (count > 1 && strcmp(*at, whole[i]) == 0)
			return 2;
	return 0;
}

/* True if all WORDS but those of the store are among OTHERS, in their order. */
static bool has_words(char *const *words, size_t count, char *const *others, size_t others_count)
{
	size_t i = 0, j = 0, skip;

	while (i < count) {
		if ((skip = words_of_store(words + i, count - i)) > 0)
			i += skip;
		else if (j == others_count)
			return false;
		else
			i += strcmp(words[i], others[j++]) == 0;
	}
	return true;
}

/* The words of a call that goes on with a store.  NULL, reported.  On the options' arena. */
static char **resumed_words(struct sweep_options *options, int *argc, char **argv)
{
	VEC(char *) words = VEC_INIT;
	char **copy = NULL;
	int own = *argc;

	if (options->store == NULL) {
		diag_error_class(&options->diag, DIAG_USAGE, NULL, "expected --store=FILE to go on with");
		return NULL;
	}
	if (access(options->store, F_OK) != 0) {
		diag_error(&options->diag, NULL, "there is no store \"%s\" to go on with",
			   options->store);
		return NULL;
	}
	/* The benchmark of these words, if any, comes last again. */
	for (char **word = options->command; word != NULL && *word != NULL; word++)
		own--;
	if (own > 1 && strcmp(argv[own - 1], "--") == 0)
		own--;
	*vec_push(&words) = argv[0];
	if (add_words(options, &words, "words")) {
		/* The whole call again, with --resume. */
		if (has_words(words.at + 1, words.count - 1, argv + 1, (size_t)own - 1))
			words.count = 1;
		for (int i = 1; i < own; i++)
			*vec_push(&words) = argv[i];
		*vec_push(&words) = obstack_strdup(&options->arena, "--");
		for (char **word = options->command; word != NULL && *word != NULL; word++)
			*vec_push(&words) = *word;
		if (options->command != NULL || add_words(options, &words, "benchmark words")) {
			*argc = (int)words.count;
			*vec_push(&words) = NULL;
			copy = obstack_copy(&options->arena, words.at,
					    (int)(words.count * sizeof *words.at));
		}
	}
	vec_release(&words);
	return copy;
}

/*
 * Goes to where the options' store was begun, for its words name files there.  The folder
 * left, for come_back(), which closes it; -1, reported.
 */
static int go_to_folder(struct sweep_options *options)
{
	char *folder = store_peek(options->store, "folder", &options->arena, &options->diag);
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (here >= 0 && folder != NULL && chdir(folder) == 0)
		return here;
	if (options->diag.errors == 0)
		diag_error_class(&options->diag, DIAG_ENVIRONMENT, NULL, "cannot go to \"%s\", where "
				 "\"%s\" was begun: %s", folder != NULL ? folder : "?", options->store,
				 strerror(errno));
	if (here >= 0)
		close(here);
	return -1;
}

static void come_back(struct sweep_options *options, int folder)
{
	if (fchdir(folder) != 0)
		diag_error_class(&options->diag, DIAG_ENVIRONMENT, NULL, "cannot go back to where this "
				 "was called: %s", strerror(errno));
	close(folder);
}

int begun_run(const struct begun_command *command, int argc, char **argv)
{
	struct sweep_options *options = command->read(command->given, argv[0], argc, argv), *whole;
	char **words;
	int status, here;

	if (options->diag.errors > 0 || !options->resume) {
		status = options->diag.errors > 0 ? (int)options->diag.status :
						    command->run(command->given, argc, argv);
	} else if ((words = resumed_words(options, &argc, argv)) == NULL ||
		   (here = go_to_folder(options)) < 0) {
		status = (int)options->diag.status;
	} else {
		whole = command->read(command->whole, options->diag.program, argc, words);
		whole->resume = true;
		come_back(whole, here);
		status = whole->diag.errors > 0 ? (int)whole->diag.status :
						  command->run(command->whole, argc, words);
		sweep_options_release(whole);
	}
	sweep_options_release(options);
	return status;
}
