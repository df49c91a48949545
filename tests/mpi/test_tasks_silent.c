#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* A rank that does not answer others, since it runs a long task in the thread that should: they ask
 * somebody else, and do its tasks again. One that answers gives back the tasks behind a long one.
 */

#include "core/tasks/tasks.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <stdatomic.h>
#include <time.h>

enum { TASKS = 60, TAG = 77 };

typedef struct {
    bool stuck;        /* this rank, from its first task on */
    int done[TASKS];   /* rank 0 */
    int all;           /* of these */
    char word;         /* from rank 0, when all are done */
    halo_request told; /* its message */
    bool in_vain;      /* it did not come */
} job;

/* Long enough for any machine; the run would be over by itself then. */
static const double longest = 60;

static halo_status run(void *context, halo_task_range *range)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    job *j = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        if (j->stuck) {
            bool complete;
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
        halo_request sent;
        HALO_TRY(halo_post(mpi_check_world(), true, &j->word, 1, rank, TAG, &sent));
        HALO_TRY(halo_wait(mpi_check_world(), 1, &sent));
    }
    return HALO_OK;
}

static void check(const char *schedule, int stuck)
{
    job j = {.stuck = my_rank() == stuck, .told = HALO_NO_REQUEST};
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

/* ---- a task that takes long, in a thread ------------------------------------------------------
 */

typedef struct {
    bool slow;              /* this rank: its first task lasts until all others are done */
    atomic_bool others_are; /* are they? */
    bool in_vain;
    int runs, all; /* of tasks here; rank 0: done */
    char word;
    halo_request told;
} behind;

static halo_status run_behind(void *context, halo_task_range *range)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    behind *b = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        double begun = halo_seconds();
        b->runs++;
        while (b->slow && !atomic_load(&b->others_are) && !b->in_vain) {
            nanosleep(&pause, NULL);
            b->in_vain = halo_seconds() > begun + longest;
        }
        b->slow = false;
        nanosleep(&pause, NULL);
        HALO_TRY(halo_task_put(range, "x", 1));
    }
    return HALO_OK;
}

static halo_status collect_behind(void *context, int64_t task, const void *data, size_t bytes)
{
    behind *b = context;
    (void)task;
    (void)data;
    expect(bytes == 1, "other bytes");
    b->all++;
    for (int rank = 1; b->all == TASKS - 1 && rank < all_ranks(); rank++) {
        halo_request sent;
        HALO_TRY(halo_post(mpi_check_world(), true, &b->word, 1, rank, TAG, &sent));
        HALO_TRY(halo_wait(mpi_check_world(), 1, &sent));
    }
    if (b->all == TASKS - 1) {
        atomic_store(&b->others_are, true);
    }
    return HALO_OK;
}

/* In the thread that may call MPI, while it waits. */
static void look(void *context)
{
    behind *b = context;
    bool complete = false;
    if (halo_request_is_set(b->told) &&
        halo_test_in_service(mpi_check_world(), &b->told, &complete) == HALO_OK && complete) {
        atomic_store(&b->others_are, true);
    }
}

/* Tasks behind a long one, which may not be done twice, are done by others. */
static void check_behind(const char *schedule, int slow)
{
    behind b = {.slow = my_rank() == slow, .told = HALO_NO_REQUEST};
    halo_service service = {.serve = look, .context = &b};
    halo_tasks *tasks;
    const halo_tasks_options options = {.count = TASKS,
                                        .context = &b,
                                        .run = run_behind,
                                        .collect = collect_behind,
                                        .schedule = schedule,
                                        .gives_back = true,
                                        .once = true};
    if (my_rank() > 0) {
        expect_ok(halo_post(mpi_check_world(), false, &b.word, 1, 0, TAG, &b.told));
    }
    halo_world_begin_service(mpi_check_world(), &service);
    expect_ok(halo_tasks_create(&tasks, mpi_check_world(), &options));
    expect_case_ok(schedule, halo_tasks_run(tasks));
    halo_world_end_service(mpi_check_world(), &service);
    expect_ok(halo_wait(mpi_check_world(), 1, &b.told));
    expect(!b.in_vain, "%s: tasks wait behind a long one of rank %d", schedule, slow);
    expect(my_rank() > 0 || b.all == TASKS, "%s: %d tasks are done", schedule, b.all);
    int64_t runs = b.runs;
    expect_ok(halo_allreduce_sum(mpi_check_world(), &runs, 1));
    expect(runs == TASKS, "%s: %lld runs of tasks", schedule, (long long)runs);
    halo_tasks_destroy(&tasks);
}

static void test_tasks_behind(void)
{
    check_behind("static", 0);
    check_behind("static", all_ranks() - 1);
    check_behind("guided", 1);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("tasks of a rank that is slow", {"a silent rank", test_silent_rank},
               {"tasks behind a long one", test_tasks_behind})
