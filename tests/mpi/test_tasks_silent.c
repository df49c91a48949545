#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* A rank that does not answer others, since it runs a long task in the thread that should: they ask
 * somebody else, and do its tasks again. One that answers gives back the tasks behind a long one.
 *
 * Ranks other than 0 hear by a message that the others have done their tasks, or, where ranks are
 * threads, by a number in memory that all share: any rank collects there. */

#include "core/tasks/tasks.h"
#include "core/world/clock.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <stdatomic.h>
#include <time.h>

enum { TASKS = 60, TAG = 77 };

static atomic_int bags_done; /* by threads, of all worlds */

/* The message that ranks wait for. */
typedef struct {
    int bag;           /* of threads: the number of this one */
    char word;         /* processes: from rank 0 */
    halo_request told; /* its message */
} news;

/* Collective: returns when all ranks wait for news. */
static void await_news(news *of)
{
    *of = (news){.bag = atomic_load(&bags_done) + 1, .told = HALO_NO_REQUEST};
    if (!halo_world_is_process(mpi_check_world()) && my_rank() > 0) {
        expect_ok(halo_post(mpi_check_world(), false, &of->word, 1, 0, TAG, &of->told));
    }
    expect_ok(halo_agree(mpi_check_world(), HALO_OK));
}

/* By rank 0, or a thread for it. */
static halo_status tell_news(news *of)
{
    atomic_store(&bags_done, of->bag);
    for (int rank = 1; rank < all_ranks() && !halo_world_is_process(mpi_check_world()); rank++) {
        halo_request sent;
        HALO_TRY(halo_post(mpi_check_world(), true, &of->word, 1, rank, TAG, &sent));
        HALO_TRY(halo_wait(mpi_check_world(), 1, &sent));
    }
    return HALO_OK;
}

/* In the thread of the rank that may send messages. */
static bool has_news(news *of)
{
    bool there = false;
    if (halo_request_is_set(of->told)) {
        expect_ok(halo_test_in_service(mpi_check_world(), &of->told, &there));
    }
    return there || atomic_load(&bags_done) >= of->bag;
}

typedef struct {
    bool stuck;      /* this rank, from its first task on */
    int done[TASKS]; /* rank 0 */
    int all;         /* of these */
    news of_end;     /* all are done */
    bool in_vain;    /* they did not come */
} job;

/* Long enough for any machine; the run would be over by itself then. */
static const double longest = 60;

static halo_status run(void *context, halo_task_range *range)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    job *j = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        double begun = halo_seconds();
        while (j->stuck) {
            nanosleep(&pause, NULL);
            j->in_vain = halo_seconds() > begun + longest;
            j->stuck = !j->in_vain && !has_news(&j->of_end);
        }
        nanosleep(&pause, NULL);
        HALO_TRY(halo_task_put(range, "x", 1));
    }
    return HALO_OK;
}

/* On rank 0: all hear of it when the last one is done. */
static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    job *j = context;
    expect(bytes == 1 && *(const char *)data == 'x', "task %lld: other bytes", (long long)task);
    j->done[task]++;
    j->all++;
    return j->all == TASKS ? tell_news(&j->of_end) : HALO_OK;
}

static void check(const char *schedule, int stuck)
{
    job j = {.stuck = my_rank() == stuck};
    halo_tasks *tasks;
    const halo_tasks_options options = {.count = TASKS,
                                        .context = &j,
                                        .run = run,
                                        .collect = collect,
                                        .schedule = schedule,
                                        .same_thread = true};
    await_news(&j.of_end);
    expect_ok(halo_tasks_create(&tasks, mpi_check_world(), &options));
    expect_case_ok(schedule, halo_tasks_run(tasks));
    expect_ok(halo_wait(mpi_check_world(), 1, &j.of_end.told));
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
    news of_others;
} behind;

/* Ranks that are threads serve nobody while they run a task. */
static bool others_are_done(behind *b)
{
    return atomic_load(&b->others_are) || atomic_load(&bags_done) >= b->of_others.bag;
}

static halo_status run_behind(void *context, halo_task_range *range)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    behind *b = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        double begun = halo_seconds();
        b->runs++;
        while (b->slow && !others_are_done(b) && !b->in_vain) {
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
    return b->all == TASKS - 1 ? tell_news(&b->of_others) : HALO_OK;
}

/* In the thread that may call MPI, while it waits. */
static void look(void *context)
{
    behind *b = context;
    if (has_news(&b->of_others)) {
        atomic_store(&b->others_are, true);
    }
}

/* Tasks behind a long one, which may not be done twice, are done by others. */
static void check_behind(const char *schedule, int slow)
{
    behind b = {.slow = my_rank() == slow};
    halo_service service = {.serve = look, .context = &b};
    halo_tasks *tasks;
    const halo_tasks_options options = {.count = TASKS,
                                        .context = &b,
                                        .run = run_behind,
                                        .collect = collect_behind,
                                        .schedule = schedule,
                                        .gives_back = true,
                                        .once = true};
    await_news(&b.of_others);
    halo_world_begin_service(mpi_check_world(), &service);
    expect_ok(halo_tasks_create(&tasks, mpi_check_world(), &options));
    expect_case_ok(schedule, halo_tasks_run(tasks));
    halo_world_end_service(mpi_check_world(), &service);
    expect_ok(halo_wait(mpi_check_world(), 1, &b.of_others.told));
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
