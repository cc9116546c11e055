/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at a link with the driver's own eyes, so that what is shown is what
 * the driver does.
 */
#include "config.h"

#include "src/study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ld/run.h"
#include "lib/memory.h"
#include "lib/table.h"

void study_init(struct study *study)
{
	*study = (struct study){ 0 };
	policy_init(&study->policy);
	study_word(study, "ld");
}

void study_word(struct study *study, const char *word)
{
	*vec_push(&study->words) = (char *)word;
}

/* The driver leaves to ld what is no object; here there is no ld to say so. */
static bool check_input(const struct input *input, const struct linkline *line, struct diag *diag)
{
	const char *name = line->words.at[input->word].value;

	if (input->kind == INPUT_OBJECT || input->kind == INPUT_ARCHIVE || input->item != NULL)
		return true;
	if (access(name, R_OK) != 0)
		diag_error_class(diag, DIAG_ENVIRONMENT, NULL, "cannot read \"%s\": %s", name,
				 strerror(errno));
	else
		diag_error(diag, NULL, "\"%s\": expected an object or an archive, got %s", name,
			   input->kind == INPUT_SHARED ? "a shared library" : "something else");
	return false;
}

bool study_read(struct study *study, struct diag *diag)
{
	bool good = true;
	char *ld;

	linkline_parse(&study->line, (int)study->words.count, study->words.at);
	study->has_line = true;
	ld = real_ld(diag);
	if (ld == NULL)
		return false;
	study->has_scripts = true;
	good = link_scripts_read(&study->scripts, &study->line, ld, false, diag);
	free(ld);
	if (!good)
		return false;
	study->has_inputs = true;
	if (!inputs_open(&study->inputs, &study->line, study->scripts.search_dirs.at, ".", NULL,
			 NULL, diag))
		return false;
	for (size_t i = 0; i < study->inputs.list.count; i++)
		good = check_input(&study->inputs.list.at[i], &study->line, diag) && good;
	if (!good)
		return false;
	study->has_census = true;
	return census_take(&study->census, &study->inputs, &study->line, &study->scripts,
			   &study->policy, NULL, diag);
}

void study_release(struct study *study)
{
	if (study->has_census)
		census_release(&study->census);
	if (study->has_inputs)
		inputs_release(&study->inputs);
	if (study->has_scripts)
		link_scripts_release(&study->scripts);
	if (study->has_line)
		linkline_release(&study->line);
	policy_release(&study->policy);
	vec_release(&study->words);
}

struct shape study_shape(const struct study *study, const struct statement *statement)
{
	if (study->census.taken[statement->index] > 0)
		return study->census.shapes[statement->index];
	return shape_of(statement, shape_looks_executable(statement));
}

const char *shape_color(enum shape_kind kind)
{
	static const char *const colors[] = {
		[SHAPE_MOVABLE] = TABLE_GREEN, [SHAPE_TABLE] = TABLE_YELLOW, [SHAPE_FIXED] = TABLE_RED,
	};

	return colors[kind];
}
