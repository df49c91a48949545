#ifndef HALOBEAT_CORE_BALANCE_ROW_COST_H
#define HALOBEAT_CORE_BALANCE_ROW_COST_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct halo_world;

/* Measuring the cost of the rows of a strip: computing time by blocks of rows, so that the speed of
 * a rank can be separated from the cost of its rows. A block is at least a 64th of the strip.
 * Reading the clock costs up to 0.15 us; only as many supersteps are measured by blocks as keep
 * that below 0.2 % of the computing time. The time of a whole superstep is always measured.
 *
 * A rank that gets less than a core, because of a control group's limit or of other programs, may
 * be stopped while it waits rather than while it computes, and then looks fast. Linux counts how
 * long it was runnable without a core. If that is most of the time, processor time, which is then
 * measured now and then, divided by the share of a core that the rank gets is used instead.
 *
 * A kernel whose `step` is called for parts of a box needs to do nothing. A kernel that computes
 * its whole strip in one call tells by halo_row_cost_mark which rows it has just computed. */
typedef struct halo_row_cost halo_row_cost;

enum { HALO_ROW_COST_BLOCKS = 64 };

/* Local. The number of rows in a block of a strip of `rows` rows. */
static inline int64_t halo_row_cost_block_rows(int64_t rows)
{
    return rows > HALO_ROW_COST_BLOCKS ? (rows + HALO_ROW_COST_BLOCKS - 1) / HALO_ROW_COST_BLOCKS
                                       : 1;
}

/* Floating-point operations of computing local rows lo to hi - 1 once in each of `beats` beats from
 * beat `beat` on, for simulated machines; see halo_simulated_compute. */
typedef double halo_row_cost_flops(const void *context, int64_t lo, int64_t hi, int64_t beat,
                                   int beats);

/* Measurements since the last halo_row_cost_take. */
typedef struct {
    int64_t supersteps;                   /* number of measured supersteps; 0: no measurements */
    int64_t beats;                        /* beats in these supersteps */
    double compute_seconds;               /* mean per beat, of the strip's own rows */
    double noise_seconds;                 /* its standard error */
    double extra_seconds;                 /* mean per beat, of halo rows that are computed too */
    double exchange_seconds;              /* mean per beat, of packing and unpacking halos */
    int64_t rows, block_rows;             /* of the strip; of a block, except the last one, which
                                           * may be shorter */
    int blocks;                           /* number of blocks with a known cost: all or 0 */
    float row_cost[HALO_ROW_COST_BLOCKS]; /* seconds per row and beat */
    double available; /* share of its runnable time in which it had a core; 1 if unknown, or so
                       * close to 1 that the times above include the rest */
} halo_measured;

/* Local. Creates an object that measures; the caller destroys it. `world` must outlive it; the
 * world's slowdown is injected during measured intervals. HALO_MEMORY. */
halo_status halo_row_cost_create(halo_row_cost **out, const struct halo_world *world);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_row_cost_destroy(halo_row_cost **row_cost);

/* Local. Sets the number of rows of the strip and drops all measurements. */
void halo_row_cost_set_rows(halo_row_cost *row_cost, int64_t rows);

/* Local. Begins to measure which share of a core this rank gets (`available`), which reads some
 * files of the system; until then it is unknown. */
void halo_row_cost_begin_shares(halo_row_cost *row_cost);

/* Local. Stops measuring by blocks. */
void halo_row_cost_ignore_blocks(halo_row_cost *row_cost);

/* Local. Sets the function for the operations of rows on simulated machines; `context` is passed to
 * it. */
void halo_row_cost_set_flops(halo_row_cost *row_cost, halo_row_cost_flops *flops,
                             const void *context);

/* Local, around a superstep of `beats` beats. Each row of the strip is computed once per beat, and
 * halo cells worth `extra_rows` rows in all beats together. */
void halo_row_cost_begin_superstep(halo_row_cost *row_cost, int beats);
void halo_row_cost_end_superstep(halo_row_cost *row_cost, double extra_rows);

/* Local, within a superstep. Adds seconds of packing and unpacking halos, without waiting. */
void halo_row_cost_add_exchange(halo_row_cost *row_cost, double seconds);

/* Local, around each interval of computing in a superstep: local rows lo to hi - 1, including halo
 * rows, once in each of `beats` beats from beat `beat` on. Within it slowdowns are injected, and
 * simulated machines simulate the operations. */
void halo_row_cost_begin(halo_row_cost *row_cost, int64_t lo, int64_t hi, int64_t beat, int beats);
void halo_row_cost_end(halo_row_cost *row_cost);

/* Local, within an interval, called by the kernel: attributes the time since the last mark, or
 * since the start of the interval, to local rows lo to hi - 1, in all its beats. Accepts NULL. */
void halo_row_cost_mark(halo_row_cost *row_cost, int64_t lo, int64_t hi);

/* Local. The row at which a piece of work that begins with row `lo` should end, at most `hi`, so
 * that blocks can be measured separately; `hi` in supersteps that are not measured by blocks. */
int64_t halo_row_cost_piece_end(const halo_row_cost *row_cost, int64_t lo, int64_t hi);

/* Local. True if there are measurements to take; the same on all ranks that do supersteps together.
 * The first superstep, which touches memory for the first time, is dropped when others follow. */
bool halo_row_cost_has_measured(const halo_row_cost *row_cost);

/* Local. Returns the measurements and starts again. */
void halo_row_cost_take(halo_row_cost *row_cost, halo_measured *measured);

#endif
