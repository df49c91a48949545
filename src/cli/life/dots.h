#ifndef HALOBEAT_CLI_LIFE_DOTS_H
#define HALOBEAT_CLI_LIFE_DOTS_H

#include "io/canvas/picture.h"
#include "kernels/life/life.h"

/* Collective. The sums that io/canvas/picture.h makes pictures of, over all ranks: `cuts` [ranks +
 * 1] share out the picture's dot rows, and rank r gets the sums of dot rows cuts[r] to cuts[r + 1]
 * - 1 in `sums` [those rows * columns of dots]. HALO_MEMORY, HALO_MPI. */
halo_status life_dots_collect(halo_world *world, halo_life *life, const halo_picture *picture,
                              const int64_t *cuts, int64_t *sums);

/* Local. The part of the picture's window on each axis that users see when they ask for nothing
 * else: the grid on an axis with bounds, `live` with a few cells around it on one that grows.
 * Never empty. */
halo_picture_window life_dots_window(const halo_life_box *grid, const halo_life_edge *edges,
                                     const halo_life_box *live);

/* Local. Of a window that life_dots_window gave, what is worth a close look on the axes that grow:
 * gliders fly far, and with all of their ways in sight nobody would see what sends them. `first` is
 * the pattern's own box. */
halo_picture_window life_dots_close_up(const halo_picture_window *window,
                                       const halo_life_edge *edges, const halo_life_box *first);

#endif
