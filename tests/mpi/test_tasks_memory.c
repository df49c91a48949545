/* A bag of tasks on a rank that runs out of memory: wherever that is, all ranks leave, with one
 * message, and can run another one. */

#include "core/tasks/tasks.h"
#include "support/failing_memory.h"
#include "support/mpi_check.h"

#include <string.h>

enum { TASKS = 6, LARGE = 5 << 19 }; /* of more than one piece */

typedef struct {
    const char *schedule;
    bool once, same_thread;
    int collected[TASKS];
} bag;

static char large[LARGE]; /* the same everywhere */

static size_t size_of(int64_t task)
{
    return task % 3 == 0 ? LARGE : task % 3 == 1 ? 100 : 0;
}

static halo_status run(void *context, halo_task_range *range)
{
    (void)context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        size_t bytes;
        const void *data = halo_task_data(range, &bytes);
        if (bytes != size_of(range->task) || (bytes > 0 && memcmp(data, large, bytes) != 0)) {
            return halo_fail(HALO_FORMAT, "other data");
        }
        HALO_TRY(bytes > 0 ? halo_task_put(range, data, bytes) : HALO_OK);
    }
    return HALO_OK;
}

static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    bag *b = context;
    expect(bytes == size_of(task) && memcmp(data, large, bytes) == 0, "task %d: other bytes",
           (int)task);
    b->collected[task]++;
    return HALO_OK;
}

static const void *data_of(void *context, int64_t task, size_t *bytes)
{
    (void)context;
    *bytes = size_of(task);
    return large;
}

static halo_status run_bag(void *context)
{
    bag *b = context;
    halo_tasks *tasks;
    const halo_tasks_options options = {.count = TASKS,
                                        .context = b,
                                        .run = run,
                                        .collect = collect,
                                        .data = data_of,
                                        .schedule = b->schedule,
                                        .once = b->once,
                                        .same_thread = b->same_thread};
    memset(b->collected, 0, sizeof b->collected);
    HALO_TRY(halo_tasks_create(&tasks, mpi_check_world(), &options));
    halo_status status = halo_tasks_run(tasks);
    const halo_tasks_report report = halo_tasks_get_report(tasks);
    bool all = report.finished - report.failed == TASKS;
    for (int task = 0; task < TASKS && my_rank() == 0; task++) {
        int wanted = size_of(task) > 0 && (all || status == HALO_OK);
        expect(b->collected[task] == wanted || (!all && b->collected[task] <= 1),
               "task %d is collected %d times", task, b->collected[task]);
    }
    halo_tasks_destroy(&tasks);
    return status;
}

static void test_each_allocation(void)
{
    bag bags[] = {{.schedule = "fixed:1", .once = true},
                  {.schedule = "static", .once = true, .same_thread = true},
                  {.schedule = "hierarchical:2", .once = true},
                  {.schedule = "diffusive", .once = true},
                  {.schedule = "pipeline", .once = true, .same_thread = true},
                  {.schedule = "mfsc"}};
    memset(large, 7, sizeof large);
    for (size_t i = 0; i < sizeof bags / sizeof *bags; i++) {
        /* A failure on one more rank must not be missed. */
        failing_memory_each(run_bag, NULL, &bags[i], !bags[i].once, bags[i].schedule);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("a bag of tasks without memory", {"each allocation", test_each_allocation})
