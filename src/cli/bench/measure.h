#ifndef HALOBEAT_CLI_BENCH_MEASURE_H
#define HALOBEAT_CLI_BENCH_MEASURE_H

#include "app/progress.h"
#include "base/statistics.h"
#include "core/world/world.h"

#include <stddef.h>

/* Measuring a list of items in rounds, so that what disturbs the machine for a while disturbs all
 * of them alike. */

enum { BENCH_MAX_ENTRIES = 16, BENCH_TEXT_SIZE = 40 };

/* ---- groups of ranks ------------------------------------------------------------------------- */

/* The first p ranks, for every p that is asked for: each such group is a world of its own, and the
 * other ranks sleep meanwhile. */
typedef struct {
    halo_world *all;
    int count;
    int ranks[BENCH_MAX_ENTRIES];
    halo_world *worlds[BENCH_MAX_ENTRIES]; /* NULL where this rank is no member */
} bench_groups;

/* Collective. `ranks` [count] are the sizes of the groups, 1 to the ranks of `world`, which must
 * outlive them; `wait` is a policy as in halo_world_options. bench_groups_destroy in any case.
 * HALO_MEMORY, HALO_MPI. */
halo_status bench_groups_create(bench_groups *out, halo_world *world, const int *ranks, int count,
                                const char *wait);
void bench_groups_destroy(bench_groups *groups);

/* Collective over all ranks. Agree on `mine`, waiting so that ranks which have nothing to do need
 * next to no time of the cores that others compute on. */
halo_status bench_groups_agree(bench_groups *groups, halo_status mine);

/* ---- items ----------------------------------------------------------------------------------- */

/* How an item is measured; collective over its group. `context` is the item's own. */
typedef struct {
    halo_status (*open)(void *context, halo_world *world); /* or NULL */
    /* What is timed, so many times. If it fills in *spent, that is the time, in seconds. */
    halo_status (*run)(void *context, int64_t times, double *spent);
    void (*count)(void *context); /* or NULL; local, after a repeat: the warm-up is not counted */
    void (*close)(void *context); /* or NULL; local, also after `open` has failed */
} bench_operations;

typedef struct {
    const bench_operations *operations;
    void *context;                                       /* belongs to the list */
    char measure[BENCH_TEXT_SIZE], way[BENCH_TEXT_SIZE]; /* what it is called */
    double bytes;     /* of a message or block; NAN where there are none */
    double amount;    /* of `unit` that one time gets done */
    const char *unit; /* such as "B": the rate is so many a second. NULL: no rate */
    int base;         /* the item it is compared with, or -1 */
    int ranks;        /* the first ones measure it */
    int64_t multiple; /* it is run a multiple of so many times; 0 means 1 */
    int64_t fixed;    /* times of a repeat; 0: as many as fill the seconds */
    double seconds;   /* that a repeat takes at least; 0: as everything else */
    bool optional;    /* that `open` returns HALO_ARGUMENT means that it cannot be had here */
    /* Out, the same on all ranks: */
    bool missing; /* it cannot be had */
    int repeats;
    int64_t times;             /* of a repeat */
    halo_sample_spread spread; /* of the samples */
    double rate, ratio;        /* of the amount a second; to the base */
    const char *real;          /* is the difference to the base real? */
} bench_item;

/* Local. An item that measures `measure` the `way` named, compared with item `base` or -1. */
bench_item bench_item_of(const bench_operations *operations, int ranks, int base,
                         const char *measure, const char *way);
/* Local. The same, of a message or block of `bytes`: one time moves `moved` bytes. */
bench_item bench_item_of_bytes(const bench_operations *operations, int ranks, int base,
                               double bytes, double moved, const char *measure, const char *way);

/* Zero-initialise it. */
typedef struct {
    bench_item *items; /* [count] */
    double **samples;  /* [count][repeats] once measured: seconds for one time, of the rank that
                        * took longest; the same on all ranks */
    int count;
    bool failed; /* there was no memory for an item */
} bench_list;

/* Local. Add an item with a copy of `context` (`size` bytes). Returns its place; for want of memory
 * that of the last one, and the list remembers the failure. */
int bench_list_add(bench_list *list, const bench_item *item, const void *context, size_t size);
void bench_list_free(bench_list *list);

/* Local. Do two measured items really differ? */
bool bench_list_differ(const bench_list *list, int a, int b, int repeats);

typedef struct {
    const char *what; /* is measured, for those who wait */
    int repeats;      /* 1 to HALO_SAMPLES_MAX */
    double seconds;   /* that a repeat takes at least */
    progress *shown;  /* the line in a terminal */
    bool tells;       /* without a terminal: how long it takes, on stderr. For one rank */
} bench_effort;

/* Collective over all ranks. A round to warm up, in which it is found out how many times make a
 * repeat, then `repeats` rounds in each of which every item is opened, run once more to warm up,
 * measured and closed; each round begins with another item, and every other one goes backwards.
 * HALO_MEMORY, and what the items' operations return. */
halo_status bench_measure(bench_groups *groups, bench_list *list, const bench_effort *effort);

#endif
