/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/progress.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two lines, where the last one cannot be overwritten; between two drawings. */
#define LINE_SECONDS 30
#define DRAW_SECONDS 0.1

#define BAR_WIDTH 24

double progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

const char *progress_time(double seconds, char *buffer, size_t size)
{
	unsigned long all = seconds > 0 && seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 0;

	if (all < 60)
		snprintf(buffer, size, "%lu s", all);
	else if (all < 3600)
		snprintf(buffer, size, "%lu min %lu s", all / 60, all % 60);
	else
		snprintf(buffer, size, "%lu h %lu min", all / 3600, all % 3600 / 60);
	return buffer;
}

void progress_begin(struct progress *progress, FILE *stream, const char *what, size_t done,
		    size_t all)
{
	*progress = (struct progress){
		.stream = stream, .what = what, .done = done, .begun = done, .all = all,
		.terminal = stream != NULL && isatty(fileno(stream)),
		.begin = progress_now(), .shown = progress_now(),
	};
}

/* Seconds that are probably left; NaN: not known yet. */
static double left(const struct progress *progress, double now)
{
	double passed = now - progress->begin, rest = NAN;

	if (progress->done > progress->begun)
		rest = passed / (double)(progress->done - progress->begun) *
		       (double)(progress->all - progress->done);
	if (progress->limit > 0 && !(rest < progress->limit - passed))
		rest = fmax(progress->limit - passed, 0);
	return rest;
}

static void draw(const struct progress *progress, double now)
{
	int filled = progress->all > 0 ? (int)(BAR_WIDTH * progress->done / progress->all) : 0;
	double rest = left(progress, now);
	char time[32], line[256];
	struct winsize window = { .ws_col = 80 };
	int length;

	(void)ioctl(fileno(progress->stream), TIOCGWINSZ, &window);
	length = snprintf(line, sizeof line, "%.*s%.*s %zu of %zu %s%s%s%s", filled,
			  "########################", BAR_WIDTH - filled,
			  "........................", progress->done, progress->all, progress->what,
			  isnan(rest) ? "" : ", ", isnan(rest) ? "" :
			  progress_time(rest, time, sizeof time), isnan(rest) ? "" : " left");
	if (window.ws_col > 1 && length >= window.ws_col)
		line[window.ws_col - 1] = '\0';
	fprintf(progress->stream, "\r%s\033[K", line);
	fflush(progress->stream);
}

void progress_step(struct progress *progress)
{
	double now = progress_now();

	progress->done++;
	if (progress->stream == NULL)
		return;
	if (progress->terminal) {
		if (now - progress->shown >= DRAW_SECONDS || progress->done == progress->all) {
			draw(progress, now);
			progress->shown = now;
		}
	} else if (now - progress->shown >= LINE_SECONDS) {
		char time[32];

		fprintf(progress->stream, "%zu of %zu %s, %s left\n", progress->done, progress->all,
			progress->what, progress_time(left(progress, now), time, sizeof time));
		fflush(progress->stream);
		progress->shown = now;
	}
}

/* Takes the bar away. */
static void clear(struct progress *progress)
{
	if (progress->stream != NULL && progress->terminal) {
		fputs("\r\033[K", progress->stream);
		fflush(progress->stream);
	}
}

void progress_end(struct progress *progress)
{
	char time[32];

	clear(progress);
	if (progress->stream != NULL)
		fprintf(progress->stream, "%zu %s in %s\n", progress->done - progress->begun,
			progress->what, progress_time(progress_now() - progress->begin, time,
						      sizeof time));
}
