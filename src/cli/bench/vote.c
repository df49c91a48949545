#include "core/beat/vote.h"
#include "cli/bench/kinds.h"

#include <stdio.h>

typedef struct {
    const char *method;
    halo_vote *vote;
} vote_probe;

static halo_status open_vote(void *context, halo_world *world)
{
    vote_probe *probe = context;
    return halo_vote_create(&probe->vote, world, probe->method, 0);
}

static void close_vote(void *context, bool counts)
{
    (void)counts;
    vote_probe *probe = context;
    halo_vote_destroy(&probe->vote);
}

static halo_status run_vote(void *context, int64_t times, double *spent)
{
    (void)spent;
    vote_probe *probe = context;
    for (int64_t t = 0; t < times; t++) {
        int64_t packet[HALO_VOTE_SUMS] = {t};
        HALO_TRY(halo_vote_post(probe->vote, packet));
        HALO_TRY(halo_vote_collect(probe->vote, packet));
    }
    return HALO_OK;
}

int bench_add_vote(bench_list *list, int ranks, const char *method)
{
    bench_item item = {.open = open_vote, .run = run_vote, .close = close_vote, .ranks = ranks};
    bench_label label = {
        .measure = "vote", .bytes = HALO_VOTE_SUMS * sizeof(int64_t), .base = list->base};
    snprintf(label.way, sizeof label.way, "%s", method);
    vote_probe *probe = bench_list_add(list, &item, &label, sizeof *probe);
    if (probe != NULL) {
        probe->method = method;
    }
    return list->count - 1;
}

void bench_list_vote(bench_list *list, int ranks)
{
    static const char *const methods[] = {
#define METHOD_ENTRY(name, help) #name,
        HALO_VOTE_LIST(METHOD_ENTRY)
#undef METHOD_ENTRY
    };
    list->base = list->count; /* the first is the usual one */
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        bench_add_vote(list, ranks, methods[i]);
    }
}
