#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* A bag of tasks that fail, that cannot be collected, or that do not end. */

#include "core/world/collect.h"
#include "support/tasks_case.h"
#include "support/tasks_schedules.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A task that fails is said once, with its number; the others are done if they are to be. */
static void test_failing_task(void)
{
    for (int s = 0; s < TASKS_SCHEDULES; s++) {
        for (int keep_going = 0; keep_going < 2; keep_going++) {
            tasks_case *j = tasks_case_create(60);
            halo_tasks_report report;
            j->failing = 31;
            halo_tasks_options options = tasks_case_options(j, tasks_schedules[s]);
            options.keep_going = keep_going != 0;
            options.same_thread = s % 2 == 0;
            expect_fails(tasks_case_run(&options, &report), HALO_FORMAT,
                         "task 31: it is a bad one");
            bool first = my_rank() == 0;
            expect(!first || (j->failures == 1 && j->failed == 31 &&
                              strcmp(j->message, "it is a bad one") == 0),
                   "%s: %d failures, of task %lld: %s", tasks_schedules[s], j->failures,
                   (long long)j->failed, j->message);
            expect(!first || !keep_going || (report.finished == 60 && report.failed == 1),
                   "%s: %lld finished", tasks_schedules[s], (long long)report.finished);
            free(j);
        }
    }
    EXPECT_AGREED();
}

static halo_status refuse(void *context, int64_t task, const void *data, size_t bytes)
{
    (void)context;
    (void)data;
    (void)bytes;
    return task >= 20 ? halo_fail(HALO_FILE, "no room for task %lld", (long long)task) : HALO_OK;
}

static void test_failing_collection(void)
{
    tasks_case *j = tasks_case_create(60);
    halo_tasks_report report;
    halo_tasks_options options = tasks_case_options(j, "guided");
    options.collect = refuse;
    expect_fails(tasks_case_run(&options, &report), HALO_FILE, "no room for task ");
    free(j);
    EXPECT_AGREED();
}

static void interrupt(void *context)
{
    atomic_store(&((tasks_case *)context)->over, true);
}

/* A rank that does not come back holds nobody up: others do its tasks again, and the run is over
 * while it still works. */
static void test_stuck_rank(void)
{
    static const char *const some[] = {"static",         "mfsc",      "guided",
                                       "hierarchical:2", "diffusive", "pipeline"};
    for (int s = 0; s < 6 && all_ranks() > 1; s++) {
        tasks_case *j = tasks_case_create(50);
        halo_tasks_report report;
        j->stuck_rank = all_ranks() - 1;
        halo_tasks_options options = tasks_case_options(j, some[s]);
        options.interrupt = interrupt;
        expect_case_ok(some[s], tasks_case_run(&options, &report));
        tasks_case_check(j, some[s]);
        /* Unless others were so fast that nothing was left for it. */
        bool stuck = my_rank() == all_ranks() - 1 && j->stuck_rank < 0;
        expect(!stuck || atomic_load(&j->over), "%s: the run waits for a rank", some[s]);
        free(j);
    }
    EXPECT_AGREED();
}

/* Task 0 cannot be collected, which ends the run when others are busy. */
typedef struct {
    tasks_case *j;
    bool ends_early;
    atomic_int given; /* rank 0 */
} halted;

static halo_status run_halted(void *context, halo_task_range *range)
{
    halted *h = context;
    static const struct timespec pause = {.tv_nsec = 5000000};
    range->task = range->lo;
    atomic_fetch_add(&h->j->ran[range->task], 1);
    if (range->task == 0) {
        enum { MOST_ROUNDS = 4000 };
        for (int round = 0;
             h->j->rank == 0 && round < MOST_ROUNDS && atomic_load(&h->given) < all_ranks();
             round++) {
            nanosleep(&pause, NULL);
        }
    } else {
        tasks_case_await_end(h->j);
        if (h->ends_early) {
            range->ended_early = true;
            return HALO_OK;
        }
    }
    return halo_task_put(range, "x", 1);
}

static const void *count_given(void *context, int64_t task, size_t *bytes)
{
    (void)task;
    *bytes = 0;
    atomic_fetch_add(&((halted *)context)->given, 1);
    return NULL;
}

static halo_status refuse_first(void *context, int64_t task, const void *data, size_t bytes)
{
    static const struct timespec pause = {.tv_nsec = 20000000}; /* others begin */
    (void)data;
    (void)bytes;
    ((halted *)context)->j->collected[task]++;
    if (task == 0) {
        nanosleep(&pause, NULL);
        return halo_fail(HALO_FILE, "no room for task 0");
    }
    return HALO_OK;
}

static void interrupt_halted(void *context)
{
    atomic_store(&((halted *)context)->j->over, true);
}

/* A run that ends early collects what has been done on any rank, and nothing else. */
static void test_ended_early(void)
{
    static const char *const some[] = {"fixed:1", "hierarchical:1", "pipeline", "diffusive"};
    for (int i = 0; i < 8; i++) {
        tasks_case *j = tasks_case_create(all_ranks());
        halted h = {.j = j, .ends_early = i % 2 == 1};
        halo_tasks_report report;
        halo_tasks_options options = tasks_case_options(j, some[i / 2]);
        options.context = &h;
        options.run = run_halted;
        options.collect = refuse_first;
        options.data = count_given;
        options.interrupt = interrupt_halted;
        options.once = true;
        expect_fails(tasks_case_run(&options, &report), HALO_FILE, "no room for task 0");
        int64_t times[TASKS_MOST], done = 0;
        for (int64_t task = 0; task < j->count; task++) {
            times[task] = atomic_load(&j->ran[task]);
        }
        expect_ok(halo_allreduce_sum(mpi_check_world(), times, (int)j->count));
        for (int64_t task = 0; j->rank == 0 && task < j->count; task++) {
            int64_t wanted = task > 0 && h.ends_early ? 0 : times[task];
            expect(j->collected[task] == wanted, "%s: task %lld ran %lld times, and counts %d",
                   some[i / 2], (long long)task, (long long)times[task], j->collected[task]);
            done += wanted;
        }
        expect(j->rank > 0 || report.finished == done, "%lld finished", (long long)report.finished);
        free(j);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("a bag of tasks that fail", {"a task that fails", test_failing_task},
               {"a collection that fails", test_failing_collection},
               {"a rank that does not come back", test_stuck_rank},
               {"a run that ends early", test_ended_early})
