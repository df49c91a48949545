#include "core/beat/vote.h"
#include "base/names.h"
#include "cli/bench/bench.h"

/* Votes are collected when nobody needs to wait for them any more, which is at once but with the
 * pipeline. */
typedef struct {
    const char *method;
    halo_vote *vote;
} vote_probe;

static halo_status open_vote(void *context, halo_world *world)
{
    vote_probe *probe = context;
    return halo_vote_create(&probe->vote, world, probe->method, 0);
}

static void close_vote(void *context)
{
    vote_probe *probe = context;
    halo_vote_destroy(&probe->vote);
}

static halo_status run_vote(void *context, int64_t times, double *spent)
{
    (void)spent;
    vote_probe *probe = context;
    int lateness = halo_vote_lateness(probe->vote), under_way = 0;
    for (int64_t t = 0; t < times; t++) {
        int64_t packet[HALO_VOTE_SUMS] = {t};
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
