#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "core/tasks/tasks.h"
#include "core/transport/threads/run.h"
#include "core/world/collect.h"
#include "support/tasks_schedules.h"
#include "threads/faults.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* test_bags [FIRST LAST]: bags of tasks of random options on ranks that are threads. Each task is
 * run and collected as often as it is to be, whatever hands it out, and whatever fails. */

enum { PATIENCE = 120, MOST_TASKS = 300, MOST_RANKS = 64, PARTS = 3 }; /* seconds of one bag; ... */
enum { NOBODY = -1 };

/* Events that end a bag early, or none. */
typedef enum {
    NOTHING,
    TASK_FAILS,
    TASK_FAILS_ALONE,
    COLLECT_FAILS,
    PART_FAILS,
    RANK_STICKS,
    TEAM_BREAKS,
    TROUBLES
} trouble;

typedef struct {
    uint64_t seed;
    int ranks, slots;
    const char *schedule;
    bool once, gives_back, master_rests, same_thread, with_data, tells, numbered;
    trouble trouble;
    int64_t count, odd; /* tasks; the one that makes trouble */
    halo_team *team;

    atomic_int ran[MOST_TASKS], put[MOST_TASKS];
    atomic_bool interrupted, broken;
    atomic_int within; /* threads in functions of rank 0 */
    /* By functions of rank 0: */
    int collected[MOST_TASKS], parts[MOST_TASKS], failed[MOST_TASKS];
    atomic_int wrong;
} bag;

#define EXPECT(b, condition, ...)                                   \
    do {                                                            \
        if (!(condition) && atomic_fetch_add(&(b)->wrong, 1) < 5) { \
            fprintf(stderr, "line %d: %s: ", __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                           \
            fputc('\n', stderr);                                    \
        }                                                           \
    } while (0)

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t draw(bag *b, uint64_t below)
{
    b->seed = mix(b->seed);
    return b->seed % below;
}

static void nap(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* Numbers of tasks leave out every third one. */
static int64_t number_of(const bag *b, int64_t i)
{
    return b->numbered ? i / 2 * 3 + i % 2 : i;
}

static int64_t place_of(const bag *b, int64_t number)
{
    return b->numbered ? number / 3 * 2 + number % 3 : number;
}

static size_t size_of(int64_t task)
{
    return task % 4 == 0 ? 0 : sizeof(int64_t) * (size_t)(task % 7 + 1);
}

/* ---- functions of all ranks ------------------------------------------------------------------ */

static halo_status tell_parts(bag *b, halo_task_range *range)
{
    for (int64_t part = 0; b->tells && part < PARTS; part++) {
        const int64_t words[] = {range->task, part};
        double reply = 0;
        HALO_TRY(halo_task_tell(range, words, sizeof words, &reply));
        EXPECT(b, reply == (double)(range->task * PARTS + part), "task %" PRId64, range->task);
    }
    return HALO_OK;
}

static void stick(bag *b)
{
    for (int i = 0; i < 20000 && !atomic_load(&b->interrupted); i++) {
        nap(1000000);
    }
    EXPECT(b, atomic_load(&b->interrupted), "nobody interrupts a task");
}

static halo_status run_one(bag *b, halo_task_range *range)
{
    int64_t number = range->task, i = place_of(b, number), words[8] = {number};
    size_t bytes, size = size_of(i);
    const void *data = halo_task_data(range, &bytes);
    int before = atomic_fetch_add(&b->ran[i], 1);
    EXPECT(b, !b->with_data || (bytes == sizeof number && memcmp(data, &number, bytes) == 0),
           "task %" PRId64 " has %zu other bytes", number, bytes);
    if (mix(b->seed + (uint64_t)i) % 40 == 0) {
        nap(300000);
    }
    if (i == b->odd && b->trouble == RANK_STICKS && before == 0) {
        stick(b); /* this rank; another one does the task */
    }
    if (i == b->odd && b->trouble == TEAM_BREAKS && !atomic_exchange(&b->broken, true)) {
        halo_team_break(b->team, HALO_FILE, "on purpose");
    }
    if (i == b->odd && (b->trouble == TASK_FAILS || b->trouble == TASK_FAILS_ALONE)) {
        return halo_fail(HALO_FORMAT, "a bad one");
    }
    HALO_TRY(tell_parts(b, range));
    HALO_TRY(size > 0 ? halo_task_put(range, words, size) : HALO_OK);
    atomic_fetch_add(&b->put[i], 1);
    return HALO_OK;
}

static halo_status run(void *context, halo_task_range *range)
{
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        HALO_TRY(run_one(context, range));
    }
    return HALO_OK;
}

static void interrupt(void *context)
{
    atomic_store(&((bag *)context)->interrupted, true);
}

/* ---- functions of rank 0, one at a time ------------------------------------------------------ */

static void enter(bag *b)
{
    EXPECT(b, atomic_fetch_add(&b->within, 1) == 0, "functions of rank 0 at the same time");
}

static void leave(bag *b)
{
    atomic_fetch_sub(&b->within, 1);
}

static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    bag *b = context;
    int64_t i = place_of(b, task);
    enter(b);
    EXPECT(b, bytes == size_of(i) && memcmp(data, &task, sizeof task) == 0,
           "task %" PRId64 " has found %zu other bytes", task, bytes);
    EXPECT(b, !b->tells || b->parts[i] >= PARTS, "task %" PRId64 ": %d parts", task, b->parts[i]);
    b->collected[i]++;
    leave(b);
    return b->trouble == COLLECT_FAILS && i >= b->odd ? halo_fail(HALO_FILE, "no room for a result")
                                                      : HALO_OK;
}

static halo_status hear(void *context, int64_t task, const void *data, size_t bytes, double *reply)
{
    bag *b = context;
    int64_t i = place_of(b, task), words[2];
    enter(b);
    EXPECT(b, bytes == sizeof words, "%zu bytes", bytes);
    memcpy(words, data, sizeof words);
    EXPECT(b, words[0] == task && (!b->once || words[1] == b->parts[i]), "part of %" PRId64, task);
    b->parts[i]++;
    *reply = (double)(task * PARTS + words[1]);
    leave(b);
    return b->trouble == PART_FAILS && i == b->odd ? halo_fail(HALO_FILE, "no room for a part")
                                                   : HALO_OK;
}

static void take_failure(void *context, int64_t task, const char *message)
{
    bag *b = context;
    enter(b);
    const char *expected =
        b->trouble == PART_FAILS ? "rank 0 could not take what a task tells it" : "a bad one";
    EXPECT(b, strcmp(message, expected) == 0, "task %" PRId64 ": %s", task, message);
    b->failed[place_of(b, task)]++;
    leave(b);
}

static const void *data_of(void *context, int64_t task, size_t *bytes)
{
    static int64_t number; /* of one bag at a time */
    enter(context);
    number = task;
    *bytes = sizeof number;
    leave(context);
    return &number;
}

/* ---- a bag ----------------------------------------------------------------------------------- */

static void make(bag *b, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    b->seed = mix(seed);
    b->ranks = 1 + (int)draw(b, seed % 8 == 0 ? MOST_RANKS : 6);
    b->schedule = tasks_schedules[draw(b, TASKS_SCHEDULES)];
    b->count =
        (int64_t)draw(b, 3) == 0 ? (int64_t)draw(b, 8) : (int64_t)draw(b, MOST_TASKS / 2 * 2);
    b->once = draw(b, 2) == 0;
    b->slots = b->once ? 1 + (int)draw(b, 4) : 1;
    b->gives_back = draw(b, 2) == 0;
    b->master_rests = draw(b, 3) == 0;
    b->same_thread = draw(b, 3) == 0;
    b->with_data = draw(b, 2) == 0;
    b->tells = draw(b, 2) == 0;
    b->numbered = draw(b, 3) == 0;
    b->trouble = draw(b, 2) == 0 ? NOTHING : (trouble)draw(b, TROUBLES);
    b->odd = b->count > 0 ? (int64_t)draw(b, (uint64_t)b->count) : NOBODY;
    bool may_stick = !b->once && b->ranks - b->master_rests > 1;
    if (b->odd == NOBODY || (b->trouble == PART_FAILS && !b->tells) ||
        (b->trouble == RANK_STICKS && !may_stick)) {
        b->trouble = NOTHING;
    }
}

static halo_status work(halo_world *world, void *context)
{
    bag *b = context;
    halo_tasks *tasks;
    int64_t numbers[MOST_TASKS];
    for (int64_t i = 0; i < b->count; i++) {
        numbers[i] = number_of(b, i);
    }
    const halo_tasks_options options = {.count = b->count,
                                        .context = b,
                                        .numbers = b->numbered ? numbers : NULL,
                                        .run = run,
                                        .collect = collect,
                                        .part = b->tells ? hear : NULL,
                                        .failed = take_failure,
                                        .data = b->with_data ? data_of : NULL,
                                        .interrupt = interrupt,
                                        .schedule = b->schedule,
                                        .once = b->once,
                                        .keep_going = b->trouble == TASK_FAILS_ALONE,
                                        .slots = b->slots,
                                        .gives_back = b->gives_back,
                                        .master_rests = b->master_rests,
                                        .same_thread = b->same_thread};
    HALO_TRY(halo_tasks_create(&tasks, world, &options));
    halo_status status = halo_tasks_run(tasks);
    const halo_tasks_report report = halo_tasks_get_report(tasks);
    if (halo_world_rank(world) == 0 && report.by_rank != NULL) {
        int64_t events = 0, counted = 0;
        for (int64_t i = 0; i < report.events; i++) {
            events += report.event[i].hi - report.event[i].lo;
        }
        for (int i = 0; i < report.ranks; i++) {
            counted += report.by_rank[i].tasks;
            EXPECT(b, report.by_rank[i].messages == 0, "rank %d sends messages", i);
        }
        EXPECT(b, events == counted, "%" PRId64 " tasks in events, %" PRId64, events, counted);
        EXPECT(b, status != HALO_OK || report.finished == b->count, "%" PRId64 " finished",
               report.finished);
    }
    halo_tasks_destroy(&tasks);
    return status;
}

static bool ends_well(const bag *b)
{
    return b->trouble == NOTHING || b->trouble == RANK_STICKS;
}

/* Whatever has happened, what was done counts, once. */
static void check(bag *b, halo_status status)
{
    bool whole = ends_well(b) || b->trouble == TASK_FAILS_ALONE;
    EXPECT(b,
           (status == HALO_OK) == ends_well(b) || b->trouble == COLLECT_FAILS ||
               b->trouble == TEAM_BREAKS,
           "%d: %s", status, halo_last_message());
    for (int64_t i = 0; i < b->count; i++) {
        bool bad = b->failed[i] > 0;
        int ran = atomic_load(&b->ran[i]), put = atomic_load(&b->put[i]);
        int wanted = size_of(i) > 0 && put > 0;
        EXPECT(b, !whole || ran > 0, "task %" PRId64 " is not run", i);
        EXPECT(b, !b->once || ran <= 1, "task %" PRId64 " is run %d times", i, ran);
        EXPECT(b, b->collected[i] == wanted, "task %" PRId64 " is collected %d times, not %d", i,
               b->collected[i], wanted);
        EXPECT(b, !bad || (i == b->odd && b->failed[i] == 1), "task %" PRId64 " failed", i);
    }
}

/* halo_run does not say which team it makes. */
typedef struct {
    bag *b;
    int rank;
    pthread_t thread;
} member;

static void *join(void *context)
{
    member *own = context;
    halo_world *world;
    halo_status status = halo_world_create_threads(&world, own->b->team, own->rank, NULL);
    if (status == HALO_OK) {
        status = work(world, own->b);
    }
    EXPECT(own->b, status != HALO_OK, "a rank of a broken team is content");
    halo_world_destroy(&world);
    return NULL;
}

static halo_status run_team(bag *b)
{
    member members[MOST_RANKS];
    HALO_TRY(halo_team_create(&b->team, b->ranks));
    for (int r = 0; r < b->ranks; r++) {
        members[r] = (member){.b = b, .rank = r};
        pthread_create(&members[r].thread, NULL, join, &members[r]);
    }
    for (int r = 0; r < b->ranks; r++) {
        pthread_join(members[r].thread, NULL);
    }
    halo_team_destroy(&b->team);
    return HALO_FILE;
}

static bool run_bag(uint64_t seed)
{
    static bag b;
    make(&b, seed);
    alarm(PATIENCE);
    bool breaks = b.trouble == TEAM_BREAKS;
    check(&b, breaks ? run_team(&b) : halo_run(b.ranks, NULL, work, &b));
    if (atomic_load(&b.wrong) > 0) {
        fprintf(stderr, "seed %" PRIu64 ": %d ranks, %d slots, %s, %" PRId64 " tasks, trouble %d\n",
                seed, b.ranks, b.slots, b.schedule, b.count, (int)b.trouble);
    }
    return atomic_load(&b.wrong) == 0;
}

/* ---- without memory, or threads ---------------------------------------------------------------
 */

static int test_faults(fault_kind kind)
{
    static bag b;
    int bad = 0;
    bool failed = true;
    for (int64_t nth = 0; failed; nth++) {
        make(&b, 7);
        b.ranks = 3;
        b.count = 20;
        b.schedule = nth % 2 == 0 ? "guided" : "diffusive";
        b.trouble = NOTHING;
        b.once = b.tells = b.with_data = true;
        b.slots = 2;
        b.same_thread = false;
        alarm(PATIENCE);
        fault_arm(kind, nth);
        halo_status status = halo_run(b.ranks, NULL, work, &b);
        failed = fault_disarm();
        bad += atomic_load(&b.wrong) > 0 || (!failed && status != HALO_OK);
    }
    return bad;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : 400;
    int bad = 0;
    for (uint64_t seed = first; seed <= last; seed++) {
        bad += !run_bag(seed);
    }
    bad += test_faults(FAULT_MEMORY) + test_faults(FAULT_THREADS);
    printf("%" PRIu64 " bags of tasks, %d wrong\n", last - first + 1, bad);
    return bad > 0;
}
