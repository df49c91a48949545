#ifndef HALOBEAT_PATHS_FRONT_H
#define HALOBEAT_PATHS_FRONT_H

#include "core/field/field.h"
#include "kernels/paths/paths.h"
#include "kernels/paths/queue.h"

/* A cell of the halo, and the distance of it that was last taken in. */
typedef struct {
    double seen;
    int32_t cell;
} paths_halo_cell;

struct paths_batch; /* see reach_ops.h */

/* One rank's part of a raster and the queue of its cells whose neighbours are to be updated: what
 * every method does between two looks at other ranks. A rank takes in what cells of its halo have
 * become (paths_front_offer), then cells from its queue (paths_front_run), and whoever uses it
 * brings cells near the part's ends that have improved to other ranks. All functions are local.
 * Internal to the paths kernel.
 *
 * The front writes cells of its own part only: while it runs, cells of the halo have distance 0,
 * which nothing improves. Cells beyond the domain's edges have it always. */
typedef struct paths_front {
    halo_paths_cell *cells; /* the first one of the halo */
    int64_t pitch;          /* cells from a row to the next */
    int64_t rows, columns;  /* owned */
    int64_t depth, side;    /* of the halo, above and below, and beside */
    int64_t lo[2], n[2];    /* where the part begins, and the domain's size */
    double unreached;
    int step_count;
    halo_paths_step steps[HALO_PATHS_NEIGHBOURS];
    int64_t offsets[HALO_PATHS_NEIGHBOURS];
    int64_t passed[HALO_PATHS_NEIGHBOURS][2];
    paths_queue queue;
    /* A paths_reach: see reach_ops.h. */
    int (*reach)(const struct paths_front *front, struct paths_batch *batch, int count);
    paths_halo_cell *halo; /* [halo_count] cells of it that lie in the domain */
    int64_t halo_count;
    int64_t taken, improved;
} paths_front;

/* Make one for the cells of a part of `domain`, whose costs are filled in. The field must outlive
 * it; options need not. HALO_ARGUMENT for a part of 2^31 cells or more, and for
 * instructions that this machine does not have; HALO_MEMORY. */
halo_status paths_front_create(paths_front **out, const halo_view *cells, const halo_domain *domain,
                               const halo_paths_options *options);

/* Accepts a pointer to NULL. */
void paths_front_destroy(paths_front **front);

/* Update the neighbours of every owned cell that has a distance: at the beginning, and after the
 * part has become another one. The queue must be empty. */
void paths_front_start(paths_front *front);

/* Halo cell (y, x), local indices, has this distance in its own part: its neighbours here look at
 * it. */
void paths_front_offer(paths_front *front, int64_t y, int64_t x, double distance);

/* Take in what cells of the halo have become since the last time, and close the halo; afterwards
 * put the distances back. Returns how many had become smaller. */
int64_t paths_front_close(paths_front *front);
void paths_front_open(paths_front *front);

/* Take up to `quota` cells from the queue (0: until it is empty) while the halo is closed. Returns
 * how many it has taken. front->queue.failed says that memory was out. */
int64_t paths_front_run(paths_front *front, int64_t quota);

#endif
