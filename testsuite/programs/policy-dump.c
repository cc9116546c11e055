/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what a policy was understood to be.
 *
 *	policy-dump OPTION...	each an option, or
 *		@FILE		the options of a policy file
 *		+FLAGS		the options of a KERNING_FLAGS string
 *		?OUTPUT		prints whether the policy so far places OUTPUT
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "layout/policy.h"

static bool add(struct policy *policy, const char *argument, struct diag *diag)
{
	switch (argument[0]) {
	case '@':
		return policy_add_file(policy, argument + 1, diag);
	case '+':
		return policy_add_flags(policy, argument + 1, diag);
	case '?':
		printf("%s: %s\n", argument + 1,
		       policy_wants_output(policy, argument + 1) ? "placed" : "left alone");
		return true;
	default:
		return policy_add(policy, argument, "command line", diag);
	}
}

static void print_rule(const struct rule *rule)
{
	printf("%s %s:", rule->origin, rule_kind_name(rule->kind));
	if (rule->units.archive != NULL)
		printf(" archive \"%s\"", rule->units.archive);
	printf(" file \"%s\" section \"%s\"", rule->units.file, rule->units.section);
	switch (rule->kind) {
	case RULE_ALIGN:
		printf(" align %" PRIu64, rule->value.align);
		break;
	case RULE_OFFSET:
		printf(" %" PRIu64 " mod %" PRIu64, rule->value.residue, rule->value.modulus);
		break;
	case RULE_PAD:
		printf(" %" PRIu64 " to %" PRIu64 " by %" PRIu64, rule->value.low, rule->value.high,
		       rule->value.step);
		break;
	case RULE_JITTER:
		printf(" mod %" PRIu64 " by %" PRIu64, rule->value.modulus, rule->value.step);
		break;
	case RULE_RESERVE:
	case RULE_RESERVE_END:
		if (rule->value.share > 0)
			printf(" %" PRIu64 ".%02" PRIu64 "%%", rule->value.share / 100,
			       rule->value.share % 100);
		else
			printf(" %" PRIu64, rule->value.low);
		break;
	default:
		break;
	}
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct policy policy;
	struct diag diag;
	char *line;

	diag_init(&diag, "policy-dump", stderr);
	policy_init(&policy);
	for (int i = 1; i < argc; i++)
		add(&policy, argv[i], &diag);
	if (policy.has_seed)
		printf("seed %" PRIu64 "\n", policy.seed);
	for (size_t i = 0; i < policy.rules.count; i++)
		print_rule(&policy.rules.at[i]);
	if (policy.reserve)
		puts("reserve");
	if (policy.lock != NULL)
		printf("lock \"%s\" modulus %" PRIu64 "%s%s\n", policy.lock, policy.lock_modulus,
		       policy.lock_strict ? " strict" : "", policy.lock_force ? " force" : "");
	line = policy_format(&policy);
	printf("policy: %s\n", line);
	free(line);
	policy_release(&policy);
	return (int)diag.status;
}
