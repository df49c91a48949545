#ifndef HALOBEAT_PATHS_FRONT_H
#define HALOBEAT_PATHS_FRONT_H

#include "core/field/field.h"
#include "kernels/paths/paths.h"
#include "kernels/paths/queue.h"
#include "kernels/paths/steps.h"

/* A halo cell, and its distance when it was last processed. */
typedef struct {
    double seen;
    int32_t cell;
} paths_halo_cell;

struct paths_batch; /* see reach_ops.h */

/* One rank's part of a raster, an image or a volume, and the queue of its cells whose neighbours
 * must be updated: the work of every method between two exchanges. A rank processes changed cells
 * of its halo (paths_front_close), then cells from its queue (paths_front_run); the caller sends
 * improved cells near the part's ends to other ranks. All functions are local. Internal to the
 * paths kernel.
 *
 * The front writes cells of its own part only: while it runs, halo cells have distance 0, which
 * nothing improves. Cells beyond the domain's edges always have it. */
typedef struct paths_front {
    halo_paths_cell *cells; /* the first halo cell */
    int64_t pitch;          /* cells from row to row */
    int64_t plane;          /* cells from plane to plane; of an image all of them */
    paths_part part;
    double unreached;
    int step_count;
    bool volume; /* no step is a knight's move */
    /* In volumes steps within the plane come first, then those to the plane before and to that
     * behind, each in the order N W E S NW NE SW SE, then those straight to the planes. */
    paths_step steps[PATHS_STEPS];
    int64_t offsets[PATHS_STEPS];
    int64_t passed[PATHS_STEPS][2];
    paths_queue queue;
    /* A paths_reach: see reach_ops.h. */
    int (*reach)(const struct paths_front *front, struct paths_batch *batch, int count);
    paths_halo_cell *halo; /* [halo_count] halo cells that lie in the domain */
    int64_t halo_count;
    int64_t taken, improved;
} paths_front;

/* Creates a front for the cells of a part of `domain`, whose costs are filled in. The field must
 * outlive it; options need not. HALO_ARGUMENT for a part of 2^31 cells or more, and for an
 * instruction set that this machine does not have; HALO_MEMORY. */
halo_status paths_front_create(paths_front **out, const halo_view *cells, const halo_domain *domain,
                               const halo_paths_options *options);

/* Accepts a pointer to NULL. */
void paths_front_destroy(paths_front **front);

/* Updates the neighbours of every owned cell with a distance: at the start, and after the part has
 * changed. The queue must be empty. */
void paths_front_start(paths_front *front);

/* Processes the changes of halo cells since the last time and closes the halo; paths_front_open
 * restores the distances. Returns the number of distances that have decreased. */
int64_t paths_front_close(paths_front *front);
void paths_front_open(paths_front *front);

/* Takes up to `quota` cells from the queue (0: until it is empty) while the halo is closed. Returns
 * their number. front->queue.failed tells that there was no memory. */
int64_t paths_front_run(paths_front *front, int64_t quota);

#endif
