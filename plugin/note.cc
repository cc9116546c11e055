/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The object's note of what was done: lines of text in a section that is not
 * loaded, and that ld leaves out of what is run.
 *
 *	source kernel/fork.c
 *	F copy_process 64 16 0 32	modulus, residue, pad, entry pad; f: a local one
 *	V init_task 64 0 0 0		v: a local one
 *	t mce size 128
 *	d 12 align-function=*:64	a directive, and how many it named
 */
#include "plugin/plugin.h"

#include <string>

static std::string lines;

void note_symbol(char kind, const char *name, const struct symbol_choice *choice)
{
	char numbers[128];

	snprintf(numbers, sizeof numbers, " %llu %llu %llu %llu\n", (unsigned long long)choice->modulus,
		 (unsigned long long)choice->residue, (unsigned long long)choice->pad,
		 (unsigned long long)choice->entry_pad);
	lines += kind;
	lines += ' ';
	lines += name;
	lines += numbers;
}

void note_type(const char *name, const char *what, uint64_t size)
{
	lines += std::string("t ") + name + ' ' + what + ' ' + std::to_string(size) + '\n';
}

static void note_directive(const char *text, size_t matched, void *)
{
	lines += "d " + std::to_string(matched) + ' ' + text + '\n';
}

static void write_string(const char *text, size_t size)
{
	fputs("\t.ascii\t\"", asm_out_file);
	for (size_t i = 0; i < size; i++) {
		if (text[i] == '\n')
			fputs("\\n", asm_out_file);
		else if (text[i] == '"' || text[i] == '\\')
			fprintf(asm_out_file, "\\%c", text[i]);
		else
			putc(text[i], asm_out_file);
	}
	fputs("\"\n", asm_out_file);
}

void note_write()
{
	std::string source = std::string("source ") + source_name() + '\n';

	arguments_each_directive(kerning_policy, note_directive, nullptr);
	fputs("\t.pushsection\t.note.kerning,\"e\",@progbits\n", asm_out_file);
	write_string(source.data(), source.size());
	for (size_t begin = 0, end; begin < lines.size(); begin = end) {
		end = lines.find('\n', begin) + 1;
		write_string(lines.data() + begin, end - begin);
	}
	fputs("\t.popsection\n", asm_out_file);
}
