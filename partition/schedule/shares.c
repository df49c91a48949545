#include "base/minmax.h"
#include "partition/schedule/strategy.h"

#include <math.h>

/* Everything is shared out before the first request: Est and EstNWS of A. L. de Oliveira and others
 * (master-slave balancing strategies for SPMD applications). */

void halo_schedule_share_out(halo_schedule *schedule)
{
    int64_t left = schedule->tasks;
    for (int i = 0; i < schedule->count; i++) {
        schedule_worker *w = &schedule->workers[i];
        w->share = (int64_t)floor(w->weight * (double)schedule->tasks + 1e-9);
        w->share = halo_min(w->share, left);
        left -= w->share;
    }
    /* One more for the largest remainders, of equal ones for the first worker. */
    while (left > 0) {
        int best = 0;
        double largest = -INFINITY;
        for (int i = 0; i < schedule->count; i++) {
            const schedule_worker *w = &schedule->workers[i];
            double remainder = w->weight * (double)schedule->tasks - (double)w->share;
            if (remainder > largest + 1e-9) {
                best = i;
                largest = remainder;
            }
        }
        schedule->workers[best].share++;
        left--;
    }
}

static void begin_even(halo_schedule *schedule, const halo_schedule_options *options)
{
    (void)options;
    for (int i = 0; i < schedule->count; i++) {
        schedule->workers[i].weight = 1. / schedule->count;
    }
    halo_schedule_share_out(schedule);
}

static void begin_weighted(halo_schedule *schedule, const halo_schedule_options *options)
{
    (void)options;
    halo_schedule_share_out(schedule);
}

/* A worker that asks again gets the largest share that nobody has come for. */
static int64_t next_share(halo_schedule *schedule, int worker)
{
    int whose = worker;
    for (int i = 0; schedule->workers[worker].share == 0 && i < schedule->count; i++) {
        if (schedule->workers[i].share > schedule->workers[whose].share) {
            whose = i;
        }
    }
    int64_t share = schedule->workers[whose].share;
    schedule->workers[whose].share = 0;
    return share;
}

const halo_schedule_strategy halo_schedule_static = {
    .entry = {.name = "static", .help = "the same number for each worker, at once"},
    .begin = begin_even,
    .next = next_share};

const halo_schedule_strategy halo_schedule_static_weighted = {
    .entry = {.name = "static-weighted",
              .help = "by the clock and the free processor time of each worker, at once"},
    .begin = begin_weighted,
    .next = next_share};
