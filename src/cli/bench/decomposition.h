#ifndef HALOBEAT_CLI_BENCH_DECOMPOSITION_H
#define HALOBEAT_CLI_BENCH_DECOMPOSITION_H

#include "cli/bench/bench.h"

/* `halobeat bench decomposition`: a kernel, cut in every way that is asked for. */

enum { BENCH_MAX_EXPONENT = 20 };

/* One way to cut, and what came of it: a row of the table. */
typedef struct {
    int size_number, ranks_number, depth_number; /* among those asked for */
    char size[BENCH_TEXT_SIZE], parts[BENCH_TEXT_SIZE];
    const char *kernel, *shape;
    bench_setting setting;
    const bench_item *item;    /* once measured; it stands at the same place in the list */
    double mean[BENCH_SUMS];   /* of a beat to one rank; of messages and bytes of all ranks */
    halo_prediction predicted; /* NAN where there is no model */
    double error;              /* of the prediction, as a share */
    const char *best;          /* "best"; "same": not really slower than that; or "" */
} bench_cut;

/* The cuts of one size and number of ranks, which stand together, and the fastest of all, of strips
 * and of blocks; NULL where there is none. */
typedef struct {
    int first, count;
    const bench_cut *best, *strips, *blocks;
    bool differ; /* is the better one of strips and blocks really better? */
} bench_winner;

/* Strips against blocks at a number of ranks that may never have been there. */
typedef struct {
    int ranks;
    double strips_seconds, blocks_seconds, gain;
    char parts[BENCH_TEXT_SIZE]; /* the best, or where strips are, blocks with the least halo */
} bench_forecast;

/* A size's forecasts for 2^0, 2^1, ... ranks, by the figures of the most ranks with a core each. */
typedef struct {
    bool known;
    char size[BENCH_TEXT_SIZE];
    int depth;
    halo_machine machine;
    bench_forecast at[BENCH_MAX_EXPONENT + 1];
    int64_t crossing; /* the fewest ranks with which blocks win; 0: none */
} bench_outlook;

/* This machine's figures for the model: items that are measured among that number of ranks at once,
 * with the same code as `bench exchange` and `bench vote`, so that what ranks take from each other
 * is in them. */
typedef struct {
    /* Swaps of 1 and of several messages of 8 bytes, and of messages of 1 KiB and 64 KiB. */
    int one, many, kilobyte, large, vote, pack;
    int cell[BENCH_MAX_ENTRIES][BENCH_MAX_ENTRIES]; /* of a size and depth */
} bench_figures;

typedef struct {
    const bench_arguments *arguments;
    int cores;
    bench_list list; /* the cuts' items, and those of the figures */
    bench_cut *cuts; /* [count] */
    int count;
    int64_t room;
    bench_winner *winners; /* [winner_count] */
    int winner_count;
    bench_figures figures[BENCH_MAX_ENTRIES]; /* of each number of ranks */
    bench_outlook outlook[BENCH_MAX_ENTRIES]; /* of each size */
} bench_cuts;

/* Local, the same on all ranks. Add what is measured for the model to the list, whose memory may
 * run out. */
void bench_model_add(bench_cuts *all);

/* Local, the same on all ranks. After measuring: what the model predicts of all cuts, and of more
 * ranks. */
void bench_model_predict(bench_cuts *all);

/* Local. "4x1"; "2048x2048", of a size by its number. */
void bench_parts_text(const int parts[HALO_AXES], int axes, char text[BENCH_TEXT_SIZE]);
void bench_size_text(const bench_arguments *arguments, int size, char text[BENCH_TEXT_SIZE]);

/* Collective. Draw it. */
halo_status bench_cuts_draw(const bench_cuts *all);

/* Collective. Tables, winners, files, the plot, and the page that shows it. */
halo_status bench_cuts_report(halo_world *world, const bench_cuts *all);

#endif
