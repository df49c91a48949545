#ifndef HALOBEAT_GRAPH_SEARCH_H
#define HALOBEAT_GRAPH_SEARCH_H

#include "core/quiescence/quiescence.h"
#include "kernels/graph/digraph.h"

/* Shortest paths in a directed graph: the distance of every vertex from the nearest source, the
 * minimum over all paths of the weights' sums, added in double precision one after another from
 * the source on. Rounded addition is monotone, so all methods end on the same bits.
 *
 * The pools are two ways to spread E. F. Moore's algorithm (The shortest path through a maze, 1957)
 * over ranks: a vertex whose distance has become smaller goes to the end of a queue; one that is
 * taken from it offers its neighbours its distance and the arc's weight. `bucket` and `async` take
 * vertices by distance instead, about the nearest first (delta-stepping, U. Meyer and P. Sanders,
 * 2003). */

/* name, where arcs are, help */
#define HALO_SEARCH_METHOD_LIST(X)                                                                \
    X(bucket, HALO_SEARCH_ALONE, "a queue of buckets by distance, on one rank")                   \
    X(central, HALO_SEARCH_WHOLE,                                                                 \
      "rank 0 has the distances and a queue of vertices, which it hands out to the others; they " \
      "return distances that become smaller")                                                     \
    X(decentral, HALO_SEARCH_PARTS,                                                               \
      "each rank has a range of vertices and a queue of them, and sends the others smaller "      \
      "distances; a termination detector finds the end")                                          \
    X(async, HALO_SEARCH_PARTS, "as decentral, with a queue of buckets by distance")

/* Which ranks have which arcs. */
typedef enum {
    HALO_SEARCH_ALONE, /* there is one rank */
    HALO_SEARCH_WHOLE, /* every rank has all of them, and rank 0 all distances */
    HALO_SEARCH_PARTS  /* every rank has those of its range of vertices, and their distances */
} halo_search_places;

/* Zero-initialise it: 0 means the default. The same on all ranks. */
typedef struct {
    const char *method;   /* of the list; bucket on one rank, else async */
    const char *detector; /* of halo_detector_list, for methods with parts */
    double max_distance;  /* vertices farther than this stay unreached; 0: no limit */
    int64_t quota; /* vertices that a rank takes between two looks at messages, or that a worker of
                    * the central pool gets at a time, at most */
    bool (*stops)(void *context); /* local, called now and then: end before the result is final? */
    void *context;
} halo_search_options;

/* Of all ranks together. */
typedef struct {
    const char *method;
    bool final;          /* distances are */
    int64_t taken;       /* times that a vertex was taken from a queue */
    int64_t relaxed;     /* arcs that were looked at */
    int64_t improved;    /* times that a distance became smaller, as far as a rank knew it */
    int64_t sent;        /* distances in messages */
    int64_t queue_bytes; /* at most on a rank */
    halo_quiescence_report network; /* messages, and those of the detector */
} halo_search_counts;

/* Local. What method is used, by name, and where arcs have to be. HALO_ARGUMENT for a name that is
 * not in the list, and for bucket on several ranks. */
halo_status halo_search_choose(const char *method, int ranks, const char **name,
                               halo_search_places *places);

/* Local, pure. Vertices between two looks at messages where options do not say. */
int64_t halo_search_quota(const char *method);

/* Collective. Find distances. Of HALO_SEARCH_PARTS `graph` is this rank's part by `cuts`, [ranks +
 * 1], which has 0 vertices or more for each rank; of a raster, the whole of it, and its cuts must
 * leave each rank as many rows as a step is long, or none. Of HALO_SEARCH_WHOLE `graph` is whole,
 * and `cuts` are not read. `sources`, [count], are the same on all ranks. `distances` gets those of
 * the rank's vertices: of its range, or, on rank 0, of all; infinite where there is none.
 * HALO_ARGUMENT, HALO_MEMORY, HALO_MPI, on all ranks. */
halo_status halo_search_run(halo_world *world, const halo_digraph *graph, const int64_t *cuts,
                            const int64_t *sources, int64_t count,
                            const halo_search_options *options, double *distances,
                            halo_search_counts *counts);

#endif
