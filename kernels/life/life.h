#ifndef HALOBEAT_LIFE_LIFE_H
#define HALOBEAT_LIFE_LIFE_H

#include "core/beat/beat.h"
#include "core/file/rows.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "kernels/life/life_rule.h"

#include <stdbool.h>
#include <stdint.h>

/* Life and its relatives on a grid of cells cut into strips of rows or into blocks.
 *
 * Cells are named by column x and row y; (0, 0) is where the grid's upper left cell was when it
 * was made, so that a grid that grows to the left or upwards gets cells with negative numbers.
 * Every result is the same for every number of ranks, decomposition, halo depth and instruction
 * set.
 *
 * Rows of cells go in and out as plain rows: with two states one bit a cell, cell x of the row in
 * bit x % 64 of word x / 64; with more states a byte a cell, 0 dead, 1 alive, 2 and on dying. Bits
 * and bytes beyond the width are 0.
 *
 * A rule with B0 brings infinite empty space to life. On a grid that grows cells are therefore
 * kept, given, taken and counted as what differs from the background, which halo_life_background
 * tells, as Golly does: with S8 too the background is alive for ever, without it in odd
 * generations. */
typedef struct halo_life halo_life;

/* What lies beyond the edges of an axis. */
#define HALO_LIFE_EDGE_LIST(X)                      \
    X(DEAD, dead, "cells that are dead for ever")   \
    X(WRAP, wrap, "the cells of the opposite edge") \
    X(GROW, grow, "more cells, made before a live cell needs them")

typedef enum {
#define HALO_LIFE_EDGE_ENUM(code, name, help) HALO_LIFE_##code,
    HALO_LIFE_EDGE_LIST(HALO_LIFE_EDGE_ENUM)
#undef HALO_LIFE_EDGE_ENUM
} halo_life_edge;

enum { HALO_LIFE_ROWS, HALO_LIFE_COLUMNS, HALO_LIFE_AXES };

/* Cells lo to lo + n - 1 on each axis. */
typedef struct {
    int64_t lo[HALO_LIFE_AXES];
    int64_t n[HALO_LIFE_AXES];
} halo_life_box;

typedef struct {
    halo_life_rule rule;
    halo_life_box box;                    /* of the grid at first; n at least 1 */
    halo_life_edge edges[HALO_LIFE_AXES]; /* beyond the top and bottom; the left and right */
    int parts[HALO_LIFE_AXES];   /* rows of blocks and blocks in each; with one in each, or 0 and 0,
                                  * strips. A grid that grows left and right may be made wider at
                                  * once, for as many columns of blocks */
    int beats_per_exchange;      /* generations per exchange (fewer where a growing grid's strips
                                  * are lower), at most 64 in blocks; 0: chosen, by measuring latency
                                  * where there is any */
    bool stop_when_still;        /* end a run after a generation without a change */
    const char *vote, *exchange; /* as in halo_beat_options */
    const char *instructions;    /* "avx512", "avx2", "plain", or NULL for the best */
    struct halo_balancing *balancing; /* as in halo_beat_options, for strips only; must outlive the
                                       * grid */

    /* Called on every rank after each vote, with the generations that it was about. If it returns
     * true on any rank, all ranks stop when the next vote is heard of: as in halo_beat_options. */
    bool (*watch)(void *context, int64_t generation);
    void *context;
} halo_life_options;

/* What one generation did, over all ranks. */
typedef struct {
    int64_t generation; /* the one that came to be */
    int64_t births;     /* cells that were dead before */
    int64_t deaths;     /* cells that were not, and now are */
} halo_life_change;

/* The grid as it is, over all ranks. */
typedef struct {
    int64_t population; /* cells that are not dead */
    halo_life_box live; /* the smallest box with all of them; n is 0 if there are none */
    uint64_t hash;      /* of the places and states of all cells that are not dead: equal grids
                         * have equal hashes however large the empty space around them is */
} halo_life_census;

/* How the runs went, on this rank, since the grid was made. */
typedef struct {
    int parts[HALO_LIFE_AXES]; /* in use */
    halo_life_box own;         /* this rank's strip or block, counted from the grid's first cell */
    int beats_per_exchange;    /* in use */
    const char *instructions;  /* in use */
    const char *engine;        /* "life" or the name of another rule with code of its own, "any
                                * rule", or "generations" */
    int64_t enlargements;      /* times a growing grid was enlarged */
    halo_beat_report beats;    /* sums over all enlargements */
} halo_life_report;

/* Local. Bytes that rows on their way to and from files take on this rank beside the grid. */
int64_t halo_life_later(const halo_life *life);

/* Collective. A grid of dead cells at generation 0. HALO_ARGUMENT for options that make no sense
 * (the message names the remedy), HALO_RANKS for an explicit halo depth that is deeper than a
 * strip or block, or more columns of blocks than the grid has cells for, HALO_MEMORY; all ranks get
 * the same. The world must outlive the grid. */
halo_status halo_life_create(halo_life **out, halo_world *world, const halo_life_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_life_destroy(halo_life **life);

/* Local. The grid's place and size now; the same on all ranks. */
halo_life_box halo_life_size(const halo_life *life);

/* Local. Whose rows go in and out where: rank r puts and gets rows cuts[r] to cuts[r + 1] - 1,
 * counted from the grid's first row (not from row y = 0). In strips they are the rows it owns, in
 * blocks an even share of all. [ranks + 1], valid until the next run or move. */
const int64_t *halo_life_cuts(const halo_life *life);

/* Collective, between runs. Other strips, as halo_life_cuts returns them: see halo_beat_move. A
 * grid that is enlarged later is cut in the same proportions if it is balanced, else evenly again.
 * HALO_ARGUMENT for a grid in blocks. */
halo_status halo_life_move(halo_life *life, const int64_t *cuts);

/* Local. Bits of a cell in plain rows: 1 or 8. */
int halo_life_cell_bits(const halo_life *life);

/* Local. Bytes of a plain row of the grid as it is now; a multiple of 8. */
size_t halo_life_row_bytes(const halo_life *life);

/* Local, pure. Is the empty space around a grid that grows alive at this generation? */
bool halo_life_background(const halo_life_rule *rule, int64_t generation);

/* Local. The generation the grid is at; it may be set, to the same on all ranks, after reading a
 * checkpoint for instance. */
int64_t halo_life_generation(const halo_life *life);
void halo_life_set_generation(halo_life *life, int64_t generation);

/* Collective. Every cell of the grid is alive with probability `density` (0 to 1), from a counter-
 * based generator: the same cells for every number of ranks. */
halo_status halo_life_soup(halo_life *life, double density, uint64_t seed);

/* Local. Plain rows are aligned to 8 bytes, and so is their pitch. Replace this rank's rows `first`
 * to `first + rows - 1` (counted from the grid's first row, as halo_life_cuts returns it) by plain
 * rows. HALO_ARGUMENT for a state the rule lacks; HALO_MEMORY. */
halo_status halo_life_put_rows(halo_life *life, int64_t first, int64_t rows, const void *data,
                               size_t pitch);

/* Collective. Makes rows ready for halo_life_get_rows until the grid runs: in blocks, whose rows
 * are in pieces on several ranks, they are brought together, in memory of their own until the next
 * run. Does nothing for strips. HALO_MEMORY, HALO_MPI. */
halo_status halo_life_stage(halo_life *life);

/* Local. The reverse of putting rows, after halo_life_stage; its type is that of halo_rows_fill,
 * with the grid as context, so that writers of files can ask for rows directly. */
halo_status halo_life_get_rows(void *life, int64_t first, int64_t rows, void *out, size_t pitch);

/* Collective. Compute up to `generations` (0 or more) generations; less if nothing changes any
 * more (and stop_when_still), or the watcher stops the run: see halo_life_stopped. A growing
 * grid that would need more memory than there is returns HALO_MEMORY on all ranks and stays as it
 * was, at the generation it had reached. */
halo_status halo_life_run(halo_life *life, int64_t generations);

typedef enum {
    HALO_LIFE_STOP_DONE,   /* all generations computed */
    HALO_LIFE_STOP_STILL,  /* nothing changes any more */
    HALO_LIFE_STOP_WATCHER /* stopped on request */
} halo_life_stop;

/* Local. Why the last run ended; the same on all ranks. */
halo_life_stop halo_life_stopped(const halo_life *life);

/* Collective. Like halo_life_run, and fills in `changes` [generations], one entry for each
 * generation computed; *count is how many. Slower than halo_life_run. */
halo_status halo_life_run_counted(halo_life *life, int64_t generations, halo_life_change *changes,
                                  int64_t *count);

/* Collective. Population, place and hash of the grid. */
halo_status halo_life_take_census(halo_life *life, halo_life_census *census);

/* Collective. Remember what the grid is like now, in place of an earlier time; and ask whether it
 * is like that again. For finding periods. What is remembered is the census: grids that differ are
 * taken for the same with a chance of 2^-64. */
halo_status halo_life_keep(halo_life *life);
halo_status halo_life_is_kept(halo_life *life, bool *same);

/* Local. */
halo_life_report halo_life_get_report(const halo_life *life);

#endif
