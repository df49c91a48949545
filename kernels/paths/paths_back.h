#ifndef HALOBEAT_PATHS_PATHS_BACK_H
#define HALOBEAT_PATHS_PATHS_BACK_H

#include "core/field/field.h"
#include "core/world/clock.h"
#include "core/world/world.h"
#include "kernels/paths/paths.h"
#include "partition/cuts.h"

/* Results from final distances: the paths to targets, and which source is nearest.
 *
 * A neighbour is tight if its distance plus the step from it is a cell's distance, to the last bit.
 * A path goes back to the tight neighbour that has the smallest distance, which is smaller than the
 * cell's; of several to the first in the order of halo_paths_steps, and in volumes to those across
 * faces, edges and corners in turn, each in raster order. (MCP_Geometric in scikit-image goes back
 * to it, too, but for the order of several.) If costs are 0, tight neighbours may have
 * equal distances; in such a plateau a path takes the minimum number of steps to leave it or to
 * reach a source. */

/* Final distances, distributed over all ranks. */
typedef struct {
    halo_world *world;
    const halo_domain *domain;
    const halo_partition *partition;
    const halo_view *cells; /* of this rank's part, with the halo of the last beat */
    const halo_paths_options *options;
    const char *exchange; /* a mode of HALO_EXCHANGE_LIST, or NULL */
} halo_paths_map;

/* A cell. Rows of a volume are numbered through all its planes: row y of plane z is row z * Y + y,
 * where Y is the number of rows of a plane. */
typedef struct {
    int64_t row, column;
} halo_paths_place;

/* A cell of a path. */
typedef struct {
    int64_t target; /* number of the target, from 0 */
    int64_t step;   /* from the source, which is step 0 */
    halo_paths_place at;
    double distance;
} halo_paths_stop;

/* Paths one after another, each from its source to its target. */
typedef struct {
    halo_paths_stop *stops; /* [count] */
    int64_t count;
} halo_paths_trail;

/* Collective. Counts the reached cells of all ranks in *reached, and sets *farthest to the largest
 * of their distances. HALO_TRANSPORT. */
halo_status halo_paths_reach(const halo_paths_map *map, int64_t *reached, double *farthest);

/* Local, pure. Sets cells beyond the domain to an infinite distance, so that nothing is tight to
 * them. Must be called before the functions below; the search cannot be continued afterwards. */
void halo_paths_bar_edges(const halo_paths_map *map);

/* Collective. Finds the paths from the nearest sources to `targets` [count], which are the same on
 * all ranks; unreachable targets have no path. The result is the same on all ranks; the caller
 * frees it with halo_paths_trail_destroy. HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_paths_trace(halo_paths_trail **out, const halo_paths_map *map,
                             const halo_paths_place *targets, int64_t count);

/* Local. Frees the paths and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_paths_trail_destroy(halo_paths_trail **trail);

/* Collective. `numbers` is a field of 32-bit cells, this rank's part of the map's partition, with
 * the halo depth of the cells. It contains the numbers of sources, from 1 on, and 0 elsewhere. It
 * is set to the lowest number of the sources nearest to each cell: the minimum of its own and of
 * its tight neighbours. 0 where cells are not reached. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED;
 * the same on all ranks. */
halo_status halo_paths_nearest(const halo_paths_map *map, halo_field *numbers);

/* Collective. The same of a field without a halo, `numbers`, this rank's part of `strips`. Moving
 * numbers to the map's partition and back is added to `clock`. Errors as above. */
halo_status halo_paths_nearest_in_strips(const halo_paths_map *map, const halo_partition *strips,
                                         halo_field *numbers, halo_clock *clock);

/* Collective. Sets distances[i], [count], to that of the cell at places[i]; infinite: unreached.
 * Both are the same on all ranks. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_paths_distances(const halo_paths_map *map, const halo_paths_place *places,
                                 int64_t count, double *distances);

#endif
