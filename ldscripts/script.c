/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts as wholes: found, read, freed.
 */
#include "config.h"

#include "ldscripts/script.h"

#include <errno.h>
#include <stdlib.h>

#include "ldscripts/parse.h"
#include "lib/memory.h"

struct source *script_find_include(const char *name, const char *const *search_dirs)
{
	struct source *source = source_read(name);
	int saved = errno;

	while (source == NULL && search_dirs != NULL && *search_dirs != NULL) {
		char *path = xasprintf("%s/%s", *search_dirs++, name);

		source = source_read(path);
		free(path);
	}
	errno = saved;
	return source;
}

struct script *script_parse(struct source *source, const struct script_options *options,
			    struct diag *diag)
{
	struct script *script = xcalloc(1, sizeof *script);
	struct parser parser = { .script = script, .options = options, .diag = diag,
				 .includes = 1 };
	struct stmt_list list = stmt_list_of(NULL);

	script->source = source;
	obstack_init(&script->arena);
	parser.lexer = (struct lexer){ .source = source, .mode = LEX_SCRIPT,
				       .arena = &script->arena, .diag = diag };
	parse_ifile_list(&parser, &list);
	script->statements = list.first;

	vec_release(&parser.regions);
	vec_release(&parser.versions);
	vec_release(&parser.patterns);
	if (parser.errors > 0) {
		script_free(script);
		return NULL;
	}
	return script;
}

void script_free(struct script *script)
{
	if (script == NULL)
		return;
	while (script->included != NULL) {
		struct script *included = script->included;

		script->included = included->next;
		script_free(included);
	}
	obstack_free(&script->arena, NULL);
	source_free(script->source);
	free(script);
}
