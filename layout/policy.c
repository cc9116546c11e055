/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options, from wherever they come.  Each text that options are read from is
 * kept as a source, so that a message can show the line and the byte.
 */
#include "config.h"

#include "layout/policy.h"

#include <ctype.h>
#include <inttypes.h>
#include <errno.h>
#include <string.h>

#include "layout/nearest.h"
#include "lib/memory.h"

void policy_init(struct policy *policy)
{
	*policy = (struct policy){ 0 };
}

void policy_release(struct policy *policy)
{
	for (size_t i = 0; i < policy->rules.count; i++)
		rule_release(&policy->rules.at[i]);
	for (size_t i = 0; i < policy->directives.count; i++)
		directive_release(&policy->directives.at[i]);
	for (size_t i = 0; i < policy->outputs.count; i++)
		free(policy->outputs.at[i]);
	for (size_t i = 0; i < policy->origins.count; i++)
		free(policy->origins.at[i]);
	for (size_t i = 0; i < policy->sources.count; i++)
		source_free(policy->sources.at[i]);
	vec_release(&policy->rules);
	vec_release(&policy->directives);
	vec_release(&policy->outputs);
	vec_release(&policy->origins);
	vec_release(&policy->sources);
	free(policy->layout);
	free(policy->keep);
	free(policy->lock);
	free(policy->cache);
	free(policy->root);
	free(policy->as);
	free(policy->within);
}

static const char *keep_origin(struct policy *policy, char *origin)
{
	*vec_push(&policy->origins) = origin;
	return origin;
}

static const struct source *keep_source(struct policy *policy, struct source *source)
{
	*vec_push(&policy->sources) = source;
	return source;
}

/* --- The kernel preset -------------------------------------------------- */

/* The kernel itself in all its passes; the vdso and the boot stub have other names. */
static const char *const kernel_outputs[] = {
	"vmlinux", ".tmp_vmlinux*", "vmlinux.o", "vmlinux.unstripped",
};

static const char *const kernel_rules[] = {
	"fix=.tmp_vmlinux*(*)",	/* the symbol table's objects lie alike in every pass */
	"fix=*(.noinstr.text)",	/* objtool knows these by name */
	"fix=*(.entry.text)",
	"fix=*(.rodata..c_jump_table)",
	"apart=.init.text", "apart=.init.data", "apart=.init.rodata", /* and modpost these */
	"apart=.meminit.text", "apart=.meminit.data", "apart=.meminit.rodata",
	"apart=.exit.text", "apart=.ref.text", "apart=.sched.text", "apart=.cpuidle.text",
	"reserve=.tmp_vmlinux*(*):2%",	/* they grow by each symbol that a later link has more */
};

/* Puts the preset's rules before all others, so that what the user wrote wins. */
static void add_kernel(struct policy *policy, struct diag *diag)
{
	const size_t count = sizeof kernel_rules / sizeof kernel_rules[0];

	if (policy->kernel)
		return;
	policy->kernel = true;
	for (size_t i = 0; i < count; i++)
		(void)vec_push(&policy->rules);
	memmove(policy->rules.at + count, policy->rules.at,
		(policy->rules.count - count) * sizeof *policy->rules.at);
	for (size_t i = 0; i < count; i++) {
		const struct policy_option option = { .text = kernel_rules[i], .origin = "kernel" };

		if (!rule_parse(&policy->rules.at[i], (enum rule_kind)rule_kind_of(option.text), &option, diag))
			abort();
		policy->rules.at[i].preset = true;
	}
}

/* --- One option --------------------------------------------------------- */

enum argument { TAKES_NOTHING, TAKES_NUMBER, TAKES_FILE, TAKES_FOLDER, TAKES_GLOB };

static const char *const value_names[] = {
	[TAKES_NUMBER] = "N", [TAKES_FILE] = "FILE", [TAKES_FOLDER] = "DIR", [TAKES_GLOB] = "GLOB",
};

enum setting { SET_SEED, SET_OUTPUT, SET_KERNEL, SET_LAYOUT, SET_KEEP, SET_CACHE, SET_ROOT,
	       SET_STRICT, SET_NULL, SET_STATS, SET_POLICY, SET_KEEP_NOTES, SET_RESERVE, SET_LOCK,
	       SET_LOCK_STRICT, SET_LOCK_FORCE, SET_AS, SET_WITHIN };
#define SETTINGS 18

static const struct {
	const char *name;
	enum argument value;
} settings[SETTINGS] = {
	[SET_SEED] = { "seed", TAKES_NUMBER },
	[SET_OUTPUT] = { "output", TAKES_GLOB },
	[SET_KERNEL] = { "kernel", TAKES_NOTHING },
	[SET_LAYOUT] = { "layout", TAKES_FILE },
	[SET_KEEP] = { "keep", TAKES_FOLDER },
	[SET_CACHE] = { "cache", TAKES_FOLDER },
	[SET_ROOT] = { "root", TAKES_FOLDER },
	[SET_STRICT] = { "strict", TAKES_NOTHING },
	[SET_NULL] = { "null", TAKES_NOTHING },
	[SET_STATS] = { "stats", TAKES_NOTHING },
	[SET_POLICY] = { "policy", TAKES_FILE },
	[SET_KEEP_NOTES] = { "keep-notes", TAKES_NOTHING },
	[SET_RESERVE] = { "reserve", TAKES_NOTHING },
	[SET_LOCK] = { "lock", TAKES_FILE },
	[SET_LOCK_STRICT] = { "lock-strict", TAKES_NOTHING },
	[SET_LOCK_FORCE] = { "lock-force", TAKES_NOTHING },
	[SET_AS] = { "as", TAKES_FILE },
	[SET_WITHIN] = { "within", TAKES_FOLDER },
};

static int setting_of(const char *option)
{
	size_t length = strcspn(option, "=");

	for (int i = 0; i < SETTINGS; i++) {
		if (strlen(settings[i].name) == length &&
		    memcmp(settings[i].name, option, length) == 0)
			return i;
	}
	return -1;
}

static bool unknown_option(const struct policy_option *option, struct diag *diag)
{
	size_t length = strcspn(option->text, "=");
	char *name = xasprintf("%.*s", (int)length, option->text);
	struct nearest nearest;
	char *near;

	nearest_init(&nearest, name);
	for (int i = 0; i < RULE_KINDS; i++)
		nearest_offer(&nearest, rule_kind_name((enum rule_kind)i));
	for (int i = 0; i < DIRECTIVE_KINDS; i++)
		nearest_offer(&nearest, directive_kind_name((enum directive_kind)i));
	for (int i = 0; i < SETTINGS; i++)
		nearest_offer(&nearest, settings[i].name);
	if (nearest.count > 1)
		nearest.count = 1;
	near = nearest_format(&nearest);
	option_error(option, option->text, option->text + length, diag,
		     "there is no option \"%s\"%s%s", name,
		     nearest.count > 0 ? "; the nearest is " : "", near);
	free(near);
	free(name);
	return false;
}

/* The VALUE of "name=VALUE", or NULL, reported, where there must be one and is none. */
static const char *setting_value(const struct policy_option *option, enum argument kind,
				 struct diag *diag)
{
	const char *value = option->text + strcspn(option->text, "=");

	if (*value == '=' && value[1] != '\0')
		return value + 1;
	option_error(option, value, NULL, diag, "expected %s%s", *value == '=' ? "" : "'=' and ",
		     value_names[kind]);
	return NULL;
}

static void set_text(char **text, const char *value)
{
	free(*text);
	*text = xstrdup(value);
}

/* FILE, FILE:address or FILE:residue:M. */
static bool set_lock(struct policy *policy, const struct policy_option *option, const char *value,
		     struct diag *diag)
{
	static const char address[] = ":address", residue[] = ":residue:";
	const char *end = value + strlen(value), *found = NULL;

	for (const char *at = value; (at = strstr(at, residue)) != NULL; at++)
		found = at;
	policy->lock_modulus = 0;
	if (found != NULL) {
		const char *number = found + strlen(residue);

		if (!parse_number(number, end, &policy->lock_modulus) ||
		    !is_power_of_two(policy->lock_modulus) ||
		    policy->lock_modulus > VALUE_NUMBER_MAX) {
			option_error(option, number, NULL, diag, "expected a modulus that is a "
				     "power of two (64, 4096), got \"%s\"", number);
			return false;
		}
		end = found;
	} else if ((size_t)(end - value) > strlen(address) &&
		   strcmp(end - strlen(address), address) == 0) {
		end -= strlen(address);
	}
	if (end == value) {
		option_error(option, value, NULL, diag, "expected a FILE before \"%s\"", value);
		return false;
	}
	free(policy->lock);
	policy->lock = xasprintf("%.*s", (int)(end - value), value);
	return true;
}

static bool set(struct policy *policy, enum setting setting, const struct policy_option *option,
		struct diag *diag)
{
	enum argument kind = settings[setting].value;
	const char *value = option->text + strcspn(option->text, "=");

	if (kind == TAKES_NOTHING && *value != '\0') {
		option_error(option, value, NULL, diag, "expected no value");
		return false;
	}
	if (kind != TAKES_NOTHING && (value = setting_value(option, kind, diag)) == NULL)
		return false;
	switch (setting) {
	case SET_SEED:
		if (!parse_number(value, NULL, &policy->seed)) {
			option_error(option, value, NULL, diag,
				     "expected a number (7, 0x40, 16K), got \"%s\"", value);
			return false;
		}
		policy->has_seed = true;
		break;
	case SET_OUTPUT:
		*vec_push(&policy->outputs) = xstrdup(value);
		break;
	case SET_KERNEL:
		add_kernel(policy, diag);
		break;
	case SET_LAYOUT:
		set_text(&policy->layout, value);
		break;
	case SET_KEEP:
		set_text(&policy->keep, value);
		break;
	case SET_CACHE:
		set_text(&policy->cache, value);
		break;
	case SET_ROOT:
		set_text(&policy->root, value);
		break;
	case SET_AS:
		set_text(&policy->as, value);
		break;
	case SET_WITHIN:
		set_text(&policy->within, value);
		break;
	case SET_STRICT:
		policy->strict = true;
		break;
	case SET_NULL:
		policy->null = true;
		break;
	case SET_STATS:
		policy->stats = true;
		break;
	case SET_KEEP_NOTES:
		policy->keep_notes = true;
		break;
	case SET_RESERVE:
		policy->reserve = true;
		break;
	case SET_LOCK:
		return set_lock(policy, option, value, diag);
	case SET_LOCK_STRICT:
		policy->lock_strict = true;
		break;
	case SET_LOCK_FORCE:
		policy->lock_force = true;
		break;
	case SET_POLICY:
		return policy_add_file(policy, value, diag);
	}
	return true;
}

/* Adds OPTION, whose origin the policy keeps. */
static bool add_option(struct policy *policy, const struct policy_option *option, struct diag *diag)
{
	/* "reserve" alone is a setting. */
	int kind = strcmp(option->text, settings[SET_RESERVE].name) == 0 ? -1 :
		   rule_kind_of(option->text);
	int directive_kind = directive_kind_of(option->text);
	int setting = setting_of(option->text);
	struct directive directive;
	struct rule rule;

	if (directive_kind >= 0) {
		if (!directive_parse(&directive, (enum directive_kind)directive_kind, option, diag))
			return false;
		*vec_push(&policy->directives) = directive;
		return true;
	}
	if (kind < 0 && setting < 0)
		return unknown_option(option, diag);
	if (kind < 0) {
		if (!set(policy, (enum setting)setting, option, diag))
			return false;
	} else {
		if (!rule_parse(&rule, (enum rule_kind)kind, option, diag))
			return false;
		*vec_push(&policy->rules) = rule;
	}
	policy->any = true;
	return true;
}

/* --- Where options come from -------------------------------------------- */

bool policy_add(struct policy *policy, const char *text, const char *origin, struct diag *diag)
{
	const struct source *source =
		keep_source(policy, source_from_memory(origin, text, strlen(text)));
	const struct policy_option option = {
		.text = source->text,
		.origin = keep_origin(policy, xstrdup(origin)),
		.span = { source, 0, (uint32_t)source->size },
	};

	return add_option(policy, &option, diag);
}

/* Takes the quotes off a word; *AT is left behind it.  NULL: a quote is not closed. */
static char *take_word(const char **at)
{
	const char *p = *at;
	char *word = xmalloc(strlen(p) + 1), *to = word;
	char quote = '\0';

	for (; *p != '\0' && (quote != '\0' || !isspace((unsigned char)*p)); p++) {
		if (*p == quote)
			quote = '\0';
		else if (quote == '\0' && (*p == '\'' || *p == '"'))
			quote = *p;
		else
			*to++ = *p;
	}
	*to = '\0';
	*at = p;
	if (quote != '\0') {
		free(word);
		return NULL;
	}
	return word;
}

bool policy_add_flags(struct policy *policy, const char *flags, struct diag *diag)
{
	const struct source *source =
		keep_source(policy, source_from_memory("KERNING_FLAGS", flags, strlen(flags)));
	const char *at = source->text;
	bool good = true;

	for (;;) {
		struct policy_option option = { .origin = "KERNING_FLAGS", .span = { .source = source } };
		char *word;

		at += strspn(at, " \t\n\v\f\r");
		if (*at == '\0')
			return good;
		option.span.begin = (uint32_t)(at - source->text);
		word = take_word(&at);
		option.span.end = (uint32_t)(at - source->text);
		if (word == NULL) {
			diag_error_class(diag, DIAG_USAGE, &option.span,
					 "expected a closing quote before the end");
			return false;
		}
		option.text = word;
		good = add_option(policy, &option, diag) && good;
		free(word);
	}
}

/* The line [begin, end) without comment and white space at both ends. */
static void trim(const char **begin, const char **end)
{
	for (const char *p = *begin; p < *end; p++) {
		if (*p == '#' && (p == *begin || isspace((unsigned char)p[-1])))
			*end = p;
	}
	while (*begin < *end && isspace((unsigned char)**begin))
		++*begin;
	while (*begin < *end && isspace((unsigned char)(*end)[-1]))
		--*end;
}

static bool add_line(struct policy *policy, const struct source *source, unsigned line,
		     const char *begin, const char *end, struct diag *diag)
{
	struct policy_option option = { .span = { source, (uint32_t)(begin - source->text),
					   (uint32_t)(end - source->text) } };
	char *text = xasprintf("%.*s", (int)(end - begin), begin);
	bool good;

	option.text = text;
	option.origin = keep_origin(policy, xasprintf("%s:%u", source->name, line));
	if (setting_of(text) == SET_POLICY) {
		option_error(&option, text, NULL, diag, "a policy file cannot name another");
		good = false;
	} else {
		good = add_option(policy, &option, diag);
	}
	free(text);
	return good;
}

bool policy_add_file(struct policy *policy, const char *path, struct diag *diag)
{
	struct source *source = source_read(path);
	const char *at, *all;
	unsigned line = 0;
	bool good = true;

	if (source == NULL) {
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s", path,
				 strerror(errno));
		return false;
	}
	keep_source(policy, source);
	policy->any = true;
	all = source->text + source->size;
	for (at = source->text; at < all; line++) {
		const char *newline = memchr(at, '\n', (size_t)(all - at));
		const char *begin = at, *end = newline != NULL ? newline : all;

		at = end + 1;
		trim(&begin, &end);
		if (begin < end)
			good = add_line(policy, source, line + 1, begin, end, diag) && good;
	}
	return good;
}

/* --- Questions ---------------------------------------------------------- */

bool policy_wants_output(const struct policy *policy, const char *output)
{
	while (output[0] == '.' && output[1] == '/')
		output += 2;
	for (size_t i = 0; i < policy->outputs.count; i++) {
		if (glob_match(policy->outputs.at[i], output))
			return true;
	}
	if (!policy->kernel)
		return policy->outputs.count == 0;
	for (size_t i = 0; i < sizeof kernel_outputs / sizeof kernel_outputs[0]; i++) {
		if (glob_match(kernel_outputs[i], output))
			return true;
	}
	return false;
}

void policy_put_word(FILE *stream, const char *name, const char *text, bool *first)
{
	bool plain = strpbrk(text, " \t\n\v\f\r'\"") == NULL;

	fprintf(stream, "%s%s", *first ? "" : " ", name);
	*first = false;
	if (!plain)
		putc('\'', stream);
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\"'\"'", stream);
		else
			putc(*text, stream);
	}
	if (!plain)
		putc('\'', stream);
}

char *policy_format_some(const struct policy *policy,
			 bool (*wanted)(const struct rule *rule, const void *data), const void *data)
{
	char *line = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&line, &size);
	bool first = true;

	if (stream == NULL)
		abort();
	if (policy->kernel)
		policy_put_word(stream, "kernel", "", &first);
	if (policy->null)
		policy_put_word(stream, "null", "", &first);
	if (policy->reserve)
		policy_put_word(stream, "reserve", "", &first);
	if (policy->lock != NULL) {
		char *strength = policy->lock_modulus == 0 ? xstrdup("") :
				 xasprintf(":residue:%" PRIu64, policy->lock_modulus);
		char *lock = xasprintf("%s%s", policy->lock, strength);

		policy_put_word(stream, "lock=", lock, &first);
		free(lock);
		free(strength);
	}
	for (size_t i = 0; i < policy->outputs.count; i++)
		policy_put_word(stream, "output=", policy->outputs.at[i], &first);
	for (size_t i = 0; i < policy->rules.count; i++) {
		const struct rule *rule = &policy->rules.at[i];

		if (!rule->preset && (wanted == NULL || wanted(rule, data)))
			policy_put_word(stream, "", rule->text, &first);
	}
	if (fclose(stream) != 0)
		abort();
	return line;
}

char *policy_format(const struct policy *policy)
{
	return policy_format_some(policy, NULL, NULL);
}
