/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading the link line.
 *
 * ld's own rules: a long option takes one dash or two, "=" or the next word for
 * its argument, and may be cut short where that stays unique; what is no long
 * option is tried as a short one, argument attached or next.  The table lists
 * the options that matter here and every option that swallows the next word,
 * since that word would otherwise look like an input; an option that is not in
 * the table takes no further word.
 */
#include "config.h"
#include "ld/linkline.h"

#include <libiberty/libiberty.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"

enum option_id {
	OPT_OTHER, OPT_SCRIPT, OPT_DEFAULT_SCRIPT, OPT_OUTPUT, OPT_MAP, OPT_PRINT_MAP,
	OPT_LIBRARY, OPT_LIBRARY_PATH, OPT_FORMAT, OPT_UNDEFINED, OPT_ENTRY, OPT_SYSROOT,
	OPT_DEPENDENCIES, OPT_PLUGIN, OPT_RELOCATABLE, OPT_START_GROUP, OPT_END_GROUP, OPT_WHOLE, OPT_NO_WHOLE,
	OPT_AS_NEEDED, OPT_NO_AS_NEEDED, OPT_STATIC, OPT_DYNAMIC, OPT_PUSH, OPT_POP,
	OPT_INFORMATIONAL, OPT_MRI, OPT_UNSUPPORTED, OPT_READS, OPT_WRITES, OPT_RPATH,
	OPT_RPATH_LINK, OPT_JUST_SYMBOLS, OPT_PLUGIN_OPTION, OPT_IDS,
};

enum option_argument { ARG_NONE, ARG_REQUIRED, ARG_OPTIONAL };

struct link_option {
	const char *name;	/* long name without dashes, or NULL */
	char letter;		/* short name, or 0 */
	enum option_argument argument;
	enum option_id id;
	bool two_dashes;	/* -omagic must not be read as --omagic, say */
};

static const struct link_option options[] = {
	{"script", 'T', ARG_REQUIRED, OPT_SCRIPT, false},
	{"default-script", 0, ARG_REQUIRED, OPT_DEFAULT_SCRIPT, false},
	{"dT", 0, ARG_REQUIRED, OPT_DEFAULT_SCRIPT, false},
	{"output", 'o', ARG_REQUIRED, OPT_OUTPUT, true},
	{"Map", 0, ARG_REQUIRED, OPT_MAP, false},
	{"print-map", 'M', ARG_NONE, OPT_PRINT_MAP, false},
	{"library", 'l', ARG_REQUIRED, OPT_LIBRARY, true},
	{"library-path", 'L', ARG_REQUIRED, OPT_LIBRARY_PATH, true},
	{"format", 'b', ARG_REQUIRED, OPT_FORMAT, false},
	{"undefined", 'u', ARG_REQUIRED, OPT_UNDEFINED, false},
	{"require-defined", 0, ARG_REQUIRED, OPT_UNDEFINED, false},
	{"entry", 'e', ARG_REQUIRED, OPT_ENTRY, false},
	{"sysroot", 0, ARG_REQUIRED, OPT_SYSROOT, false},
	{"relocatable", 'r', ARG_NONE, OPT_RELOCATABLE, false},
	{NULL, 'i', ARG_NONE, OPT_RELOCATABLE, false},
	{"Ur", 0, ARG_NONE, OPT_RELOCATABLE, false},
	{"start-group", '(', ARG_NONE, OPT_START_GROUP, false},
	{"end-group", ')', ARG_NONE, OPT_END_GROUP, false},
	{"whole-archive", 0, ARG_NONE, OPT_WHOLE, false},
	{"no-whole-archive", 0, ARG_NONE, OPT_NO_WHOLE, false},
	{"as-needed", 0, ARG_NONE, OPT_AS_NEEDED, false},
	{"no-as-needed", 0, ARG_NONE, OPT_NO_AS_NEEDED, false},
	{"Bstatic", 0, ARG_NONE, OPT_STATIC, false},
	{"dn", 0, ARG_NONE, OPT_STATIC, false},
	{"non_shared", 0, ARG_NONE, OPT_STATIC, false},
	{"static", 0, ARG_NONE, OPT_STATIC, false},
	{"Bdynamic", 0, ARG_NONE, OPT_DYNAMIC, false},
	{"dy", 0, ARG_NONE, OPT_DYNAMIC, false},
	{"call_shared", 0, ARG_NONE, OPT_DYNAMIC, false},
	{"push-state", 0, ARG_NONE, OPT_PUSH, false},
	{"pop-state", 0, ARG_NONE, OPT_POP, false},
	{"help", 0, ARG_NONE, OPT_INFORMATIONAL, false},
	{"target-help", 0, ARG_NONE, OPT_INFORMATIONAL, false},
	{"version", 0, ARG_NONE, OPT_INFORMATIONAL, false},
	{NULL, 'v', ARG_NONE, OPT_OTHER, false},	/* prints the version, and links */
	{NULL, 'V', ARG_NONE, OPT_OTHER, false},
	{"print-sysroot", 0, ARG_NONE, OPT_INFORMATIONAL, false},
	{"print-output-format", 0, ARG_NONE, OPT_INFORMATIONAL, false},
	{"mri-script", 'c', ARG_REQUIRED, OPT_MRI, false},
	{"just-symbols", 'R', ARG_REQUIRED, OPT_JUST_SYMBOLS, false},
	{"split-by-file", 0, ARG_OPTIONAL, OPT_UNSUPPORTED, false},
	{"split-by-reloc", 0, ARG_OPTIONAL, OPT_UNSUPPORTED, false},
	{"unique", 0, ARG_OPTIONAL, OPT_UNSUPPORTED, false},
	{"section-ordering-file", 0, ARG_REQUIRED, OPT_UNSUPPORTED, false},
	{"oformat", 0, ARG_REQUIRED, OPT_OTHER, true},
	/* No meaning here, but they swallow a word. */
	{NULL, 'a', ARG_REQUIRED, OPT_OTHER, false},
	{"architecture", 'A', ARG_REQUIRED, OPT_OTHER, false},
	{"assert", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"audit", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"auxiliary", 'f', ARG_REQUIRED, OPT_OTHER, false},
	{"defsym", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"depaudit", 'P', ARG_REQUIRED, OPT_OTHER, false},
	{"dependency-file", 0, ARG_REQUIRED, OPT_DEPENDENCIES, false},
	{"dynamic-linker", 'I', ARG_REQUIRED, OPT_OTHER, false},
	{"dynamic-list", 0, ARG_REQUIRED, OPT_READS, false},
	{"error-handling-script", 0, ARG_REQUIRED, OPT_WRITES, false},
	{"exclude-libs", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"export-dynamic-symbol", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"export-dynamic-symbol-list", 0, ARG_REQUIRED, OPT_READS, false},
	{"filter", 'F', ARG_REQUIRED, OPT_OTHER, false},
	{"fini", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"fuse-ld", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"gpsize", 'G', ARG_REQUIRED, OPT_OTHER, false},
	{"hash-size", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"hash-style", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"ignore-unresolved-symbol", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"init", 0, ARG_REQUIRED, OPT_OTHER, false},
	{NULL, 'm', ARG_REQUIRED, OPT_OTHER, false},
	{"max-cache-size", 0, ARG_REQUIRED, OPT_OTHER, false},
	{NULL, 'O', ARG_OPTIONAL, OPT_OTHER, false},
	{"orphan-handling", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"out-implib", 0, ARG_REQUIRED, OPT_WRITES, false},
	{"package-metadata", 0, ARG_OPTIONAL, OPT_OTHER, false},
	{"plugin", 0, ARG_REQUIRED, OPT_PLUGIN, false},
	{"plugin-opt", 0, ARG_REQUIRED, OPT_PLUGIN_OPTION, false},
	{"retain-symbols-file", 0, ARG_REQUIRED, OPT_READS, false},
	{"rpath", 0, ARG_REQUIRED, OPT_RPATH, false},
	{"rpath-link", 0, ARG_REQUIRED, OPT_RPATH_LINK, false},
	{"section-start", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"soname", 'h', ARG_REQUIRED, OPT_OTHER, false},
	{"sort-section", 0, ARG_REQUIRED, OPT_UNSUPPORTED, false},
	{"spare-dynamic-tags", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"task-link", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"Tbss", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"Tdata", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"Ttext", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"Ttext-segment", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"Trodata-segment", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"Tldata-segment", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"trace-symbol", 'y', ARG_REQUIRED, OPT_OTHER, false},
	{"version-exports-section", 0, ARG_REQUIRED, OPT_OTHER, false},
	{"version-script", 0, ARG_REQUIRED, OPT_READS, false},
	{"wrap", 0, ARG_REQUIRED, OPT_OTHER, false},
	{NULL, 'Y', ARG_REQUIRED, OPT_OTHER, false},
	{NULL, 'z', ARG_REQUIRED, OPT_OTHER, false},
	{"gc-sections", 0, ARG_NONE, OPT_OTHER, false},
	{"no-gc-sections", 0, ARG_NONE, OPT_OTHER, false},
	/* Long names that begin like one above and must not be taken for its short form. */
	{"as-is", 0, ARG_NONE, OPT_OTHER, false},
	{"emit-relocs", 'q', ARG_NONE, OPT_OTHER, false},
	{"export-dynamic", 'E', ARG_NONE, OPT_OTHER, false},
	{"eh-frame-hdr", 0, ARG_NONE, OPT_OTHER, false},
	{"embedded-relocs", 0, ARG_NONE, OPT_OTHER, false},
	{"enable-new-dtags", 0, ARG_NONE, OPT_OTHER, false},
	{"build-id", 0, ARG_OPTIONAL, OPT_OTHER, false},
	{"check-sections", 0, ARG_NONE, OPT_OTHER, false},
	{"cref", 0, ARG_NONE, OPT_OTHER, false},
	{"fatal-warnings", 0, ARG_NONE, OPT_OTHER, false},
	{"force-exe-suffix", 0, ARG_NONE, OPT_OTHER, false},
	{"force-group-allocation", 0, ARG_NONE, OPT_OTHER, false},
	{"pie", 0, ARG_NONE, OPT_OTHER, false},
	{"pic-executable", 0, ARG_NONE, OPT_OTHER, false},
	{"relax", 0, ARG_NONE, OPT_OTHER, false},
	{"shared", 0, ARG_NONE, OPT_OTHER, false},
	{"stats", 0, ARG_NONE, OPT_OTHER, false},
	{"strip-all", 's', ARG_NONE, OPT_OTHER, false},
	{"strip-debug", 'S', ARG_NONE, OPT_OTHER, false},
	{"trace", 't', ARG_NONE, OPT_OTHER, false},
	{"traditional-format", 0, ARG_NONE, OPT_OTHER, false},
	{"verbose", 0, ARG_OPTIONAL, OPT_OTHER, false},
};


#define OPTION_COUNT (sizeof options / sizeof *options)

/* The long option that TEXT (LENGTH bytes) names, whole or cut short; NULL: none, or several. */
static const struct link_option *find_long(const char *text, size_t length, bool one_dash)
{
	const struct link_option *found = NULL;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct link_option *option = &options[i];

		if (option->name == NULL || (one_dash && option->two_dashes) ||
		    strncmp(option->name, text, length) != 0)
			continue;
		if (option->name[length] == '\0')
			return option;
		if (found != NULL && found->id != option->id)
			return NULL;
		found = option;
	}
	/* One letter is a short option. */
	return one_dash && length == 1 ? NULL : found;
}

static const struct link_option *find_short(char letter)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (options[i].letter == letter && letter != '\0')
			return &options[i];
	return NULL;
}

struct reader {
	struct linkline *line;
	char **argv;
	int next;			/* index of the word to read */
	struct input_state state;
	VEC(struct input_state) saved;	/* --push-state */
	unsigned groups;
};

static struct word *add_word(struct reader *reader, enum word_kind kind, const char *value,
			     const char *first, const char *second)
{
	struct word *word = vec_push(&reader->line->words);

	*word = (struct word){ .kind = kind, .value = value, .text = {first, second},
			       .state = reader->state };
	return word;
}

static const enum word_role roles[OPT_IDS] = {
	[OPT_SCRIPT] = ROLE_READS,
	[OPT_DEFAULT_SCRIPT] = ROLE_READS,
	[OPT_MRI] = ROLE_READS,
	[OPT_READS] = ROLE_READS,
	[OPT_MAP] = ROLE_WRITES,
	[OPT_PRINT_MAP] = ROLE_WRITES,
	[OPT_DEPENDENCIES] = ROLE_WRITES,
	[OPT_WRITES] = ROLE_WRITES,
	[OPT_LIBRARY_PATH] = ROLE_FOLDER,
	[OPT_RPATH] = ROLE_RPATH,
	[OPT_RPATH_LINK] = ROLE_RPATH_LINK,
	[OPT_JUST_SYMBOLS] = ROLE_JUST_SYMBOLS,
	[OPT_SYSROOT] = ROLE_SYSROOT,
	[OPT_PLUGIN] = ROLE_PLUGIN,
	[OPT_PLUGIN_OPTION] = ROLE_PLUGIN,
};

/* What OPTION, with its ARGUMENT, does; FIRST and SECOND are its words. */
static void take_option(struct reader *reader, const struct link_option *option,
			const char *argument, const char *first, const char *second)
{
	struct linkline *line = reader->line;
	enum word_kind kind = WORD_OPTION;

	switch (option->id) {
	case OPT_SCRIPT:
		kind = WORD_SCRIPT;
		break;
	case OPT_DEFAULT_SCRIPT:
		kind = WORD_DEFAULT_SCRIPT;
		break;
	case OPT_OUTPUT:
		kind = WORD_OUTPUT;
		line->output = argument;
		break;
	case OPT_MAP:
	case OPT_PRINT_MAP:
		kind = WORD_MAP;
		break;
	case OPT_LIBRARY:
		kind = WORD_LIBRARY;
		break;
	case OPT_LIBRARY_PATH:
		*vec_push(&line->search_dirs) = argument;
		break;
	case OPT_FORMAT:
		reader->state.plain_format = strcmp(argument, "default") == 0 ||
					     strncmp(argument, "elf", 3) == 0;
		break;
	case OPT_UNDEFINED:
		*vec_push(&line->undefined) = argument;
		break;
	case OPT_ENTRY:
		line->entry = argument;
		break;
	case OPT_SYSROOT:
		line->sysroot = argument;
		break;
	case OPT_RELOCATABLE:
		line->relocatable = true;
		break;
	case OPT_DEPENDENCIES:
		kind = WORD_DEPENDENCIES;
		line->dependencies = argument;
		break;
	case OPT_PLUGIN:
		line->plugin = true;
		break;
	case OPT_START_GROUP:
		reader->state.group = ++reader->groups;
		break;
	case OPT_END_GROUP:
		reader->state.group = 0;
		break;
	case OPT_WHOLE:
	case OPT_NO_WHOLE:
		reader->state.whole_archive = option->id == OPT_WHOLE;
		break;
	case OPT_AS_NEEDED:
	case OPT_NO_AS_NEEDED:
		reader->state.as_needed = option->id == OPT_AS_NEEDED;
		break;
	case OPT_STATIC:
	case OPT_DYNAMIC:
		reader->state.is_static = option->id == OPT_STATIC;
		break;
	case OPT_PUSH:
		*vec_push(&reader->saved) = reader->state;
		break;
	case OPT_POP:
		if (reader->saved.count > 0) {
			unsigned group = reader->state.group;

			reader->state = reader->saved.at[--reader->saved.count];
			reader->state.group = group;
		}
		break;
	case OPT_INFORMATIONAL:
		line->informational = true;
		break;
	case OPT_MRI:
		line->mri_script = true;
		break;
	case OPT_UNSUPPORTED:
		line->unsupported = first;
		break;
	case OPT_READS:
	case OPT_WRITES:
	case OPT_RPATH:
	case OPT_RPATH_LINK:
	case OPT_JUST_SYMBOLS:
	case OPT_PLUGIN_OPTION:
	case OPT_OTHER:
	case OPT_IDS:
		break;
	}
	add_word(reader, kind, argument, first, second)->role = roles[option->id];
}

/* "--kerning-X", "--kerning-X=Y"; also with one dash, as every long option of ld. */
static const char *kerning_option(const char *word)
{
	word += word[0] == '-';
	word += word[0] == '-';
	return strncmp(word, "kerning-", 8) == 0 ? word + 8 : NULL;
}

static void take_word(struct reader *reader)
{
	char *word = reader->argv[reader->next++];
	const struct link_option *option = NULL;
	const char *argument = NULL, *name, *equals;
	bool one_dash;

	if (word[0] != '-' || word[1] == '\0') {
		add_word(reader, WORD_INPUT, word, word, NULL);
		return;
	}
	if (kerning_option(word) != NULL) {
		add_word(reader, WORD_KERNING, kerning_option(word), word, NULL);
		return;
	}
	one_dash = word[1] != '-';
	name = word + (one_dash ? 1 : 2);
	/* ld reads -lNAME before anything else, lest -library be a library "ibrary". */
	if (!(one_dash && name[0] == 'l')) {
		equals = strchr(name, '=');
		option = find_long(name, equals != NULL ? (size_t)(equals - name) : strlen(name),
				   one_dash);
		if (option != NULL && equals != NULL)
			argument = equals + 1;
	}
	if (option == NULL && one_dash) {
		option = find_short(name[0]);
		if (option != NULL && option->argument != ARG_NONE && name[1] != '\0')
			argument = name + 1;
		else if (option != NULL && option->argument == ARG_NONE && name[1] != '\0')
			option = NULL;	/* an option that the table does not have */
	}
	if (option == NULL) {
		add_word(reader, WORD_OPTION, NULL, word, NULL);
		return;
	}
	if (option->argument == ARG_REQUIRED && argument == NULL) {
		if (reader->argv[reader->next] == NULL) {
			add_word(reader, WORD_OPTION, NULL, word, NULL);
			return;	/* ld says what is missing */
		}
		argument = reader->argv[reader->next++];
		take_option(reader, option, argument, word, argument);
		return;
	}
	take_option(reader, option, argument, word, NULL);
}

void linkline_parse(struct linkline *line, int argc, char *const *argv)
{
	char **expanded = xcalloc((size_t)argc + 1, sizeof *expanded);
	struct reader reader = { .line = line, .next = 1, .state = { .plain_format = true } };
	int count = argc;

	memset(line, 0, sizeof *line);
	obstack_init(&line->arena);
	memcpy(expanded, argv, (size_t)argc * sizeof *expanded);
	/* Replaces @FILE by what FILE holds; a file that is not there stays "@FILE", for ld to judge. */
	char **words = expanded;
	expandargv(&count, &words);
	reader.argv = xcalloc((size_t)count + 1, sizeof *reader.argv);
	for (int i = 0; i < count; i++)
		reader.argv[i] = obstack_strdup(&line->arena, words[i]);
	if (words != expanded)
		freeargv(words);
	free(expanded);
	while (reader.next < count)
		take_word(&reader);
	free(reader.argv);
	vec_release(&reader.saved);
}

void linkline_release(struct linkline *line)
{
	vec_release(&line->words);
	vec_release(&line->search_dirs);
	vec_release(&line->undefined);
	obstack_free(&line->arena, NULL);
}
