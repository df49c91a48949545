#ifndef HALOBEAT_CORE_BALANCE_ROW_COST_H
#define HALOBEAT_CORE_BALANCE_ROW_COST_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct halo_world;

/* What the rows of a strip cost: computing time by blocks of rows, so that a rank's speed and its
 * rows' cost can be told apart. A block is a 64th of the strip or more; reading the clock costs up
 * to .15 us, and supersteps are measured by blocks only as often as keeps that below .2 % of the
 * computing time. The time of a whole superstep is measured always.
 *
 * A rank that gets little of a core, since a control group limits it or other programs have it, may
 * be held back while it waits rather than while it computes, and then looks fast. Linux counts how
 * long it could have run and did not: where that is most of the time, what is reported is the time
 * of its processor, which is then measured now and then, over the share of a core that it gets.
 *
 * A kernel whose function is given a box in pieces knows nothing of this. One that takes its strip
 * at once says with halo_row_cost_mark which rows it has just done. */
typedef struct halo_row_cost halo_row_cost;

enum { HALO_ROW_COST_BLOCKS = 64 };

/* Local. Rows of a block, in a strip of `rows` rows. */
static inline int64_t halo_row_cost_block_rows(int64_t rows)
{
    return rows > HALO_ROW_COST_BLOCKS ? (rows + HALO_ROW_COST_BLOCKS - 1) / HALO_ROW_COST_BLOCKS
                                       : 1;
}

/* Flops of computing local rows lo to hi - 1 once for each of `beats` beats after `beat` others,
 * for simulated machines; see halo_simulated_compute. */
typedef double halo_row_cost_flops(const void *context, int64_t lo, int64_t hi, int64_t beat,
                                   int beats);

/* What was measured since the last halo_row_cost_take. */
typedef struct {
    int64_t supersteps;                   /* measured, 0 if there is nothing to tell */
    int64_t beats;                        /* in them */
    double compute_seconds;               /* a beat, of the strip's own rows; mean */
    double noise_seconds;                 /* standard error of it */
    double extra_seconds;                 /* a beat, of halo rows that are computed as well; mean */
    double exchange_seconds;              /* a beat, of packing and unpacking halos; mean */
    int64_t rows, block_rows;             /* of the strip; of a block, the last is the rest */
    int blocks;                           /* whose cost is known: all or 0 */
    float row_cost[HALO_ROW_COST_BLOCKS]; /* seconds a row and beat */
    double available; /* share of the time that it could have run in which it had a core; 1 if that
                       * is not known, or so much that the times above tell all of it */
} halo_measured;

/* Local. `world` must outlive it; ranks that are slow on purpose take their time while they are
 * measured. HALO_MEMORY. */
halo_status halo_row_cost_create(halo_row_cost **out, const struct halo_world *world);

/* Local. Accepts a pointer to NULL. */
void halo_row_cost_destroy(halo_row_cost **row_cost);

/* Local. The strip has this many rows from now on; what was measured is forgotten. */
void halo_row_cost_set_rows(halo_row_cost *row_cost, int64_t rows);

/* Local. Nobody asks for blocks: no superstep is measured by them from now on. */
void halo_row_cost_ignore_blocks(halo_row_cost *row_cost);

/* Local. Flops of rows, for simulated machines; `context` is handed to it. */
void halo_row_cost_set_flops(halo_row_cost *row_cost, halo_row_cost_flops *flops,
                             const void *context);

/* Local, around a superstep of `beats` beats, in which all rows of the strip are computed once a
 * beat, and `extra_rows`' worth of the halo in all of them together. */
void halo_row_cost_begin_superstep(halo_row_cost *row_cost, int beats);
void halo_row_cost_end_superstep(halo_row_cost *row_cost, double extra_rows);

/* Local, within a superstep. So much was spent on packing and unpacking halos, no waiting in it. */
void halo_row_cost_add_exchange(halo_row_cost *row_cost, double seconds);

/* Local, around each stretch of computing in a superstep: local rows lo to hi - 1, the halo's
 * included, once for each of `beats` beats after `beat` others. Within it a rank that is slow on
 * purpose takes its time, and a simulated one computes its flops. */
void halo_row_cost_begin(halo_row_cost *row_cost, int64_t lo, int64_t hi, int64_t beat, int beats);
void halo_row_cost_end(halo_row_cost *row_cost);

/* Local, within a stretch, by the kernel: the time since the last mark, or the beginning, went to
 * local rows lo to hi - 1, in all beats of it. Accepts NULL. */
void halo_row_cost_mark(halo_row_cost *row_cost, int64_t lo, int64_t hi);

/* Local. Where a piece of work that begins with row `lo` should end, `hi` at the latest, so that
 * blocks can be told apart: `hi` in supersteps that are not measured by blocks. */
int64_t halo_row_cost_piece_end(const halo_row_cost *row_cost, int64_t lo, int64_t hi);

/* Local. Is there anything to take? The same on all ranks that do supersteps together.
 * The first superstep, in which memory is touched for the first time, counts for nothing, and is
 * dropped when others follow. */
bool halo_row_cost_has_measured(const halo_row_cost *row_cost);

/* Local. What was measured, and begin anew. */
void halo_row_cost_take(halo_row_cost *row_cost, halo_measured *measured);

#endif
