#define _POSIX_C_SOURCE 200809L /* nanosleep */
/* A bag of tasks: every strategy does each task, and its result is collected once. */

#include "base/random.h"
#include "core/tasks/tasks.h"
#include "core/world/collect.h"
#include "partition/schedule/schedule.h"
#include "support/mpi_check.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 700 };

/* What a test looks at. Tasks run in another thread. */
typedef struct {
    int rank;
    int64_t count;
    bool with_data, large;
    int64_t failing;      /* a task, or -1 */
    int64_t stuck_rank;   /* whose first task takes until the run is over, or -1 */
    atomic_bool over;     /* is it? */
    atomic_int ran[MOST]; /* here */
    int collected[MOST];  /* rank 0 */
    int failures;
    int64_t failed;
    char message[HALO_MESSAGE_SIZE];
    uint32_t data[MOST];
} job;

static uint32_t value_of(int64_t task)
{
    return halo_random_at(5, 0, task);
}

/* Bytes of a result: none, some, or many. */
static size_t size_of(const job *j, int64_t task)
{
    return task % 3 == 0 ? 0 : j->large ? 1000 * (size_t)(task % 97) + 4 : 4 * (size_t)(task % 5);
}

static void wait_for_end(job *j)
{
    enum { MOST_ROUNDS = 2000 };
    static const struct timespec pause = {.tv_nsec = 10000000};
    for (int round = 0; round < MOST_ROUNDS && !atomic_load(&j->over); round++) {
        nanosleep(&pause, NULL);
    }
}

static void interrupt(void *context)
{
    atomic_store(&((job *)context)->over, true);
}

static halo_status run_one(job *j, halo_task_range *range)
{
    int64_t task = range->task;
    size_t bytes;
    const void *data = halo_task_data(range, &bytes);
    atomic_fetch_add(&j->ran[task], 1);
    if (j->rank == j->stuck_rank) {
        wait_for_end(j);
        j->stuck_rank = -1;
    }
    if (task == j->failing) {
        return halo_fail(HALO_FORMAT, "it is a bad one");
    }
    if (j->with_data && (bytes != (size_t)(task % 4) * 4 ||
                         (bytes > 0 && memcmp(data, &(uint32_t){value_of(task) + 1}, 4) != 0))) {
        return halo_fail(HALO_FORMAT, "other data, %zu bytes", bytes);
    }
    size_t size = size_of(j, task);
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
    job *j = context;
    uint32_t word = 0;
    bool right = task >= 0 && task < j->count && bytes == size_of(j, task);
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
    job *j = context;
    j->failures++;
    j->failed = task;
    snprintf(j->message, sizeof j->message, "%s", message);
}

static const void *data_of(void *context, int64_t task, size_t *bytes)
{
    job *j = context;
    static uint32_t words[3];
    (void)j;
    words[0] = value_of(task) + 1;
    *bytes = (size_t)(task % 4) * 4;
    return words;
}

static job *make(int64_t count)
{
    job *j = calloc(1, sizeof *j);
    j->rank = my_rank();
    j->count = count;
    j->failing = j->stuck_rank = -1;
    return j;
}

static halo_tasks_options options_for(job *j, const char *schedule)
{
    return (halo_tasks_options){.count = j->count,
                                .context = j,
                                .run = run,
                                .collect = collect,
                                .failed = failed,
                                .data = j->with_data ? data_of : NULL,
                                .schedule = schedule};
}

/* Runs them; *report is of rank 0, without its arrays. */
static halo_status do_tasks(const halo_tasks_options *options, halo_tasks_report *report)
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
        expect(e->ended >= e->begun && e->hi >= e->lo && e->hi <= MOST, "event %lld", (long long)i);
    }
    halo_tasks_destroy(&tasks);
    return status;
}

static void check_all_collected(const job *j, const char *schedule)
{
    for (int64_t task = 0; j->rank == 0 && task < j->count; task++) {
        int wanted = size_of(j, task) > 0;
        expect(j->collected[task] == wanted, "%s: task %lld of %lld is collected %d times",
               schedule, (long long)task, (long long)j->count, j->collected[task]);
    }
}

/* How often all ranks ran each task. */
static void count_runs(const job *j, int64_t *total, int64_t *most)
{
    int64_t times[MOST];
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

static const char *const schedules[] = {"static",
                                        "static-weighted",
                                        "fixed:3",
                                        "uniform:20",
                                        "timed:.001",
                                        "mfsc",
                                        "fsc",
                                        "guided",
                                        "guided:1987",
                                        "tss",
                                        "factoring",
                                        "factoring:1992",
                                        "weighted-factoring",
                                        "weighted-factoring:start",
                                        "weighted-factoring:batch",
                                        "weighted-factoring:2008",
                                        "awf-b",
                                        "awf-c",
                                        "awf-d",
                                        "awf-e",
                                        "af",
                                        "adaptive",
                                        "adaptive:2008",
                                        "adaptive-latency",
                                        "exponential:2",
                                        "hierarchical:2",
                                        "hierarchical:2,3",
                                        "diffusive",
                                        "diffusive:3/2,turn",
                                        "diffusive:2,random",
                                        "pipeline"};
enum { SCHEDULES = sizeof schedules / sizeof *schedules };

static void test_every_schedule(void)
{
    static const int64_t counts[] = {0, 1, 7, 200};
    for (int s = 0; s < SCHEDULES; s++) {
        for (int c = 0; c < 4; c++) {
            job *j = make(counts[c]);
            halo_tasks_report report;
            j->with_data = (s + c) % 2 == 0;
            halo_tasks_options options = options_for(j, schedules[s]);
            options.once = (s + c) % 3 == 0;
            options.master_rests = (s + c) % 5 == 0;
            options.same_thread = (s + c) % 7 == 0;
            expect_case_ok(schedules[s], do_tasks(&options, &report));
            check_all_collected(j, schedules[s]);
            int64_t total, most;
            count_runs(j, &total, &most);
            expect(total >= j->count && (!options.once || (total == j->count && most <= 1)),
                   "%s: %lld runs of %lld tasks", schedules[s], (long long)total,
                   (long long)j->count);
            expect(my_rank() > 0 || (report.finished == j->count && report.failed == 0),
                   "%s: %lld finished", schedules[s], (long long)report.finished);
            free(j);
        }
    }
    EXPECT_AGREED();
}

static void test_master_rests(void)
{
    job *j = make(100);
    halo_tasks_report report;
    halo_tasks_options options = options_for(j, "fixed:2");
    options.master_rests = true;
    expect_ok(do_tasks(&options, &report));
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
        job *j = make(400);
        halo_tasks_report report;
        j->large = true;
        halo_tasks_options options = options_for(j, some[s]);
        expect_case_ok(some[s], do_tasks(&options, &report));
        check_all_collected(j, some[s]);
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
        job *j = make(200);
        halo_tasks_report report;
        int64_t count = 0;
        for (int64_t task = 0; task < j->count; task++) {
            numbers[count] = task;
            count += task % 3 != 1 && (task < 100 || task >= 140);
        }
        j->with_data = true;
        halo_tasks_options options = options_for(j, some[s]);
        options.count = count;
        options.numbers = numbers;
        options.same_thread = s % 2 == 0;
        options.once = true;
        expect_case_ok(some[s], do_tasks(&options, &report));
        for (int64_t task = 0; task < j->count; task++) {
            bool wanted = task % 3 != 1 && (task < 100 || task >= 140);
            expect(j->rank > 0 || j->collected[task] == (wanted && size_of(j, task) > 0),
                   "%s: task %lld is collected %d times", some[s], (long long)task,
                   j->collected[task]);
            expect(atomic_load(&j->ran[task]) <= wanted, "%s: task %lld is run", some[s],
                   (long long)task);
        }
        j->failing = 141;
        j->collected[0] = 0;
        expect_fails(do_tasks(&options, &report), HALO_FORMAT, "task 141: it is a bad one");
        free(j);
    }
    EXPECT_AGREED();
}

/* A task that fails is said once, with its number; the others are done if they are to be. */
static void test_failing_task(void)
{
    for (int s = 0; s < SCHEDULES; s++) {
        for (int keep_going = 0; keep_going < 2; keep_going++) {
            job *j = make(60);
            halo_tasks_report report;
            j->failing = 31;
            halo_tasks_options options = options_for(j, schedules[s]);
            options.keep_going = keep_going != 0;
            options.same_thread = s % 2 == 0;
            expect_fails(do_tasks(&options, &report), HALO_FORMAT, "task 31: it is a bad one");
            bool first = my_rank() == 0;
            expect(!first || (j->failures == 1 && j->failed == 31 &&
                              strcmp(j->message, "it is a bad one") == 0),
                   "%s: %d failures, of task %lld: %s", schedules[s], j->failures,
                   (long long)j->failed, j->message);
            expect(!first || !keep_going || (report.finished == 60 && report.failed == 1),
                   "%s: %lld finished", schedules[s], (long long)report.finished);
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
    job *j = make(60);
    halo_tasks_report report;
    halo_tasks_options options = options_for(j, "guided");
    options.collect = refuse;
    expect_fails(do_tasks(&options, &report), HALO_FILE, "no room for task ");
    free(j);
    EXPECT_AGREED();
}

/* A rank that does not come back holds nobody up: others do its tasks again, and the run is over
 * while it still works. */
static void test_stuck_rank(void)
{
    static const char *const some[] = {"static",         "mfsc",      "guided",
                                       "hierarchical:2", "diffusive", "pipeline"};
    for (int s = 0; s < 6 && all_ranks() > 1; s++) {
        job *j = make(50);
        halo_tasks_report report;
        j->stuck_rank = all_ranks() - 1;
        halo_tasks_options options = options_for(j, some[s]);
        options.interrupt = interrupt;
        expect_case_ok(some[s], do_tasks(&options, &report));
        check_all_collected(j, some[s]);
        /* Unless others were so fast that nothing was left for it. */
        bool stuck = my_rank() == all_ranks() - 1 && j->stuck_rank < 0;
        expect(!stuck || atomic_load(&j->over), "%s: the run waits for a rank", some[s]);
        free(j);
    }
    EXPECT_AGREED();
}

/* Task 0 cannot be collected, which ends the run when others are busy. */
typedef struct {
    job *j;
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
        wait_for_end(h->j);
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
        job *j = make(all_ranks());
        halted h = {.j = j, .ends_early = i % 2 == 1};
        halo_tasks_report report;
        halo_tasks_options options = options_for(j, some[i / 2]);
        options.context = &h;
        options.run = run_halted;
        options.collect = refuse_first;
        options.data = count_given;
        options.interrupt = interrupt_halted;
        options.once = true;
        expect_fails(do_tasks(&options, &report), HALO_FILE, "no room for task 0");
        int64_t times[MOST], done = 0;
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
    job *j = make(10);
    halo_tasks_report report;
    halo_tasks_options options = options_for(j, "gidded");
    expect_fails(do_tasks(&options, &report), HALO_ARGUMENT, "unknown schedule \"gidded\"; use ");
    options = options_for(j, "fixed:0");
    expect_fails(do_tasks(&options, &report), HALO_ARGUMENT, "use fixed:X");
    options = options_for(j, NULL);
    options.count = -1;
    expect_fails(do_tasks(&options, &report), HALO_ARGUMENT, "-1 tasks");
    options = options_for(j, NULL);
    options.run = NULL;
    expect_fails(do_tasks(&options, &report), HALO_ARGUMENT, "without a function");
    options = options_for(j, NULL);
    options.run = put_twice;
    options.collect = NULL;
    expect_fails(do_tasks(&options, &report), HALO_ARGUMENT, "one result for a task");
    free(j);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("a bag of tasks", {"every schedule", test_every_schedule},
               {"a master that rests", test_master_rests}, {"large results", test_large_results},
               {"tasks that are left out", test_numbers}, {"a task that fails", test_failing_task},
               {"a collection that fails", test_failing_collection},
               {"a rank that does not come back", test_stuck_rank},
               {"a run that ends early", test_ended_early}, {"bad calls", test_bad_calls})
