#ifndef HALOBEAT_APP_JOURNAL_H
#define HALOBEAT_APP_JOURNAL_H

#include "base/status.h"
#include "core/world/world.h"

#include <stddef.h>

/* Which tasks of a job are done, and what they found: a file that rank 0 appends a line to for each
 * task as soon as it is done, so that the same command, given again, goes on where a run was
 * killed.
 *
 * A journal belongs to one job: a line that says its command and the options that change its
 * result, and a list of tasks. The schedule, the number of ranks and where output goes may change.
 */
typedef struct app_journal app_journal;

/* The same on all ranks; what it points to is used by app_journal_open alone. */
typedef struct {
    const char *says; /* a line: the command, and options that change the result */
    int64_t tasks;
    const char *(*name)(const void *context, int64_t task); /* an input's; NULL: none has one */
    const void *context;
} app_journal_job;

/* Collective. Opens the journal `path`, or begins one. HALO_FILE, HALO_MEMORY; HALO_FORMAT if it is
 * none, is damaged, or belongs to another job; HALO_FILE, too, if another run is writing to it. A
 * last line that was cut off is passed over: its task is done again. */
halo_status app_journal_open(app_journal **out, halo_world *world, const char *path,
                             const app_journal_job *job);

/* Local. Reads the journal `path`, for app_journal_found alone; others may write to it. HALO_FILE,
 * HALO_MEMORY, HALO_FORMAT as above. */
halo_status app_journal_load(app_journal **out, const char *path, const app_journal_job *job);

/* Local. What `task` found, *bytes of it; NULL if the journal does not have it. */
const void *app_journal_found(const app_journal *journal, int64_t task, size_t *bytes);

/* Local. Accepts a pointer to NULL. */
void app_journal_close(app_journal **journal);

/* Local, on all ranks. How many tasks are not done, and their numbers, [left]; as they were when it
 * was opened. */
int64_t app_journal_left(const app_journal *journal, const int64_t **numbers);

/* Local, on rank 0. What the tasks found that are done, in the order in which they were: `collect`
 * as in halo_tasks_options. Hands up its failure. */
halo_status app_journal_replay(const app_journal *journal,
                               halo_status (*collect)(void *context, int64_t task, const void *data,
                                                      size_t bytes),
                               void *context);

/* Local, on rank 0. `task` is done, and has found `bytes` bytes; nothing if the journal has it.
 * HALO_FILE. */
halo_status app_journal_add(app_journal *journal, int64_t task, const void *data, size_t bytes);

#endif
