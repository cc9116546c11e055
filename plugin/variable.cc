/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placing variables.
 *
 * GCC writes a variable by switching to its section, aligning, and writing the
 * label: there is no place for a word between.  So a variable that is placed
 * gets a section of its own in GCC's eyes, whose name is the real one and a
 * mark; where GCC asks for that section to be begun, the real name is written,
 * and the variable's place.
 *
 * A symbol that is split gets a section that is one in the object too.  The
 * linker driver knows it by its name, ".data.@:v".
 */
#include "plugin/plugin.h"

/* No section's name has this in it. */
static const char mark[] = ".\001";

static decl_map<symbol_choice> *variables;

/* Some directive is about variables: else only attributes ask. */
static bool asked;

/* --- Sections ----------------------------------------------------------------- */

static void (*begin_section)(const char *, unsigned, tree);

static uint64_t current_alignment(tree decl)
{
	return DECL_ALIGN(decl) / BITS_PER_UNIT;
}

/*
 * Room behind a variable: GCC fills what its initial value leaves of its size.
 * That is larger only while it is written, for code that is made afterwards
 * copies as much as a variable is said to be large.
 */
static struct {
	tree decl;		/* that is being written: in use */
	uint64_t bytes;		/* before */
} grown;

static void set_size(tree decl, uint64_t bytes)
{
	DECL_SIZE_UNIT(decl) = size_int(bytes);
	DECL_SIZE(decl) = bitsize_int(bytes * BITS_PER_UNIT);
}

static void shrink()
{
	if (grown.decl == NULL_TREE)
		return;
	set_size(grown.decl, grown.bytes);
	grown.decl = NULL_TREE;
}

static void grow(tree decl, uint64_t bytes)
{
	grown.decl = decl;
	grown.bytes = tree_to_uhwi(DECL_SIZE_UNIT(decl));
	set_size(decl, grown.bytes + bytes);
}

/* A function's code is about to be made. */
static void begin_function(void *, void *)
{
	shrink();
}

static void report_alignment(tree decl)
{
	warning_at(DECL_SOURCE_LOCATION(decl), 0,
		   "kerning: %qs is not where it was asked for: the compiler aligns it to %wu",
		   assembler_name(decl), (unsigned HOST_WIDE_INT)current_alignment(decl));
}

static void begin_placed_section(const char *name, unsigned flags, tree decl)
{
	const char *end = strstr(name, mark);
	char *real;
	symbol_choice *choice;

	shrink();
	if (end == nullptr) {
		begin_section(name, flags, decl);
		return;
	}
	real = xstrndup(name, end - name);
	begin_section(real, flags & ~SECTION_DECLARED, decl);
	free(real);
	choice = decl != NULL_TREE && variables != nullptr ? variables->get(DECL_UID(decl)) : nullptr;
	if (choice == nullptr)
		return;
	/* GCC may have found a reason since then. */
	if (choice->modulus > 1 && choice->residue % current_alignment(decl) != 0)
		report_alignment(decl);
	write_place(asm_out_file, 0, choice->modulus, choice->residue, -1);
	if (choice->pad > 0)
		grow(decl, choice->pad);
	note_symbol(TREE_PUBLIC(decl) ? 'V' : 'v', assembler_name(decl), choice);
}

/* The section that DECL would go to; NULL: one that is not to be touched (merged, common). */
static const char *natural_section(tree decl)
{
	int own_sections = flag_data_sections;
	section *where;

	if (DECL_SECTION_NAME(decl) != nullptr)
		return DECL_SECTION_NAME(decl);
	/* Not the one that -fdata-sections would make. */
	flag_data_sections = 0;
	where = get_variable_section(decl, false);
	flag_data_sections = own_sections;
	if ((where->common.flags & SECTION_MERGE) != 0)
		return nullptr;
	if (SECTION_STYLE(where) == SECTION_NAMED)
		return where->named.name;
	if (where == data_section)
		return ".data";
	if (where == readonly_data_section)
		return ".rodata";
	if (where == bss_section || where == lcomm_section || where == bss_noswitch_section)
		return ".bss";
	return nullptr;
}

/* GCC may raise the alignment of a variable later, but of one whose section is the program's own choice. */
static void set_section(tree decl, const char *name, bool keep_alignment)
{
	set_decl_section_name(decl, name);
	symtab_node::get(decl)->implicit_section = !keep_alignment;
}

/* --- Variables ------------------------------------------------------------------ */

/* Has a place already, or what its place is is not for this unit to say. */
static bool is_guarded(varpool_node *node)
{
	tree decl = node->decl;

	return (DECL_SECTION_NAME(decl) != nullptr && !node->implicit_section) ||
	       DECL_THREAD_LOCAL_P(decl) || DECL_COMDAT(decl) || DECL_ONE_ONLY(decl) || DECL_WEAK(decl);
}

static uint64_t own_alignment(tree decl)
{
	unsigned bits = DECL_USER_ALIGN(decl) ? DECL_ALIGN(decl) : TYPE_ALIGN(TREE_TYPE(decl));

	return MAX(bits / BITS_PER_UNIT, 1);
}

/* GCC numbers the static variables of functions; their names in the source say which they are. */
static char *variable_key(tree decl)
{
	tree context = DECL_CONTEXT(decl);

	if (DECL_NAME(decl) == NULL_TREE || context == NULL_TREE || TREE_CODE(context) != FUNCTION_DECL ||
	    !DECL_ASSEMBLER_NAME_SET_P(context))
		return xstrdup(assembler_name(decl));
	return concat(assembler_name(context), "::", IDENTIFIER_POINTER(DECL_NAME(decl)), nullptr);
}

static bool may_place(varpool_node *node)
{
	tree decl = node->decl;

	return node->definition && !node->alias && TREE_STATIC(decl) && !DECL_EXTERNAL(decl) &&
	       !DECL_HARD_REGISTER(decl) && !DECL_IN_CONSTANT_POOL(decl) && !DECL_HAS_VALUE_EXPR_P(decl) &&
	       !TREE_ASM_WRITTEN(decl) && DECL_SIZE_UNIT(decl) != NULL_TREE &&
	       tree_fits_uhwi_p(DECL_SIZE_UNIT(decl)) && !is_fixed(decl) && !is_large_data(decl);
}

static void place_variable(varpool_node *node)
{
	tree decl = node->decl;
	const char *where;
	char *key, *name, number[24];
	uint64_t attribute = attribute_alignment(decl);
	symbol_choice choice;

	if ((!asked && attribute == 0) || !may_place(node))
		return;
	key = variable_key(decl);
	struct symbol symbol = { source_name(), assembler_name(decl), key, false, is_guarded(node),
				 own_alignment(decl) };
	choice = symbol_choose(kerning_policy, &symbol);
	free(key);
	if (attribute > 0 && choice.modulus == 0)
		choice.modulus = MAX(attribute, symbol.align);
	/* The address sanitizer has room of its own behind each, and goes by their sizes at the end. */
	if ((flag_sanitize & SANITIZE_ADDRESS) != 0)
		choice.pad = 0;
	if (report_contradiction(decl, &choice, symbol.align) ||
	    (choice.modulus <= 1 && choice.pad == 0 && !choice.split))
		return;
	where = natural_section(decl);
	if (where == nullptr)
		return;
	/* Code may go by what GCC has raised the alignment to. */
	if (choice.modulus > 1 && choice.residue % current_alignment(decl) != 0) {
		report_alignment(decl);
		return;
	}
	snprintf(number, sizeof number, "%u", DECL_UID(decl));
	if (choice.split && may_split(symbol.name))
		name = concat(where, ".@:", symbol.name, mark, number, nullptr);
	else
		name = concat(where, mark, number, nullptr);
	variables->put(DECL_UID(decl), choice);
	set_section(decl, name, choice.residue != 0);
	free(name);
}

/*
 * A variable has been declared.  What is to have a residue is not to be aligned
 * further, as GCC likes to do once it analyzes variables: the code that follows
 * goes by that.  Names in assembler are not known yet; to keep more variables
 * from it than are placed costs speed alone.
 */
static void finish_declaration(void *data, void *)
{
	tree decl = static_cast<tree>(data);

	if (decl == NULL_TREE || decl == error_mark_node || TREE_CODE(decl) != VAR_DECL || !TREE_STATIC(decl) ||
	    DECL_USER_ALIGN(decl) || DECL_NAME(decl) == NULL_TREE || !COMPLETE_TYPE_P(TREE_TYPE(decl)) ||
	    !symbol_may_offset(kerning_policy, source_name(),
			       lang_GNU_CXX() ? nullptr : IDENTIFIER_POINTER(DECL_NAME(decl))))
		return;
	SET_DECL_ALIGN(decl, TYPE_ALIGN(TREE_TYPE(decl)));
	DECL_USER_ALIGN(decl) = 1;
}

static void place_all(void *, void *)
{
	varpool_node *variable;

	variables = new decl_map<symbol_choice>;
	FOR_EACH_DEFINED_VARIABLE(variable)
		place_variable(variable);
}

void variables_begin(const char *plugin)
{
	asked = arguments_ask_variables(kerning_policy);
	register_callback(plugin, PLUGIN_ALL_IPA_PASSES_END, place_all, nullptr);
	if (asked)
		register_callback(plugin, PLUGIN_FINISH_DECL, finish_declaration, nullptr);
	register_callback(plugin, PLUGIN_ALL_PASSES_START, begin_function, nullptr);
	begin_section = targetm.asm_out.named_section;
	targetm.asm_out.named_section = begin_placed_section;
}
