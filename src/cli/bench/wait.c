#include "cli/bench/kinds.h"
#include "core/beat/vote.h"
#include "core/world/clock.h"

#include <math.h>
#include <stdio.h>

/* Of the processor, between two waits: as little as a beat may have to do, and a common amount. */
static const double WORK[] = {0, 100e-6};

/* Beats that only work and wait, under a policy of their own. */
typedef struct {
    const char *policy;
    double seconds;
    int64_t turns; /* of the loop below that take so long on an idle core */
    halo_world *world;
    halo_vote *vote;
    uint64_t number;
} wait_probe;

/* Work that takes its time whoever else is there. */
static void work(wait_probe *probe, int64_t turns)
{
    uint64_t number = probe->number;
    for (int64_t i = 0; i < turns; i++) {
        number = number * UINT64_C(6364136223846793005) + 1;
    }
    probe->number = number;
}

/* The fastest of several tries is one that nobody disturbed. */
static int64_t turns_in(wait_probe *probe, double seconds)
{
    enum { TRIES = 20, TURNS = 20000 };
    double least = INFINITY;
    for (int i = 0; i < TRIES; i++) {
        double begun = halo_seconds();
        work(probe, TURNS);
        least = fmin(least, halo_seconds() - begun);
    }
    return least > 0 ? (int64_t)(seconds * TURNS / least) : 0;
}

static void close_wait(void *context, bool counts)
{
    (void)counts;
    wait_probe *probe = context;
    halo_vote_destroy(&probe->vote);
    halo_world_destroy(&probe->world);
}

static halo_status open_wait(void *context, halo_world *world)
{
    wait_probe *probe = context;
    if (probe->turns == 0) {
        probe->turns = turns_in(probe, probe->seconds);
    }
    const halo_world_options options = {.wait = probe->policy};
    HALO_TRY(halo_world_create(&probe->world, halo_world_comm(world), &options));
    halo_status status = halo_vote_create(&probe->vote, probe->world, NULL, 0);
    if (status != HALO_OK) {
        close_wait(probe, false);
    }
    return status;
}

static halo_status run_wait(void *context, int64_t times, double *spent)
{
    (void)spent;
    wait_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        int64_t packet[HALO_VOTE_SUMS] = {t};
        work(probe, probe->turns);
        HALO_TRY(halo_vote_post(probe->vote, packet));
        HALO_TRY(halo_vote_collect(probe->vote, packet));
    }
    return HALO_OK;
}

void bench_list_wait(bench_list *list, int ranks)
{
    static const char *const policies[] = {
#define POLICY_ENTRY(name, help) #name,
        HALO_WAIT_LIST(POLICY_ENTRY)
#undef POLICY_ENTRY
            "auto"};
    enum { POLICIES = sizeof policies / sizeof policies[0] };
    for (size_t w = 0; w < sizeof WORK / sizeof WORK[0]; w++) {
        list->base = list->count + POLICIES - 1; /* what is used unless one asks for another */
        for (int i = 0; i < POLICIES; i++) {
            bench_item item = {
                .open = open_wait, .run = run_wait, .close = close_wait, .ranks = ranks};
            bench_label label = {.bytes = NAN, .base = list->base};
            snprintf(label.measure, sizeof label.measure, "%.0f us of work and a vote",
                     1e6 * WORK[w]);
            snprintf(label.way, sizeof label.way, "%s", policies[i]);
            wait_probe *probe = bench_list_add(list, &item, &label, sizeof *probe);
            if (probe != NULL) {
                probe->policy = policies[i];
                probe->seconds = WORK[w];
            }
        }
    }
}
