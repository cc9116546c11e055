/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding a link's scripts.
 *
 * ld prints the script that it has built in for a set of options when it is
 * called with them and --verbose, and without inputs.
 */
#include "config.h"
#include "ld/scripts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <unistd.h>

#include "ld/run.h"
#include "ldscripts/token.h"
#include "lib/memory.h"

/* The options that choose among the built-in scripts, by how they begin. */
static bool selects_script(const struct word *word, bool final)
{
	static const char *const names[] = {
		"m", "z", "shared", "Bshareable", "pie", "pic-executable", "no-pie", "static", "N",
		"omagic", "n", "nmagic", "EB", "EL", "d", "oformat", "warn-textrel", "sysroot",
	};
	static const char *const partial[] = { "r", "i", "Ur", "relocatable" };
	const char *name = word->text[0] + strspn(word->text[0], "-");
	size_t length = strcspn(name, "=");

	if (word->kind != WORD_OPTION)
		return false;
	if (word->value != NULL && word->text[1] == NULL && name[0] == 'm')
		return true;	/* -melf_x86_64 */
	if (word->value != NULL && word->text[1] == NULL && name[0] == 'z')
		return true;	/* -zrelro */
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == length && strncmp(name, names[i], length) == 0)
			return true;
	for (size_t i = 0; !final && i < sizeof partial / sizeof *partial; i++)
		if (strcmp(name, partial[i]) == 0)
			return true;
	return false;
}

struct source *builtin_script(const struct linkline *line, const char *ld, bool final,
			      struct diag *diag)
{
	VEC(char *) argv = VEC_INIT;
	struct source *output, *script = NULL;
	char *begin, *end;

	*vec_push(&argv) = (char *)ld;
	for (size_t i = 0; i < line->words.count; i++) {
		const struct word *word = &line->words.at[i];

		if (!selects_script(word, final))
			continue;
		*vec_push(&argv) = (char *)word->text[0];
		if (word->text[1] != NULL)
			*vec_push(&argv) = (char *)word->text[1];
	}
	*vec_push(&argv) = (char *)"--verbose";
	*vec_push(&argv) = NULL;
	output = run_capture(argv.at, diag);
	vec_release(&argv);
	if (output == NULL)
		return NULL;
	/* The script stands between two lines of '='. */
	begin = strstr(output->text, "\n====");
	begin = begin != NULL ? strchr(begin + 1, '\n') : NULL;
	end = begin != NULL ? strstr(begin, "\n====") : NULL;
	if (end != NULL)
		script = source_from_memory("built-in script", begin + 1, (size_t)(end - begin));
	else
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL,
				 "'%s --verbose' prints no linker script; expected GNU ld", ld);
	source_free(output);
	return script;
}

/* The file of -T NAME: as it stands, else in a -L folder. */
static struct source *open_script(struct link_scripts *scripts, const char *name,
				  struct diag *diag)
{
	struct source *source = source_read(name);

	for (size_t i = 0; source == NULL && i < scripts->search_dirs.count; i++) {
		char *path = xasprintf("%s/%s", scripts->search_dirs.at[i], name);

		source = source_read(path);
		free(path);
	}
	if (source == NULL)
		diag_error_class(diag, DIAG_INPUT, NULL, "cannot open linker script '%s': %s", name,
				 strerror(errno));
	return source;
}

static const char *with_sysroot(struct link_scripts *scripts, const char *dir,
				const struct linkline *line)
{
	const char *sysroot = line->sysroot != NULL ? line->sysroot : "";

	if (dir[0] == '=')
		return obstack_format(&scripts->arena, "%s%s", sysroot, dir + 1);
	if (strncmp(dir, "$SYSROOT", 8) == 0)
		return obstack_format(&scripts->arena, "%s%s", sysroot, dir + 8);
	return dir;
}

static bool has_statement(const struct stmt *stmt, enum stmt_kind kind)
{
	for (; stmt != NULL; stmt = stmt->next)
		if (stmt->kind == kind ||
		    (stmt->kind == STMT_INCLUDE && has_statement(stmt->children, kind)))
			return true;
	return false;
}

static bool parse_one(struct link_scripts *scripts, struct source *source, size_t word,
		      const struct linkline *line, struct diag *diag)
{
	struct script_options options = { 0 };
	struct link_script *entry;
	struct script *script;

	if (source == NULL)
		return false;
	*vec_push(&scripts->search_dirs) = NULL;
	options.search_dirs = scripts->search_dirs.at;
	script = script_parse(source, &options, diag);
	scripts->search_dirs.count--;
	if (script == NULL)
		return false;
	entry = vec_push(&scripts->list);
	*entry = (struct link_script){ .script = script, .word = word,
				       .insert = has_statement(script->statements, STMT_INSERT) };
	for (const struct stmt *stmt = script->statements; stmt != NULL; stmt = stmt->next) {
		if (stmt->kind != STMT_COMMAND)
			continue;
		for (const struct name_list *arg = stmt->u.command.args; arg != NULL;
		     arg = arg->next) {
			if (stmt->u.command.keyword == TOK_SEARCH_DIR)
				*vec_push(&scripts->search_dirs) =
					with_sysroot(scripts, arg->name, line);
			else if (stmt->u.command.keyword == TOK_OUTPUT)
				scripts->output = arg->name;
			else if (stmt->u.command.keyword == TOK_EXTERN ||
				 (stmt->u.command.keyword == TOK_ENTRY && line->entry == NULL))
				*vec_push(&scripts->undefined) = arg->name;
		}
	}
	return true;
}

bool link_scripts_read(struct link_scripts *scripts, const struct linkline *line, const char *ld,
		       bool final, struct diag *diag)
{
	const struct script **all;
	bool has_default = false, ok = true;
	size_t count;

	memset(scripts, 0, sizeof *scripts);
	obstack_init(&scripts->arena);
	for (size_t i = 0; i < line->search_dirs.count; i++)
		*vec_push(&scripts->search_dirs) =
			with_sysroot(scripts, line->search_dirs.at[i], line);
	for (size_t i = 0; ok && i < line->words.count; i++) {
		const struct word *word = &line->words.at[i];

		/* A partial link is judged by the script of a final one. */
		if (final || (word->kind != WORD_SCRIPT && word->kind != WORD_DEFAULT_SCRIPT))
			continue;
		ok = parse_one(scripts, open_script(scripts, word->value, diag), i, line, diag);
		has_default |= ok && !scripts->list.at[scripts->list.count - 1].insert;
	}
	if (ok && !has_default)
		ok = parse_one(scripts, builtin_script(line, ld, final, diag), NO_WORD, line, diag);
	*vec_push(&scripts->search_dirs) = NULL;
	*vec_push(&scripts->undefined) = NULL;
	if (!ok)
		return false;

	/* The matcher wants the default script first. */
	count = scripts->list.count;
	all = xcalloc(count, sizeof *all);
	for (size_t pass = 0, at = 0; pass < 2; pass++)
		for (size_t i = 0; i < count; i++)
			if (scripts->list.at[i].insert == (pass == 1))
				all[at++] = scripts->list.at[i].script;
	scripts->matcher = matcher_new(all, count, diag);
	free(all);
	return scripts->matcher != NULL;
}

uint64_t link_scripts_hash(const struct link_scripts *scripts)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < scripts->list.count; i++) {
		const struct script *script = scripts->list.at[i].script;

		hash = XXH3_64bits_withSeed(script->source->text, script->source->size, hash);
		for (const struct script *part = script->included; part != NULL; part = part->next)
			hash = XXH3_64bits_withSeed(part->source->text, part->source->size, hash);
	}
	return hash != 0 ? hash : 1;
}

void link_scripts_release(struct link_scripts *scripts)
{
	matcher_free(scripts->matcher);
	for (size_t i = 0; i < scripts->list.count; i++)
		script_free(scripts->list.at[i].script);
	vec_release(&scripts->list);
	vec_release(&scripts->search_dirs);
	vec_release(&scripts->undefined);
	obstack_free(&scripts->arena, NULL);
}
