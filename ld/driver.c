/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One link from end to end.
 *
 *	link line, scripts -> inputs -> census -> plan -> tags, fragments -> ld -> verify -> layout
 *
 * A link that kerning has nothing to do with is handed to ld by execv: same
 * process, same bytes; while a build is captured it is made by a process of its own.
 * Everything else is made beside the output and renamed
 * into place when it is right.
 */
#include "config.h"
#include "ld/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout/lock.h"
#include "layout/plan.h"
#include "layout/record.h"
#include "layout/reserve.h"
#include "ld/cache.h"
#include "ld/capture.h"
#include "ld/census.h"
#include "ld/fragment.h"
#include "ld/kept.h"
#include "ld/linked.h"
#include "ld/map.h"
#include "ld/outline.h"
#include "ld/recall.h"
#include "ld/retell.h"
#include "ld/rooms.h"
#include "ld/run.h"
#include "ld/stats.h"
#include "ld/substitute.h"
#include "ld/symbols.h"
#include "ld/tables.h"
#include "ld/verdict.h"
#include "ld/verify.h"
#include "lib/file.h"
#include "lib/memory.h"

/* How often a link is planned anew from what its map said, before that is an error. */
#define PASSES_MAX 4

/* In the place of an exit status: bytecode for link-time optimization takes part. */
#define DECLINED (-1)

struct link {
	struct diag diag;
	struct policy policy;
	struct linkline line;
	struct link_scripts scripts;
	struct inputs inputs;
	struct census census;
	struct plan plan;
	struct seams seams;
	struct lock lock;
	bool locked;			/* lock has been read */
	struct correction correction;
	struct cache cache;
	struct map map;
	const struct map_section **places; /* by placement */
	struct objindex *index;
	struct stats stats;
	struct obstack arena;
	char *ld;
	const char *root;
	bool placing;			/* the link is not ld's alone */
	const char *target;		/* the output: -o, else the script's OUTPUT, else a.out */
	const char *name;		/* what it is called: as=, else target */
	const char *output;		/* what ld writes, in the cache until it is known to be right */
	struct retelling retelling;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	interrupted = signal;
	run_signal(signal);
}

/* ld gets the signal; the driver waits for it, cleans up, and then ends by the signal. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct sigaction old;

		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void close_cache(struct link *link)
{
	if (link->cache.tags != NULL)
		cache_close(&link->cache);
	link->cache.tags = NULL;
}

/* The exit status where something failed: it was reported, or a link would end as if it were done. */
static int failed(const struct link *link)
{
	if (link->diag.status == 0)
		abort();
	return (int)link->diag.status;
}

/* Hands the link to ld as it is, but for kerning's own words.  Returns only on failure. */
static int hand_over(struct link *link)
{
	VEC(char *) argv = VEC_INIT;

	close_cache(link);
	link->placing = false;
	*vec_push(&argv) = link->ld;
	for (size_t i = 0; i < link->line.words.count; i++) {
		const struct word *word = &link->line.words.at[i];

		if (word->kind == WORD_KERNING)
			continue;
		*vec_push(&argv) = (char *)word->text[0];
		if (word->text[1] != NULL)
			*vec_push(&argv) = (char *)word->text[1];
	}
	*vec_push(&argv) = NULL;
	execv(link->ld, argv.at);
	diag_error_class(&link->diag, DIAG_ENVIRONMENT, NULL, "cannot run '%s': %s", link->ld,
			 strerror(errno));
	vec_release(&argv);
	return DIAG_ENVIRONMENT;
}

/* A link that cannot be placed goes to ld with a warning; an error where strict was asked for. */
static int decline(struct link *link, const char *why)
{
	if (link->policy.strict) {
		diag_error(&link->diag, NULL, "cannot place '%s': %s", link->name, why);
		return DIAG_INPUT;
	}
	diag_warning(&link->diag, "not-placed", NULL, "'%s' is linked by ld alone: %s",
		     link->name, why);
	return hand_over(link);
}

static int decline_lto(struct link *link)
{
	return decline(link, "it has link-time-optimized objects");
}

/* The policy: KERNING_FLAGS, then the command line, which so has the last word. */
static bool read_policy(struct link *link)
{
	const char *flags = getenv("KERNING_FLAGS");
	bool ok = true;

	if (flags != NULL)
		ok = policy_add_flags(&link->policy, flags, &link->diag);
	for (size_t i = 0; i < link->line.words.count; i++) {
		const struct word *word = &link->line.words.at[i];

		if (word->kind == WORD_KERNING)
			ok &= policy_add(&link->policy, word->value, "command line", &link->diag);
	}
	return ok;
}

/*
 * The first line of ld --version.  ld takes its time to start, so the answer is
 * kept beside the tags, behind a line that tells which ld it is of.
 */
static const char *linker_version(struct link *link)
{
	const char *path = cache_linker_path(&link->cache), *version = link->ld, *key;
	char *argv[] = { link->ld, (char *)"--version", NULL };
	struct source *source = kept_read(path);
	struct stat status = { 0 };
	const char *text;

	stat(link->ld, &status);
	key = obstack_format(&link->arena, "%s %jd %jd\n", link->ld, (intmax_t)status.st_size,
			     (intmax_t)status.st_mtim.tv_sec);
	if (source != NULL && strncmp(source->text, key, strlen(key)) == 0) {
		version = obstack_strdup(&link->arena, source->text + strlen(key));
		source_free(source);
		return version;
	}
	source_free(source);
	source = run_capture(argv, &link->diag);
	if (source != NULL) {
		version = obstack_strndup(&link->arena, source->text, strcspn(source->text, "\n"));
		text = obstack_format(&link->arena, "%s%s", key, version);
		kept_write(path, text, strlen(text));
	}
	source_free(source);
	return version;
}

static const char *layout_path(struct link *link)
{
	if (link->policy.layout != NULL)
		return link->policy.layout;
	return obstack_format(&link->arena, "%s.layout", link->target);
}

/* What identifies the link, for a layout's header and for the lock. */
static void describe(struct link *link, struct layout *layout)
{
	layout->tool = "kerning " PACKAGE_VERSION;
	layout->linker = linker_version(link);
	layout->script = link_scripts_hash(&link->scripts);
	layout->output = link->name;
	layout->seed = link->policy.seed;
	layout->has_seed = link->policy.has_seed;
	if (link->census.loaded.objects.count > 0)
		layout->machine = link->census.loaded.objects.at[0]->object.machine;
}

static bool write_layout(struct link *link)
{
	const char *path = layout_path(link);
	struct layout layout;
	struct outfile file;
	char *policy = policy_format(&link->policy);
	struct linked linked;
	bool ok;

	layout_init(&layout);
	linked_read(&linked, link->output);
	describe(link, &layout);
	layout.build_id = linked.build_id;
	layout.policy = policy;
	record_units(&layout, &link->census, &link->plan, link->places);
	symbols_record(&layout, &link->census, &link->plan, link->places, &link->diag);
	outline_record(&layout, &linked, &link->map, &link->plan);
	layout_sort(&layout);
	ok = outfile_open(&file, path);
	if (ok) {
		layout_write(&layout, file.stream);
		ok = outfile_commit(&file);
	}
	if (!ok)
		diag_error_class(&link->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s", path,
				 strerror(errno));
	if (ok && link->locked)
		ok = verdict_tell(&link->lock.reference, &layout, &link->policy, link->name,
				  &link->diag);
	layout_release(&layout);
	linked_release(&linked);
	free(policy);
	return ok;
}

/* ld has said what is wrong; this says what may have led there. */
static void explain_failure(struct link *link)
{
	size_t placed = 0;
	char *policy;

	for (size_t i = 0; i < link->plan.placements.count; i++)
		placed += link->plan.placements.at[i].pad != 0 ||
			  link->plan.placements.at[i].modulus > 1;
	if (placed == 0)
		return;
	policy = policy_format(&link->policy);
	diag_note(&link->diag, NULL, "%zu of its units were placed by '%s'; 'null' in the place of "
		  "these rules tells whether they are the cause", placed, policy);
	free(policy);
}

static void take_line(const char *line, FILE *stream, void *data)
{
	retell_line(line, stream, &((struct link *)data)->retelling);
}

static void take_map(const char *bytes, size_t size, void *data)
{
	map_take(&((struct link *)data)->map, bytes, size);
}

/* Runs ld on what has been made, and reads its map while it writes on. */
static int run_ld(struct link *link, const char *const *copies)
{
	const char *path = link->retelling.map;
	struct run_listener listener = {
		.line = take_line, .take = take_map, .data = link,
		.file = open(path, O_RDONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
	};
	struct line_files files = { path, link->output, link->retelling.dependencies };
	int status;

	if (listener.file < 0) {
		diag_error_class(&link->diag, DIAG_ENVIRONMENT, NULL, "cannot write the map '%s': %s",
				 path, strerror(errno));
		return DIAG_ENVIRONMENT;
	}
	map_begin(&link->map);
	status = run_filtered(substitute_line(&link->line, &link->inputs,
					      link->line.relocatable ? NULL : &link->scripts, copies,
					      link->ld, &files, link->census.apart.at,
					      link->census.apart.count, &link->arena),
			      &listener, &link->diag);
	map_end(&link->map);
	close(listener.file);
	stats_phase(&link->stats, "ld");
	return status < 0 ? DIAG_ENVIRONMENT : status;
}

/* Reads the lock at the first pass: what it is held against must be known. */
static bool open_lock(struct link *link)
{
	struct layout made;
	bool ok;

	if (link->policy.lock == NULL || link->policy.null || link->locked)
		return true;
	link->locked = true;
	if (!lock_read(&link->lock, link->policy.lock, link->policy.lock_modulus, &link->diag))
		return false;
	layout_init(&made);
	describe(link, &made);
	ok = lock_check(&link->lock, &made, link->policy.lock_force, &link->diag);
	layout_release(&made);
	return ok;
}

static bool make_plan(struct link *link)
{
	const struct unit *units = link->census.units.at;

	if (!plan_make(&link->plan, units, link->census.units.count, link->census.movable,
		       &link->policy, &link->diag) || !open_lock(link))
		return false;
	if (link->policy.null)
		return true;
	rooms_find(&link->seams, &link->plan, &link->census, &link->scripts);
	if (link->locked)
		lock_apply(&link->lock, &link->plan, units, &link->diag);
	else if (reserve_wanted(&link->policy))
		reserve_apply(&link->plan, units, &link->policy, &link->diag);
	return true;
}

static bool write_fragments(struct link *link, const char **copies)
{
	bool at_addresses = link->locked && link->lock.modulus == 0;

	return fragments_write(link->cache.work, &link->census, &link->plan, &link->seams,
			       at_addresses ? &link->lock.reference : NULL, &link->scripts, copies,
			       &link->arena, &link->diag);
}

/* One pass: census to map.  Returns ld's exit status, or that of an error of ours; 0: linked. */
static int link_once(struct link *link, const struct correction *correction)
{
	const char **copies = obstack_alloc(&link->arena,
					    link->scripts.list.count * sizeof *copies);
	bool partial = link->line.relocatable;
	int status;

	if (!census_take(&link->census, &link->inputs, &link->line, &link->scripts, &link->policy,
			 correction, &link->diag))
		return failed(link);
	if (link->inputs.has_lto)
		return DECLINED;
	stats_phase(&link->stats, "census");
	if (!substitute_inputs(&link->inputs, &link->census, &link->cache, &link->diag))
		return failed(link);
	stats_phase(&link->stats, "tags");
	/* A partial link only tags. */
	if (!partial && (!make_plan(link) || !write_fragments(link, copies)))
		return failed(link);
	stats_phase(&link->stats, "plan and fragments");
	status = run_ld(link, copies);
	if (status != 0) {
		if (!partial && link->retelling.about_place)
			explain_failure(link);
		return status;
	}
	link->places = locate_units(&link->census, &link->plan, &link->map);
	stats_phase(&link->stats, "map");
	return 0;
}

/* Forgets a pass, for the next. */
static void forget_pass(struct link *link)
{
	retell_forget(&link->retelling);
	for (size_t i = 0; i < link->inputs.objects.count; i++) {
		link->inputs.objects.at[i]->is_loaded = false;
		link->inputs.objects.at[i]->copy = NULL;
		link->inputs.objects.at[i]->archive_copy = link->inputs.objects.at[i]->archive;
	}
	for (size_t i = 0; i < link->inputs.list.count; i++)
		link->inputs.list.at[i].copy = NULL;
	census_release(&link->census);
	plan_release(&link->plan);
	vec_release(&link->seams.list);
	map_release(&link->map);
	free(link->places);
	link->places = NULL;
	memset(&link->census, 0, sizeof link->census);
	memset(&link->plan, 0, sizeof link->plan);
	memset(&link->map, 0, sizeof link->map);
}

static uint64_t link_key(const struct link *link)
{
	return recall_key(&link->line, &link->inputs, &link->scripts);
}

static int place(struct link *link)
{
	const char *base, *recall;
	bool known;
	int result;

	/* Under its own name, which ld may put into it (as a version's, say). */
	base = strrchr(link->target, '/');
	link->output = obstack_format(&link->arena, "%s/%s", link->cache.out,
				      base != NULL ? base + 1 : link->target);
	link->retelling = (struct retelling){
		.line = &link->line, .inputs = &link->inputs, .scripts = &link->scripts,
		.tags = link->cache.tags, .scratch = link->cache.scratch,
		.work = link->cache.work, .output = link->output, .target = link->name,
		.dependencies = obstack_format(&link->arena, "%s/dependencies", link->cache.work),
		.arena = &link->arena, .diag = &link->diag,
		.map = obstack_format(&link->arena, "%s/map", link->cache.work),
	};

	recall = cache_recall_path(&link->cache, link->target);
	/* Most links have nothing to recall, and need no key. */
	known = access(recall, R_OK) == 0 &&
		recall_read(&link->correction, recall, link_key(link), &link->inputs,
			    &link->arena);
	result = link_once(link, known ? &link->correction : NULL);
	for (unsigned pass = 1; result == 0 &&
	     census_differs(&link->census, &link->inputs, &link->plan, &link->map,
			    link->places, &link->correction, &link->arena); pass++) {
		if (pass == PASSES_MAX) {
			diag_error(&link->diag, NULL, "what takes part in '%s' changes from pass to "
				   "pass: %u passes were not enough", link->name, pass);
			return DIAG_INPUT;
		}
		recall_write(&link->correction, recall, link_key(link));
		forget_pass(link);
		result = link_once(link, &link->correction);
	}
	if (result != 0)
		return result;
	if (!link->line.relocatable &&
	    (!verify_link(&link->census, &link->scripts, &link->plan, link->places, &link->diag) |
	     !tables_verify(&link->census, &link->scripts, &link->map, &link->diag)))
		return DIAG_INPUT;
	stats_phase(&link->stats, "verification");
	if (!retell_map(&link->retelling) || !retell_dependencies(&link->retelling) ||
	    (!link->line.relocatable && !write_layout(link)))
		return failed(link);
	if (!file_move(link->output, link->target)) {
		diag_error_class(&link->diag, DIAG_ENVIRONMENT, NULL, "cannot write '%s': %s",
				 link->target, strerror(errno));
		return DIAG_ENVIRONMENT;
	}
	objindex_save(link->index);
	stats_phase(&link->stats, "layout file and index");
	return 0;
}

/* True if PATH is there and is no regular file: /dev/null, where nothing can be placed. */
static bool is_special(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* True if the output is one of the inputs, which ld refuses. */
static bool is_input(const struct inputs *inputs, const char *target)
{
	struct stat output, input;

	if (stat(target, &output) != 0)
		return false;
	for (size_t i = 0; i < inputs->list.count; i++)
		if (inputs->list.at[i].path != NULL && stat(inputs->list.at[i].path, &input) == 0 &&
		    input.st_dev == output.st_dev && input.st_ino == output.st_ino)
			return true;
	return false;
}

/* The reference must outlive the link: it is read again by the next. */
static bool check_lock_path(struct link *link)
{
	struct stat lock, layout;

	if (link->policy.lock == NULL || stat(link->policy.lock, &lock) != 0 ||
	    stat(layout_path(link), &layout) != 0 || lock.st_dev != layout.st_dev ||
	    lock.st_ino != layout.st_ino)
		return true;
	diag_error_class(&link->diag, DIAG_USAGE, NULL, "the lock '%s' is the layout that this link "
			 "writes: copy it, or name another layout with 'layout='",
			 link->policy.lock);
	return false;
}

static void remove_file(const char *path)
{
	if (!is_special(path))
		unlink(path);
}

static int run(struct link *link, int argc, char **argv)
{
	const char *capture;
	bool opened;
	int status;

	stats_begin(&link->stats);
	linkline_parse(&link->line, argc, argv);
	link->ld = real_ld(&link->diag);
	if (link->ld == NULL)
		return DIAG_ENVIRONMENT;
	capture = getenv(CAPTURE_VARIABLE);
	if (capture != NULL && capture[0] != '\0' && !link->line.informational &&
	    !link->line.relocatable) {
		catch_signals();
		return capture_link(capture, &link->line, argv, link->ld, &link->diag);
	}
	if (!read_policy(link))
		return failed(link);
	if (!link->policy.any) {
		execv(link->ld, argv);
		return hand_over(link);
	}
	link->target = link->line.output != NULL ? link->line.output : "a.out";
	link->name = link->policy.as != NULL ? link->policy.as : link->target;
	if (link->line.informational || !policy_wants_output(&link->policy, link->name) ||
	    is_special(link->target))
		return hand_over(link);
	if (link->line.mri_script)
		return decline(link, "it is an MRI script");
	if (link->line.unsupported != NULL)
		return decline(link, obstack_format(&link->arena, "'%s' is not supported",
						    link->line.unsupported));
	if (!link_scripts_read(&link->scripts, &link->line, link->ld, link->line.relocatable,
			       &link->diag))
		return failed(link);
	if (link->line.output == NULL && link->scripts.output != NULL) {
		link->target = link->scripts.output;
		link->name = link->policy.as != NULL ? link->policy.as : link->target;
	}
	stats_phase(&link->stats, "link line and scripts");
	if (!cache_open(&link->cache, link->target, link->line.relocatable, link->policy.cache,
			link->policy.keep, &link->diag))
		return DIAG_ENVIRONMENT;
	if (strchr(link->cache.work, '"') != NULL)
		return decline(link, "a linker script cannot name a folder that has a '\"'");
	link->index = objindex_open(cache_index_path(&link->cache));
	link->root = link->policy.root != NULL ? link->policy.root : ".";
	opened = inputs_open(&link->inputs, &link->line, link->scripts.search_dirs.at, link->root,
			     link->policy.within, link->index, &link->diag);
	if (is_input(&link->inputs, link->target))
		return hand_over(link);
	if (!check_lock_path(link))
		return failed(link);
	link->placing = true;
	if (!opened)
		return failed(link);
	stats_phase(&link->stats, "inputs");
	if (link->inputs.list.count == 0)
		return hand_over(link);
	if (link->inputs.has_lto)
		return decline_lto(link);
	if (link->inputs.opaque != NULL)
		return decline(link, obstack_format(&link->arena, "'%s' is no ELF object",
						    link->inputs.opaque));
	if (link->inputs.has_script_sections)
		return decline(link, "a script among its inputs has SECTIONS");
	catch_signals();
	status = place(link);
	return status == DECLINED ? decline_lto(link) : status;
}

int driver_run(int argc, char **argv)
{
	struct link link = { 0 };
	int status;

	diag_init(&link.diag, "kerning-ld", stderr);
	policy_init(&link.policy);
	obstack_init(&link.arena);
	status = run(&link, argc, argv);
	/* As ld does: what a failed link was to make is not there, not even from last time. */
	if (status != 0 && !interrupted && link.placing) {
		remove_file(link.target);
		if (!link.line.relocatable)
			remove_file(layout_path(&link));
	}
	close_cache(&link);
	if (link.policy.stats)
		stats_write(&link.stats, stderr);
	if (interrupted) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return status;
}
