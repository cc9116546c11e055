/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples: three arrays, each of which says where in the next its part begins.
 */
#include "config.h"

#include "stats/sample.h"

#include <math.h>

void sample_init(struct sample *sample)
{
	*sample = (struct sample){ .values = VEC_INIT };
}

void sample_release(struct sample *sample)
{
	vec_release(&sample->values);
	vec_release(&sample->runs);
	vec_release(&sample->layouts);
}

void sample_layout(struct sample *sample, int64_t key)
{
	*vec_push(&sample->layouts) = (struct sample_layout){
		.key = key, .first = sample->runs.count,
	};
}

void sample_run(struct sample *sample, unsigned round)
{
	*vec_push(&sample->runs) = (struct sample_run){
		.round = round, .first = sample->values.count,
	};
	sample->layouts.at[sample->layouts.count - 1].count++;
}

void sample_value(struct sample *sample, double value)
{
	*vec_push(&sample->values) = value;
	sample->runs.at[sample->runs.count - 1].count++;
}

double sample_run_mean(const struct sample *sample, size_t run)
{
	const struct sample_run *r = &sample->runs.at[run];
	double sum = 0;

	for (size_t i = 0; i < r->count; i++)
		sum += sample->values.at[r->first + i];
	return r->count == 0 ? NAN : sum / (double)r->count;
}

double sample_layout_mean(const struct sample *sample, size_t layout)
{
	const struct sample_layout *l = &sample->layouts.at[layout];
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < l->count; i++) {
		if (sample->runs.at[l->first + i].count > 0) {
			sum += sample_run_mean(sample, l->first + i);
			count++;
		}
	}
	return count == 0 ? NAN : sum / (double)count;
}

double sample_mean(const struct sample *sample)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < sample->layouts.count; i++) {
		double mean = sample_layout_mean(sample, i);

		if (!isnan(mean)) {
			sum += mean;
			count++;
		}
	}
	return count == 0 ? NAN : sum / (double)count;
}
