#ifndef HALOBEAT_PATHS_PATHS_COSTS_H
#define HALOBEAT_PATHS_PATHS_COSTS_H

#include "core/world/world.h"
#include "kernels/paths/paths.h"

#include <math.h>
#include <stdbool.h>

/* From the samples of an image to the costs of a raster, and from its cells to distances. */

enum { HALO_PATHS_BARRIERS = 16 /* values that are barriers */ };

/* Samples that become barriers, besides infinite ones and NaN. Zero-initialise it, and set
 * `missing` to NaN: then there are none. */
typedef struct {
    bool negative;  /* all below 0, which are no costs otherwise */
    double missing; /* those equal to it; NaN: none */
    int count;
    double values[HALO_PATHS_BARRIERS]; /* [count] those equal to one of these */
} halo_paths_barriers;

/* The costs of cells that are no barriers, from `min` to `max`; min > max: there are none. */
typedef struct {
    int64_t barriers; /* cells */
    double min, max;
} halo_paths_cost_range;

/* The range before any sample. */
#ifdef __cplusplus
#define HALO_PATHS_NO_COSTS (halo_paths_cost_range{0, HUGE_VAL, 0})
#else
#define HALO_PATHS_NO_COSTS ((halo_paths_cost_range){0, HUGE_VAL, 0})
#endif

/* Local. Makes a row of `count` cells, not reached yet, of as many samples, which lie at the
 * beginning of the row's memory: 8 or 16 bits, unsigned, or 64 bits, doubles. Adds them to `range`.
 * Returns -1, or the column of a sample that is no cost, which is stored in *refused; samples
 * before it are then no cells. */
int64_t halo_paths_take_costs(halo_paths_cell *cells, int64_t count, int bits,
                              const halo_paths_options *options,
                              const halo_paths_barriers *barriers, halo_paths_cost_range *range,
                              double *refused);

/* Local. The distances of a row of `count` cells as results have them: infinite where a cell is not
 * reached, and 0 of sources. */
void halo_paths_row_distances(const halo_paths_options *options, const halo_paths_cell *cells,
                              int64_t count, double *distances);

/* Collective. The range of all ranks' samples. HALO_TRANSPORT. */
halo_status halo_paths_share_range(halo_world *world, halo_paths_cost_range *range);

#endif
