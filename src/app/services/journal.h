#ifndef HALOBEAT_APP_SERVICES_JOURNAL_H
#define HALOBEAT_APP_SERVICES_JOURNAL_H

#include "base/status.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A journal of a job's finished tasks and their results: a file to which rank 0 appends a line for
 * each task when it is done, so that the same command, run again after being killed, continues.
 *
 * A journal belongs to one job: a line with its command and the options that change its result, and
 * a list of tasks. The schedule, the number of ranks and the paths of outputs may change. */
typedef struct app_journal app_journal;

/* Description of a job, the same on all ranks. It is used by app_journal_open only. */
typedef struct {
    const char *says; /* a line: the command, and options that change the result */
    /* The place that tasks come from, if their number is not known: results then say what their
     * inputs are, and `tasks` and `name` are 0. NULL: `tasks` is their number. */
    const char *source;
    int64_t tasks;
    const char *(*name)(const void *context, int64_t task); /* name of a task's input; NULL:
                                                             * there are none */
    /* On rank 0. Is a task that the journal has, with its result, still done? Sets *done to false
     * if it is to be done again, since its input has changed or its output is gone. HALO_FORMAT if
     * the result is damaged. NULL: all are. */
    halo_status (*check)(void *context, int64_t task, const void *data, size_t bytes, bool *done);
    void *context;
} app_journal_job;

/* Collective. Opens the journal `path`, or creates it. HALO_FILE, also if another run is writing to
 * it; HALO_FORMAT if it is not a journal, is damaged, or belongs to another job, and then the file
 * is left as it is; HALO_MEMORY. An incomplete last line is ignored, and its task is repeated. Of
 * several results of a task the last one counts. */
halo_status app_journal_open(app_journal **out, halo_world *world, const char *path,
                             const app_journal_job *job);

/* Local. Reads the journal `path`, for app_journal_found only; other runs may be writing to it.
 * HALO_FILE, HALO_MEMORY, HALO_FORMAT as above. */
halo_status app_journal_load(app_journal **out, const char *path, const app_journal_job *job);

/* Local. The result of `task`, [*bytes]; NULL if it is not in the journal. */
const void *app_journal_found(const app_journal *journal, int64_t task, size_t *bytes);

/* Local. Closes the journal and sets the pointer to NULL. Accepts a pointer to NULL. */
void app_journal_close(app_journal **journal);

/* Local, on all ranks. The number of tasks that were not done when the journal was opened, and
 * their numbers, [left]. */
int64_t app_journal_left(const app_journal *journal, const int64_t **numbers);

/* Local, on rank 0. Passes the results of finished tasks to `collect` (as in halo_tasks_options),
 * in the order in which they were done. Returns its failure. */
halo_status app_journal_replay(const app_journal *journal,
                               halo_status (*collect)(void *context, int64_t task, const void *data,
                                                      size_t bytes),
                               void *context);

/* Local, on rank 0. Appends the result of `task`, [bytes], unless the journal has it. HALO_FILE. */
halo_status app_journal_add(app_journal *journal, int64_t task, const void *data, size_t bytes);

#endif
