#ifndef HALOBEAT_GRAPH_BACK_H
#define HALOBEAT_GRAPH_BACK_H

#include "kernels/graph/digraph.h"

/* What follows from final distances in a whole graph with stored arcs. An arc is tight if its
 * tail's distance and its weight are its head's distance, to the last bit. All functions are local.
 */

/* before[v], [vertices], is the vertex before v on the path to it: v itself for a source, -1 where
 * no path leads. It is the smallest number of those that have a tight arc to v and are nearer;
 * where there is none, because arcs weigh 0, of those as near from which the fewest arcs lead to a
 * source or to a vertex that has one. HALO_MEMORY. */
halo_status halo_digraph_trace(const halo_digraph *whole, const double *distances,
                               const int64_t *sources, int64_t count, int32_t *before);

/* numbers[v], [vertices], is the smallest number, from 1 on, of the sources that are nearest to v:
 * the least among its own and those of the tails of tight arcs; 0 where no path leads.
 * HALO_MEMORY. */
halo_status halo_digraph_nearest(const halo_digraph *whole, const double *distances,
                                 const int64_t *sources, int64_t count, int32_t *numbers);

#endif
