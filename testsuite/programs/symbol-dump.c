/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what directives choose.
 *
 *	symbol-dump DIRECTIVE... -- SYMBOL...
 *
 * SYMBOL is [!]f|v FILE NAME ALIGN [KEY], as one argument: a function or a
 * variable, with a '!' one that is guarded; or t NAME [FIELD].  Then how many each directive
 * named.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout/policy.h"
#include "layout/symbol.h"

static void print_type(struct policy *policy, char *name, char *field)
{
	uint64_t residue, modulus;

	if (field != NULL) {
		if (field_choose(policy, name, field, &residue, &modulus) != NULL)
			printf("%s.%s: %" PRIu64 " mod %" PRIu64 "\n", name, field, residue, modulus);
		else
			printf("%s.%s: nothing\n", name, field);
		return;
	}
	struct type_choice choice = type_choose(policy, name);

	printf("%s: align %" PRIu64 ", +%" PRIu64 ", %s\n", name, choice.align, choice.growth,
	       choice.why != NULL ? directive_text(choice.why) : "nothing");
}

static void print_symbol(struct policy *policy, const struct symbol *symbol)
{
	struct symbol_choice choice = symbol_choose(policy, symbol);

	printf("%s: %" PRIu64 " mod %" PRIu64 ", pad %" PRIu64 ", entry %" PRIu64 ", loops %" PRIu64,
	       symbol->name, choice.residue, choice.modulus, choice.pad, choice.entry_pad,
	       choice.loop_align);
	for (unsigned i = 0; choice.loop_pad != NULL && i < 3; i++)
		printf(" +%" PRIu64, symbol_loop_pad(policy, choice.loop_pad, symbol, i));
	printf("%s%s%s\n", choice.split ? ", split" : "", choice.contradicted != NULL ? ", not " : "",
	       choice.contradicted != NULL ? directive_text(choice.contradicted) : "");
}

static void dump(struct policy *policy, char *text)
{
	char *words[5] = { NULL };
	bool guarded = text[0] == '!';
	size_t count = 0;

	for (char *word = strtok(text + guarded, " "); word != NULL && count < 5; word = strtok(NULL, " "))
		words[count++] = word;
	if (strcmp(words[0], "t") == 0) {
		print_type(policy, words[1], words[2]);
		return;
	}
	print_symbol(policy, &(struct symbol){
		.file = words[1], .name = words[2], .key = count > 4 ? words[4] : words[2],
		.function = words[0][0] == 'f', .guarded = guarded,
		.align = (uint64_t)strtoull(words[3], NULL, 10) });
}

int main(int argc, char **argv)
{
	struct policy policy;
	struct diag diag;
	int i = 1;

	diag_init(&diag, "symbol-dump", stderr);
	policy_init(&policy);
	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		policy_add(&policy, argv[i], "command line", &diag);
	for (i++; i < argc && diag.errors == 0; i++)
		dump(&policy, argv[i]);
	for (size_t d = 0; diag.errors == 0 && d < policy.directives.count; d++)
		printf("%zu %s\n", policy.directives.at[d].matched, policy.directives.at[d].text);
	policy_release(&policy);
	return (int)diag.status;
}
