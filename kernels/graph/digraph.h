#ifndef HALOBEAT_GRAPH_DIGRAPH_H
#define HALOBEAT_GRAPH_DIGRAPH_H

#include "core/world/world.h"
#include "kernels/paths/paths.h"

#include <stddef.h>

/* Directed graphs with arc weights of 0 or more: a list of arcs, stored as compressed sparse rows,
 * or the steps of a raster of costs, which are not stored. */

enum { HALO_DIGRAPH_MAX_VERTICES = INT32_MAX };

/* An arc. Vertices are numbered from 0. */
typedef struct {
    int32_t tail, head;
    double weight;
} halo_digraph_arc;

/* Costs of cells, [rows * columns], and the steps between cells; see kernels/paths/paths.h. Cell
 * (y, x) is vertex y * columns + x. */
typedef struct {
    const double *costs;
    int64_t rows, columns;
    int step_count;
    halo_paths_step steps[HALO_PATHS_NEIGHBOURS];
} halo_digraph_raster;

/* A graph, or a rank's part of one: the arcs of `count` vertices from `first` on. Heads are local
 * numbers. In a part, 0 to count - 1 are the vertices from `first` on, and numbers from `count` on
 * refer to `ghosts`, the other vertices that arcs lead to. In a whole graph, and in a raster, local
 * numbers are those of the graph. */
typedef struct {
    int64_t vertices;     /* of the whole graph */
    int64_t arcs;         /* of the whole graph; for a raster an upper limit */
    int64_t first, count; /* vertices whose arcs are stored here */
    int64_t *offsets;     /* [count + 1] index of each vertex's first arc; NULL: a raster */
    int32_t *heads;       /* [offsets[count]] */
    double *weights;      /* [offsets[count]] */
    int32_t *ghosts;      /* [ghost_count] in ascending order; NULL: a whole graph */
    int64_t ghost_count;
    bool borrowed; /* the arrays belong to another graph */
    halo_digraph_raster raster;
} halo_digraph;

/* Local. Creates a whole graph from [count] arcs, which keep their order at each vertex; the caller
 * destroys it. HALO_ARGUMENT for vertices outside 0 to vertices - 1, too many vertices, or a weight
 * that is negative or not finite; HALO_MEMORY. */
halo_status halo_digraph_create(halo_digraph **out, int64_t vertices, const halo_digraph_arc *arcs,
                                int64_t count);

/* Local. Creates the graph of the steps between cells of a raster; the caller destroys it. `costs`
 * must outlive it, the options need not. Arcs to and over barriers have infinite weight.
 * HALO_ARGUMENT for 2^31 cells or more, HALO_MEMORY. */
halo_status halo_digraph_create_raster(halo_digraph **out, const double *costs, int64_t rows,
                                       int64_t columns, const halo_paths_options *options);

/* Local. Frees the graph and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_digraph_destroy(halo_digraph **graph);

/* Local, pure. Writes cuts [ranks + 1] into ranges of vertices with about equal numbers of vertices
 * and arcs together. */
void halo_digraph_cut(const halo_digraph *whole, int ranks, int64_t *cuts);

/* Collective. Distributes the graph of rank 0 (NULL on other ranks): all ranks get the whole graph,
 * or, if `cuts` [ranks + 1] is not NULL, their part; rank 0 must have filled in `cuts`, the other
 * ranks receive them. The result on rank 0 may use the arrays of `whole`, which must outlive it.
 * The caller destroys the result. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_digraph_share(halo_digraph **out, halo_world *world, const halo_digraph *whole,
                               int64_t *cuts);

/* The arcs of a vertex. */
typedef struct {
    int64_t count;
    const int32_t *heads;
    const double *weights;
} halo_digraph_arcs;

/* Storage for the arcs of a cell of a raster. */
typedef struct {
    int32_t heads[HALO_PATHS_NEIGHBOURS];
    double weights[HALO_PATHS_NEIGHBOURS];
} halo_digraph_room;

/* Local. halo_digraph_arcs_of for rasters. */
halo_digraph_arcs halo_digraph_steps_of(const halo_digraph_raster *raster, int64_t vertex,
                                        halo_digraph_room *room);

/* Local. The arcs of a vertex, 0 to count - 1, or of any cell of a raster; valid until `room` is
 * used again. */
static inline halo_digraph_arcs halo_digraph_arcs_of(const halo_digraph *graph, int64_t vertex,
                                                     halo_digraph_room *room)
{
    if (graph->offsets == NULL) {
        return halo_digraph_steps_of(&graph->raster, vertex, room);
    }
    int64_t begin = graph->offsets[vertex];
    halo_digraph_arcs arcs = {graph->offsets[vertex + 1] - begin, graph->heads + begin,
                              graph->weights + begin};
    return arcs;
}

#endif
