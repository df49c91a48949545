#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* A rank that does not answer others, since it runs a long task in the thread that should: they ask
 * somebody else, and do its tasks again. */

#include "core/tasks/tasks.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <string.h>
#include <time.h>

enum { TASKS = 60, TAG = 77 };

typedef struct {
    bool stuck;       /* this rank, from its first task on */
    int done[TASKS];  /* rank 0 */
    int all;          /* of these */
    char word;        /* from rank 0, when all are done */
    MPI_Request told; /* its message */
    bool in_vain;     /* it did not come */
} job;

/* Long enough for any machine; the run would be over by itself then. */
static const double longest = 60;

static halo_status run(void *context, halo_task_range *range)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    job *j = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        if (j->stuck) {
            int complete;
            HALO_TRY(halo_wait_for(mpi_check_world(), &j->told, longest, &complete));
            j->in_vain = !complete;
            j->stuck = false;
        }
        nanosleep(&pause, NULL);
        HALO_TRY(halo_task_put(range, "x", 1));
    }
    return HALO_OK;
}

/* All but rank 0 hear of it when the last one is done. */
static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    job *j = context;
    expect(bytes == 1 && *(const char *)data == 'x', "task %lld: other bytes", (long long)task);
    j->done[task]++;
    j->all++;
    for (int rank = 1; j->all == TASKS && rank < all_ranks(); rank++) {
        MPI_Request sent;
        HALO_TRY(halo_post(mpi_check_world(), true, &j->word, 1, rank, TAG, &sent));
        HALO_TRY(halo_wait(mpi_check_world(), 1, &sent));
    }
    return HALO_OK;
}

static void check(const char *schedule, int stuck)
{
    job j = {.stuck = my_rank() == stuck, .told = MPI_REQUEST_NULL};
    halo_tasks *tasks;
    const halo_tasks_options options = {.count = TASKS,
                                        .context = &j,
                                        .run = run,
                                        .collect = collect,
                                        .schedule = schedule,
                                        .same_thread = true};
    if (my_rank() > 0) {
        expect_ok(halo_post(mpi_check_world(), false, &j.word, 1, 0, TAG, &j.told));
    }
    expect_ok(halo_tasks_create(&tasks, mpi_check_world(), &options));
    expect_case_ok(schedule, halo_tasks_run(tasks));
    expect_ok(halo_wait(mpi_check_world(), 1, &j.told));
    expect(!j.in_vain, "%s: others wait for rank %d", schedule, stuck);
    for (int task = 0; my_rank() == 0 && task < TASKS; task++) {
        expect(j.done[task] == 1, "%s: task %d is done %d times", schedule, task, j.done[task]);
    }
    halo_tasks_destroy(&tasks);
}

static void test_silent_rank(void)
{
    static const struct {
        const char *schedule;
        int stuck, ranks; /* at least */
    } cases[] = {{"mfsc", 1, 2},
                 {"diffusive", 1, 2},
                 {"diffusive:2,turn", 1, 3},
                 {"diffusive:2,random", 1, 3},
                 {"pipeline", 1, 3},
                 {"hierarchical:2", 2, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (all_ranks() >= cases[i].ranks) {
            check(cases[i].schedule, cases[i].stuck);
        }
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("tasks of a rank that does not answer", {"a silent rank", test_silent_rank})
