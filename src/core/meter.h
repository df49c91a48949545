#ifndef HALOBEAT_CORE_METER_H
#define HALOBEAT_CORE_METER_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct halo_world;

/* What the rows of a strip cost: computing time by blocks of rows, so that a rank's speed and its
 * rows' cost can be told apart. A block is a 64th of the strip or more; reading the clock costs up
 * to .15 us, so that only so many sweeps are measured by blocks that it is less than .2 % of the
 * computing time. The time of a whole sweep is measured always.
 *
 * A kernel whose function is given a box in pieces knows nothing of this. One that takes its strip
 * at once says with halo_meter_mark which rows it has just done. */
typedef struct halo_meter halo_meter;

enum { HALO_METER_BLOCKS = 64 };

/* Flops of computing local rows lo to hi - 1 once, for simulated machines; see halo_charge. */
typedef double halo_meter_flops(const void *context, int64_t lo, int64_t hi, int64_t beat);

/* What was measured since the last halo_meter_take. */
typedef struct {
    int64_t sweeps;                    /* measured, 0 if there is nothing to tell */
    int64_t beats;                     /* in them */
    double compute_seconds;            /* a beat, mean */
    double noise_seconds;              /* standard error of it */
    int64_t rows, block_rows;          /* of the strip; of a block, the last is the rest */
    int blocks;                        /* whose cost is known: all or 0 */
    float row_cost[HALO_METER_BLOCKS]; /* seconds a row and beat */
} halo_measured;

/* Local. `world` must outlive it. HALO_MEMORY. */
halo_status halo_meter_create(halo_meter **out, const struct halo_world *world);

/* Local. Accepts a pointer to NULL. */
void halo_meter_destroy(halo_meter **meter);

/* Local. The strip has this many rows from now on; what was measured is forgotten, and the next
 * sweep, which may touch memory for the first time, is not measured if it is not the only one. */
void halo_meter_set_rows(halo_meter *meter, int64_t rows);

/* Local. Flops of rows, for simulated machines; NULL for none. */
void halo_meter_set_flops(halo_meter *meter, halo_meter_flops *flops, const void *context);

/* Local, around the computing of a sweep of several stretches. */
void halo_meter_begin_sweep(halo_meter *meter, int64_t beat, int beats);
void halo_meter_end_sweep(halo_meter *meter);

/* Local, around each stretch of computing: owned rows lo to hi - 1 once for each of `beats` beats.
 * Rows of the halo that are computed as well are given by their number in `extra`, beats included.
 * Within it a rank that is slow on purpose takes its time, and one on a simulated machine is
 * charged. */
void halo_meter_begin(halo_meter *meter, int64_t lo, int64_t hi, int beats, int64_t extra);
void halo_meter_end(halo_meter *meter);

/* Local, within a stretch, by the kernel: the time since the last mark, or the beginning, went to
 * local rows lo to hi - 1, in all beats; rows outside of the strip are allowed. Accepts NULL. */
void halo_meter_mark(halo_meter *meter, int64_t lo, int64_t hi);

/* Local. Is this sweep measured by blocks? Then it pays to work in pieces of halo_meter_piece rows,
 * with a mark after each. */
bool halo_meter_looks(const halo_meter *meter);
int64_t halo_meter_piece(const halo_meter *meter);

/* Local. What was measured, and begin anew. */
void halo_meter_take(halo_meter *meter, halo_measured *measured);

#endif
