#include "app/services/tasks.h"

#include "base/memory.h"
#include "core/world/simulated_compute.h"

#include <stdlib.h>
#include <string.h>

/* Tasks whose results have a size that is known before. A command says how one is computed and
 * taken (app_tasks_work); what is the same for all of them is here. */

static const app_tasks_work *work_of(const app_run *run)
{
    return app_service_with(run->command, &app_tasks_service);
}

/* The largest result of a chunk's tasks. */
static size_t find_room(const app_run *run, const halo_task_range *range)
{
    const app_tasks_work *work = work_of(run);
    size_t room = 1;
    for (int64_t task = range->lo; task < range->hi; task++) {
        size_t bytes = work->bytes(run, task);
        room = bytes > room ? bytes : room;
    }
    return room;
}

static halo_status run_task(app_run *run, halo_task_range *range, void *found)
{
    const app_tasks_work *work = work_of(run);
    double *flops = app_tasks_of(run)->flops;
    size_t bytes = work->bytes(run, range->task);
    if (!app_tasks_recall(run, range->task, found, bytes)) {
        memset(found, 0, bytes);
        HALO_TRY(work->compute(run, range, found));
    }
    if (flops != NULL) {
        flops[range->task] = work->flops(run, range->task, found);
    }
    return halo_task_put(range, found, bytes);
}

static halo_status run_tasks(void *context, halo_task_range *range)
{
    app_run *run = context;
    void *found = malloc(find_room(run, range));
    halo_status status =
        HALO_REQUIRE(found != NULL, HALO_MEMORY, "out of memory: the result of a task");
    for (range->task = range->lo; range->task < range->hi && status == HALO_OK; range->task++) {
        status = run_task(run, range, found);
    }
    free(found);
    return status;
}

static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    app_run *run = context;
    const app_tasks_work *work = work_of(run);
    size_t wanted = work->bytes(run, task);
    HALO_FAIL_IF(bytes != wanted, HALO_FORMAT,
                 "task %lld has found %zu bytes, and not %zu; remove the journal, if there is one",
                 (long long)task, bytes, wanted);
    if (work->take == NULL) {
        memcpy((char *)app_tasks_of(run)->results + (size_t)task * bytes, data, bytes);
    } else {
        HALO_TRY(work->take(run, task, data));
    }
    return app_tasks_done(run, task, data, bytes);
}

static double flops_of(void *context, int64_t task)
{
    return app_tasks_of(context)->flops[task];
}

static const void *data_of(void *context, int64_t task, size_t *bytes)
{
    return work_of(context)->data(context, task, bytes);
}

static const char *name_of(const void *context, int64_t task)
{
    return work_of(context)->name(context, task);
}

static halo_status open_journal(app_run *run)
{
    enum { SAYS = 512 };
    const app_tasks_work *work = work_of(run);
    char says[SAYS];
    if (work->says != NULL) {
        work->says(run, says, sizeof says);
    }
    return app_tasks_open_journal(run, run->world,
                                  &(app_journal_job){.says = work->says != NULL ? says : NULL,
                                                     .tasks = work->count(run),
                                                     .name = work->name != NULL ? name_of : NULL,
                                                     .context = run});
}

/* Allocates what rank 0 keeps of results, and, on simulated machines, the costs of tasks. */
static halo_status make_room(app_run *run, int64_t count)
{
    const app_tasks_work *work = work_of(run);
    tasks_state *state = app_service_state(run, &app_tasks_service);
    if (work->take == NULL && app_is_root(run)) {
        char *results;
        HALO_TRY(
            HALO_ALLOCATE_LARGE(results, count * (int64_t)work->bytes(run, 0), "what tasks find"));
        state->results = results;
    }
    return HALO_SIMULATED ? HALO_ALLOCATE(state->flops, count, "what tasks cost") : HALO_OK;
}

halo_status app_tasks_work_run(app_run *run)
{
    const app_tasks_work *work = work_of(run);
    const halo_tasks_options options = {
        .count = work->count(run),
        .context = run,
        .run = run_tasks,
        .collect = collect,
        .data = work->data != NULL && work->sends(run) ? data_of : NULL,
        .flops = HALO_SIMULATED ? flops_of : NULL,
        .request_flops = work->request_flops != NULL ? work->request_flops(run) : 0};
    HALO_TRY(halo_agree(run->world, make_room(run, options.count)));
    HALO_TRY(open_journal(run));
    progress_phase(&run->progress, work->phase);
    return app_tasks_run(run, run->world, &options);
}
