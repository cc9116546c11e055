/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes: each line one argument of the plugin, KEY or KEY=VALUE; then asked
 * what symbols and types get, as the plugin does.
 */
#include "config.h"

#include "testsuite/fuzz/fuzz.h"

#include <string.h>

#include "layout/number.h"
#include "layout/policy.h"
#include "lib/memory.h"
#include "plugin/arguments.h"

static unsigned reports;

static void count_report(const char *message)
{
	fuzz_check(message[0] != '\0' && strchr(message, '\n') == NULL);
	reports++;
}

static void count_directive(const char *text, size_t matched, void *data)
{
	fuzz_check(text[0] != '\0' && matched <= 100);
	++*(size_t *)data;
}

static void add_line(struct policy *policy, char *line)
{
	char *value = strchr(line, '=');

	/* "policy=" would open what the bytes say. */
	if (strstr(line, "policy") != NULL)
		return;
	if (value != NULL)
		*value++ = '\0';
	reports = 0;
	fuzz_check(arguments_add(policy, line, value, count_report) == (reports == 0));
}

static void ask(struct policy *policy, const struct symbol *symbol)
{
	struct symbol_choice choice = symbol_choose(policy, symbol);

	fuzz_check(choice.modulus == 0 || (is_power_of_two(choice.modulus) &&
					   choice.modulus >= symbol->align &&
					   choice.residue < choice.modulus));
	fuzz_check(choice.contradicted != NULL || choice.modulus == 0 ||
		   choice.residue % symbol->align == 0);
	fuzz_check(choice.loop_align == 0 || is_power_of_two(choice.loop_align));
	if (choice.loop_pad != NULL)
		for (unsigned i = 0; i < 3; i++)
			symbol_loop_pad(policy, choice.loop_pad, symbol, i);
	symbol_may_offset(policy, symbol->file, symbol->name);
	symbol_may_offset(policy, symbol->file, NULL);
}

static void ask_all(struct policy *policy)
{
	static const struct symbol symbols[] = {
		{ .file = "kernel/fork.c", .name = "fork", .key = "fork", .function = true, .align = 1 },
		{ .file = "a.c", .name = "f.cold", .key = "f.cold", .function = true, .align = 16 },
		{ .file = "a.c", .name = "x", .key = "x", .align = 8, .guarded = true },
		{ .file = "", .name = "count.3", .key = "count", .align = 4096 },
	};
	uint64_t residue, modulus;
	struct type_choice type;

	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		ask(policy, &symbols[i]);
	type = type_choose(policy, "mce");
	fuzz_check(type.align == 0 || is_power_of_two(type.align));
	if (field_choose(policy, "mce", "bank", &residue, &modulus) != NULL)
		fuzz_check(is_power_of_two(modulus) && residue < modulus);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct policy *policy = arguments_policy();
	char *text = xcalloc(size + 1, 1), *rest, *line;
	size_t directives = 0;

	memcpy(text, bytes, size);
	for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
		add_line(policy, line);
	ask_all(policy);
	arguments_check(policy, count_report);
	arguments_each_directive(policy, count_directive, &directives);
	fuzz_check(arguments_ask(policy) == (directives > 0));
	fuzz_check(arguments_ask(policy) == (arguments_ask_functions(policy) ||
					     arguments_ask_variables(policy) ||
					     arguments_ask_types(policy)));
	policy_release(policy);
	free(policy);
	free(text);
	return 0;
}
