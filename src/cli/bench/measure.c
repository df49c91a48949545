#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "cli/bench/bench.h"

#include "base/memory.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TIMES = 1 << 28 };

/* ---- groups of ranks ------------------------------------------------------------------------- */

static int find_group(const bench_groups *groups, int ranks)
{
    int i = 0;
    while (i < groups->count && groups->ranks[i] != ranks) {
        i++;
    }
    return i;
}

static halo_status create_world(bench_groups *groups, int index, const char *wait)
{
    int rank = halo_world_rank(groups->all);
    const halo_world_options options = {.wait = wait};
    return halo_world_split(&groups->worlds[index], groups->all,
                            rank < groups->ranks[index] ? 0 : -1, &options);
}

halo_status bench_groups_create(bench_groups *out, halo_world *world, const int *ranks, int count,
                                const char *wait)
{
    *out = (bench_groups){.all = world};
    for (int i = 0; i < count; i++) {
        if (find_group(out, ranks[i]) == out->count) {
            out->ranks[out->count++] = ranks[i];
            HALO_TRY(bench_groups_agree(out, create_world(out, out->count - 1, wait)));
        }
    }
    return HALO_OK;
}

void bench_groups_destroy(bench_groups *groups)
{
    for (int i = 0; i < groups->count; i++) {
        halo_world_destroy(&groups->worlds[i]);
    }
}

halo_status bench_groups_agree(bench_groups *groups, halo_status mine)
{
    /* halo_wait's policies look for messages many thousand times a second, and a dozen ranks that
     * do so would take a good part of the cores that the others are measured on. */
    const struct timespec millisecond = {.tv_nsec = 1000000};
    int64_t failed = mine != HALO_OK, all = 0;
    halo_request request;
    bool complete = false;
    HALO_TRY(halo_iallreduce(groups->all, &failed, &all, 1, HALO_REDUCE_SUM, &request));
    HALO_TRY(halo_test(groups->all, &request, &complete));
    while (!complete) {
        nanosleep(&millisecond, NULL);
        HALO_TRY(halo_test(groups->all, &request, &complete));
    }
    return all == 0 ? HALO_OK : halo_agree(groups->all, mine);
}

/* ---- lists ----------------------------------------------------------------------------------- */

bench_item bench_item_of(const bench_operations *operations, void *context, int ranks, int base,
                         int64_t bytes, double moved)
{
    return (bench_item){.operations = operations,
                        .context = context,
                        .ranks = ranks,
                        .base = base,
                        .bytes = bytes,
                        .moved = moved};
}

int bench_list_add(bench_list *list, const char *measure, const char *way, const bench_item *item)
{
    size_t bytes = item->operations->context_bytes;
    void *copy = malloc(bytes);
    if (copy == NULL || halo_grow(&list->items, &list->room, list->count, sizeof *list->items,
                                  "a list of measurements") != HALO_OK) {
        free(copy);
        list->failed = true;
    } else {
        bench_item *added = &list->items[list->count++];
        *added = *item;
        added->context = memcpy(copy, item->context, bytes);
        snprintf(added->measure, sizeof added->measure, "%s", measure);
        snprintf(added->way, sizeof added->way, "%s", way);
    }
    return list->count - 1;
}

void bench_list_free(bench_list *list)
{
    for (int i = 0; i < list->count; i++) {
        free(list->items[i].context);
    }
    free(list->items);
    *list = (bench_list){0};
}

bool bench_items_differ(const bench_item *a, const bench_item *b)
{
    return halo_samples_faster(a->samples, b->samples, a->repeats) ||
           halo_samples_faster(b->samples, a->samples, a->repeats);
}

/* ---- measuring one --------------------------------------------------------------------------- */

static int64_t round_up(const bench_item *item, double times)
{
    int64_t multiple = item->multiple > 0 ? item->multiple : 1;
    return ((int64_t)ceil(times) + multiple - 1) / multiple * multiple;
}

/* Seconds of the rank of `world` that takes longest, all beginning together. */
static halo_status time_it(const bench_item *item, halo_world *world, int64_t times,
                           double *seconds)
{
    HALO_TRY(halo_agree(world, HALO_OK));
    double spent = -1, begun = halo_seconds();
    HALO_TRY(item->operations->run(item->context, times, &spent));
    int64_t nanoseconds = (int64_t)((spent >= 0 ? spent : halo_seconds() - begun) * 1e9);
    HALO_TRY(halo_allreduce_max(world, &nanoseconds, 1));
    *seconds = (double)nanoseconds / 1e9;
    return HALO_OK;
}

static double seconds_of_repeat(const bench_item *item, const bench_effort *effort)
{
    return item->seconds > 0 ? item->seconds : effort->seconds;
}

/* More and more times, until they take a good part of what a repeat is to take. */
static halo_status find_times(bench_item *item, halo_world *world, const bench_effort *effort)
{
    double wanted = seconds_of_repeat(item, effort), seconds = 0;
    int64_t times = round_up(item, 1);
    HALO_TRY(time_it(item, world, times, &seconds));
    if (item->fixed > 0) {
        item->times = round_up(item, (double)item->fixed);
        return HALO_OK;
    }
    while (seconds < wanted / 4 && times < MAX_TIMES) {
        times *= 2;
        HALO_TRY(time_it(item, world, times, &seconds));
    }
    item->times = round_up(item, seconds > 0 ? (double)times * wanted / seconds : (double)times);
    return HALO_OK;
}

/* To warm up, then what counts. */
static halo_status measure_repeat(bench_item *item, halo_world *world)
{
    double seconds = 0;
    HALO_TRY(time_it(item, world, round_up(item, 1), &seconds));
    HALO_TRY(time_it(item, world, item->times, &seconds));
    item->samples[item->repeats++] = seconds / (double)item->times;
    if (item->operations->count != NULL) {
        item->operations->count(item->context);
    }
    return HALO_OK;
}

/* One rank's part of a round (-1: the warm-up); only the group's ranks come here. */
static halo_status visit(bench_item *item, halo_world *world, const bench_effort *effort, int round)
{
    const bench_operations *operations = item->operations;
    halo_status status =
        operations->open != NULL ? operations->open(item->context, world) : HALO_OK;
    if (status == HALO_OK) {
        status = round < 0 ? find_times(item, world, effort) : measure_repeat(item, world);
    } else if (status == HALO_ARGUMENT && item->optional) {
        item->missing = true;
        status = HALO_OK;
    }
    if (operations->close != NULL) {
        operations->close(item->context);
    }
    return status;
}

/* ---- how long it takes ---------------------------------------------------------------------- */

/* A measurement is announced if it takes at least SECONDS_TO_ANNOUNCE; a line follows every
 * SECONDS_WITHOUT_WORD. */
static const double SECONDS_TO_ANNOUNCE = 2, SECONDS_WITHOUT_WORD = 10;

/* Finding times, opening and warming up come on top of the repeats. */
static const double SECONDS_BESIDES = 1.1;

typedef struct {
    const bench_list *list;
    const bench_effort *effort;
    double begun, reported, estimate; /* seconds */
    char phase[2 * BENCH_TEXT_SIZE];
} pace;

/* Before anything is measured. How long items with a given number of times take is only known after
 * the first round. */
static void announce(pace *all)
{
    const bench_effort *effort = all->effort;
    for (int i = 0; i < all->list->count; i++) {
        const bench_item *item = &all->list->items[i];
        all->estimate += item->fixed > 0 ? 0 : seconds_of_repeat(item, effort);
    }
    all->estimate *= SECONDS_BESIDES * effort->repeats;
    all->begun = all->reported = halo_seconds();
    if (effort->announces && all->estimate >= SECONDS_TO_ANNOUNCE) {
        fprintf(stderr, "halobeat bench %s: %d measurements, %d repeat%s of each: about %.0f s\n",
                effort->what, all->list->count, effort->repeats, effort->repeats == 1 ? "" : "s",
                all->estimate);
    }
}

/* After the first round it is known better, after the others it is time again. */
static void report_round(pace *all, int round)
{
    const bench_effort *effort = all->effort;
    double now = halo_seconds();
    int left = effort->repeats - round - 1;
    double seconds = (now - all->begun) / (round + 2) * left;
    bool wrong = round < 0 && seconds > 2 * all->estimate + SECONDS_WITHOUT_WORD;
    if (effort->announces && left > 0 && (wrong || now - all->reported >= SECONDS_WITHOUT_WORD)) {
        all->reported = now;
        fprintf(stderr, "halobeat bench %s: %d of %d repeats after %.0f s, about %.0f s left\n",
                effort->what, round + 1, effort->repeats, now - all->begun, seconds);
    }
}

/* `done` items are through; `item` is next. */
static void show(pace *all, const bench_item *item, int64_t done)
{
    int64_t total = (int64_t)(all->effort->repeats + 1) * all->list->count;
    char text[2 * BENCH_TEXT_SIZE];
    snprintf(text, sizeof text, "%.25s, %d rank%s", item->measure, item->ranks,
             item->ranks == 1 ? "" : "s");
    snprintf(all->phase, sizeof all->phase, "%-34.34s", text);
    all->effort->shown->phase = all->phase;
    progress_update(all->effort->shown, done, total);
}

/* ---- measuring all --------------------------------------------------------------------------- */

static halo_status measure_round(bench_groups *groups, pace *all, bench_list *list, int round)
{
    for (int i = 0; i < list->count; i++) {
        int turn = (i + (round > 0 ? round : 0)) % list->count;
        int place = round % 2 == 0 ? turn : list->count - 1 - turn;
        bench_item *item = &list->items[place];
        show(all, item, (int64_t)(round + 1) * list->count + i);
        halo_world *world = groups->worlds[find_group(groups, item->ranks)];
        halo_status status = HALO_OK;
        if (world != NULL && !item->missing) {
            status = visit(item, world, all->effort, round);
        }
        HALO_TRY(bench_groups_agree(groups, status));
    }
    return HALO_OK;
}

/* Rank 0, which is in every group, sends its results to all ranks. */
static halo_status distribute(bench_groups *groups, bench_item *item)
{
    int64_t found[] = {item->missing, item->times, item->repeats};
    HALO_TRY(halo_bcast(groups->all, found, sizeof found, 0));
    HALO_TRY(halo_bcast(groups->all, item->samples, sizeof item->samples, 0));
    item->missing = found[0] != 0;
    item->times = found[1];
    item->repeats = (int)found[2];
    if (!item->missing) {
        item->spread = halo_sample_spread_of(item->samples, item->repeats);
    }
    return HALO_OK;
}

halo_status bench_measure(bench_groups *groups, bench_list *list, const bench_effort *effort)
{
    HALO_TRY(bench_groups_agree(
        groups,
        list->failed ? halo_fail(HALO_MEMORY, "out of memory: a list of measurements") : HALO_OK));
    pace all = {.list = list, .effort = effort};
    announce(&all);
    halo_status status = HALO_OK;
    for (int round = -1; round < effort->repeats && status == HALO_OK; round++) {
        status = measure_round(groups, &all, list, round);
        report_round(&all, round);
    }
    effort->shown->phase = "reporting"; /* the name of the last one ends here */
    for (int i = 0; i < list->count && status == HALO_OK; i++) {
        status = distribute(groups, &list->items[i]);
    }
    return status;
}
