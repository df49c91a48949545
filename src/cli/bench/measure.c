#include "cli/bench/measure.h"

#include "core/world/clock.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TIMES = 1 << 28 };

static int64_t multiple_of(const bench_item *item)
{
    return item->multiple > 0 ? item->multiple : 1;
}

/* Seconds of the rank of `world` that takes longest, all beginning together. */
static halo_status time_it(bench_item *item, halo_world *world, int64_t times, double *seconds)
{
    HALO_TRY(halo_agree(world, HALO_OK));
    double spent = -1, begun = halo_seconds();
    HALO_TRY(item->run(item->context, times, &spent));
    int64_t nanoseconds = (int64_t)((spent >= 0 ? spent : halo_seconds() - begun) * 1e9);
    HALO_TRY(halo_allreduce_max(world, &nanoseconds, 1));
    *seconds = (double)nanoseconds / 1e9;
    return HALO_OK;
}

static int64_t round_up(const bench_item *item, double times)
{
    int64_t multiple = multiple_of(item);
    return ((int64_t)ceil(times) + multiple - 1) / multiple * multiple;
}

/* More and more times, until they take a good part of what a repeat is to take. */
static halo_status find_times(bench_item *item, halo_world *world, const bench_effort *effort)
{
    double wanted = item->seconds > 0 ? item->seconds : effort->seconds, seconds = 0;
    int64_t times = multiple_of(item);
    HALO_TRY(time_it(item, world, times, &seconds));
    if (item->fixed > 0) {
        item->times = round_up(item, (double)item->fixed);
        return HALO_OK;
    }
    while (seconds < wanted / 4 && times < MOST_TIMES) {
        times *= 2;
        HALO_TRY(time_it(item, world, times, &seconds));
    }
    item->times = round_up(item, seconds > 0 ? (double)times * wanted / seconds : (double)times);
    return HALO_OK;
}

/* One rank's part of a round; only the group's ranks come here. */
static halo_status visit(bench_item *item, halo_world *world, const bench_effort *effort, int round)
{
    halo_status status = item->open != NULL ? item->open(item->context, world) : HALO_OK;
    if (status == HALO_ARGUMENT && item->may_lack) {
        item->lacks = true;
        return HALO_OK;
    }
    double seconds = 0;
    if (status == HALO_OK && round < 0) {
        status = find_times(item, world, effort);
    } else if (status == HALO_OK) {
        status = time_it(item, world, multiple_of(item), &seconds);
        if (status == HALO_OK) {
            status = time_it(item, world, item->times, &seconds);
        }
        item->samples[round] = seconds / (double)item->times;
    }
    if (item->close != NULL) {
        item->close(item->context, round >= 0);
    }
    return status;
}

static halo_status allocate(bench_groups *groups, bench_item *items, int count, int repeats)
{
    bool there = true;
    for (int i = 0; i < count; i++) {
        items[i].samples = calloc((size_t)repeats, sizeof *items[i].samples);
        there = there && items[i].samples != NULL;
    }
    return bench_groups_meet(groups, there ? HALO_OK
                                           : halo_fail(HALO_MEMORY, "out of memory: measurements"));
}

/* What rank 0 knows, which is in every group, everyone gets to know. */
static halo_status share(bench_groups *groups, bench_item *item, int repeats)
{
    halo_world *all = bench_groups_all(groups);
    int64_t facts[2] = {item->times, item->lacks};
    HALO_TRY(halo_bcast(all, facts, sizeof facts, 0));
    HALO_TRY(halo_bcast(all, item->samples, (size_t)repeats * sizeof *item->samples, 0));
    item->times = facts[0];
    item->lacks = facts[1] != 0;
    item->spread = halo_sample_spread_of(item->samples, repeats);
    return HALO_OK;
}

halo_status bench_measure(bench_groups *groups, bench_item *items, int count,
                          const bench_effort *effort)
{
    HALO_TRY(allocate(groups, items, count, effort->repeats));
    for (int round = -1; round < effort->repeats; round++) {
        for (int i = 0; i < count; i++) {
            int turn = (i + (round > 0 ? round : 0)) % count;
            bench_item *item = &items[round % 2 == 0 ? turn : count - 1 - turn];
            halo_world *world = bench_groups_find(groups, item->ranks);
            halo_status status =
                world != NULL && !item->lacks ? visit(item, world, effort, round) : HALO_OK;
            HALO_TRY(bench_groups_meet(groups, status));
            if (effort->shown != NULL) {
                progress_update(effort->shown, (int64_t)(round + 1) * count + i + 1,
                                (int64_t)(effort->repeats + 1) * count);
            }
        }
    }
    for (int i = 0; i < count; i++) {
        HALO_TRY(share(groups, &items[i], effort->repeats));
    }
    return HALO_OK;
}

void bench_items_free(bench_item *items, int count)
{
    for (int i = 0; i < count; i++) {
        free(items[i].samples);
        items[i].samples = NULL;
    }
}
