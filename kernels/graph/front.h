#ifndef HALOBEAT_GRAPH_FRONT_H
#define HALOBEAT_GRAPH_FRONT_H

#include "kernels/graph/digraph.h"
#include "kernels/paths/queue.h"

#include "base/memory.h"

#include <math.h>

/* The distances that one rank knows, and its queue of vertices whose arcs are to be relaxed: the
 * work of all methods between two checks for messages. All functions are local. Internal to the
 * graph kernel.
 *
 * The sign bit of a distance is set while its vertex waits: in the queue or, if another rank owns
 * it, in the list of outgoing distances. Read distances with fabs. */

typedef enum { GRAPH_FIFO, GRAPH_BUCKETS } graph_order;

typedef struct {
    const halo_digraph *graph;
    double *distances; /* [total] by local number */
    int64_t total;
    int64_t lo, hi; /* local numbers of this rank's vertices */
    graph_order order;
    double unreached;
    paths_queue queue; /* of GRAPH_BUCKETS */
    int32_t *ring;     /* of GRAPH_FIFO, [capacity] */
    int64_t capacity, ring_first, ring_count;
    halo_buffer outgoing; /* int32_t: vertices whose distances must be sent */
    int64_t taken, relaxed, improved;
    bool failed; /* there was no memory */
} graph_front;

/* Creates a front for vertices lo to hi - 1, local numbers; if there are none, all distances are
 * outgoing. No vertex has a distance yet. The graph must outlive it. HALO_MEMORY; free it in any
 * case. */
halo_status graph_front_begin(graph_front *front, const halo_digraph *graph, int64_t lo, int64_t hi,
                              graph_order order, double unreached);
void graph_front_free(graph_front *front);

/* Vertex `v` can be reached with this distance. */
void graph_front_offer(graph_front *front, int64_t v, double distance);

/* True if there is a vertex in the queue. */
bool graph_front_has_work(graph_front *front);

/* Takes up to `quota` vertices from the queue and relaxes their arcs. */
void graph_front_run(graph_front *front, int64_t quota);

/* The next vertex of a GRAPH_FIFO that is not empty. */
int32_t graph_front_take(graph_front *front);

/* Relaxes the arcs of a vertex that is not in the queue. */
void graph_front_relax(graph_front *front, int64_t v);

/* Bytes of the queue. */
int64_t graph_front_bytes(const graph_front *front);

#endif
