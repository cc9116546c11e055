/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading is strict: what a bundle says becomes paths.
 */
#include "config.h"
#include "ld/bundle-json.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "layout/escape.h"
#include "lib/memory.h"

#define FORMAT 1

/* --- Reading -------------------------------------------------------------- */

struct reader {
	struct bundle *bundle;
	const struct source *source;
	struct diag *diag;
	const char *where;	/* what is read, for messages: "links[2]" */
	bool ok;
};

/* Reports what is wrong with NAME of what is read, once. */
static void wrong(struct reader *reader, const char *name, const char *expected)
{
	if (reader->ok)
		diag_error(reader->diag, NULL, "'%s': %s%s%s: expected %s", reader->source->name,
			   reader->where, reader->where[0] != '\0' ? "." : "", name, expected);
	reader->ok = false;
}

/* VALUE as a text in the arena; NULL: it is none. */
static const char *text_of(struct reader *reader, const json_t *value)
{
	const char *text = json_string_value(value);

	if (text != NULL)
		return obstack_strdup(&reader->bundle->arena, text);
	text = json_string_value(json_object_get(value, "bytes"));
	return text == NULL ? NULL :
	       unescape_text(text, text + strlen(text), &reader->bundle->arena);
}

static const char *optional_text(struct reader *reader, const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);
	const char *text;

	if (value == NULL)
		return NULL;
	text = text_of(reader, value);
	if (text == NULL)
		wrong(reader, name, "a text");
	return text;
}

static const char *text(struct reader *reader, const json_t *object, const char *name)
{
	const char *found = optional_text(reader, object, name);

	if (found == NULL)
		wrong(reader, name, "a text");
	return found != NULL ? found : "";
}

static const char *path(struct reader *reader, const json_t *object, const char *name)
{
	const char *found = text(reader, object, name);

	if (!is_normal(found))
		wrong(reader, name, "an absolute path without \".\" and \"..\"");
	return found;
}

static uint64_t number(struct reader *reader, const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		wrong(reader, name, "a number");
	return (uint64_t)json_integer_value(value);
}

static uint64_t hash(struct reader *reader, const json_t *object, const char *name)
{
	const char *digits = json_string_value(json_object_get(object, name));

	if (digits == NULL || strlen(digits) != 16 ||
	    strspn(digits, "0123456789abcdef") != 16) {
		wrong(reader, name, "16 hexadecimal digits");
		return 0;
	}
	return strtoull(digits, NULL, 16);
}

static const json_t *array(struct reader *reader, const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (!json_is_array(value))
		wrong(reader, name, "an array");
	return value;
}

static const json_t *members(struct reader *reader, const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (!json_is_object(value))
		wrong(reader, name, "an object");
	return value;
}

/* Where a relative symbolic link at PATH leads is below "/". */
static bool stays_inside(const char *at, const char *target)
{
	int depth = -1;

	for (const char *p = at; *p != '\0'; p++)
		depth += *p == '/';
	if (target[0] == '/' || target[0] == '\0')
		return false;
	while (*target != '\0') {
		size_t length = strcspn(target, "/");

		if (length == 2 && strncmp(target, "..", 2) == 0)
			depth--;
		else if (length > 0 && !(length == 1 && target[0] == '.'))
			depth++;
		if (depth < 0)
			return false;
		target += length;
		target += strspn(target, "/");
	}
	return true;
}

static void read_files(struct reader *reader, struct bundle_link *link, const json_t *object)
{
	const json_t *files = array(reader, object, "files"), *item;
	size_t i;

	json_array_foreach((json_t *)files, i, item) {
		struct bundle_file *file = vec_push(&link->files);

		*file = (struct bundle_file){
			.path = path(reader, item, "path"), .size = number(reader, item, "size"),
			.staged = optional_text(reader, item, "staged"),
		};
		if (file->staged == NULL)
			file->hash = hash(reader, item, "hash");
		else if (strchr(file->staged, '/') != NULL)
			wrong(reader, "files", "names without \"/\" in \"staged\"");
	}
}

static void read_symlinks(struct reader *reader, struct bundle_link *link, const json_t *object)
{
	const json_t *symlinks = array(reader, object, "symlinks"), *item;
	size_t i;

	json_array_foreach((json_t *)symlinks, i, item) {
		struct bundle_symlink *symlink = vec_push(&link->symlinks);

		*symlink = (struct bundle_symlink){ path(reader, item, "path"),
						    text(reader, item, "target") };
		if (!stays_inside(symlink->path, symlink->target))
			wrong(reader, "symlinks", "targets within the bundle");
	}
}

static void read_environment(struct reader *reader, struct bundle_link *link, const json_t *object)
{
	const json_t *variables = members(reader, object, "environment"), *value;
	const char *name;

	json_object_foreach((json_t *)variables, name, value) {
		const char *found = text_of(reader, value);

		if (found == NULL || name[0] == '\0' || strchr(name, '=') != NULL)
			wrong(reader, "environment", "names and texts");
		else
			*vec_push(&link->environment) = (struct bundle_variable){
				obstack_strdup(&reader->bundle->arena, name), found };
	}
}

/* Appends to what VEC is the texts of the array NAME. */
#define read_texts(reader, vec, object, name, check) do { \
	const json_t *list_ = array(reader, object, name), *item_; \
	size_t i_; \
	json_array_foreach((json_t *)list_, i_, item_) { \
		const char *text_ = text_of(reader, item_); \
		if (text_ == NULL || !(check)(text_)) \
			wrong(reader, name, (check) == is_normal ? "absolute paths" : "texts"); \
		else \
			*vec_push(vec) = text_; \
	} \
} while (0)

static bool is_any(const char *text)
{
	return text != NULL;
}

/* "files", "files-2", "files-3", ... */
static bool is_root(const char *root)
{
	if (strcmp(root, "files") == 0)
		return true;
	return strncmp(root, "files-", 6) == 0 && root[6] != '\0' &&
	       strspn(root + 6, "0123456789") == strlen(root + 6);
}

/* True if the last part of PATH can name a file. */
static bool is_file_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;

	return base[0] != '\0' && strcmp(base, ".") != 0 && strcmp(base, "..") != 0;
}

static void read_link(struct reader *reader, struct bundle_link *link, const json_t *object)
{
	if (!json_is_object(object)) {
		wrong(reader, "", "an object");
		return;
	}
	link->output = path(reader, object, "output");
	link->name = text(reader, object, "name");
	link->folder = path(reader, object, "folder");
	link->root = optional_text(reader, object, "root");
	link->linker = text(reader, object, "linker");
	link->version = optional_text(reader, object, "version");
	link->time = text(reader, object, "time");
	link->unkept = optional_text(reader, object, "unkept");
	link->hash = hash(reader, object, "hash");
	link->size = number(reader, object, "size");
	link->placed = json_is_true(json_object_get(object, "placed"));
	if (json_object_get(object, "inode") != NULL) {
		link->device = number(reader, object, "device");
		link->inode = number(reader, object, "inode");
	}
	if (link->root != NULL && !is_root(link->root))
		wrong(reader, "root", "\"files\" or \"files-N\"");
	if (!is_file_name(link->output))
		wrong(reader, "output", "a file's path");
	if (!is_file_name(link->name))
		wrong(reader, "name", "a file's path");
	read_texts(reader, &link->words, object, "words", is_any);
	read_texts(reader, &link->folders, object, "folders", is_normal);
	read_environment(reader, link, object);
	read_files(reader, link, object);
	read_symlinks(reader, link, object);
}

static json_t *load(const struct source *source, struct diag *diag)
{
	json_error_t error;
	json_t *object = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
	struct span span = { .source = source };

	if (object != NULL)
		return object;
	span.begin = error.position > 0 && (size_t)error.position <= source->size ?
		     (uint32_t)error.position - 1 : 0;
	span.end = span.begin;
	diag_error(diag, &span, "%s", error.text);
	return NULL;
}

bool bundle_link_from_json(struct bundle *bundle, struct bundle_link *link,
			   const struct source *source, struct diag *diag)
{
	struct reader reader = { .bundle = bundle, .source = source, .diag = diag, .where = "",
				 .ok = true };
	json_t *object = load(source, diag);

	*link = (struct bundle_link){ 0 };
	if (object == NULL)
		return false;
	read_link(&reader, link, object);
	json_decref(object);
	return reader.ok;
}

static void read_bundle(struct reader *reader, const json_t *object)
{
	struct bundle *bundle = reader->bundle;
	const json_t *version = json_object_get(object, "kerning-bundle"), *links, *item;
	size_t i;

	if (!json_is_integer(version)) {
		wrong(reader, "kerning-bundle", "the number of a bundle's format");
		return;
	}
	if (json_integer_value(version) != FORMAT) {
		diag_error(reader->diag, NULL, "'%s' has format %lld, this is kerning "
			   PACKAGE_VERSION ", which reads format %d", reader->source->name,
			   (long long)json_integer_value(version), FORMAT);
		reader->ok = false;
		return;
	}
	bundle->folder = path(reader, object, "folder");
	bundle->time = text(reader, object, "time");
	read_texts(reader, &bundle->command, object, "command", is_any);
	links = array(reader, object, "links");
	json_array_foreach((json_t *)links, i, item) {
		struct bundle_link *link = vec_push(&bundle->links);

		*link = (struct bundle_link){ 0 };
		reader->where = obstack_format(&bundle->arena, "links[%zu]", i);
		read_link(reader, link, item);
		if (link->root == NULL)
			wrong(reader, "root", "a text");
		for (size_t k = 0; k < link->files.count; k++)
			if (link->files.at[k].staged != NULL)
				wrong(reader, "files", "files with a \"hash\"");
	}
}

bool bundle_from_json(struct bundle *bundle, const struct source *source, struct diag *diag)
{
	struct reader reader = { .bundle = bundle, .source = source, .diag = diag, .where = "",
				 .ok = true };
	json_t *object = load(source, diag);

	if (object == NULL)
		return false;
	read_bundle(&reader, object);
	json_decref(object);
	return reader.ok;
}

/* --- Writing -------------------------------------------------------------- */

static json_t *from_text(const char *bytes)
{
	json_t *string = json_string(bytes), *object;
	char *escaped, *to;

	if (string != NULL)
		return string;
	to = escaped = xmalloc(3 * strlen(bytes) + 1);
	for (; *bytes != '\0'; bytes++) {
		if ((unsigned char)*bytes < 0x80 && *bytes != '%')
			*to++ = *bytes;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*bytes);
	}
	*to = '\0';
	object = json_pack("{s:s}", "bytes", escaped);
	free(escaped);
	return object;
}

static json_t *from_hash(uint64_t value)
{
	char digits[20];

	snprintf(digits, sizeof digits, "%016" PRIx64, value);
	return json_string(digits);
}

static void set_text(json_t *object, const char *name, const char *value)
{
	if (value != NULL)
		json_object_set_new(object, name, from_text(value));
}

static json_t *from_texts(const char *const *texts, size_t count)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, from_text(texts[i]));
	return list;
}

static json_t *from_link(const struct bundle_link *link)
{
	json_t *object = json_object(), *list;

	set_text(object, "output", link->output);
	set_text(object, "name", link->name);
	json_object_set_new(object, "hash", from_hash(link->hash));
	json_object_set_new(object, "size", json_integer((json_int_t)link->size));
	json_object_set_new(object, "placed", json_boolean(link->placed));
	if (link->inode != 0) {
		json_object_set_new(object, "device", json_integer((json_int_t)link->device));
		json_object_set_new(object, "inode", json_integer((json_int_t)link->inode));
	}
	set_text(object, "unkept", link->unkept);
	set_text(object, "folder", link->folder);
	set_text(object, "root", link->root);
	set_text(object, "linker", link->linker);
	set_text(object, "version", link->version);
	set_text(object, "time", link->time);
	json_object_set_new(object, "words", from_texts(link->words.at, link->words.count));
	list = json_object();
	for (size_t i = 0; i < link->environment.count; i++)
		set_text(list, link->environment.at[i].name, link->environment.at[i].value);
	json_object_set_new(object, "environment", list);
	list = json_array();
	for (size_t i = 0; i < link->files.count; i++) {
		const struct bundle_file *file = &link->files.at[i];
		json_t *item = json_object();

		set_text(item, "path", file->path);
		json_object_set_new(item, "size", json_integer((json_int_t)file->size));
		if (file->staged != NULL)
			set_text(item, "staged", file->staged);
		else
			json_object_set_new(item, "hash", from_hash(file->hash));
		json_array_append_new(list, item);
	}
	json_object_set_new(object, "files", list);
	list = json_array();
	for (size_t i = 0; i < link->symlinks.count; i++) {
		json_t *item = json_object();

		set_text(item, "path", link->symlinks.at[i].path);
		set_text(item, "target", link->symlinks.at[i].target);
		json_array_append_new(list, item);
	}
	json_object_set_new(object, "symlinks", list);
	json_object_set_new(object, "folders", from_texts(link->folders.at, link->folders.count));
	return object;
}

static bool dump(json_t *object, FILE *stream)
{
	bool ok = json_dumpf(object, stream, JSON_INDENT(1)) == 0;

	json_decref(object);
	putc('\n', stream);
	return ok && !ferror(stream);
}

bool bundle_link_to_json(const struct bundle_link *link, FILE *stream)
{
	return dump(from_link(link), stream);
}

bool bundle_to_json(const struct bundle *bundle, FILE *stream)
{
	json_t *object = json_object(), *links = json_array();

	json_object_set_new(object, "kerning-bundle", json_integer(FORMAT));
	json_object_set_new(object, "tool", json_string("kerning " PACKAGE_VERSION));
	json_object_set_new(object, "command",
			    from_texts(bundle->command.at, bundle->command.count));
	set_text(object, "folder", bundle->folder);
	set_text(object, "time", bundle->time);
	for (size_t i = 0; i < bundle->links.count; i++)
		json_array_append_new(links, from_link(&bundle->links.at[i]));
	json_object_set_new(object, "links", links);
	return dump(object, stream);
}
