#ifndef HALOBEAT_PATHS_PATHS_BACK_H
#define HALOBEAT_PATHS_PATHS_BACK_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "kernels/paths/paths.h"
#include "partition/cuts.h"

/* What follows from final distances: the paths back from targets, and which source is nearest.
 *
 * A neighbour is tight if its distance and the step from there are a cell's distance, to the last
 * bit. A path goes back to the first neighbour, in the order of halo_paths_steps, that is tight and
 * nearer. Where costs are 0 neighbours may be tight and as near: in such a plateau a path takes the
 * fewest steps out of it, or to a source. */

/* Final distances of all ranks. */
typedef struct {
    halo_world *world;
    const halo_domain *domain;
    const halo_partition *partition;
    const halo_view *cells; /* of this rank's part, with their halo as after the last beat */
    const halo_paths_options *options;
    const char *exchange; /* a mode of HALO_EXCHANGE_LIST, or NULL */
} halo_paths_map;

typedef struct {
    int64_t row, column;
} halo_paths_place;

/* A cell of a path. */
typedef struct {
    int64_t target; /* from 0 on */
    int64_t step;   /* from the source, whose step is 0 */
    halo_paths_place at;
    double distance;
} halo_paths_stop;

/* Paths one after the other, each from its source to its target. */
typedef struct {
    halo_paths_stop *stops; /* [count] */
    int64_t count;
} halo_paths_trail;

/* Local, pure. Cells beyond the domain get an infinite distance: nothing is tight to them. Before
 * anything else here; the cells can then not be searched any further. */
void halo_paths_bar_edges(const halo_paths_map *map);

/* Collective. The paths from the nearest sources to `targets` [count], the same on all ranks, of
 * which unreachable ones have none. The trail is the same on all ranks; halo_paths_trail_destroy
 * frees it. HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status halo_paths_trace(halo_paths_trail **out, const halo_paths_map *map,
                             const halo_paths_place *targets, int64_t count);

/* Local. Accepts a pointer to NULL. */
void halo_paths_trail_destroy(halo_paths_trail **trail);

/* Collective. `numbers` is a field of 32-bit cells, this rank's part of the map's partition, with a
 * halo as deep as that of the cells; it has the numbers of sources, from 1 on, and 0 elsewhere. On
 * return it has the smallest number of the sources that are nearest to a cell: the least among
 * those of its tight neighbours and its own. Unreached cells have 0. HALO_MEMORY, HALO_MPI, on all
 * ranks. */
halo_status halo_paths_nearest(const halo_paths_map *map, halo_field *numbers);

#endif
