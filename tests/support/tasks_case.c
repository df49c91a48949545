#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "support/tasks_case.h"

#include "base/random.h"
#include "partition/schedule/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint32_t value_of(int64_t task)
{
    return halo_random_at(5, 0, task);
}

size_t tasks_case_size(const tasks_case *j, int64_t task)
{
    return task % 3 == 0 ? 0 : j->large ? 1000 * (size_t)(task % 97) + 4 : 4 * (size_t)(task % 5);
}

void tasks_case_await_end(tasks_case *j)
{
    enum { MOST_ROUNDS = 2000 };
    static const struct timespec pause = {.tv_nsec = 10000000};
    for (int round = 0; round < MOST_ROUNDS && !atomic_load(&j->over); round++) {
        nanosleep(&pause, NULL);
    }
}

static halo_status run_one(tasks_case *j, halo_task_range *range)
{
    int64_t task = range->task;
    size_t bytes;
    const void *data = halo_task_data(range, &bytes);
    atomic_fetch_add(&j->ran[task], 1);
    if (j->rank == j->stuck_rank) {
        tasks_case_await_end(j);
        j->stuck_rank = -1;
    }
    if (task == j->failing) {
        return halo_fail(HALO_FORMAT, "it is a bad one");
    }
    if (j->with_data && (bytes != (size_t)(task % 4) * 4 ||
                         (bytes > 0 && memcmp(data, &(uint32_t){value_of(task) + 1}, 4) != 0))) {
        return halo_fail(HALO_FORMAT, "other data, %zu bytes", bytes);
    }
    size_t size = tasks_case_size(j, task);
    if (size == 0) {
        return HALO_OK;
    }
    uint32_t *words = calloc(size / 4 + 1, 4);
    for (size_t i = 0; i < size / 4; i++) {
        words[i] = value_of(task) + (uint32_t)i;
    }
    halo_status status = halo_task_put(range, words, size);
    free(words);
    return status;
}

static halo_status run(void *context, halo_task_range *range)
{
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        HALO_TRY(run_one(context, range));
    }
    return HALO_OK;
}

static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    tasks_case *j = context;
    uint32_t word = 0;
    bool right = task >= 0 && task < j->count && bytes == tasks_case_size(j, task);
    for (size_t i = 0; right && i < bytes / 4; i++) {
        memcpy(&word, (const char *)data + 4 * i, sizeof word);
        right = word == value_of(task) + (uint32_t)i;
    }
    expect(right, "task %lld: %zu bytes, or others", (long long)task, bytes);
    j->collected[task]++;
    return HALO_OK;
}

static void failed(void *context, int64_t task, const char *message)
{
    tasks_case *j = context;
    j->failures++;
    j->failed = task;
    snprintf(j->message, sizeof j->message, "%s", message);
}

static const void *data_of(void *context, int64_t task, size_t *bytes)
{
    tasks_case *j = context;
    static PER_RANK uint32_t words[3];
    (void)j;
    words[0] = value_of(task) + 1;
    *bytes = (size_t)(task % 4) * 4;
    return words;
}

tasks_case *tasks_case_create(int64_t count)
{
    tasks_case *j = calloc(1, sizeof *j);
    j->rank = my_rank();
    j->count = count;
    j->failing = j->stuck_rank = -1;
    return j;
}

halo_tasks_options tasks_case_options(tasks_case *j, const char *schedule)
{
    return (halo_tasks_options){.count = j->count,
                                .context = j,
                                .run = run,
                                .collect = collect,
                                .failed = failed,
                                .data = j->with_data ? data_of : NULL,
                                .schedule = schedule};
}

halo_status tasks_case_run(const halo_tasks_options *options, halo_tasks_report *report)
{
    halo_tasks *tasks;
    HALO_TRY(halo_tasks_create(&tasks, mpi_check_world(), options));
    halo_status status = halo_tasks_run(tasks);
    *report = halo_tasks_get_report(tasks);
    for (int i = 0; report->by_rank != NULL && i < report->ranks; i++) {
        const halo_tasks_rank *r = &report->by_rank[i];
        expect(r->working >= 0 && r->waiting >= 0 && r->last <= report->seconds + 1,
               "rank %d: %g %g %g", i, r->working, r->waiting, r->last);
    }
    for (int64_t i = 0; report->event != NULL && i < report->events; i++) {
        const halo_tasks_event *e = &report->event[i];
        expect(e->ended >= e->begun && e->hi >= e->lo && e->hi <= TASKS_MOST, "event %lld",
               (long long)i);
    }
    halo_tasks_destroy(&tasks);
    return status;
}

void tasks_case_check(const tasks_case *j, const char *schedule)
{
    for (int64_t task = 0; j->rank == 0 && task < j->count; task++) {
        int wanted = tasks_case_size(j, task) > 0;
        expect(j->collected[task] == wanted, "%s: task %lld of %lld is collected %d times",
               schedule, (long long)task, (long long)j->count, j->collected[task]);
    }
}
