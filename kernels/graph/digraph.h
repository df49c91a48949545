#ifndef HALOBEAT_GRAPH_DIGRAPH_H
#define HALOBEAT_GRAPH_DIGRAPH_H

#include "core/world/world.h"
#include "kernels/paths/paths.h"

#include <stddef.h>

/* Directed graphs whose arcs weigh 0 or more: the arcs of a list, in compressed sparse rows, or the
 * steps of a raster of costs, which are not stored. */

enum { HALO_DIGRAPH_MAX_VERTICES = INT32_MAX };

/* An arc of a list. Vertices are numbered from 0 on. */
typedef struct {
    int32_t tail, head;
    double weight;
} halo_digraph_arc;

/* Costs of cells, [rows * columns], and the steps between them; see kernels/paths/paths.h. Cell
 * (y, x) is vertex y * columns + x. */
typedef struct {
    const double *costs;
    int64_t rows, columns;
    int step_count;
    halo_paths_step steps[HALO_PATHS_NEIGHBOURS];
} halo_digraph_raster;

/* A graph, or a rank's part of one: the arcs of `count` vertices from `first` on. In a part heads
 * are local numbers: v - first of these vertices, then, from `count` on, the others that arcs lead
 * to, whose numbers are in `ghosts`. Of a graph that is whole, and of a raster, local numbers are
 * those of the graph. */
typedef struct {
    int64_t vertices;     /* of the whole graph */
    int64_t arcs;         /* of the whole graph; of a raster at most */
    int64_t first, count; /* vertices whose arcs are here */
    int64_t *offsets;     /* [count + 1], of arcs; NULL: a raster */
    int32_t *heads;       /* [offsets[count]] */
    double *weights;      /* [offsets[count]] */
    int32_t *ghosts;      /* [ghost_count], in ascending order; NULL: whole */
    int64_t ghost_count;
    bool borrowed; /* arrays are another graph's */
    halo_digraph_raster raster;
} halo_digraph;

/* Local. Make the whole graph of a list of arcs, [count], which stay in their order at each vertex.
 * HALO_ARGUMENT for vertices outside 0 to vertices - 1, too many of them, or a weight that is not
 * 0 or more and finite; HALO_MEMORY. */
halo_status halo_digraph_create(halo_digraph **out, int64_t vertices, const halo_digraph_arc *arcs,
                                int64_t count);

/* Local. The steps between cells of a raster; `costs` must outlive it, the options need not. Arcs
 * to and over barriers have an infinite weight. HALO_ARGUMENT for 2^31 cells or more, HALO_MEMORY.
 */
halo_status halo_digraph_create_raster(halo_digraph **out, const double *costs, int64_t rows,
                                       int64_t columns, const halo_paths_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_digraph_destroy(halo_digraph **graph);

/* Local, pure. Ranges of vertices, cuts[ranks + 1], with about the same number of vertices and arcs
 * together. */
void halo_digraph_cut(const halo_digraph *whole, int ranks, int64_t *cuts);

/* Collective. Rank 0's graph, NULL on the others, becomes that of all ranks: whole, or, with
 * `cuts`, [ranks + 1], which rank 0 has to fill in, each rank's part. What rank 0 gets may need
 * `whole`, which must outlive it. HALO_MEMORY, HALO_MPI. */
halo_status halo_digraph_share(halo_digraph **out, halo_world *world, const halo_digraph *whole,
                               int64_t *cuts);

/* Arcs from a vertex. */
typedef struct {
    int64_t count;
    const int32_t *heads;
    const double *weights;
} halo_digraph_arcs;

/* Room for those of a cell of a raster. */
typedef struct {
    int32_t heads[HALO_PATHS_NEIGHBOURS];
    double weights[HALO_PATHS_NEIGHBOURS];
} halo_digraph_room;

/* Local. What halo_digraph_arcs_of does for rasters. */
halo_digraph_arcs halo_digraph_steps_of(const halo_digraph_raster *raster, int64_t vertex,
                                        halo_digraph_room *room);

/* Local. The arcs from a vertex of 0 to count - 1, or, of a raster, any cell; they stay until
 * `room` is used again. */
static inline halo_digraph_arcs halo_digraph_arcs_of(const halo_digraph *graph, int64_t vertex,
                                                     halo_digraph_room *room)
{
    if (graph->offsets == NULL) {
        return halo_digraph_steps_of(&graph->raster, vertex, room);
    }
    int64_t begin = graph->offsets[vertex];
    return (halo_digraph_arcs){.count = graph->offsets[vertex + 1] - begin,
                               .heads = graph->heads + begin,
                               .weights = graph->weights + begin};
}

#endif
