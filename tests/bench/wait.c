/* The cost of each policy of waiting: a beat is `work` microseconds of computing and a vote. us:
 * microseconds a beat; cpu_us: on the processors of all ranks together. */

#include "base/names.h"
#include "core/beat/vote.h"
#include "core/world/clock.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>

typedef struct {
    int64_t turns; /* of the loop below */
    uint64_t number;
    halo_vote *vote;
} beat;

/* Compute for as long whoever else is there. */
static void work(beat *all, int64_t turns)
{
    uint64_t number = all->number;
    for (int64_t i = 0; i < turns; i++) {
        number = number * UINT64_C(6364136223846793005) + 1;
    }
    all->number = number;
}

/* The turns that take so long on an idle core: the fastest of several tries is one that nobody
 * disturbed. */
static int64_t turns_in(double seconds)
{
    enum { TRIES = 20, TURNS = 20000 };
    beat tried = {.number = 1};
    double min = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double begun = halo_seconds();
        work(&tried, TURNS);
        min = fmin(min, halo_seconds() - begun);
    }
    volatile uint64_t used = tried.number; /* so that it is computed */
    (void)used;
    return min > 0 ? (int64_t)(seconds * TURNS / min) : 0;
}

static halo_status run_beats(void *context, int64_t times)
{
    beat *all = context;
    for (int64_t t = 0; t < times; t++) {
        int64_t packet[HALO_VOTE_SUMS] = {t};
        work(all, all->turns);
        HALO_TRY(halo_vote_post(all->vote, packet));
        HALO_TRY(halo_vote_collect(all->vote, packet));
    }
    return HALO_OK;
}

void bench_wait(bench *b)
{
    static const char *const policies[] = {HALO_WAIT_LIST(HALO_NAME) "auto"};
    double seconds = bench_real(b, "seconds", .05);
    beat all = {.turns = turns_in(1e-6 * bench_real(b, "work", 0)), .number = 1};
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        const halo_world_options options = {.wait = policies[i]};
        halo_world *world;
        bench_check(halo_world_duplicate(&world, b->world, &options), policies[i]);
        bench_check(halo_vote_create(&all.vote, world, NULL, 0), "a vote");
        int64_t times = bench_times(b, seconds, 1, run_beats, &all);
        bench_run(b, run_beats, &all, times);
        bench_print(b, "key=%s us=%.3f cpu_us=%.3f", policies[i], 1e6 * b->wall / (double)times,
                    1e6 * b->processor / (double)times);
        halo_vote_destroy(&all.vote);
        halo_world_destroy(&world);
    }
}
