/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What directives choose.
 */
#include "config.h"

#include "layout/symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/policy.h"
#include "layout/seed.h"
#include "lib/memory.h"

static uint64_t hash(const struct policy *policy, const struct symbol *symbol, const char *purpose)
{
	const struct identity identity = { .file = symbol->file, .section = symbol->key, .ordinal = 1 };

	return seed_hash(policy->seed, &identity, purpose);
}

static uint64_t range(const struct policy *policy, const struct value *value,
		      const struct symbol *symbol, const char *purpose)
{
	uint64_t choices = (value->high - value->low) / value->step + 1;

	return value->low + value->step * (hash(policy, symbol, purpose) % choices);
}

static bool is_about(enum directive_kind kind, bool function)
{
	switch (kind) {
	case DIRECTIVE_ALIGN_FUNCTION:
	case DIRECTIVE_OFFSET_FUNCTION:
	case DIRECTIVE_PAD_FUNCTION:
	case DIRECTIVE_ENTRY_PAD:
	case DIRECTIVE_ALIGN_LOOP:
	case DIRECTIVE_PAD_LOOP:
		return function;
	case DIRECTIVE_ALIGN_VARIABLE:
	case DIRECTIVE_OFFSET_VARIABLE:
	case DIRECTIVE_PAD_VARIABLE:
		return !function;
	case DIRECTIVE_SPLIT:
		return true;
	default:
		return false;
	}
}

static void apply(struct symbol_choice *choice, const struct policy *policy,
		  const struct directive *directive, const struct symbol *symbol)
{
	const struct value *value = &directive->value;

	switch (directive->kind) {
	case DIRECTIVE_ALIGN_FUNCTION:
	case DIRECTIVE_ALIGN_VARIABLE:
		choice->modulus = value->align > symbol->align ? value->align : symbol->align;
		choice->residue = 0;
		choice->contradicted = NULL;
		break;
	case DIRECTIVE_OFFSET_FUNCTION:
	case DIRECTIVE_OFFSET_VARIABLE:
		/* Asked by a glob, it stays as it is; by name, that is a mistake. */
		if (value->residue % symbol->align != 0 && !directive->by_name)
			break;
		/* The residue is below the modulus: below a larger alignment, only 0 agrees. */
		choice->modulus = value->modulus > symbol->align ? value->modulus : symbol->align;
		choice->residue = value->residue;
		choice->contradicted = value->residue % symbol->align != 0 ? directive : NULL;
		break;
	case DIRECTIVE_PAD_FUNCTION:
	case DIRECTIVE_PAD_VARIABLE:
		choice->pad = range(policy, value, symbol, "pad");
		break;
	case DIRECTIVE_ENTRY_PAD:
		choice->entry_pad = range(policy, value, symbol, "entry");
		break;
	case DIRECTIVE_ALIGN_LOOP:
		choice->loop_align = value->align;
		break;
	case DIRECTIVE_PAD_LOOP:
		choice->loop_pad = directive;
		break;
	case DIRECTIVE_SPLIT:
		choice->split = true;
		break;
	default:
		break;
	}
}

struct symbol_choice symbol_choose(struct policy *policy, const struct symbol *symbol)
{
	struct symbol_choice choice = { 0 };

	for (size_t i = 0; i < policy->directives.count; i++) {
		struct directive *directive = &policy->directives.at[i];

		if (!is_about(directive->kind, symbol->function) ||
		    (symbol->guarded && !directive->by_name) ||
		    !directive_names(directive, symbol->file, symbol->name))
			continue;
		directive->matched++;
		apply(&choice, policy, directive, symbol);
	}
	return choice;
}

bool symbol_may_offset(const struct policy *policy, const char *file, const char *name)
{
	/* A static variable of a function has a number behind its name. */
	char *numbered = name != NULL ? xasprintf("%s.0", name) : NULL;
	bool may = false;

	for (size_t i = 0; !may && i < policy->directives.count; i++) {
		const struct directive *directive = &policy->directives.at[i];

		may = directive->kind == DIRECTIVE_OFFSET_VARIABLE &&
		      (name == NULL || directive_names(directive, file, name) ||
		       directive_names(directive, file, numbered));
	}
	free(numbered);
	return may;
}

uint64_t symbol_loop_pad(const struct policy *policy, const struct directive *directive,
			 const struct symbol *symbol, unsigned index)
{
	char purpose[32];

	snprintf(purpose, sizeof purpose, "loop %u", index);
	return range(policy, &directive->value, symbol, purpose);
}

const char *directive_text(const struct directive *directive)
{
	return directive->text;
}

struct type_choice type_choose(struct policy *policy, const char *name)
{
	struct type_choice choice = { 0 };

	for (size_t i = 0; i < policy->directives.count; i++) {
		struct directive *directive = &policy->directives.at[i];

		if ((directive->kind != DIRECTIVE_ALIGN_TYPE && directive->kind != DIRECTIVE_PAD_TYPE) ||
		    strcmp(directive->name, name) != 0)
			continue;
		directive->matched++;
		choice.why = directive;
		if (directive->kind == DIRECTIVE_ALIGN_TYPE)
			choice.align = directive->value.align;
		else
			choice.growth = directive->value.low;
	}
	return choice;
}

const struct directive *field_choose(struct policy *policy, const char *name, const char *field,
				     uint64_t *residue, uint64_t *modulus)
{
	const struct directive *last = NULL;

	for (size_t i = 0; i < policy->directives.count; i++) {
		struct directive *directive = &policy->directives.at[i];

		if (directive->kind != DIRECTIVE_OFFSET_FIELD || strcmp(directive->name, name) != 0 ||
		    strcmp(directive->field, field) != 0)
			continue;
		directive->matched++;
		last = directive;
		*residue = directive->value.residue;
		*modulus = directive->value.modulus;
	}
	return last;
}
