#ifndef HALOBEAT_GRAPH_BACK_H
#define HALOBEAT_GRAPH_BACK_H

#include "base/memory.h"
#include "kernels/graph/digraph.h"

/* Results from final distances in a whole graph with stored arcs. An arc is tight if its tail's
 * distance plus its weight is its head's distance, to the last bit. All functions are local. */

/* Sets before[v], [vertices], to the vertex before v on a shortest path to it: v itself for a
 * source, -1 if v is unreachable. It is the lowest vertex that has a tight arc to v and a smaller
 * distance. If there is none, because arcs weigh 0, it is the lowest one of equal distance from
 * which the fewest arcs lead to a source or to a vertex that has such a predecessor.
 * HALO_MEMORY. */
halo_status halo_digraph_trace(const halo_digraph *whole, const double *distances,
                               const int64_t *sources, int64_t count, int32_t *before);

/* Sets the content of `path` to the vertices, int32_t, of the path to `target`, which is reached:
 * from its source on. `before` is of halo_digraph_trace. HALO_MEMORY. */
halo_status halo_digraph_path(const int32_t *before, int64_t target, halo_buffer *path);

/* Sets numbers[v], [vertices], to the lowest number, from 1 on, of the sources nearest to v: the
 * minimum of its own and of those of the tails of tight arcs; 0 if v is unreachable.
 * HALO_MEMORY. */
halo_status halo_digraph_nearest(const halo_digraph *whole, const double *distances,
                                 const int64_t *sources, int64_t count, int32_t *numbers);

#endif
