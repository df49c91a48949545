/* A bag of tasks: every strategy does each task, and its result is collected once. */

#include "core/world/collect.h"
#include "support/tasks_case.h"
#include "support/tasks_schedules.h"

#include <stdlib.h>

/* How often all ranks ran each task. */
static void count_runs(const tasks_case *j, int64_t *total, int64_t *most)
{
    int64_t times[TASKS_MOST];
    *total = *most = 0;
    for (int64_t task = 0; task < j->count; task++) {
        times[task] = atomic_load(&j->ran[task]);
    }
    expect_ok(halo_allreduce_sum(mpi_check_world(), times, (int)j->count));
    for (int64_t task = 0; task < j->count; task++) {
        *total += times[task];
        *most = times[task] > *most ? times[task] : *most;
    }
}

static void test_every_schedule(void)
{
    static const int64_t counts[] = {0, 1, 7, 200};
    for (int s = 0; s < TASKS_SCHEDULES; s++) {
        for (int c = 0; c < 4; c++) {
            tasks_case *j = tasks_case_create(counts[c]);
            halo_tasks_report report;
            j->with_data = (s + c) % 2 == 0;
            halo_tasks_options options = tasks_case_options(j, tasks_schedules[s]);
            options.once = (s + c) % 3 == 0;
            options.master_rests = (s + c) % 5 == 0;
            options.same_thread = (s + c) % 7 == 0;
            expect_case_ok(tasks_schedules[s], tasks_case_run(&options, &report));
            tasks_case_check(j, tasks_schedules[s]);
            int64_t total, most;
            count_runs(j, &total, &most);
            expect(total >= j->count && (!options.once || (total == j->count && most <= 1)),
                   "%s: %lld runs of %lld tasks", tasks_schedules[s], (long long)total,
                   (long long)j->count);
            expect(my_rank() > 0 || (report.finished == j->count && report.failed == 0),
                   "%s: %lld finished", tasks_schedules[s], (long long)report.finished);
            free(j);
        }
    }
    EXPECT_AGREED();
}

static void test_master_rests(void)
{
    tasks_case *j = tasks_case_create(100);
    halo_tasks_report report;
    halo_tasks_options options = tasks_case_options(j, "fixed:2");
    options.master_rests = true;
    expect_ok(tasks_case_run(&options, &report));
    int64_t here = 0;
    for (int64_t task = 0; task < j->count; task++) {
        here += atomic_load(&j->ran[task]);
    }
    expect(my_rank() > 0 || all_ranks() == 1 || here == 0, "rank 0 rests, and runs %lld tasks",
           (long long)here);
    free(j);
    EXPECT_AGREED();
}

/* Messages far larger than those that MPI sends at once. */
static void test_large_results(void)
{
    static const char *const some[] = {"mfsc", "hierarchical:3", "diffusive", "pipeline"};
    for (int s = 0; s < 4; s++) {
        tasks_case *j = tasks_case_create(400);
        halo_tasks_report report;
        j->large = true;
        halo_tasks_options options = tasks_case_options(j, some[s]);
        expect_case_ok(some[s], tasks_case_run(&options, &report));
        tasks_case_check(j, some[s]);
        free(j);
    }
    EXPECT_AGREED();
}

/* Every third task is left out, and those from 100 to 139. */
static void test_numbers(void)
{
    static const char *const some[] = {"static", "mfsc", "hierarchical:2", "diffusive", "pipeline"};
    static int64_t numbers[200];
    for (int s = 0; s < 5; s++) {
        tasks_case *j = tasks_case_create(200);
        halo_tasks_report report;
        int64_t count = 0;
        for (int64_t task = 0; task < j->count; task++) {
            numbers[count] = task;
            count += task % 3 != 1 && (task < 100 || task >= 140);
        }
        j->with_data = true;
        halo_tasks_options options = tasks_case_options(j, some[s]);
        options.count = count;
        options.numbers = numbers;
        options.same_thread = s % 2 == 0;
        options.once = true;
        expect_case_ok(some[s], tasks_case_run(&options, &report));
        for (int64_t task = 0; task < j->count; task++) {
            bool wanted = task % 3 != 1 && (task < 100 || task >= 140);
            expect(j->rank > 0 || j->collected[task] == (wanted && tasks_case_size(j, task) > 0),
                   "%s: task %lld is collected %d times", some[s], (long long)task,
                   j->collected[task]);
            expect(atomic_load(&j->ran[task]) <= wanted, "%s: task %lld is run", some[s],
                   (long long)task);
        }
        j->failing = 141;
        j->collected[0] = 0;
        expect_fails(tasks_case_run(&options, &report), HALO_FORMAT, "task 141: it is a bad one");
        free(j);
    }
    EXPECT_AGREED();
}

/* Two results of a task, or one of another. */
static halo_status put_twice(void *context, halo_task_range *range)
{
    (void)context;
    range->task = range->lo;
    HALO_TRY(halo_task_put(range, "x", 1));
    return halo_task_put(range, "y", 1);
}

static void test_bad_calls(void)
{
    tasks_case *j = tasks_case_create(10);
    halo_tasks_report report;
    halo_tasks_options options = tasks_case_options(j, "gidded");
    expect_fails(tasks_case_run(&options, &report), HALO_ARGUMENT,
                 "unknown schedule \"gidded\"; use ");
    options = tasks_case_options(j, "fixed:0");
    expect_fails(tasks_case_run(&options, &report), HALO_ARGUMENT, "use fixed:X");
    options = tasks_case_options(j, NULL);
    options.count = -1;
    expect_fails(tasks_case_run(&options, &report), HALO_ARGUMENT, "-1 tasks");
    options = tasks_case_options(j, NULL);
    options.run = NULL;
    expect_fails(tasks_case_run(&options, &report), HALO_ARGUMENT, "without a function");
    options = tasks_case_options(j, NULL);
    options.run = put_twice;
    options.collect = NULL;
    expect_fails(tasks_case_run(&options, &report), HALO_ARGUMENT, "one result for a task");
    free(j);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("a bag of tasks", {"every schedule", test_every_schedule},
               {"a master that rests", test_master_rests}, {"large results", test_large_results},
               {"tasks that are left out", test_numbers}, {"bad calls", test_bad_calls})
