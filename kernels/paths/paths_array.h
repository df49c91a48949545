#ifndef HALOBEAT_PATHS_PATHS_ARRAY_H
#define HALOBEAT_PATHS_PATHS_ARRAY_H

#include "base/option.h"
#include "kernels/array/array.h"
#include "kernels/paths/paths_back.h"

/* Shortest paths on an array of costs in memory (kernels/array/array.h): one call computes the
 * distance of every cell from the nearest source, another one the paths from there to some cells.
 * Distances are those of MCP_Geometric in scikit-image, to the last bit (paths.h has the
 * definition).
 *
 * Costs are an array of 1 to 3 axes of any type; 1 axis is one row. Negative and infinite costs and
 * NaN are barriers, which no path enters: their cells are not reached. (MCP_Geometric computes with
 * NaN.) Costs of 64-bit whole numbers are rounded to doubles, as NumPy does. Places have indices
 * from 0 on; rows of 3 axes are numbered through all planes (halo_paths_place). */

/* Zero-initialise it: 0 is the default. The rows below describe the members. */
typedef struct {
    int neighbours;            /* of a cell, to which steps lead: 4, 8, or 16 with a knight's moves;
                                * 0: 8. Of 3 axes: 6, 18 or 26; 0: 26 */
    double spacing[HALO_AXES]; /* distance of elements along each axis of the array, the first one
                                * first, from 1e-9 to 1e9, in any unit; 0 along all axes: 1.
                                * Distances are costs times this unit */
    double max_distance;       /* cells farther away are not reached; 0: no limit */
} halo_paths_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_paths_array_rows;

/* The result of a search, besides arrays. */
typedef struct {
    int64_t reached;  /* cells to which there is a path, with the sources */
    double farthest;  /* the largest of their distances */
    int64_t barriers; /* cells that no path enters */
} halo_paths_array_report;

/* Local. Computes the distance of every cell of `costs` from the nearest of `sources`
 * [source_count], and sets `distances`, an array of the same shape of float64, to them; infinite:
 * there is no path. `nearest`, an array of the same shape and of a type of whole numbers, is set to
 * the number of the nearest source, from 1 on, the lowest one if several are as near; 0: there is
 * no path. `distances`, `nearest` and `report` may be NULL. HALO_ARGUMENT also for no source, one
 * that is not a cell or on a barrier, and for a type of `nearest` that is too small for the number
 * of sources. */
halo_status halo_paths_array_sized(halo_context *context, const halo_array *costs,
                                   const halo_paths_place *sources, int64_t source_count,
                                   const halo_array *distances, const halo_array *nearest,
                                   const halo_paths_array_options *options,
                                   halo_paths_array_report *report, size_t options_bytes,
                                   size_t report_bytes);
#define halo_paths_array(...)                                             \
    halo_paths_array_sized(__VA_ARGS__, sizeof(halo_paths_array_options), \
                           sizeof(halo_paths_array_report))

/* Local. Finds the paths from the nearest sources to `ends` [end_count]: *trail has, for each end
 * in turn, the cells of its path from the source on; none for an end that is not reached.
 * `distances`, float64, are those that halo_paths_array computed with the same costs, sources and
 * options. A path goes back to the neighbour with the smallest distance of those from which a
 * cell's own distance comes, of several to the first in the order N W E S NW NE SW SE, then
 * knight's moves by rows, and in 3 axes to that across a face, an edge or a corner, each kind in
 * raster order; where costs are 0, it takes the fewest steps. MCP_Geometric does the same
 * but for the order of several, so that its path may lead through other cells at the same cost. The
 * last distance is that of the end, to the last bit. Takes time in proportion to the paths, unless
 * costs are 0. The caller frees the trail with halo_paths_trail_destroy. HALO_ARGUMENT also for
 * distances that are not those of these costs, as far as the paths show it. */
halo_status halo_paths_array_trace_sized(halo_context *context, const halo_array *costs,
                                         const halo_array *distances,
                                         const halo_paths_place *sources, int64_t source_count,
                                         const halo_paths_place *ends, int64_t end_count,
                                         const halo_paths_array_options *options,
                                         halo_paths_trail **trail, size_t options_bytes);
#define halo_paths_array_trace(...) \
    halo_paths_array_trace_sized(__VA_ARGS__, sizeof(halo_paths_array_options))

#endif
