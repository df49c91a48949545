#ifndef HALOBEAT_CLI_BENCH_MEASURE_H
#define HALOBEAT_CLI_BENCH_MEASURE_H

#include "app/progress.h"
#include "base/statistics.h"
#include "core/world/world.h"

/* Measuring one thing after the other, in rounds, so that what disturbs the machine for a while
 * disturbs all of them alike. */

/* The first p ranks, for every p that is asked for: each such group is a world of its own, and the
 * other ranks sleep meanwhile. */
typedef struct bench_groups bench_groups;

/* Collective. `sizes` are the groups' numbers of ranks, 1 to those of `world`, which must outlive
 * the groups; `wait` is a policy as in halo_world_options. HALO_MEMORY, HALO_MPI. */
halo_status bench_groups_create(bench_groups **out, halo_world *world, const int *sizes, int count,
                                const char *wait);
void bench_groups_destroy(bench_groups **groups);

/* Local. The group of the first `ranks` ranks, one of those that were asked for; NULL on a rank
 * that is not one of them. */
halo_world *bench_groups_find(const bench_groups *groups, int ranks);

/* Local. All ranks. */
halo_world *bench_groups_all(const bench_groups *groups);

/* Collective over all ranks. Agree on `mine`, waiting so that ranks which have nothing to do need
 * next to no time of the cores that others compute on. */
halo_status bench_groups_meet(bench_groups *groups, halo_status mine);

/* One thing to be measured. All functions are collective over the group. */
typedef struct {
    void *context;
    halo_status (*open)(void *context, halo_world *world);           /* or NULL */
    halo_status (*run)(void *context, int64_t times, double *spent); /* what is timed. If it has
                                                                      * filled in *spent, that is
                                                                      * the time, in seconds */
    void (*close)(void *context, bool counts); /* or NULL; `counts` unless it was a warm-up */
    int ranks;                                 /* the first ones measure it */
    int64_t multiple; /* it is run a multiple of so many times; 0 means 1 */
    int64_t fixed;    /* times of a repeat; 0: as many as fill the seconds */
    double seconds;   /* that a repeat takes at least; 0: as everything else */
    bool may_lack;    /* that `open` returns HALO_ARGUMENT means that it cannot be had here */
    bool lacks;       /* out: it cannot */
    int64_t times;    /* out: of a repeat */
    double *samples;  /* out: [repeats] seconds for one time, of the rank that took longest; the
                       * same on all ranks. The caller frees it */
    halo_sample_spread spread; /* out: of these */
} bench_item;

typedef struct {
    int repeats;     /* 1 to HALO_SAMPLES_MAX */
    double seconds;  /* that a repeat takes at least */
    progress *shown; /* or NULL */
} bench_effort;

/* Collective over all ranks. A round to warm up, in which it is found out how many times make a
 * repeat, then `repeats` rounds in each of which every item is opened, run once more to warm up,
 * measured and closed; each round begins with another item, and every other one goes backwards.
 * HALO_MEMORY, and what the items' functions return. */
halo_status bench_measure(bench_groups *groups, bench_item *items, int count,
                          const bench_effort *effort);

/* Local. Free the samples. */
void bench_items_free(bench_item *items, int count);

#endif
