#ifndef HALOBEAT_CLI_BENCH_CUTS_H
#define HALOBEAT_CLI_BENCH_CUTS_H

#include "cli/bench/machine.h"

/* `halobeat bench decomposition`: a kernel, cut in every way that is asked for. */

enum { BENCH_PARTS_SIZE = 40, BENCH_MOST_EXPONENT = 20 };

/* One way, and what came of it. */
typedef struct {
    const bench_subject *subject;
    bench_setting setting;
    int size, ranks; /* its number among the sizes */
    int item;        /* its place in the list */
    void *running;
    bench_tally last; /* of this rank, in the last run */
    bench_tally sum;  /* of all counted repeats, and in the end of all ranks */
    bool modelled;
    halo_prediction predicted;
} bench_cut;

/* Strips against blocks at a number of ranks that may never have been there. */
typedef struct {
    double strips_seconds, blocks_seconds;
    int parts[HALO_AXES]; /* the best, or where strips are, blocks with the least halo */
} bench_forecast;

/* A size's forecasts for 2^0, 2^1, ... ranks, by the figures of the most ranks with a core each. */
typedef struct {
    bool known;
    int depth;
    halo_machine machine;
    bench_forecast at[BENCH_MOST_EXPONENT + 1];
    int64_t crossing; /* the least ranks with which blocks win; 0: none */
} bench_outlook;

typedef struct {
    const bench_arguments *arguments;
    int cores;
    bench_list list;  /* the cuts' items, and those of the machine */
    bench_cut **cuts; /* those of one size and number of ranks stand together */
    int count;
    const double **samples; /* of each, after measuring */
    bench_machine machine;
    bench_outlook outlook[BENCH_MOST_ENTRIES]; /* [sizes] */
} bench_cuts;

/* Collective. Plan, measure, predict, report. */
halo_status bench_cuts_run(bench_groups *groups, const bench_arguments *arguments);

/* Local, pure but for the list's memory, the same on all ranks. Find all ways to cut; HALO_ARGUMENT
 * for parts that are smaller than the halo, or that no number of ranks fits. */
halo_status bench_cuts_plan(bench_cuts *all);
void bench_cuts_free(bench_cuts *all);

/* Local, after measuring. Predict every cut, and what would be with more ranks. */
void bench_cuts_predict(bench_cuts *all);

/* Local. "4x1". */
void bench_cuts_parts(const int parts[HALO_AXES], int axes, char text[BENCH_PARTS_SIZE]);
/* Local. "2048x2048". */
void bench_cuts_size(const halo_domain *domain, char text[BENCH_PARTS_SIZE]);
/* Local. "strips" or "blocks". */
const char *bench_cuts_shape(const int parts[HALO_AXES]);

/* Collective. Tables, winners, files. */
halo_status bench_cuts_report(halo_world *world, const bench_cuts *all);

/* Local, on rank 0. Draw it. */
halo_status bench_cuts_draw(const bench_cuts *all);

/* What one number of ranks came to, for a size: the best of all, of strips, and of blocks; -1 where
 * there is none. same[i] tells which cuts the best one is not really faster than. */
typedef struct {
    int size, ranks;
    int best, strips, blocks;
    bool really; /* is the better one of strips and blocks really better? */
    bool *same;  /* [count of cuts], by the caller */
} bench_verdict;

/* Local. Who wins. False if nothing was measured for this size and number of ranks. */
bool bench_cuts_judge(const bench_cuts *all, int size, int ranks, bench_verdict *out);

#endif
