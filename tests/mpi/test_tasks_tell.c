#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* Tasks that tell rank 0 something while they run, and several at a time on a rank. */

#include "support/tasks_case.h"
#include "support/tasks_schedules.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TASKS = 60, PARTS = 5, LARGEST = 3 << 20 };

typedef struct {
    int rank;
    int64_t failing; /* part of this task cannot be taken; -1: none */
    int together;    /* tasks of a rank wait until so many of them run */
    atomic_int running, most;
    atomic_bool over;
    int parts[TASKS]; /* rank 0: heard of each task, */
    bool done[TASKS]; /* and its result */
} telling;

/* Some are larger than a message's pieces. */
static size_t part_size(int64_t task, int part)
{
    return task % 20 == 7 && part == 2 ? LARGEST : sizeof(int64_t) * (size_t)(part + 1);
}

static void await_others(telling *t)
{
    /* One of several ranks may get all tasks but a few, and then so many never run at once. */
    const int most_rounds = all_ranks() == 1 ? 2000 : 20;
    static const struct timespec pause = {.tv_nsec = 10000000};
    int now = atomic_fetch_add(&t->running, 1) + 1;
    for (int most = atomic_load(&t->most); now > most;) {
        if (atomic_compare_exchange_weak(&t->most, &most, now)) {
            break;
        }
    }
    for (int round = 0; round < most_rounds && atomic_load(&t->most) < t->together; round++) {
        nanosleep(&pause, NULL);
    }
}

static halo_status tell_part(halo_task_range *range, int part)
{
    size_t size = part_size(range->task, part);
    int64_t *words = calloc(size / sizeof *words, sizeof *words);
    double reply = 0;
    words[0] = range->task;
    words[size / sizeof *words - 1] = part == 0 ? range->task : part;
    halo_status status = halo_task_tell(range, words, size, &reply);
    free(words);
    return status == HALO_OK && reply != (double)(100 * range->task + part)
               ? halo_fail(HALO_FORMAT, "task %lld: another reply", (long long)range->task)
               : status;
}

static halo_status run(void *context, halo_task_range *range)
{
    telling *t = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        await_others(t);
        for (int part = 0; part < PARTS; part++) {
            HALO_TRY(tell_part(range, part));
        }
        atomic_fetch_sub(&t->running, 1);
        HALO_TRY(halo_task_put(range, &range->task, sizeof range->task));
    }
    return HALO_OK;
}

static halo_status hear(void *context, int64_t task, const void *data, size_t bytes, double *reply)
{
    telling *t = context;
    int part = t->parts[task]++;
    const int64_t *words = data;
    size_t last = bytes / sizeof *words - 1;
    expect(bytes == part_size(task, part) && words[last] == (part == 0 ? task : part) &&
               (part == 0 || words[0] == task) && !t->done[task],
           "task %lld: part %d is another", (long long)task, part);
    *reply = (double)(100 * task + part);
    return task == t->failing && part == 1 ? halo_fail(HALO_FILE, "no room for a part") : HALO_OK;
}

static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    telling *t = context;
    expect(bytes == sizeof task && memcmp(data, &task, bytes) == 0 && t->parts[task] == PARTS,
           "task %lld has ended after %d parts", (long long)task, t->parts[task]);
    t->done[task] = true;
    return HALO_OK;
}

static halo_tasks_options options_of(telling *t, int slots, const char *schedule)
{
    return (halo_tasks_options){.count = TASKS,
                                .context = t,
                                .run = run,
                                .part = hear,
                                .collect = collect,
                                .once = true,
                                .slots = slots,
                                .schedule = schedule};
}

/* All parts come, in order, before the result, whatever hands out tasks. */
static void test_parts(void)
{
    for (int s = 0; s < TASKS_SCHEDULES; s++) {
        telling *t = calloc(1, sizeof *t);
        halo_tasks_report report;
        t->failing = -1;
        halo_tasks_options options = options_of(t, 1 + s % 4, tasks_schedules[s]);
        expect_case_ok(tasks_schedules[s], tasks_case_run(&options, &report));
        for (int64_t task = 0; my_rank() == 0 && task < TASKS; task++) {
            expect(t->done[task], "%s: task %lld is missing", tasks_schedules[s], (long long)task);
        }
        free(t);
    }
    EXPECT_AGREED();
}

/* As many run at once as there are slots, which may differ between ranks. */
static void test_slots(void)
{
    telling *t = calloc(1, sizeof *t);
    halo_tasks_report report;
    t->failing = -1;
    t->together = 3 + my_rank() % 2;
    halo_tasks_options options = options_of(t, t->together, "fixed:1");
    expect_case_ok("slots", tasks_case_run(&options, &report));
    int most = atomic_load(&t->most);
    expect(most <= t->together && (all_ranks() > 1 || most == t->together),
           "%d tasks at once, of %d", most, t->together);
    expect(my_rank() > 0 || report.finished == TASKS, "%lld tasks", (long long)report.finished);
    free(t);
    EXPECT_AGREED();
}

/* A part that cannot be taken ends the run on all ranks; no task waits for an answer. */
static void test_failing_part(void)
{
    for (int slots = 1; slots < 5; slots += 3) {
        telling *t = calloc(1, sizeof *t);
        halo_tasks_report report;
        t->failing = 31;
        halo_tasks_options options = options_of(t, slots, "guided");
        expect_fails(tasks_case_run(&options, &report), HALO_FILE, "no room for a part");
        free(t);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("tasks that tell rank 0 something", {"parts of results", test_parts},
               {"several at a time", test_slots}, {"a part that fails", test_failing_part})
