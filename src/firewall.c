/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kerning firewall: the few gaps that keep a change of one object from moving what
 * is behind it, as a policy for kerning-ld.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "layout/firewall.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "lib/table.h"
#include "src/command.h"
#include "src/terrain.h"

struct command {
	const char *path, *policy_path, *changes_path;
	VEC(const char *) protect;
	struct terrain_wishes wishes;
	struct firewall_options options;	/* the budget once the image is known */
	double percent;				/* of the image; negative: the budget is bytes */
	bool json;
	struct diag diag;
};

/* What all walls come to. */
struct total {
	size_t walls;
	uint64_t bytes, added;
	struct ripple_effect before, after;
	double before_share, after_share;	/* of its section that a change moves: chance, summed */
};

/* --- The command line --------------------------------------------------- */

static const struct argp_option options[] = {
	{ "budget", 'b', "SIZE", 0, "What all walls may cost: bytes, or a percentage of what is "
	  "in the layout (default: 1%)", 0 },
	{ "growth", 'g', "D", 0, "By how many bytes one unit may grow or shrink, at most "
	  "(default: 64)", 0 },
	{ "align", 'a', "N", 0, "Larger changes move what is behind a wall by multiples of N "
	  "(default: 4096)", 0 },
	{ "changes", 'c', "FILE", 0, "How often what changes: lines of a number and a source, an "
	  "object or UNITS (default: each unit as often)", 0 },
	{ "protect", 'p', "UNITS", 0, "What shall not move (default: all); may be given again",
	  0 },
	{ "section", 's', "GLOB", 0, "Walls in these output sections only; may be given again",
	  0 },
	{ "output", 'o', "POLICY", 0, "Write the policy to this file (default: standard output)",
	  0 },
	{ "json", 'j', NULL, 0, "Print report and walls as JSON on standard output", 0 },
	{ 0 },
};

static void parse_budget(struct command *command, const char *text, struct argp_state *state)
{
	char *end;

	command->percent = strtod(text, &end);
	if (end > text && strcmp(end, "%") == 0 && command->percent >= 0 &&
	    command->percent <= 1e6)
		return;
	command->percent = -1;
	if (!parse_number(text, NULL, &command->options.budget) ||
	    command->options.budget > VALUE_NUMBER_MAX)
		argp_error(state,
			   "expected --budget=BYTES or PERCENT%% (4096, 16K, 0.5%%), got \"%s\"",
			   text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct command *command = state->input;

	switch (key) {
	case 'b':
		parse_budget(command, argument, state);
		return 0;
	case 'g':
		if (!parse_number(argument, NULL, &command->options.growth) ||
		    command->options.growth == 0 || command->options.growth > 1 << 20)
			argp_error(state, "expected --growth=1 to 1M, got \"%s\"", argument);
		return 0;
	case 'a':
		if (!parse_number(argument, NULL, &command->options.modulus) ||
		    !is_power_of_two(command->options.modulus) ||
		    command->options.modulus > VALUE_NUMBER_MAX)
			argp_error(state, "expected --align=a power of two, got \"%s\"", argument);
		return 0;
	case 'c':
		command->changes_path = argument;
		return 0;
	case 'p':
		*vec_push(&command->protect) = argument;
		return 0;
	case 's':
		*vec_push(&command->wishes.sections) = argument;
		return 0;
	case 'o':
		command->policy_path = argument;
		return 0;
	case 'j':
		command->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (command->path != NULL)
			argp_error(state, "expected one layout file, got \"%s\" too", argument);
		command->path = argument;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "expected a layout file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "LAYOUT",
	.doc = "Chooses a few units to be walls: kerning-ld puts a gap before each and keeps it "
	       "at its residue, so that a unit that changes its size moves what is behind it "
	       "no farther than to the next wall. Writes a policy, and how far changes "
	       "reach without it and with it.\v"
	       "LAYOUT is what kerning-ld left beside a link with the same objects and without "
	       "pads; \"null\" gives one. Give the policy to both of the links that you "
	       "compare.\n"
	       "\n"
	       "The report: MOVED is how many bytes one change moves in the mean, without walls "
	       "and NOW; WORST how many at most; STAYED the share of its output section that it "
	       "leaves in place.\n"
	       "\n"
	       "Examples:\n"
	       "  make LD=kerning-ld KERNING_FLAGS='kernel null' bzImage\n"
	       "  kerning firewall -o walls vmlinux.layout    (1% of the image)\n"
	       "  make LD=kerning-ld KERNING_FLAGS='kernel policy=walls' bzImage\n"
	       "\n"
	       "  kerning firewall --budget=16K --section='.data*' vmlinux.layout > walls\n"
	       "  kerning firewall --protect='*sched/*.o(*)' -o walls vmlinux.layout\n"
	       "  git log --since=1.year --name-only --format= | sort | uniq -c > changes\n"
	       "  kerning firewall --changes=changes -o walls vmlinux.layout\n"
	       "\n" EXIT_STATUS_HELP,
};

static bool read_patterns(struct command *command)
{
	bool good = true;

	for (size_t i = 0; i < command->protect.count; i++) {
		const char *text = command->protect.at[i];
		struct source *source = source_from_memory("command line", text, strlen(text));
		const struct policy_option option = {
			.text = text, .origin = "command line",
			.span = { source, 0, (uint32_t)source->size },
		};
		struct units_pattern pattern;

		if (units_pattern_parse(&pattern, &option, text, text + strlen(text),
					&command->diag))
			*vec_push(&command->wishes.protect) = pattern;
		else
			good = false;
		source_free(source);
	}
	return good;
}

/* --- What was asked for ------------------------------------------------- */

/* The policy of the link: what it fixes; and a word where its own gaps are in the layout. */
static void read_policy(struct command *command, const struct layout *layout, struct policy *policy)
{
	struct diag quiet = { .stream = NULL };

	if (layout->policy == NULL)
		return;
	policy_add_flags(policy, layout->policy, &quiet);
	for (size_t i = 0; i < policy->rules.count && !policy->null; i++) {
		const struct rule *rule = &policy->rules.at[i];

		if (rule->preset || rule->kind == RULE_FIX || rule->kind == RULE_MOVE ||
		    rule->kind == RULE_APART)
			continue;
		diag_warning(&command->diag, "placed-layout", NULL,
			     "\"%s\" was linked with \"%s\": its gaps are taken for those of "
			     "alignments; link with \"null\" for a layout to put walls in",
			     command->path, rule->text);
		return;
	}
}

/* A name that names nothing is an error. */
static void check_wishes(struct command *command, const struct layout *layout,
			 const struct terrain *terrain)
{
	const struct terrain_wishes *wishes = &command->wishes;
	double chance = 0;

	for (size_t i = 0; i < wishes->sections.count; i++) {
		bool used = false;

		for (size_t s = 0; s < terrain->sections.count && !used; s++)
			used = glob_match(wishes->sections.at[i], terrain->sections.at[s].name);
		if (!used)
			diag_error(&command->diag, NULL,
				   "\"%s\" names none of the output sections of \"%s\"",
				   wishes->sections.at[i], command->path);
	}
	for (size_t i = 0; i < wishes->protect.count; i++) {
		bool used = false;

		for (size_t u = 0; u < terrain->units.count && !used; u++)
			used = units_match(&wishes->protect.at[i], &terrain->units.at[u]->identity);
		if (!used)
			diag_error(&command->diag, NULL,
				   "\"%s\" names none of the %zu units of \"%s\"",
				   wishes->protect.at[i].text, layout->units.count, command->path);
	}
	for (size_t i = 0; i < terrain->ripples.count; i++)
		chance += terrain->ripples.at[i].chance;
	if (wishes->changes != NULL && chance == 0)
		diag_error(&command->diag, NULL, "\"%s\" names nothing that is in \"%s\"",
			   command->changes_path, command->path);
}

/* --- The policy --------------------------------------------------------- */

static char *wall_rule(const struct layout_unit *unit, const struct wall *wall)
{
	char *pattern = units_pattern_exact(&unit->identity), *rule;

	rule = xasprintf("offset=%s:%" PRIu64 "/%" PRIu64, pattern, wall->residue, wall->modulus);
	free(pattern);
	return rule;
}

static void write_policy(const struct command *command, const struct terrain *terrain,
			 const struct firewall_section *sections, const struct total *total,
			 FILE *stream)
{
	fprintf(stream, "# kerning firewall: %zu walls, %" PRIu64
		" bytes, against changes of up to %" PRIu64 " bytes\n",
		total->walls, total->added, command->options.growth);
	for (size_t s = 0; s < terrain->sections.count; s++) {
		const struct terrain_section *section = &terrain->sections.at[s];

		if (sections[s].walls.count > 0)
			fprintf(stream, "\n# %s: %" PRIu64 " bytes\n", section->name,
				sections[s].bytes);
		for (size_t i = 0; i < sections[s].walls.count; i++) {
			const struct wall *wall = &sections[s].walls.at[i];
			char *rule = wall_rule(terrain->units.at[section->first + wall->unit], wall);

			fprintf(stream, "%s\n", rule);
			free(rule);
		}
	}
}

/* --- The report --------------------------------------------------------- */

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : 0;
}

static double percent(double part, double whole)
{
	return 100 * share(part, whole);
}

static void add(struct total *total, const struct terrain_section *section,
		const struct firewall_section *firewall, const struct ripple_effect *before,
		const struct ripple_effect *after)
{
	total->walls += firewall->walls.count;
	total->bytes += section->bytes;
	total->added += firewall->bytes;
	total->before.chance += before->chance;
	total->before.moved += before->moved;
	total->after.moved += after->moved;
	total->before_share += share(before->moved, section->value);
	total->after_share += share(after->moved, section->value);
	if (total->before.worst < before->worst)
		total->before.worst = before->worst;
	if (total->after.worst < after->worst)
		total->after.worst = after->worst;
}

struct row {
	const char *name;
	size_t units, walls;
	uint64_t bytes, added;
	double before, after, worst;		/* bytes that a change moves: in the mean; at most */
	double before_share, after_share;	/* what it leaves in place */
};

static struct row section_row(const struct terrain_section *section,
			      const struct firewall_section *firewall,
			      const struct ripple_effect *before, const struct ripple_effect *after)
{
	double whole = section->value * before->chance;

	return (struct row){
		section->name, section->count, firewall->walls.count, section->bytes,
		firewall->bytes, share(before->moved, before->chance),
		share(after->moved, before->chance), after->worst,
		100 - percent(before->moved, whole), 100 - percent(after->moved, whole),
	};
}

static struct row total_row(const struct total *total, size_t units)
{
	double chance = total->before.chance;

	return (struct row){ "all", units, total->walls, total->bytes, total->added,
			     share(total->before.moved, chance), share(total->after.moved, chance),
			     total->after.worst, 100 - percent(total->before_share, chance),
			     100 - percent(total->after_share, chance) };
}

static void table_row(struct table *table, const struct row *row)
{
	table_add(table, "%s", row->name);
	table_add(table, "%zu", row->units);
	table_add(table, "%" PRIu64, row->bytes);
	table_add(table, "%zu", row->walls);
	table_add(table, "%" PRIu64, row->added);
	table_add(table, "%.2f%%", percent((double)row->added, (double)row->bytes));
	table_add(table, "%.0f", row->before);
	table_add(table, "%.0f", row->after);
	table_add(table, "%.0f", row->worst);
	table_add(table, "%.1f%%", row->before_share);
	table_add(table, "%.1f%%", row->after_share);
}

static void print_table(const struct row *rows, size_t count, FILE *stream)
{
	static const struct column columns[] = {
		{ "SECTION", false }, { "UNITS", true }, { "BYTES", true }, { "WALLS", true },
		{ "COST", true }, { "", true }, { "MOVED", true }, { "NOW", true },
		{ "WORST", true }, { "STAYED", true }, { "NOW", true },
	};
	struct table table;

	table_init(&table, columns, sizeof columns / sizeof columns[0]);
	for (size_t i = 0; i < count; i++)
		table_row(&table, &rows[i]);
	table_print(&table, stream);
	table_release(&table);
}

static json_t *json_of_row(const struct row *row)
{
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f}", "section",
			 json_text(row->name), "units", (json_int_t)row->units, "bytes",
			 (json_int_t)row->bytes, "walls", (json_int_t)row->walls, "cost",
			 (json_int_t)row->added, "moved_before", row->before, "moved", row->after,
			 "worst", row->worst, "stayed_before", row->before_share, "stayed",
			 row->after_share);
}

/* The last of ROWS is of all. */
static void print_json(const struct command *command, const struct terrain *terrain,
		       const struct firewall_section *sections, const struct row *rows,
		       size_t count)
{
	json_t *all = json_of_row(&rows[count - 1]);
	size_t printed = 0;

	printf("{\"growth\": %" PRIu64 ",\n \"align\": %" PRIu64 ",\n \"budget\": %" PRIu64
	       ",\n \"all\": ",
	       command->options.growth, command->options.modulus, command->options.budget);
	json_dumpf(all, stdout, 0);
	json_decref(all);
	fputs(",\n \"sections\": [", stdout);
	for (size_t i = 0; i + 1 < count; i++)
		json_row(json_of_row(&rows[i]), i);
	fputs("\n ],\n \"walls\": [", stdout);
	for (size_t s = 0; s < terrain->sections.count; s++) {
		for (size_t i = 0; i < sections[s].walls.count; i++) {
			const struct wall *wall = &sections[s].walls.at[i];
			const struct layout_unit *unit =
				terrain->units.at[terrain->sections.at[s].first + wall->unit];
			char *identity = identity_string(&unit->identity);
			char *rule = wall_rule(unit, wall);

			json_row(json_pack("{s:o, s:o, s:o, s:I, s:o}", "unit", json_text(identity),
					   "section", json_text(unit->section), "address",
					   json_address(wall->address), "cost",
					   (json_int_t)wall->bytes, "rule", json_text(rule)),
				 printed++);
			free(identity);
			free(rule);
		}
	}
	puts("\n]}");
}

/* --- All together ------------------------------------------------------- */

static void write_out(struct command *command, const struct terrain *terrain,
		      const struct firewall_section *sections, const struct total *total,
		      const struct row *rows, size_t count)
{
	struct outfile file;

	if (command->policy_path != NULL) {
		bool written = outfile_open(&file, command->policy_path);

		if (written) {
			write_policy(command, terrain, sections, total, file.stream);
			written = outfile_commit(&file);
		}
		if (!written) {
			diag_error_class(&command->diag, DIAG_ENVIRONMENT, NULL,
					 "cannot write \"%s\": %s", command->policy_path,
					 strerror(errno));
			return;
		}
	} else if (!command->json) {
		write_policy(command, terrain, sections, total, stdout);
		fflush(stdout);
	}
	if (command->json)
		print_json(command, terrain, sections, rows, count);
	else
		print_table(rows, count, command->policy_path != NULL ? stdout : stderr);
}

static void plan(struct command *command, const struct terrain *terrain)
{
	size_t count = terrain->sections.count;
	struct firewall_section *sections = xcalloc(count + 1, sizeof *sections);
	struct row *rows = xcalloc(count + 1, sizeof *rows);
	struct total total = { .walls = 0 };

	if (command->percent >= 0)
		command->options.budget =
			(uint64_t)(command->percent / 100 * (double)terrain->bytes);
	for (size_t s = 0; s < count; s++)
		ripple_init(&sections[s].ripple,
			    terrain->ripples.at + terrain->sections.at[s].first,
			    terrain->sections.at[s].count);
	firewall_choose(sections, count, &command->options);
	for (size_t s = 0; s < count; s++) {
		const struct walls none = { .count = 0 };
		struct ripple_effect before, after;

		before = ripple_measure(&sections[s].ripple, &none, command->options.growth);
		after = ripple_measure(&sections[s].ripple, &sections[s].walls,
				       command->options.growth);
		rows[s] = section_row(&terrain->sections.at[s], &sections[s], &before, &after);
		add(&total, &terrain->sections.at[s], &sections[s], &before, &after);
	}
	rows[count] = total_row(&total, terrain->units.count);
	write_out(command, terrain, sections, &total, rows, count + 1);
	for (size_t s = 0; s < count; s++) {
		ripple_release(&sections[s].ripple);
		vec_release(&sections[s].walls);
	}
	free(sections);
	free(rows);
}

static void run(struct command *command, const struct layout *layout)
{
	struct policy policy;
	struct terrain terrain;

	policy_init(&policy);
	read_policy(command, layout, &policy);
	terrain_survey(&terrain, layout, &policy, &command->wishes);
	check_wishes(command, layout, &terrain);
	if (command->diag.errors == 0)
		plan(command, &terrain);
	terrain_release(&terrain);
	policy_release(&policy);
}

int command_firewall(int argc, char **argv)
{
	struct command command = {
		.options = { .growth = 64, .modulus = 4096 }, .percent = 1,
	};
	struct changes changes = { 0 };
	struct layout layout;
	bool good;

	diag_init(&command.diag, argv[0], stderr);
	layout_init(&layout);
	argp_parse(&argp, argc, argv, 0, NULL, &command);
	good = read_patterns(&command);
	if (command.changes_path != NULL) {
		good = changes_read(&changes, command.changes_path, &command.diag) && good;
		command.wishes.changes = &changes;
	}
	if (layout_read(&layout, command.path, &command.diag) && good)
		run(&command, &layout);
	layout_release(&layout);
	changes_release(&changes);
	for (size_t i = 0; i < command.wishes.protect.count; i++)
		units_pattern_release(&command.wishes.protect.at[i]);
	vec_release(&command.wishes.protect);
	vec_release(&command.wishes.sections);
	vec_release(&command.protect);
	return (int)command.diag.status;
}
