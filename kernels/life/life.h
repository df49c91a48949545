#ifndef HALOBEAT_LIFE_LIFE_H
#define HALOBEAT_LIFE_LIFE_H

#include "core/beat/beat.h"
#include "core/file/rows.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "kernels/life/life_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Life and related cellular automata on a grid of cells, in strips of rows or in blocks.
 *
 * Cells have a column x and a row y. (0, 0) is the upper left cell of the grid when it was created;
 * a grid that grows to the left or upwards gets cells with negative indices, and most of the empty
 * cells that a pattern has left behind are dropped. All results are the same for every number of
 * ranks, decomposition, halo depth and instruction set.
 *
 * The functions below read and write plain rows: with two states one bit per cell, cell x in bit x
 * % 64 of word x / 64; with more states a byte per cell, 0 dead, 1 alive, 2 and more dying. Bits
 * and bytes past the width are 0.
 *
 * A rule with B0 makes infinite empty space alive. On a grid that grows, cells are therefore
 * stored, passed and counted by their difference from the background (halo_life_background), as in
 * Golly: with S8 too the background is alive for ever, without it in odd generations. */
typedef struct halo_life halo_life;

/* The cells beyond the edges of an axis. */
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

/* A box of cells lo to lo + n - 1 on each axis. */
typedef struct {
    int64_t lo[HALO_LIFE_AXES];
    int64_t n[HALO_LIFE_AXES];
} halo_life_box;

typedef struct {
    halo_life_rule rule;
    halo_life_box box;                    /* of the initial grid; n at least 1 */
    halo_life_edge edges[HALO_LIFE_AXES]; /* of the top and bottom; of the left and right */
    int parts[HALO_LIFE_AXES];   /* numbers of rows and columns of blocks; strips if there is one
                                  * column, or for {0, 0}. A grid that grows left and right may
                                  * be widened when it is created, to have cells for all columns
                                  * of blocks */
    int beats_per_exchange;      /* generations per exchange (fewer if the strips of a growing
                                  * grid are lower), at most 64 in blocks; 0: chosen, on several
                                  * ranks by measuring latency */
    int64_t generations;         /* generations that will be run at most, beside which no deeper
                                  * halo is chosen; 0: not known */
    bool thick_strips;           /* ranks own nothing for which a strip of as many rows as the halo
                                  * that was given would be missing, instead of HALO_RANKS */
    bool stop_when_still;        /* end a run after a generation that changes nothing */
    const char *vote, *exchange; /* as in halo_beat_options */
    const char *instructions;    /* "avx512", "avx2" or "plain"; NULL: the best of this machine */
    struct halo_balancing *balancing; /* as in halo_beat_options, for strips only; must outlive the
                                       * grid */

    /* Called on every rank after each vote, with the generations done. If it returns true on any
     * rank, all ranks stop as in halo_beat_options.watch. */
    bool (*watch)(void *context, int64_t generation);
    void *context;
} halo_life_options;

/* The changes of one generation, over all ranks. */
typedef struct {
    int64_t generation; /* number of the generation that these changes led to */
    int64_t births;     /* cells that became alive from dead */
    int64_t deaths;     /* cells that became dead */
} halo_life_change;

/* The state of the grid, over all ranks. */
typedef struct {
    int64_t population; /* cells that are not dead */
    halo_life_box live; /* the bounding box of these cells; n is 0 if there are none */
    uint64_t hash;      /* of positions and states of these cells; independent of the size of the
                         * empty space around them */
} halo_life_census;

/* Report of this rank since the grid was created. */
typedef struct {
    int parts[HALO_LIFE_AXES]; /* in use */
    halo_life_box own;         /* this rank's strip or block, from the grid's first cell */
    int beats_per_exchange;    /* in use */
    const char *instructions;  /* the instruction set in use */
    const char *engine;        /* "life" or the name of another rule with its own code, "any rule"
                                * or "generations", and the neighbourhood they are for */
    int64_t enlargements;      /* number of times a growing grid was enlarged, or followed a
                                * pattern */
} halo_life_report;

/* Local. Bytes that reading or writing rows of files allocates on this rank besides the grid. */
int64_t halo_life_later(const halo_life *life);

/* Collective. Creates a grid of dead cells at generation 0. The world must outlive the grid; the
 * caller destroys it. HALO_ARGUMENT, with a remedy, for invalid options; HALO_RANKS for a halo
 * depth that was given and exceeds a strip or block, or for more columns of blocks than the grid
 * has cells for; HALO_MEMORY; the same on all ranks. */
halo_status halo_life_create_sized(halo_life **out, halo_world *world,
                                   const halo_life_options *options, size_t options_bytes);
#define halo_life_create(...) halo_life_create_sized(__VA_ARGS__, sizeof(halo_life_options))

/* Local. Frees the grid and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_life_destroy(halo_life **life);

/* Local. The present box of the grid; the same on all ranks. */
halo_life_box halo_life_size(const halo_life *life);

/* Local. Cuts [ranks + 1] of the rows that each rank puts and gets: rank r has rows cuts[r] to
 * cuts[r + 1] - 1, counted from the grid's first row (not from y = 0). In strips these are the rows
 * it owns, in blocks an equal share. Valid until the next run or move. */
const int64_t *halo_life_cuts(const halo_life *life);

/* Collective, between runs. Moves to other strips; `cuts` as those of halo_life_cuts, errors as of
 * halo_beat_move. When a growing grid is enlarged later, it is cut in the same proportions if it is
 * balanced, otherwise evenly. HALO_ARGUMENT for a grid in blocks. */
halo_status halo_life_move(halo_life *life, const int64_t *cuts);

/* Local. Bits per cell of plain rows: 1 or 8. */
int halo_life_cell_bits(const halo_life *life);

/* Local. Bytes of a plain row of the present grid; a multiple of 8. */
size_t halo_life_row_bytes(const halo_life *life);

/* Local, pure. True if the empty space around a growing grid is alive at this generation. */
bool halo_life_background(const halo_life_rule *rule, int64_t generation);

/* Local. The generation of the grid. It may be set, on all ranks to the same number, for instance
 * after reading a checkpoint. */
int64_t halo_life_generation(const halo_life *life);
void halo_life_set_generation(halo_life *life, int64_t generation);

/* Collective. Makes every cell of the grid alive with probability `density` (0 to 1), by a
 * counter-based generator, so that the cells are the same for every number of ranks. HALO_ARGUMENT
 * for another density; HALO_MEMORY. */
halo_status halo_life_soup(halo_life *life, double density, uint64_t seed);

/* Local. Replaces this rank's rows `first` to `first + rows - 1`, counted from the grid's first row
 * as in halo_life_cuts, by the plain rows `data`, `pitch` bytes apart. `data` and `pitch` are
 * multiples of 8. HALO_ARGUMENT for a state that the rule does not have; HALO_MEMORY. */
halo_status halo_life_put_rows(halo_life *life, int64_t first, int64_t rows, const void *data,
                               size_t pitch);

/* Collective. Prepares rows for halo_life_get_rows until the next run. Rows of blocks, which are in
 * parts on several ranks, are collected in additional memory that the next run frees; for strips it
 * does nothing. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_life_stage(halo_life *life);

/* Local, after halo_life_stage. Writes rows to `out`, `pitch` bytes apart: the reverse of
 * halo_life_put_rows. It is a halo_rows_fill whose context is the grid, so that writers of files
 * can call it. */
halo_status halo_life_get_rows(void *life, int64_t first, int64_t rows, void *out, size_t pitch);

/* Collective. Computes up to `generations` (0 or more) generations; fewer if nothing changes any
 * more (with stop_when_still) or a watcher stops the run: see halo_life_stopped. HALO_MEMORY on all
 * ranks if a growing grid needs more memory than there is; the grid is then unchanged, at the
 * generation it had reached. HALO_ARGUMENT, HALO_TRANSPORT. */
halo_status halo_life_run(halo_life *life, int64_t generations);

typedef enum {
    HALO_LIFE_STOP_DONE,   /* all generations computed */
    HALO_LIFE_STOP_STILL,  /* nothing changes any more */
    HALO_LIFE_STOP_WATCHER /* stopped on request */
} halo_life_stop;

/* Local. Why the last run ended; the same on all ranks. */
halo_life_stop halo_life_stopped(const halo_life *life);

/* Collective. As halo_life_run, and sets `changes` [generations], an entry for each generation
 * computed, and *count to their number. Slower than halo_life_run. */
halo_status halo_life_run_counted(halo_life *life, int64_t generations, halo_life_change *changes,
                                  int64_t *count);

/* Collective. Population, bounding box and hash of the grid. HALO_TRANSPORT. */
halo_status halo_life_take_census_sized(halo_life *life, halo_life_census *census,
                                        size_t census_bytes);
#define halo_life_take_census(...) \
    halo_life_take_census_sized(__VA_ARGS__, sizeof(halo_life_census))

/* Collective. halo_life_keep remembers the census of the present grid, in place of an earlier one;
 * halo_life_is_kept sets *same to whether the grid has it again. For finding periods. Different
 * grids are taken for equal with probability 2^-64. */
halo_status halo_life_keep(halo_life *life);
halo_status halo_life_is_kept(halo_life *life, bool *same);

/* Local. The report of this rank, and that of its beats: sums over all enlargements. */
void halo_life_get_report_sized(const halo_life *life, halo_life_report *report,
                                size_t report_bytes);
static inline halo_life_report halo_life_get_report(const halo_life *life)
{
    halo_life_report halo_filled;
    halo_life_get_report_sized(life, &halo_filled, sizeof(halo_life_report));
    return halo_filled;
}

void halo_life_get_beat_report_sized(const halo_life *life, halo_beat_report *report,
                                     size_t report_bytes);
static inline halo_beat_report halo_life_get_beat_report(const halo_life *life)
{
    halo_beat_report halo_filled;
    halo_life_get_beat_report_sized(life, &halo_filled, sizeof(halo_beat_report));
    return halo_filled;
}

#endif
