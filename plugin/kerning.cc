/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plugin for one version of GCC: its arguments, its attributes, its parts.
 */
#include "plugin/plugin.h"

#include <string>

struct policy *kerning_policy;

/* --- Names ---------------------------------------------------------------- */

/*
 * As -ffile-prefix-map has it, which builds give that are to be the same in any
 * folder; then from the root, or from the folder that the compiler runs in.
 */
const char *source_name()
{
	static std::string name;

	if (!name.empty())
		return name.c_str();
	const char *root = arguments_root(kerning_policy);
	std::string base = root != nullptr ? root : get_src_pwd();

	name = remap_macro_filename(main_input_filename != nullptr ? main_input_filename : "");
	if (base.empty() || base.back() != '/')
		base += '/';
	if (base.size() > 1 && name.compare(0, base.size(), base) == 0)
		name.erase(0, base.size());
	while (name.compare(0, 2, "./") == 0)
		name.erase(0, 2);
	return name.c_str();
}

const char *assembler_name(tree decl)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(decl));

	return targetm.strip_name_encoding(name);
}

/* --- Attributes ----------------------------------------------------------- */

static tree take_fixed(tree *, tree, tree, int, bool *)
{
	return NULL_TREE;
}

static tree take_align(tree *node, tree name, tree arguments, int, bool *no_add)
{
	tree value = TREE_VALUE(arguments);

	/* The name of a constant. */
	if (DECL_P(value) && DECL_INITIAL(value) != NULL_TREE)
		value = TREE_VALUE(arguments) = DECL_INITIAL(value);
	*no_add = true;
	if (TREE_CODE(*node) != FUNCTION_DECL &&
	    (TREE_CODE(*node) != VAR_DECL || !(TREE_STATIC(*node) || DECL_EXTERNAL(*node))))
		warning(OPT_Wattributes, "%qE attribute ignored: it is for functions and variables that are "
			"not automatic", name);
	else if (!tree_fits_uhwi_p(value) || !pow2p_hwi(tree_to_uhwi(value)))
		error_at(DECL_SOURCE_LOCATION(*node), "%qE: expected an alignment that is a power of two, "
			 "got %qE", name, value);
	else
		*no_add = false;
	return NULL_TREE;
}

static const struct attribute_spec attributes[] = {
	{ "kerning_fixed", 0, 0, false, false, false, false, take_fixed, nullptr },
	{ "kerning_align", 1, 1, true, false, false, false, take_align, nullptr },
};

static void register_attributes(void *, void *)
{
	for (const struct attribute_spec &spec : attributes)
		register_attribute(&spec);
}

bool is_fixed(tree decl)
{
	tree type = TREE_TYPE(decl);

	while (type != NULL_TREE && TREE_CODE(type) == ARRAY_TYPE)
		type = TREE_TYPE(type);
	return lookup_attribute("kerning_fixed", DECL_ATTRIBUTES(decl)) != NULL_TREE ||
	       (type != NULL_TREE && TYPE_P(type) && RECORD_OR_UNION_TYPE_P(type) &&
		lookup_attribute("kerning_fixed", TYPE_ATTRIBUTES(type)) != NULL_TREE);
}

uint64_t attribute_alignment(tree decl)
{
	tree attribute = lookup_attribute("kerning_align", DECL_ATTRIBUTES(decl));

	return attribute != NULL_TREE ? tree_to_uhwi(TREE_VALUE(TREE_VALUE(attribute))) : 0;
}

/* --- What the parts share --------------------------------------------------- */

bool report_contradiction(tree decl, const struct symbol_choice *choice, uint64_t align)
{
	if (choice->contradicted == nullptr)
		return false;
	error_at(DECL_SOURCE_LOCATION(decl),
		 "kerning: %qs: expected a residue that is a multiple of the alignment %wu of %qs, got %wu",
		 directive_text(choice->contradicted), (unsigned HOST_WIDE_INT)align, assembler_name(decl),
		 (unsigned HOST_WIDE_INT)choice->residue);
	return true;
}

bool may_split(const char *name)
{
	for (; *name != '\0'; name++)
		if (!ISALNUM(*name) && *name != '_' && *name != '.' && *name != '$')
			return false;
	return true;
}

static void write_skip(FILE *file, uint64_t bytes, int fill)
{
	if (bytes == 0)
		return;
	if (fill >= 0)
		fprintf(file, "\t.skip\t%llu, 0x%x\n", (unsigned long long)bytes, (unsigned)fill);
	else
		fprintf(file, "\t.skip\t%llu\n", (unsigned long long)bytes);
}

void write_place(FILE *file, uint64_t pad, uint64_t modulus, uint64_t residue, int fill)
{
	write_skip(file, pad, fill);
	if (modulus > 1)
		fprintf(file, "\t.p2align\t%d\n", floor_log2(modulus));
	write_skip(file, residue, fill);
}

/* --- The compilation -------------------------------------------------------- */

static void report_error(const char *message)
{
	error_at(UNKNOWN_LOCATION, "kerning: %s", message);
}

static void report_warning(const char *message)
{
	warning_at(UNKNOWN_LOCATION, 0, "kerning: %s", message);
}

static void begin_unit(void *, void *)
{
	/* What is compiled at the link knows neither the source nor its options. */
	if (flag_generate_lto)
		error_at(UNKNOWN_LOCATION, "kerning: link-time optimization places functions and variables "
			 "itself: compile with %<-fno-lto%>");
}

static void end_unit(void *, void *)
{
	if (!seen_error())
		note_write();
}

static struct plugin_info information = {
	PACKAGE_VERSION,
	"kerning " PACKAGE_VERSION ": places functions, variables, loops and the fields of types.\n"
	"Arguments are -fplugin-arg-kerning-KEY=VALUE; kerning-plugin(1) says which.\n",
};

extern "C" __attribute__((visibility("default")))
int kerning_plugin_init(struct plugin_name_args *plugin, struct plugin_gcc_version *version)
{
	const char *name = plugin->base_name;

	if (strcmp(version->basever, gcc_version.basever) != 0) {
		error("kerning: this is GCC %s; the plugin was built for GCC %s", version->basever,
		      gcc_version.basever);
		return 1;
	}
	kerning_policy = arguments_policy();
	for (int i = 0; i < plugin->argc; i++)
		arguments_add(kerning_policy, plugin->argv[i].key, plugin->argv[i].value, report_error);
	arguments_check(kerning_policy, report_warning);
	register_callback(name, PLUGIN_INFO, nullptr, &information);
	register_callback(name, PLUGIN_ATTRIBUTES, register_attributes, nullptr);
	functions_begin(name);
	variables_begin(name);
	if (arguments_ask_types(kerning_policy))
		types_begin(name);
	if (arguments_ask(kerning_policy)) {
		register_callback(name, PLUGIN_START_UNIT, begin_unit, nullptr);
		register_callback(name, PLUGIN_FINISH_UNIT, end_unit, nullptr);
	}
	return 0;
}
