/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of two builds how many changes are real, layout, or cannot be told; of one build in how
 * many cases layout matters, and where most.
 */
#include "config.h"

#include "report/answer.h"

#include <string.h>

#include "lib/memory.h"
#include "report/words.h"

#define LISTED_MAX 3	/* names */

static const char *name_of(const struct analysis *analysis, size_t metric)
{
	return analysis->record->metrics.at[metric].name;
}

/* --- Two builds --------------------------------------------------------- */

static const struct saying {
	enum verdict verdict;
	const char *one, *many;
	const char *whole, *all;	/* of all: "All" 7 changes "are real" */
} sayings[] = {
	{ VERDICT_REAL, "is real", "are real", "All", "are real" },
	{ VERDICT_LAYOUT, "is layout", "are layout", "All", "are layout" },
	{ VERDICT_CANNOT_TELL, "cannot be told", "cannot be told", "None of", "can be told" },
};

#define SAYINGS (sizeof sayings / sizeof sayings[0])

static size_t count_judged(const struct analysis *analysis)
{
	size_t count = 0;

	for (size_t i = 0; i < analysis->differences.count; i++)
		count += analysis->differences.at[i].judged;
	return count;
}

/* How many were judged so; their names as " (a; b)" where they are few, else "". */
static const char *list_verdict(struct obstack *arena, const struct analysis *analysis,
				enum verdict verdict, size_t *count)
{
	const char *text = "";

	*count = 0;
	for (size_t i = 0; i < analysis->differences.count; i++) {
		const struct difference *difference = &analysis->differences.at[i];
		const char *which;

		if (!difference->judged || difference->judgement.verdict != verdict)
			continue;
		if (++*count > LISTED_MAX)
			continue;
		which = words_which(arena, analysis, &analysis->portraits.at[difference->b], false);
		text = obstack_format(arena, "%s%s%s%s%s", text, *count > 1 ? "; " : " (",
				      name_of(analysis, difference->metric),
				      which[0] != '\0' ? ", " : "", which);
	}
	return *count == 0 || *count > LISTED_MAX ? "" : obstack_format(arena, "%s)", text);
}

static const char *tell_only(struct obstack *arena, const struct analysis *analysis)
{
	const struct difference *difference = analysis->differences.at;

	while (!difference->judged)
		difference++;
	return obstack_format(arena, "%s, %s: %s", name_of(analysis, difference->metric),
			      verdict_name(difference->judgement.verdict),
			      words_verdict(arena, analysis, difference));
}

static const char *tell_changes(struct obstack *arena, const struct analysis *analysis)
{
	size_t all = count_judged(analysis), told = 0;
	const char *text;

	if (all == 0)
		return "Nothing was to be judged.";
	if (all == 1)
		return tell_only(arena, analysis);
	text = obstack_format(arena, "Of %zu changes", all);
	for (size_t i = 0; i < SAYINGS; i++) {
		const char *names, *comma;
		size_t count;

		names = list_verdict(arena, analysis, sayings[i].verdict, &count);
		if (count == all)
			return obstack_format(arena, "%s %zu changes %s%s.", sayings[i].whole, all,
					      sayings[i].all, names);
		if (count == 0)
			continue;
		comma = told == 0 ? "" : told + count == all ? " and" : ",";
		told += count;
		text = obstack_format(arena, "%s%s %zu %s%s", text, comma, count,
				      count == 1 ? sayings[i].one : sayings[i].many, names);
	}
	return obstack_format(arena, "%s.", text);
}

/* --- One build ---------------------------------------------------------- */

static const char *tell_portrait(struct obstack *arena, const struct analysis *analysis,
				 const struct portrait *portrait)
{
	const char *which = words_which(arena, analysis, portrait, true);
	const char *name = name_of(analysis, portrait->metric);
	const char *sentence = words_portrait(arena, analysis, portrait);

	return which[0] == '\0' ? obstack_format(arena, "%s: %s", name, sentence) :
				  obstack_format(arena, "%s (%s): %s", name, which, sentence);
}

static const char *tell_portraits(struct obstack *arena, const struct analysis *analysis)
{
	const struct portrait *most = NULL, *any = NULL;
	size_t all = 0, some = 0;

	for (size_t i = 0; i < analysis->portraits.count; i++) {
		const struct portrait *portrait = &analysis->portraits.at[i];

		if (!analysis_tells(analysis, portrait->metric))
			continue;
		all++;
		any = any != NULL ? any : portrait;
		if (!portrait->matters)
			continue;
		some++;
		if (most == NULL || portrait->components.sensitivity.estimate >
					    most->components.sensitivity.estimate)
			most = portrait;
	}
	if (all == 0)
		return "Nothing was measured.";
	if (all == 1)
		return tell_portrait(arena, analysis, any);
	if (most == NULL)
		return obstack_format(arena, "In none of %zu cases is there a sign that layout "
				      "matters.", all);
	return obstack_format(arena, "Layout matters in %zu of %zu cases, most in %s", some, all,
			      tell_portrait(arena, analysis, most));
}

const char *answer_text(struct obstack *arena, const struct analysis *analysis)
{
	return analysis->differences.count > 0 ? tell_changes(arena, analysis) :
						 tell_portraits(arena, analysis);
}
