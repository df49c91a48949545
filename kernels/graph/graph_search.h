#ifndef HALOBEAT_GRAPH_SEARCH_H
#define HALOBEAT_GRAPH_SEARCH_H

#include "core/quiescence/quiescence.h"
#include "kernels/graph/digraph.h"

/* Shortest paths in a directed graph: the distance of every vertex from the nearest source, the
 * minimum over all paths of the sums of weights, added in double from the source on. Rounded
 * addition is monotone, so that all methods give the same bits.
 *
 * The methods spread E. F. Moore's algorithm (The shortest path through a maze, 1957) over ranks in
 * different ways: a vertex whose distance has decreased is appended to a queue; a vertex taken from
 * the queue offers its neighbours its distance plus the arc's weight. `bucket` and `async` take
 * vertices approximately by distance, nearest first (delta-stepping, U. Meyer and P. Sanders,
 * 2003). */

/* name, distribution of arcs, help */
#define HALO_SEARCH_METHOD_LIST(X)                                                                \
    X(bucket, HALO_SEARCH_ALONE, "a queue of buckets by distance, on one rank")                   \
    X(central, HALO_SEARCH_WHOLE,                                                                 \
      "rank 0 has the distances and a queue of vertices, which it hands out to the others; they " \
      "return distances that become smaller")                                                     \
    X(decentral, HALO_SEARCH_PARTS,                                                               \
      "each rank has a range of vertices and a queue of them, and sends the others smaller "      \
      "distances; a termination detector finds the end")                                          \
    X(async, HALO_SEARCH_PARTS, "as decentral, with a queue of buckets by distance")

/* Distribution of the arcs. */
typedef enum {
    HALO_SEARCH_ALONE, /* on a single rank */
    HALO_SEARCH_WHOLE, /* every rank has all arcs, and rank 0 all distances */
    HALO_SEARCH_PARTS  /* every rank has the arcs and the distances of its range of vertices */
} halo_search_places;

/* Options, the same on all ranks. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *method;   /* a name of HALO_SEARCH_METHOD_LIST; NULL: bucket on one rank,
                           * otherwise async */
    const char *detector; /* a name of halo_detector_list, for methods with HALO_SEARCH_PARTS */
    double max_distance;  /* vertices farther than this stay unreached; 0: no limit */
    int64_t quota; /* maximum number of vertices that a rank takes before it checks for messages,
                    * or that a worker of the central pool gets at a time; 0: 128 for async, 256
                    * for central and decentral */
    bool (*stops)(void *context); /* local, called now and then: true ends the search before
                                   * distances are final; may be NULL */
    void *context;
} halo_search_options;

/* Counts over all ranks. */
typedef struct {
    const char *method;
    bool final;                     /* distances are final */
    int64_t taken;                  /* vertices taken from a queue */
    int64_t relaxed;                /* arcs examined */
    int64_t improved;               /* times a rank replaced a distance by a smaller one */
    int64_t sent;                   /* distances sent in messages */
    int64_t queue_bytes;            /* maximum over ranks */
    halo_quiescence_report network; /* messages, including those of the detector */
} halo_search_counts;

/* Local. Sets *name to the method in use, and *places to the distribution it needs. HALO_ARGUMENT
 * for an unknown name, and for bucket on several ranks. */
halo_status halo_search_choose(const char *method, int ranks, const char **name,
                               halo_search_places *places);

/* Bytes that a rank takes for a search in a graph of stored arcs. */
typedef struct {
    int64_t whole;     /* on rank 0: the whole graph, which it keeps for the ways back */
    int64_t part;      /* what halo_digraph_share gives it */
    int64_t searching; /* on top of both, while the graph is shared and searched */
} halo_search_bytes;

/* Local, pure. An estimate for rank `rank` of `ranks`, as large as it is for even parts. */
halo_search_bytes halo_search_estimate(halo_search_places places, int rank, int ranks,
                                       int64_t vertices, int64_t arcs);

/* Collective. Computes distances. With HALO_SEARCH_PARTS `graph` is this rank's part by `cuts`
 * [ranks + 1], of 0 vertices or more for each rank; or a whole raster, whose cuts must give each
 * rank as many rows as a step is long, or none. With HALO_SEARCH_WHOLE `graph` is whole, and `cuts`
 * is not read. `sources` [count] are the same on all ranks. `distances` is set for the rank's
 * vertices, those of its range, or on rank 0 for all; infinity if unreached. HALO_ARGUMENT,
 * HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. */
halo_status halo_search_run_sized(halo_world *world, const halo_digraph *graph, const int64_t *cuts,
                                  const int64_t *sources, int64_t count,
                                  const halo_search_options *options, double *distances,
                                  halo_search_counts *counts, size_t options_bytes);
#define halo_search_run(...) halo_search_run_sized(__VA_ARGS__, sizeof(halo_search_options))

#endif
