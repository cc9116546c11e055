/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xxhash.h>

#include "lib/memory.h"
#include "sweep/helper.h"

/* The output as a file; NULL with errno. */
static FILE *make_input(const struct process_result *result)
{
	FILE *input = tmpfile();

	if (input != NULL && (fwrite(result->output, 1, result->size, input) != result->size ||
			      fflush(input) != 0 || lseek(fileno(input), 0, SEEK_SET) != 0)) {
		fclose(input);
		input = NULL;
	}
	return input;
}

/* Runs the check that is asked for, the output its input. */
static enum check_end run_check(struct sweep *sweep, const struct swept_layout *layout,
				const struct process_result *result, const char **why)
{
	struct obstack *arena = &sweep->store->record.arena;
	const char *command = sweep->spec->check;
	const char *variables[] = {
		obstack_format(arena, "KERNING_OUTPUT=%s/%s", sweep->store->folder,
			       layout->output),
		layout->plain ? "KERNING_SEED=plain" :
				obstack_format(arena, "KERNING_SEED=%" PRIu64, layout->seed),
		NULL,
	};
	FILE *input = make_input(result);
	struct helper check = {
		.command = command, .variables = variables, .timeout = sweep->setup.timeout,
		.interrupt = sweep->setup.interrupt, .input = input != NULL ? fileno(input) : -1,
	};
	int status = input != NULL ? helper_run(&check) : -1;
	const char *error = strerror(errno);

	if (input != NULL)
		fclose(input);
	if (sweep_signal() != 0)
		return CHECK_NOT_DONE;
	if (check.timed_out)
		*why = obstack_format(arena, "'%s' was not done after %g s", command,
				      check.timeout);
	else if (status == -1 || WIFSIGNALED(status))
		diag_error_class(sweep->diag, DIAG_ENVIRONMENT, NULL, "cannot check a run by "
				 "'%s': %s", command, status == -1 ? error : strsignal(WTERMSIG(status)));
	else if (status != 0)
		*why = obstack_format(arena, "'%s' failed with status %d", command,
				      WEXITSTATUS(status));
	if (!check.timed_out && (status == -1 || WIFSIGNALED(status)))
		return CHECK_NOT_DONE;
	return status == 0 && !check.timed_out ? CHECK_RIGHT : CHECK_WRONG;
}

enum check_end check_output(struct sweep *sweep, const struct swept_layout *layout,
			    const struct process_result *result, const char **why)
{
	char name[32], hash[32];
	const char *first;

	if (sweep->spec->check != NULL)
		return run_check(sweep, layout, result, why);
	if (!sweep->spec->same_output)
		return CHECK_RIGHT;
	snprintf(name, sizeof name, "output of build %zu", layout->build + 1);
	snprintf(hash, sizeof hash, "%016" PRIx64, (uint64_t)XXH3_64bits(result->output,
									 result->size));
	first = store_setting(sweep->store, name);
	if (first == NULL)
		store_set(sweep->store, name, hash);
	else if (strcmp(first, hash) != 0)
		*why = "it printed something else than the first run";
	return first == NULL || strcmp(first, hash) == 0 ? CHECK_RIGHT : CHECK_WRONG;
}
