#include "core/beat/vote.h"
#include "base/names.h"
#include "cli/bench/bench.h"
#include "core/world/clock.h"

#include <math.h>
#include <stdio.h>

/* Beats that only work and vote. Votes are collected when nobody needs to wait for them any more,
 * which is at once but with the pipeline. */
typedef struct {
    const char *method, *policy; /* of voting and waiting; a policy of NULL is that of the group */
    double seconds;              /* of the processor, of work */
    int64_t turns;               /* of the loop below that take so long on an idle core */
    uint64_t number;
    halo_world *world; /* with the policy */
    halo_vote *vote;
} vote_probe;

/* Work that takes its time whoever else is there. */
static void work(vote_probe *probe, int64_t turns)
{
    uint64_t number = probe->number;
    for (int64_t i = 0; i < turns; i++) {
        number = number * UINT64_C(6364136223846793005) + 1;
    }
    probe->number = number;
}

/* The fastest of several tries is one that nobody disturbed. */
static int64_t turns_in(vote_probe *probe, double seconds)
{
    enum { TRIES = 20, TURNS = 20000 };
    double min = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double begun = halo_seconds();
        work(probe, TURNS);
        min = fmin(min, halo_seconds() - begun);
    }
    return min > 0 ? (int64_t)(seconds * TURNS / min) : 0;
}

static halo_status open_vote(void *context, halo_world *world)
{
    vote_probe *probe = context;
    if (probe->seconds > 0 && probe->turns == 0) {
        probe->turns = turns_in(probe, probe->seconds);
    }
    if (probe->policy == NULL) {
        return halo_vote_create(&probe->vote, world, probe->method, 0);
    }
    const halo_world_options options = {.wait = probe->policy};
    HALO_TRY(halo_world_duplicate(&probe->world, world, &options));
    return halo_vote_create(&probe->vote, probe->world, probe->method, 0);
}

static void close_vote(void *context)
{
    vote_probe *probe = context;
    halo_vote_destroy(&probe->vote);
    halo_world_destroy(&probe->world);
}

static halo_status run_vote(void *context, int64_t times, double *spent)
{
    (void)spent;
    vote_probe *probe = context;
    int lateness = halo_vote_lateness(probe->vote), under_way = 0;
    for (int64_t t = 0; t < times; t++) {
        int64_t packet[HALO_VOTE_SUMS] = {t};
        work(probe, probe->turns);
        HALO_TRY(halo_vote_post(probe->vote, packet));
        under_way++;
        for (; under_way > (t + 1 < times ? lateness : 0); under_way--) {
            HALO_TRY(halo_vote_collect(probe->vote, packet));
        }
    }
    return HALO_OK;
}

static const bench_operations operations = {sizeof(vote_probe), open_vote, run_vote, NULL,
                                            close_vote};

int bench_add_vote_by(bench_list *list, int ranks, const char *method, int base)
{
    vote_probe probe = {.method = method};
    bench_item item =
        bench_item_of(&operations, &probe, ranks, base, HALO_VOTE_SUMS * sizeof(int64_t), 0);
    return bench_list_add(list, "vote", method, &item);
}

void bench_add_vote(bench_list *list, int ranks)
{
    static const char *const methods[] = {HALO_VOTE_LIST(HALO_NAME)};
    int base = list->count; /* the first is the default */
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        bench_add_vote_by(list, ranks, methods[i], base);
    }
}

void bench_add_wait(bench_list *list, int ranks)
{
    /* As little as a beat may have to do, and a common amount. */
    static const double seconds[] = {0, 100e-6};
    static const char *const policies[] = {HALO_WAIT_LIST(HALO_NAME) "auto"};
    enum { POLICIES = sizeof policies / sizeof policies[0] };
    for (size_t w = 0; w < sizeof seconds / sizeof seconds[0]; w++) {
        int base = list->count + POLICIES - 1; /* the last is the default */
        char measure[BENCH_TEXT_SIZE];
        snprintf(measure, sizeof measure, "%.0f us of work and a vote", 1e6 * seconds[w]);
        for (int i = 0; i < POLICIES; i++) {
            vote_probe probe = {.policy = policies[i], .seconds = seconds[w]};
            bench_item item = bench_item_of(&operations, &probe, ranks, base, 0, 0);
            bench_list_add(list, measure, policies[i], &item);
        }
    }
}
