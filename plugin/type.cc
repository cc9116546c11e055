/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes, alignments and field offsets of types.
 *
 * A type is changed once, when its last brace has been read: nothing has asked
 * for its size by then.  The front end tells the writer of debug information
 * about the type just before; so it is there that one listens.  No field is added, so that initializers, designated
 * or not, mean what they meant: what grows is the room behind a field.
 */
#include "plugin/plugin.h"

#include "debug.h"

/* By TYPE_UID, which no other type will have: those that have been looked at, and changed. */
static hash_set<int_hash<int, -1, -2>> *looked_at, *changed;

static const char *type_name(tree type)
{
	tree name = TYPE_NAME(type);

	if (name != NULL_TREE && TREE_CODE(name) == TYPE_DECL)
		name = DECL_NAME(name);
	/* One that the front end made up is none. */
	if (name != NULL_TREE && IDENTIFIER_ANON_P(name))
		name = NULL_TREE;
	return name != NULL_TREE ? IDENTIFIER_POINTER(name) : nullptr;
}

static location_t type_location(tree type)
{
	tree stub = TYPE_STUB_DECL(type);

	return stub != NULL_TREE && DECL_P(stub) ? DECL_SOURCE_LOCATION(stub) : input_location;
}

static tree last_field(tree type)
{
	tree last = NULL_TREE;

	for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field))
		if (TREE_CODE(field) == FIELD_DECL)
			last = field;
	return last;
}

/* "int a[];", "int a[0];": what is behind it is the program's. */
static bool ends_open(tree type)
{
	tree field = last_field(type);

	if (field == NULL_TREE || TREE_CODE(TREE_TYPE(field)) != ARRAY_TYPE)
		return false;
	return DECL_SIZE(field) == NULL_TREE || integer_zerop(DECL_SIZE(field));
}

/*
 * C++ may put another class's members behind those of a base that is not as a
 * struct of C is (its "POD for the purpose of layout"): true for what may not be.
 */
static bool is_more_than_c(tree type)
{
	for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
		tree member = TREE_TYPE(field);

		if (TREE_CODE(field) == FUNCTION_DECL && !DECL_ARTIFICIAL(field))
			return true;
		if (TREE_CODE(field) != FIELD_DECL)
			continue;
		if (TREE_PRIVATE(field) || TREE_PROTECTED(field) || DECL_INITIAL(field) != NULL_TREE ||
		    TREE_CODE(member) == REFERENCE_TYPE)
			return true;
		while (TREE_CODE(member) == ARRAY_TYPE)
			member = TREE_TYPE(member);
		if (RECORD_OR_UNION_TYPE_P(member) && is_more_than_c(TYPE_MAIN_VARIANT(member)))
			return true;
	}
	return false;
}

/* Why the layout of TYPE is not ours to change; NULL: it is. */
static const char *refusal(tree type, bool grows)
{
	tree binfo = TYPE_BINFO(type);

	if (lookup_attribute("kerning_fixed", TYPE_ATTRIBUTES(type)) != NULL_TREE)
		return "it is marked kerning_fixed";
	if (lookup_attribute("randomize_layout", TYPE_ATTRIBUTES(type)) != NULL_TREE)
		return "its fields are placed by randomize_layout";
	if (TYPE_PACKED(type) || maximum_field_alignment != initial_max_fld_align * BITS_PER_UNIT)
		return "it is packed";
	if (TYPE_TRANSPARENT_AGGR(type))
		return "it is passed as its first member";
	if (TREE_CODE(TYPE_SIZE(type)) != INTEGER_CST)
		return "its size is not known here";
	if (binfo != NULL_TREE && BINFO_N_BASE_BINFOS(binfo) > 0)
		return "it has base classes";
	if (TYPE_VFIELD(type) != NULL_TREE)
		return "it has virtual functions";
	if (lang_GNU_CXX() && is_more_than_c(type))
		return "it has more than a struct of C";
	if (grows && ends_open(type))
		return "it ends with an array whose length is open";
	return nullptr;
}

/* GCC counts alignments in bits, in 32 of them. */
#define MAX_TYPE_ALIGNMENT (1u << 28)

static uint64_t bytes_of(tree type)
{
	return tree_to_uhwi(TYPE_SIZE_UNIT(type));
}

/* Gives TYPE and its variants a size, rounded up to its alignment, and at least ALIGN (bytes). */
static void resize(tree type, uint64_t size, uint64_t align)
{
	align = MAX(align, TYPE_ALIGN(type) / BITS_PER_UNIT);
	size = (size + align - 1) & -align;
	for (tree variant = type; variant != NULL_TREE; variant = TYPE_NEXT_VARIANT(variant)) {
		TYPE_SIZE(variant) = bitsize_int(size * BITS_PER_UNIT);
		TYPE_SIZE_UNIT(variant) = size_int(size);
		if (align * BITS_PER_UNIT > TYPE_ALIGN(variant)) {
			SET_TYPE_ALIGN(variant, align * BITS_PER_UNIT);
			TYPE_USER_ALIGN(variant) = 1;
		}
	}
	compute_record_mode(type);
	for (tree variant = TYPE_NEXT_VARIANT(type); variant != NULL_TREE;
	     variant = TYPE_NEXT_VARIANT(variant))
		SET_TYPE_MODE(variant, TYPE_MODE(type));
}

/* --- Fields --------------------------------------------------------------------- */

static uint64_t bit_position_of(tree field)
{
	return tree_to_uhwi(DECL_FIELD_OFFSET(field)) * BITS_PER_UNIT +
	       tree_to_uhwi(DECL_FIELD_BIT_OFFSET(field));
}

static uint64_t field_position(tree field)
{
	return bit_position_of(field) / BITS_PER_UNIT;
}

/* What its offset has to be a multiple of, in bytes. */
static uint64_t field_alignment(tree field)
{
	unsigned bits = DECL_ALIGN(field);

	if (DECL_BIT_FIELD_TYPE(field) != NULL_TREE)
		bits = MAX(bits, TYPE_ALIGN(DECL_BIT_FIELD_TYPE(field)));
	if (DECL_BIT_FIELD_REPRESENTATIVE(field) != NULL_TREE)
		bits = MAX(bits, DECL_ALIGN(DECL_BIT_FIELD_REPRESENTATIVE(field)));
	return MAX(bits / BITS_PER_UNIT, 1);
}

/* An offset is a multiple of DECL_OFFSET_ALIGN, and the bits above it. */
static void move_field(tree field, uint64_t bytes)
{
	uint64_t bits = bit_position_of(field) + bytes * BITS_PER_UNIT;
	uint64_t unit = DECL_OFFSET_ALIGN(field);

	DECL_FIELD_OFFSET(field) = size_int(bits / unit * (unit / BITS_PER_UNIT));
	DECL_FIELD_BIT_OFFSET(field) = bitsize_int(bits % unit);
}

/* Moves WANTED to its residue, and what is behind it as if a gap had been written before it. */
static void offset_field(tree type, const char *name, tree wanted, uint64_t residue, uint64_t modulus,
			 const struct directive *directive)
{
	uint64_t position = field_position(wanted);
	uint64_t shift = (residue + modulus - position % modulus) % modulus;
	tree shared = NULL_TREE;	/* the memory that bit-fields are read and written by */
	uint64_t end = 0;
	bool found = false;

	if (DECL_BIT_FIELD_TYPE(wanted) != NULL_TREE) {
		error_at(DECL_SOURCE_LOCATION(wanted), "kerning: %qs: %qD is a bit-field",
			 directive_text(directive), wanted);
		return;
	}
	if (residue % MIN(field_alignment(wanted), modulus) != 0) {
		error_at(DECL_SOURCE_LOCATION(wanted),
			 "kerning: %qs: expected a residue that is a multiple of the alignment %wu of %qD",
			 directive_text(directive), (unsigned HOST_WIDE_INT)field_alignment(wanted), wanted);
		return;
	}
	for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
		uint64_t before, align;

		found |= field == wanted;
		if (!found || TREE_CODE(field) != FIELD_DECL)
			continue;
		before = field_position(field);
		align = field_alignment(field);
		if (DECL_BIT_FIELD_TYPE(field) == NULL_TREE) {
			if (field != wanted)
				shift = MAX((end + align - 1) & -align, before) - before;
			shared = NULL_TREE;
		} else if (shared == NULL_TREE || DECL_BIT_FIELD_REPRESENTATIVE(field) != shared) {
			/* Bit-fields that share memory move as one, and the memory with them. */
			shift = (shift + align - 1) & -align;
			shared = DECL_BIT_FIELD_REPRESENTATIVE(field);
			if (shared != NULL_TREE && shift > 0)
				move_field(shared, shift);
		}
		if (shift > 0)
			move_field(field, shift);
		end = MAX(end, field_position(field));
		if (DECL_SIZE(field) != NULL_TREE && tree_fits_uhwi_p(DECL_SIZE(field)))
			end = (bit_position_of(field) + tree_to_uhwi(DECL_SIZE(field)) + BITS_PER_UNIT - 1) /
			      BITS_PER_UNIT;
	}
	resize(type, MAX(end, bytes_of(type)), 1);
	note_type(name, IDENTIFIER_POINTER(DECL_NAME(wanted)), field_position(wanted));
}

static bool offset_fields(tree type, const char *name)
{
	bool any = false;

	for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
		const struct directive *directive;
		const char *reason;
		uint64_t residue, modulus;

		if (TREE_CODE(field) != FIELD_DECL || DECL_NAME(field) == NULL_TREE)
			continue;
		directive = field_choose(kerning_policy, name, IDENTIFIER_POINTER(DECL_NAME(field)), &residue,
					 &modulus);
		if (directive == nullptr)
			continue;
		reason = TREE_CODE(type) != RECORD_TYPE ? "it is a union" : refusal(type, false);
		if (reason != nullptr) {
			error_at(type_location(type), "kerning: %qs: the layout of %qs is not changed: %s",
				 directive_text(directive), name, reason);
			return any;
		}
		offset_field(type, name, field, residue, modulus, directive);
		any = true;
	}
	return any;
}

/* --- Types ---------------------------------------------------------------------- */

static void change_type(tree type, const char *name)
{
	struct type_choice choice = type_choose(kerning_policy, name);
	bool any = offset_fields(type, name);

	if (choice.why != nullptr) {
		const char *reason = refusal(type, choice.growth > 0);

		if (reason != nullptr) {
			error_at(type_location(type), "kerning: %qs: the layout of %qs is not changed: %s",
				 directive_text(choice.why), name, reason);
			return;
		}
		if (choice.align > MAX_TYPE_ALIGNMENT) {
			error_at(type_location(type), "kerning: %qs: expected an alignment up to %wu, got %wu",
				 directive_text(choice.why), (unsigned HOST_WIDE_INT)MAX_TYPE_ALIGNMENT,
				 (unsigned HOST_WIDE_INT)choice.align);
			return;
		}
		resize(type, bytes_of(type) + choice.growth, MAX(choice.align, 1));
		any = true;
	}
	if (!any)
		return;
	changed->add(TYPE_UID(type));
	note_type(name, "size", bytes_of(type));
}

/* What lies over a changed type in a union lies elsewhere in it now. */
static void warn_of_union(tree type)
{
	for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
		tree member = TREE_CODE(field) == FIELD_DECL ? TYPE_MAIN_VARIANT(TREE_TYPE(field)) : NULL_TREE;

		if (member != NULL_TREE && RECORD_OR_UNION_TYPE_P(member) && changed->contains(TYPE_UID(member)))
			warning_at(DECL_SOURCE_LOCATION(field), 0,
				   "kerning: %qT, whose layout was changed, is a member of a union", member);
	}
}

/* NAME: what the source calls it, where the type itself does not know. */
static void look_at(tree type, const char *name)
{
	if (type == NULL_TREE || type == error_mark_node || !TYPE_P(type) || !RECORD_OR_UNION_TYPE_P(type))
		return;
	type = TYPE_MAIN_VARIANT(type);
	if (type_name(type) != nullptr)
		name = type_name(type);
	/* A template itself has no size; what is made of it has. */
	if (!COMPLETE_TYPE_P(type) || integer_zerop(TYPE_SIZE(type)) || name == nullptr ||
	    looked_at->add(TYPE_UID(type)))
		return;
	change_type(type, name);
	if (TREE_CODE(type) == UNION_TYPE)
		warn_of_union(type);
}

/* Where the front end did not tell, as it does not once there was an error. */
static void finish_type(void *type, void *)
{
	look_at(static_cast<tree>(type), nullptr);
}

/* "typedef struct { ... } name;": it has its name from here on. */
static void finish_declaration(void *data, void *)
{
	tree decl = static_cast<tree>(data);

	if (decl != NULL_TREE && TREE_CODE(decl) == TYPE_DECL && DECL_NAME(decl) != NULL_TREE)
		look_at(TREE_TYPE(decl), IDENTIFIER_POINTER(DECL_NAME(decl)));
}

static struct gcc_debug_hooks hooks;
static void (*describe_type)(tree, int);

static void look_at_and_describe(tree decl, int local)
{
	if (decl != NULL_TREE && TREE_CODE(decl) == TYPE_DECL)
		look_at(TREE_TYPE(decl), nullptr);
	describe_type(decl, local);
}

/* Not before: GCC chooses its hooks when all options are known. */
static void listen(void *, void *)
{
	hooks = *debug_hooks;
	describe_type = hooks.type_decl;
	hooks.type_decl = look_at_and_describe;
	debug_hooks = &hooks;
}

void types_begin(const char *plugin)
{
	looked_at = new hash_set<int_hash<int, -1, -2>>;
	changed = new hash_set<int_hash<int, -1, -2>>;
	register_callback(plugin, PLUGIN_START_UNIT, listen, nullptr);
	register_callback(plugin, PLUGIN_FINISH_TYPE, finish_type, nullptr);
	register_callback(plugin, PLUGIN_FINISH_DECL, finish_declaration, nullptr);
}
