/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding a link in a bundle, and telling whether its files are what they were.
 */
#include "config.h"
#include "ld/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "ld/bundle-json.h"
#include "ld/kept.h"
#include "lib/memory.h"

bool is_normal(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *part = path + 1; ; ) {
		size_t length = strcspn(part, "/");

		if (length == 0)
			return part[0] == '\0' && part == path + 1;
		if ((length == 1 && part[0] == '.') ||
		    (length == 2 && part[0] == '.' && part[1] == '.'))
			return false;
		part += length;
		if (*part++ == '\0')
			return true;
	}
}

bool hash_file(const char *path, uint64_t *hash, uint64_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), saved;
	struct stat status;
	void *bytes = NULL;
	bool done;

	if (fd < 0)
		return false;
	done = fstat(fd, &status) == 0;
	if (done && !S_ISREG(status.st_mode)) {
		errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
		done = false;
	}
	if (done && status.st_size > 0) {
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		done = bytes != MAP_FAILED;
	}
	if (done) {
		*size = (uint64_t)status.st_size;
		*hash = XXH3_64bits(bytes, (size_t)status.st_size);
		if (bytes != NULL)
			munmap(bytes, (size_t)status.st_size);
	}
	saved = errno;
	close(fd);
	errno = saved;
	return done;
}

void bundle_init(struct bundle *bundle)
{
	*bundle = (struct bundle){ 0 };
	obstack_init(&bundle->arena);
}

void bundle_link_release(struct bundle_link *link)
{
	vec_release(&link->words);
	vec_release(&link->environment);
	vec_release(&link->files);
	vec_release(&link->symlinks);
	vec_release(&link->folders);
}

void bundle_release(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->links.count; i++)
		bundle_link_release(&bundle->links.at[i]);
	vec_release(&bundle->links);
	vec_release(&bundle->command);
	obstack_free(&bundle->arena, NULL);
}

bool bundle_read(struct bundle *bundle, const char *path, struct diag *diag)
{
	char *index = xasprintf("%s/%s", path, BUNDLE_INDEX), *real = realpath(path, NULL);
	struct source *source = source_read(index);
	bool ok = false;

	if (source == NULL || real == NULL) {
		diag_error_class(diag, errno == ENOENT || errno == ENOTDIR ? DIAG_INPUT :
				 DIAG_ENVIRONMENT, NULL, errno == ENOENT || errno == ENOTDIR ?
				 "'%s' is no bundle: cannot read '" BUNDLE_INDEX "' in it: %s" :
				 "cannot read the bundle '%s': %s", path, strerror(errno));
	} else {
		bundle->given = obstack_strdup(&bundle->arena, path);
		bundle->path = obstack_strdup(&bundle->arena, real);
		ok = bundle_from_json(bundle, source, diag);
	}
	source_free(source);
	free(real);
	free(index);
	return ok;
}

/* --- Which link ----------------------------------------------------------- */

static bool holds_bundle(const char *path)
{
	char *index = xasprintf("%s/%s", path, BUNDLE_INDEX);
	bool there = access(index, F_OK) == 0;

	free(index);
	return there;
}

/* The ':' of SPEC behind the path of a bundle; NULL: SPEC is a path, or none can be found. */
static const char *find_colon(const char *spec)
{
	const char *colon = NULL;

	if (holds_bundle(spec))
		return NULL;
	for (const char *at = strchr(spec, ':'); at != NULL; at = strchr(at + 1, ':')) {
		char *path = xasprintf("%.*s", (int)(at - spec), spec);

		if (at > spec && holds_bundle(path))
			colon = at;
		free(path);
		if (colon != NULL)
			return colon;
	}
	return strrchr(spec, ':');
}

/* True if OUTPUT is PATH, or what it ends with from a '/' on. */
static bool names(const char *path, const char *output)
{
	size_t length = strlen(path), part = strlen(output);

	if (part == 0 || part > length || strcmp(path + length - part, output) != 0)
		return false;
	return part == length || path[length - part - 1] == '/' || output[0] == '/';
}

static void list_links(const struct bundle *bundle, struct diag *diag)
{
	enum { SHOWN = 20 };

	for (size_t i = 0; i < bundle->links.count && i < SHOWN; i++)
		diag_note(diag, NULL, "it has '%s'", bundle->links.at[i].output);
	if (bundle->links.count > SHOWN)
		diag_note(diag, NULL, "and %zu more", bundle->links.count - SHOWN);
}

static const struct bundle_link *find_link(const struct bundle *bundle, const char *output,
					   struct diag *diag)
{
	const struct bundle_link *found = NULL;
	size_t count = 0;

	for (size_t i = 0; i < bundle->links.count; i++) {
		const struct bundle_link *link = &bundle->links.at[i];

		if (output == NULL || names(link->output, output) ||
		    strcmp(link->name, output) == 0) {
			found = link;
			count++;
		}
	}
	if (count == 1)
		return found;
	if (bundle->links.count == 0)
		diag_error(diag, NULL, "'%s' holds no link", bundle->given);
	else if (output == NULL)
		diag_error_class(diag, DIAG_USAGE, NULL, "'%s' holds %zu links: say which, as in "
				 "'%s:%s'", bundle->given, count, bundle->given,
				 strrchr(bundle->links.at[0].output, '/') + 1);
	else
		diag_error_class(diag, DIAG_USAGE, NULL, count == 0 ?
				 "'%s' holds no link of '%s'" : "'%s' holds several links of '%s'",
				 bundle->given, output);
	list_links(bundle, diag);
	return NULL;
}

const struct bundle_link *bundle_open(struct bundle *bundle, const char *spec, struct diag *diag)
{
	const char *colon = find_colon(spec);
	const char *path = colon == NULL ? spec :
			   obstack_strndup(&bundle->arena, spec, (size_t)(colon - spec));

	if (!bundle_read(bundle, path, diag))
		return NULL;
	return find_link(bundle, colon != NULL ? colon + 1 : NULL, diag);
}

/* --- Whether it is whole -------------------------------------------------- */

/* PATH leads somewhere; a copy of a bundle may have files in the place of symbolic links. */
static bool is_there(const struct bundle *bundle, const struct bundle_link *link, const char *path,
		     struct obstack *arena, struct diag *diag)
{
	char *whole = obstack_format(arena, "%s/%s%s", bundle->path, link->root, path);
	bool there = access(whole, F_OK) == 0;

	if (!there)
		diag_error(diag, NULL, "the bundle '%s' lacks '%s%s': %s", bundle->given,
			   link->root, path, strerror(errno));
	obstack_free(arena, whole);
	return there;
}

/* What stat(2) says of all files of LINK, as one number; *OK: they are all there, of their sizes. */
static uint64_t look_at(const struct bundle *bundle, const struct bundle_link *link,
			struct obstack *arena, bool *ok, struct diag *diag)
{
	XXH3_state_t *state = XXH3_createState();
	uint64_t facts[8], seen;

	XXH3_64bits_reset(state);
	for (size_t i = 0; i < link->files.count; i++) {
		const struct bundle_file *file = &link->files.at[i];
		char *path = obstack_format(arena, "%s/%s%s", bundle->path, link->root, file->path);
		struct stat status;

		if (stat(path, &status) != 0) {
			diag_error_class(diag, errno == ENOENT || errno == ENOTDIR ? DIAG_INPUT :
					 DIAG_ENVIRONMENT, NULL, "the bundle '%s' lacks '%s%s': %s",
					 bundle->given, link->root, file->path, strerror(errno));
			*ok = false;
		} else if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size != file->size) {
			diag_error(diag, NULL, "in the bundle '%s', '%s%s' was changed: expected %"
				   PRIu64 " bytes, got %jd", bundle->given, link->root, file->path,
				   file->size, (intmax_t)status.st_size);
			*ok = false;
		} else {
			facts[0] = status.st_dev;
			facts[1] = status.st_ino;
			facts[2] = (uint64_t)status.st_size;
			facts[3] = (uint64_t)status.st_mtim.tv_sec;
			facts[4] = (uint64_t)status.st_mtim.tv_nsec;
			facts[5] = (uint64_t)status.st_ctim.tv_sec;
			facts[6] = (uint64_t)status.st_ctim.tv_nsec;
			facts[7] = file->hash;
			XXH3_64bits_update(state, facts, sizeof facts);
		}
		obstack_free(arena, path);
	}
	for (size_t i = 0; i < link->symlinks.count; i++)
		*ok &= is_there(bundle, link, link->symlinks.at[i].path, arena, diag);
	for (size_t i = 0; i < link->folders.count; i++)
		*ok &= is_there(bundle, link, link->folders.at[i], arena, diag);
	seen = XXH3_64bits_digest(state);
	XXH3_freeState(state);
	return seen;
}

static bool was_seen(const char *stamp, uint64_t seen)
{
	struct source *source = stamp != NULL ? kept_read(stamp) : NULL;
	bool same = source != NULL && source->size == sizeof seen &&
		    memcmp(source->text, &seen, sizeof seen) == 0;

	source_free(source);
	return same;
}

bool bundle_check(const struct bundle *bundle, const struct bundle_link *link, const char *stamp,
		  struct diag *diag)
{
	struct obstack arena;
	bool ok = true;
	uint64_t seen, hash, size;

	obstack_init(&arena);
	seen = look_at(bundle, link, &arena, &ok, diag);
	if (ok && !was_seen(stamp, seen)) {
		for (size_t i = 0; i < link->files.count; i++) {
			const struct bundle_file *file = &link->files.at[i];
			char *path = obstack_format(&arena, "%s/%s%s", bundle->path, link->root,
						    file->path);

			if (!hash_file(path, &hash, &size)) {
				diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read '%s': %s",
						 path, strerror(errno));
				ok = false;
			} else if (hash != file->hash) {
				diag_error(diag, NULL, "in the bundle '%s', '%s%s' was changed: it "
					   "holds other bytes", bundle->given, link->root,
					   file->path);
				ok = false;
			}
			obstack_free(&arena, path);
		}
		if (ok && stamp != NULL)
			kept_write(stamp, (const char *)&seen, sizeof seen);
	}
	obstack_free(&arena, NULL);
	return ok;
}
