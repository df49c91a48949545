#ifndef HALOBEAT_PATHS_PATHS_ARRAY_INTERNAL_H
#define HALOBEAT_PATHS_PATHS_ARRAY_INTERNAL_H

#include "kernels/array/array_internal.h"
#include "kernels/paths/paths_array.h"
#include "kernels/paths/paths_costs.h"

/* The calls for distances and for paths share this. All functions are local. Internal to the paths
 * kernel. */

/* The same elements with 2 axes at least. */
halo_array paths_array_with_axes(const halo_array *array);

/* HALO_ARGUMENT unless the costs have 1 to 3 axes; *out has 2 or 3. */
halo_status paths_array_take_costs(const halo_array *costs, halo_array *out);

/* The same for another array of the costs' shape. */
halo_status paths_array_take_distances(const halo_array *distances, const halo_array *costs,
                                       halo_array *out);

/* HALO_ARGUMENT unless all places are cells of the array. `what` is "source" or "end". */
halo_status paths_array_check_places(const halo_array *costs, const halo_paths_place *places,
                                     int64_t count, const char *what);

/* From the options of a call to those of the kernel, for costs of `axes` axes. HALO_ARGUMENT. */
halo_status paths_array_take_options(const halo_paths_array_options *options, int axes,
                                     const halo_context *context, halo_paths_volume *out);

/* Makes cells, not reached yet, of `count` costs as they are read from an array. */
void paths_array_make_cells(const halo_array *costs, const void *samples, int64_t count,
                            const halo_paths_options *options, halo_paths_cost_range *range,
                            halo_paths_cell *cells);

#endif
