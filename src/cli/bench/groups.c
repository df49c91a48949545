#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "cli/bench/measure.h"

#include <stdlib.h>
#include <time.h>

struct bench_groups {
    halo_world *all;
    int count;
    int *sizes;          /* [count] */
    halo_world **worlds; /* [count]; NULL where this rank is no member */
};

static halo_status create_world(bench_groups *groups, int index, const char *wait)
{
    bool member = halo_world_rank(groups->all) < groups->sizes[index];
    MPI_Comm part;
    HALO_MPI_TRY(MPI_Comm_split(halo_world_comm(groups->all), member ? 0 : MPI_UNDEFINED,
                                halo_world_rank(groups->all), &part));
    if (part == MPI_COMM_NULL) {
        return HALO_OK;
    }
    const halo_world_options options = {.wait = wait};
    halo_status status = halo_world_create(&groups->worlds[index], part, &options);
    MPI_Comm_free(&part);
    return status;
}

static bool knows(const bench_groups *groups, int ranks)
{
    for (int i = 0; i < groups->count; i++) {
        if (groups->sizes[i] == ranks) {
            return true;
        }
    }
    return false;
}

/* NULL for want of memory. */
static bench_groups *allocate(halo_world *world, int count)
{
    bench_groups *groups = calloc(1, sizeof *groups);
    if (groups == NULL) {
        return NULL;
    }
    groups->all = world;
    groups->sizes = calloc((size_t)count, sizeof *groups->sizes);
    groups->worlds = calloc((size_t)count, sizeof(halo_world *));
    if (groups->sizes == NULL || groups->worlds == NULL) {
        bench_groups_destroy(&groups);
    }
    return groups;
}

halo_status bench_groups_create(bench_groups **out, halo_world *world, const int *sizes, int count,
                                const char *wait)
{
    *out = NULL;
    bench_groups *groups = allocate(world, count);
    halo_status status = halo_agree(
        world, groups != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: groups of ranks"));
    if (status != HALO_OK || groups == NULL) {
        bench_groups_destroy(&groups);
        return status;
    }
    for (int i = 0; i < count && status == HALO_OK; i++) {
        if (!knows(groups, sizes[i])) {
            groups->sizes[groups->count++] = sizes[i];
            status = bench_groups_meet(groups, create_world(groups, groups->count - 1, wait));
        }
    }
    if (status != HALO_OK) {
        bench_groups_destroy(&groups);
        return status;
    }
    *out = groups;
    return HALO_OK;
}

void bench_groups_destroy(bench_groups **groups)
{
    if (*groups == NULL) {
        return;
    }
    for (int i = 0; i < (*groups)->count; i++) {
        halo_world_destroy(&(*groups)->worlds[i]);
    }
    free((*groups)->worlds);
    free((*groups)->sizes);
    free(*groups);
    *groups = NULL;
}

halo_world *bench_groups_find(const bench_groups *groups, int ranks)
{
    for (int i = 0; i < groups->count; i++) {
        if (groups->sizes[i] == ranks) {
            return groups->worlds[i];
        }
    }
    return NULL;
}

halo_world *bench_groups_all(const bench_groups *groups)
{
    return groups->all;
}

halo_status bench_groups_meet(bench_groups *groups, halo_status mine)
{
    /* halo_wait's policies look for messages many thousand times a second, and a dozen ranks that
     * do so would take a good part of the cores that the others are measured on. */
    const struct timespec millisecond = {.tv_nsec = 1000000};
    int64_t failed = mine != HALO_OK, all = 0;
    MPI_Request request;
    HALO_MPI_TRY(MPI_Iallreduce(&failed, &all, 1, MPI_INT64_T, MPI_SUM,
                                halo_world_comm(groups->all), &request));
    int complete = 0;
    HALO_TRY(halo_test(groups->all, &request, &complete));
    while (!complete) {
        nanosleep(&millisecond, NULL);
        HALO_TRY(halo_test(groups->all, &request, &complete));
    }
    return all == 0 ? HALO_OK : halo_agree(groups->all, mine);
}
