/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what the statistics say of numbers in files.
 *
 *	stats-tell components SAMPLE [SEED]
 *	stats-tell spend SAMPLE LAYOUT-COST RUN-COST HALFWIDTH
 *	stats-tell ratio SAMPLE SAMPLE
 *	stats-tell judge EFFECT SAMPLE SAMPLE [REPORTED]
 *	stats-tell together EFFECT SAMPLE SAMPLE [SAMPLE SAMPLE...]
 *	stats-tell paired NUMBERS CONFIDENCE BOUND
 *	stats-tell single NUMBERS NUMBERS FLOOR
 *	stats-tell moments NUMBERS
 *	stats-tell discovery NUMBERS
 *	stats-tell looks SPENT...
 *
 * Of a SAMPLE each line is a run: its layout's key, its round, its values; lines of one
 * layout follow on each other.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "stats/components.h"
#include "stats/discovery.h"
#include "stats/look.h"
#include "stats/moments.h"
#include "stats/paired.h"
#include "stats/ratio.h"
#include "stats/single.h"
#include "stats/verdict.h"

/* --- In and out ------------------------------------------------------------- */

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "r");

	if (file == NULL) {
		perror(path);
		exit(3);
	}
	return file;
}

static void read_sample(struct sample *sample, const char *path)
{
	FILE *file = open_file(path);
	char *line = NULL, *at, *end;
	size_t size = 0;

	sample_init(sample);
	while (getline(&line, &size, file) > 0) {
		int64_t key = strtoll(line, &at, 10);

		if (at == line)
			continue;
		if (sample->layouts.count == 0 ||
		    sample->layouts.at[sample->layouts.count - 1].key != key)
			sample_layout(sample, key);
		sample_run(sample, (unsigned)strtoul(at, &at, 10));
		for (double value; value = strtod(at, &end), end != at; at = end)
			sample_value(sample, value);
	}
	free(line);
	fclose(file);
}

struct numbers {
	VEC(double) list;
};

static void read_numbers(struct numbers *numbers, const char *path)
{
	FILE *file = open_file(path);
	double value;

	*numbers = (struct numbers){ .list = VEC_INIT };
	while (fscanf(file, "%lf", &value) == 1)
		*vec_push(&numbers->list) = value;
	fclose(file);
}

static void print(const char *name, double value)
{
	if (isnan(value))
		printf(" %s nan", name);
	else
		printf(" %s %.7g", name, value);
}

static void print_interval(const char *name, const struct interval *interval)
{
	printf("%s:", name);
	print("estimate", interval->estimate);
	print("low", interval->low);
	print("high", interval->high);
	putchar('\n');
}

static void print_line(const char *name, double value)
{
	if (isnan(value))
		printf("%s: nan\n", name);
	else
		printf("%s: %.7g\n", name, value);
}

/* --- Commands --------------------------------------------------------------- */

static int tell_components(char **words, int count)
{
	struct components components;
	struct sample sample;

	read_sample(&sample, words[0]);
	components_estimate(&components, &sample, 0.95, count > 1 ? strtoul(words[1], NULL, 10) : 1);
	printf("%zu layouts, %zu runs, %zu values\n", components.layouts, components.runs,
	       components.values);
	printf("drift: %s\n", components.drift ? "taken out" : "left");
	print_interval("mean", &components.mean);
	print_line("layout", components.layout);
	print_line("run", components.run);
	print_line("iteration", components.iteration);
	print_line("noise", components.noise);
	print_interval("share", &components.share);
	print_interval("sensitivity", &components.sensitivity);
	print_line("p", components.p);
	sample_release(&sample);
	return 0;
}

static int tell_spend(char **words, int count)
{
	struct components components;
	struct spending spending;
	struct sample sample;

	if (count < 4)
		return 2;
	read_sample(&sample, words[0]);
	components_estimate(&components, &sample, 0.95, 1);
	spending = components_spend(&components, strtod(words[1], NULL), strtod(words[2], NULL),
				    strtod(words[3], NULL), 0.95);
	printf("%zu layouts of %zu runs\n", spending.layouts, spending.runs);
	sample_release(&sample);
	return 0;
}

static int tell_ratio(char **words, int count)
{
	struct interval interval;
	struct sample a, b;

	if (count < 2)
		return 2;
	read_sample(&a, words[0]);
	read_sample(&b, words[1]);
	interval = ratio_fieller(&a, &b, 0.95);
	print_interval("Fieller", &interval);
	interval = ratio_bootstrap(&a, &b, 0.95, 2000, 1);
	print_interval("bootstrap", &interval);
	sample_release(&a);
	sample_release(&b);
	return 0;
}

static void print_judgement(const struct judgement *judgement)
{
	static const char *const why[] = {
		[WHY_BEYOND] = "beyond", [WHY_WITHIN] = "within", [WHY_WIDE] = "wide",
		[WHY_UNEXPLAINED] = "unexplained", [WHY_FEW] = "few",
		[WHY_UNPAIRED] = "unpaired", [WHY_CONSTANT] = "constant",
		[WHY_MEANS] = "means",
	};

	printf("%s: %s, of %zu pairs\n", verdict_name(judgement->verdict), why[judgement->why],
	       judgement->pairs);
	print_interval(judgement->relative ? "ratio less 1" : "difference", &judgement->change);
	print_line("confidence", judgement->confidence);
	print_interval("spread", &judgement->spread);
	print_line("reported", judgement->reported);
	printf("p:");
	print("real", judgement->p_real);
	print("within", judgement->p_within);
	printf("\nq:");
	print("real", judgement->q_real);
	print("within", judgement->q_within);
	printf("\nmore: %zu\n", judgement->more_layouts);
}

static int tell_judge(char **words, int count)
{
	struct verdict_question question = { .confidence = 0.95 };
	struct judgement judgement;
	struct sample a, b;

	if (count < 3)
		return 2;
	question.effect = strtod(words[0], NULL);
	read_sample(&a, words[1]);
	read_sample(&b, words[2]);
	verdict_judge(&judgement, &a, &b, count > 3 ? strtod(words[3], NULL) : NAN, &question);
	print_judgement(&judgement);
	judgement_release(&judgement);
	sample_release(&a);
	sample_release(&b);
	return 0;
}

static int tell_together(char **words, int count)
{
	struct verdict_question question = { .confidence = 0.95 };
	size_t metrics = ((size_t)count - 1) / 2;
	struct judgement *judgements = xcalloc(metrics + 1, sizeof *judgements);
	struct judgement **list = xcalloc(metrics + 1, sizeof *list);

	question.effect = strtod(words[0], NULL);
	for (size_t i = 0; i < metrics; i++) {
		struct sample a, b;

		read_sample(&a, words[1 + 2 * i]);
		read_sample(&b, words[2 + 2 * i]);
		verdict_judge(&judgements[i], &a, &b, NAN, &question);
		list[i] = &judgements[i];
		sample_release(&a);
		sample_release(&b);
	}
	verdict_judge_all(list, metrics, &question);
	for (size_t i = 0; i < metrics; i++) {
		print_judgement(&judgements[i]);
		judgement_release(&judgements[i]);
	}
	free(judgements);
	free(list);
	return 0;
}

static int tell_paired(char **words, int count)
{
	struct numbers numbers;
	struct interval interval;
	double bound;

	if (count < 3)
		return 2;
	read_numbers(&numbers, words[0]);
	bound = strtod(words[2], NULL);
	interval = paired_interval(numbers.list.at, numbers.list.count, strtod(words[1], NULL));
	print_interval("pseudomedian", &interval);
	print_line("above", paired_above(numbers.list.at, numbers.list.count, bound));
	print_line("below", paired_below(numbers.list.at, numbers.list.count, bound));
	vec_release(&numbers.list);
	return 0;
}

static int tell_single(char **words, int count)
{
	struct numbers a, b;

	if (count < 3)
		return 2;
	read_numbers(&a, words[0]);
	read_numbers(&b, words[1]);
	printf("LKP: %s\n", single_lkp_changed(a.list.at, a.list.count, b.list.at, b.list.count,
					       strtod(words[2], NULL)) ? "changed" : "no change");
	print_line("Mann-Whitney", single_mann_whitney(a.list.at, a.list.count, b.list.at,
						       b.list.count));
	vec_release(&a.list);
	vec_release(&b.list);
	return 0;
}

static int tell_moments(char **words, int count)
{
	struct numbers numbers;
	struct moments moments;
	struct interval interval;

	if (count < 1)
		return 2;
	read_numbers(&numbers, words[0]);
	moments_of(&moments, numbers.list.at, numbers.list.count);
	print_line("skewness", moments.skewness);
	print_line("excess", moments.excess);
	interval = moments_mean(&moments, 0.95);
	print_interval("mean", &interval);
	interval = moments_variance(&moments, 0.95);
	print_interval("variance", &interval);
	vec_release(&numbers.list);
	return 0;
}

static int tell_discovery(char **words, int count)
{
	struct numbers numbers;
	size_t found = 0;

	if (count < 1)
		return 2;
	read_numbers(&numbers, words[0]);
	discovery_adjust(numbers.list.at, numbers.list.count);
	for (size_t i = 0; i < numbers.list.count; i++) {
		print_line("q", numbers.list.at[i]);
		found += numbers.list.at[i] <= 0.05;
	}
	printf("found: %zu\n", found);
	vec_release(&numbers.list);
	return 0;
}

static int tell_looks(char **words, int count)
{
	double *spent = xcalloc((size_t)count, sizeof *spent);
	double *bounds = xcalloc((size_t)count, sizeof *bounds);

	for (int i = 0; i < count; i++)
		spent[i] = strtod(words[i], NULL);
	look_bounds(bounds, spent, (unsigned)count);
	for (int i = 0; i < count; i++)
		printf("bound %.4f, level %.5f\n", bounds[i],
		       look_confidence(0.95, (unsigned)i + 1, (unsigned)count));
	free(spent);
	free(bounds);
	return 0;
}

static const struct {
	const char *name;
	int (*tell)(char **words, int count);
} commands[] = {
	{ "components", tell_components },
	{ "spend", tell_spend },
	{ "ratio", tell_ratio },
	{ "judge", tell_judge },
	{ "together", tell_together },
	{ "paired", tell_paired },
	{ "single", tell_single },
	{ "moments", tell_moments },
	{ "discovery", tell_discovery },
	{ "looks", tell_looks },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 2 && i < sizeof commands / sizeof commands[0]; i++) {
		if (strcmp(commands[i].name, argv[1]) == 0)
			return commands[i].tell(argv + 2, argc - 2);
	}
	fprintf(stderr, "stats-tell: expected a command and its files\n");
	return 2;
}
