#ifndef HALOBEAT_GRAPH_RASTER_SEARCH_H
#define HALOBEAT_GRAPH_RASTER_SEARCH_H

#include "kernels/graph/graph_search.h"
#include "kernels/paths/paths_back.h"

/* Collective. Searches a raster as a graph whose vertices are its cells, by a method of
 * HALO_SEARCH_METHOD_LIST, to compare methods and to teach. Every rank gets all costs. `map` has
 * the cells before a search, as halo_paths_kernel wants them; on return they have their distances,
 * and a search by that kernel would find nothing to do. *counts: as of halo_search_run.
 * HALO_ARGUMENT for a volume, and for 2^31 cells or more; HALO_MEMORY, HALO_TRANSPORT; the same on
 * all ranks. */
halo_status halo_search_raster_sized(const halo_paths_map *map, const halo_search_options *options,
                                     halo_search_counts *counts, size_t options_bytes);
#define halo_search_raster(...) halo_search_raster_sized(__VA_ARGS__, sizeof(halo_search_options))

#endif
