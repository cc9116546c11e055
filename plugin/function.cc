/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Placing functions.
 *
 *	alignments	before it: loop heads are found, and GCC's own alignments in
 *			the function are off from here to final where ours are asked for
 *	shorten		before it, where instructions are measured: NOPs at loop heads
 *			and behind the entry
 *	final		before it: in the function's section, the directives that its
 *			label follows
 *
 * A part that GCC moves elsewhere (f.cold) begins where final switches sections.
 */
#include "plugin/plugin.h"

/* What the function at hand is to get. */
static struct function_state {
	int uid;			/* its declaration's */
	tree decl;
	struct symbol_choice choice;
	hash_set<rtx> *loop_heads;	/* labels */
} now = { -1, NULL_TREE, {}, nullptr };

/* In code, which nothing falls into, int3: it stops what gets there. */
static int code_fill()
{
#ifdef KERNING_X86
	return 0xcc;
#else
	return -1;
#endif
}

/* What a function's address has to be a multiple of, in bytes. */
static uint64_t own_alignment(tree decl)
{
	unsigned bits = MAX(FUNCTION_BOUNDARY, DECL_ALIGN(decl));

	/* Of a member function of C++ a pointer has a flag in its lowest bit: so it is no less than 2. */
	return MAX(bits / BITS_PER_UNIT, min_function_alignment());
}

/* Left alone unless asked for by name: a section of the source's, or no prologue of GCC's. */
static bool is_guarded(tree decl)
{
	const symtab_node *node = symtab_node::get(decl);
	const char *section = DECL_SECTION_NAME(decl);

	return (section != nullptr && (node == nullptr || !node->implicit_section)) ||
	       lookup_attribute("naked", DECL_ATTRIBUTES(decl)) != NULL_TREE;
}

static struct symbol function_symbol(tree decl, const char *name)
{
	struct symbol symbol = { source_name(), name, name, true, is_guarded(decl), own_alignment(decl) };

	return symbol;
}

/* What was chosen for each function that was asked about: each is asked about once. */
static decl_map<symbol_choice> *choices;

static struct symbol_choice ask(tree decl)
{
	struct symbol symbol = function_symbol(decl, assembler_name(decl));
	struct symbol_choice choice = symbol_choose(kerning_policy, &symbol);
	uint64_t attribute = attribute_alignment(decl);

	if (is_fixed(decl))
		return symbol_choice();
	if (attribute > 0 && choice.modulus == 0)
		choice.modulus = MAX(attribute, symbol.align);
	if (report_contradiction(decl, &choice, symbol.align))
		return symbol_choice();
	return choice;
}

static struct symbol_choice choose(tree decl)
{
	bool known;

	if (choices == nullptr)
		choices = new decl_map<symbol_choice>;
	struct symbol_choice &choice = choices->get_or_insert(DECL_UID(decl), &known);

	if (!known)
		choice = ask(decl);
	return choice;
}

/* What is asked of the function at hand, asked once. */
static const struct symbol_choice &current_choice()
{
	if (now.uid != (int)DECL_UID(current_function_decl)) {
		now.decl = current_function_decl;
		now.uid = DECL_UID(now.decl);
		now.choice = choose(now.decl);
		if (now.loop_heads == nullptr)
			now.loop_heads = new hash_set<rtx>;
		now.loop_heads->empty();
	}
	return now.choice;
}

/* --- Loops ------------------------------------------------------------------ */

static align_flags saved_loops, saved_jumps, saved_labels;
static bool saved;

/*
 * The head of a loop is the first of its blocks in the order of the code: there
 * its jumps back go to, and what falls into it from above has entered the loop.
 * (Where the loop is entered in its middle, GCC calls that block its header.)
 */
static unsigned find_loops(function *fun)
{
	const struct symbol_choice &choice = current_choice();
	hash_set<class loop *> met;
	basic_block block;

	if (choice.loop_align == 0 && choice.loop_pad == nullptr)
		return 0;
	loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
	FOR_EACH_BB_FN(block, fun)
		for (class loop *loop = block->loop_father; loop_outer(loop) != nullptr; loop = loop_outer(loop))
			if (!met.add(loop) && LABEL_P(BB_HEAD(block)))
				now.loop_heads->add(BB_HEAD(block));
	loop_optimizer_finalize();
	saved_loops = align_loops;
	saved_jumps = align_jumps;
	saved_labels = align_labels;
	saved = true;
	align_loops = align_flags();
	align_jumps = align_flags();
	align_labels = align_flags();
	return 0;
}

static void restore_alignments()
{
	if (!saved)
		return;
	align_loops = saved_loops;
	align_jumps = saved_jumps;
	align_labels = saved_labels;
	saved = false;
}

/* An instruction that is a text of the assembler's. */
static rtx assembler_text(const char *format, ...)
{
	va_list arguments;
	char *text;
	rtx pattern;

	va_start(arguments, format);
	text = xvasprintf(format, arguments);
	va_end(arguments);
	/* A place that no line is written for. */
	pattern = gen_rtx_ASM_INPUT_loc(VOIDmode, ggc_strdup(text), BUILTINS_LOCATION);
	free(text);
	return pattern;
}

/* NOPs of that many bytes, rounded up to what an instruction takes. */
static rtx nops(uint64_t bytes)
{
#ifdef KERNING_X86
	return assembler_text(".nops\t%llu", (unsigned long long)bytes);
#else
	const unsigned size = FUNCTION_BOUNDARY / BITS_PER_UNIT;

	return assembler_text(".rept\t%llu\n\tnop\n\t.endr",
			      (unsigned long long)((bytes + size - 1) / size));
#endif
}

static void place_loops()
{
	struct symbol symbol = function_symbol(now.decl, assembler_name(now.decl));
	unsigned index = 0;

	for (rtx_insn *insn = get_insns(); insn != nullptr; insn = NEXT_INSN(insn)) {
		if (!LABEL_P(insn) || !now.loop_heads->contains(insn))
			continue;
		if (now.choice.loop_align > 1)
			emit_insn_before(assembler_text(".p2align\t%d", floor_log2(now.choice.loop_align)),
					 insn);
		if (now.choice.loop_pad != nullptr) {
			uint64_t pad = symbol_loop_pad(kerning_policy, now.choice.loop_pad, &symbol, index);

			if (pad > 0)
				emit_insn_before(nops(pad), insn);
		}
		index++;
	}
}

/* --- The entry ---------------------------------------------------------------- */

/* True for what has to stand at a function's very begin: ENDBR, a patchable area, a call of the profiler. */
static bool is_entry_sequence(rtx_insn *insn)
{
	rtx pattern;

	if (!NONJUMP_INSN_P(insn))
		return false;
	pattern = PATTERN(insn);
	/* These have no operands but constants, and nothing else at an entry has. */
	return GET_CODE(pattern) == UNSPEC_VOLATILE;
}

static void place_entry(uint64_t pad)
{
	rtx_insn *sequence = nullptr, *insn = get_insns(), *first = nullptr;

	for (; insn != nullptr && (NOTE_P(insn) || is_entry_sequence(insn)); insn = NEXT_INSN(insn)) {
		if (is_entry_sequence(insn))
			sequence = insn;
		/* What these notes are of begins where they stand. */
		else if (first == nullptr && (NOTE_KIND(insn) == NOTE_INSN_CFI ||
					      NOTE_KIND(insn) == NOTE_INSN_PROLOGUE_END))
			first = insn;
	}
	if (sequence != nullptr)
		emit_insn_after(nops(pad), sequence);
	else if (first != nullptr || insn != nullptr)
		emit_insn_before(nops(pad), first != nullptr ? first : insn);
}

/* --- The function --------------------------------------------------------------- */

static bool begins_cold(function *fun)
{
	basic_block first = ENTRY_BLOCK_PTR_FOR_FN(fun)->next_bb;

	return crtl->has_bb_partition && BB_PARTITION(first) == BB_COLD_PARTITION;
}

/* NOPs that stand before the label, for the function to be patched. */
static uint64_t bytes_before_label()
{
	return (uint64_t)crtl->patch_area_entry * (FUNCTION_BOUNDARY / BITS_PER_UNIT);
}

static unsigned place_inside(function *)
{
	const struct symbol_choice &choice = current_choice();

	if (choice.loop_align > 1 || choice.loop_pad != nullptr)
		place_loops();
	if (choice.entry_pad > 0)
		place_entry(choice.entry_pad);
	return 0;
}

static unsigned place_function(function *fun)
{
	const struct symbol_choice &choice = current_choice();
	uint64_t residue = choice.residue;

	restore_alignments();
	if (choice.modulus > 0) {
		/* GCC is not to align it once more, nor where no alignment is asked for. */
		SET_DECL_ALIGN(now.decl, own_alignment(now.decl) * BITS_PER_UNIT);
		DECL_USER_ALIGN(now.decl) = 1;
		residue = (choice.modulus + residue - bytes_before_label() % choice.modulus) % choice.modulus;
	}
	if (choice.modulus > 1 || choice.pad > 0) {
		in_cold_section_p = begins_cold(fun);
		switch_to_section(current_function_section());
		write_place(asm_out_file, choice.pad, choice.modulus, residue, code_fill());
	}
	if (choice.modulus > 1 || choice.pad > 0 || choice.entry_pad > 0 || choice.loop_align > 1 ||
	    choice.loop_pad != nullptr || choice.split)
		note_symbol(TREE_PUBLIC(now.decl) ? 'F' : 'f', assembler_name(now.decl), &choice);
	return 0;
}

/* --- Sections of their own --------------------------------------------------------- */

static section *(*natural_section)(tree, enum node_frequency, bool, bool);

/* The section that functions of that kind go to, hot and cold grouped as without a split. */
static const char *group_of(enum node_frequency frequency, bool startup, bool exit)
{
	if (!flag_reorder_functions)
		return ".text";
	if (startup && frequency != NODE_FREQUENCY_UNLIKELY_EXECUTED)
		return ".text.startup";
	if (exit && frequency != NODE_FREQUENCY_UNLIKELY_EXECUTED)
		return ".text.exit";
	if (frequency == NODE_FREQUENCY_UNLIKELY_EXECUTED)
		return ".text.unlikely";
	return frequency == NODE_FREQUENCY_HOT ? ".text.hot" : ".text";
}

static section *split_section(tree decl, enum node_frequency frequency, bool startup, bool exit)
{
	cgraph_node *node;
	const char *part = "";
	section *where;
	char *name;

	node = decl != NULL_TREE && TREE_CODE(decl) == FUNCTION_DECL ? cgraph_node::get(decl) : nullptr;
	/* A section that -ffunction-sections made gives way; what COMDAT groups share does not. */
	if (node == nullptr || (DECL_SECTION_NAME(decl) != nullptr && !node->implicit_section) ||
	    DECL_COMDAT_GROUP(decl) != NULL_TREE || !may_split(assembler_name(decl)) || !choose(decl).split)
		return natural_section(decl, frequency, startup, exit);
	if (frequency == NODE_FREQUENCY_UNLIKELY_EXECUTED &&
	    node->frequency != NODE_FREQUENCY_UNLIKELY_EXECUTED)
		part = ".cold";
	name = concat(group_of(frequency, startup, exit), ".@:", assembler_name(decl), part, nullptr);
	where = get_named_section(decl, name, 0);
	free(name);
	return where;
}

/* --- Parts ---------------------------------------------------------------------- */

static void (*switched_sections)(FILE *, tree, bool);

/* The other part of a function that final is in the middle of. */
static void place_part(FILE *file, tree decl, bool cold)
{
	switched_sections(file, decl, cold);
	if (now.uid != (int)DECL_UID(decl) || (now.choice.modulus <= 1 && now.choice.pad == 0))
		return;
	const char *whole = assembler_name(decl);
	char *name = concat(whole, ".cold", nullptr);
	struct symbol symbol = function_symbol(decl, whole);
	struct symbol_choice part = now.choice;

	/* Named as the whole is by rules; its chance is its own. */
	symbol.key = name;
	part.pad = now.choice.pad > 0 ? symbol_choose(kerning_policy, &symbol).pad : 0;
	part.entry_pad = 0;
	part.loop_align = 0;
	part.loop_pad = nullptr;
	write_place(file, part.pad, part.modulus, part.residue, code_fill());
	if (cold)
		note_symbol('f', name, &part);
	free(name);
}

/* --- Passes ------------------------------------------------------------------- */

namespace {

struct kerning_pass : rtl_opt_pass {
	unsigned (*run)(function *);

	kerning_pass(const pass_data &data, unsigned (*run)(function *))
		: rtl_opt_pass(data, g), run(run)
	{
	}
	unsigned execute(function *fun) override
	{
		return run(fun);
	}
};

} // namespace

static void add_pass(const char *plugin, const char *name, const char *beside, pass_positioning_ops where,
		     unsigned (*run)(function *))
{
	const pass_data data = { RTL_PASS, name, OPTGROUP_NONE, TV_PLUGIN_RUN, 0, 0, 0, 0, 0 };
	struct register_pass_info info = { new kerning_pass(data, run), beside, 1, where };

	register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

/* Attributes ask too, so functions are looked at even where no directive is there. */
void functions_begin(const char *plugin)
{
	if (arguments_ask_functions(kerning_policy)) {
		add_pass(plugin, "kerning-loops", "alignments", PASS_POS_INSERT_BEFORE, find_loops);
		add_pass(plugin, "kerning-inside", "shorten", PASS_POS_INSERT_BEFORE, place_inside);
	}
	add_pass(plugin, "kerning-function", "final", PASS_POS_INSERT_BEFORE, place_function);
	switched_sections = targetm.asm_out.function_switched_text_sections;
	targetm.asm_out.function_switched_text_sections = place_part;
	if (arguments_ask_functions(kerning_policy)) {
		natural_section = targetm.asm_out.function_section;
		targetm.asm_out.function_section = split_section;
	}
}
