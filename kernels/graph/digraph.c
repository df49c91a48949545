#include "kernels/graph/digraph.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- lists of arcs --------------------------------------------------------------------------- */

static halo_status check_arcs(int64_t vertices, const halo_digraph_arc *arcs, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const halo_digraph_arc *arc = &arcs[i];
        if (arc->tail < 0 || arc->tail >= vertices || arc->head < 0 || arc->head >= vertices) {
            return halo_fail(HALO_ARGUMENT,
                             "arc %" PRId64 " leads from vertex %d to %d; vertices are 0 to "
                             "%" PRId64,
                             i, arc->tail, arc->head, vertices - 1);
        }
        if (!(arc->weight >= 0) || isinf(arc->weight)) {
            return halo_fail(HALO_ARGUMENT,
                             "arc %" PRId64 " weighs %g; shortest paths need weights of 0 or more",
                             i, arc->weight);
        }
    }
    return HALO_OK;
}

static halo_status allocate(halo_digraph *graph, int64_t arcs)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(graph->offsets, graph->count + 1, "the vertices of a graph"));
    HALO_TRY(HALO_ALLOCATE_LARGE(graph->heads, arcs, "the arcs of a graph"));
    return HALO_ALLOCATE_LARGE(graph->weights, arcs, "the arcs of a graph");
}

/* Each vertex gets as many places as it has arcs, and arcs go there in the order of the list:
 * offsets[v + 1] is where the next one of vertex v goes. */
static void fill(halo_digraph *graph, const halo_digraph_arc *arcs, int64_t count)
{
    int64_t *next = graph->offsets + 1, before = 0;
    for (int64_t i = 0; i < count; i++) {
        next[arcs[i].tail]++;
    }
    for (int64_t v = 0; v < graph->count; v++) {
        int64_t degree = next[v];
        next[v] = before;
        before += degree;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t at = next[arcs[i].tail]++;
        graph->heads[at] = arcs[i].head;
        graph->weights[at] = fabs(arcs[i].weight); /* never -0.0 */
    }
}

halo_status halo_digraph_create(halo_digraph **out, int64_t vertices, const halo_digraph_arc *arcs,
                                int64_t count)
{
    *out = NULL;
    if (vertices < 0 || vertices > HALO_DIGRAPH_MAX_VERTICES) {
        return halo_fail(HALO_ARGUMENT, "a graph of %" PRId64 " vertices; it can have 0 to %d",
                         vertices, HALO_DIGRAPH_MAX_VERTICES);
    }
    HALO_TRY(check_arcs(vertices, arcs, count));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a graph"));
    halo_digraph *graph = *out;
    *graph = (halo_digraph){.vertices = vertices, .arcs = count, .count = vertices};
    halo_status status = allocate(graph, count);
    if (status == HALO_OK) {
        fill(graph, arcs, count);
    } else {
        halo_digraph_destroy(out);
    }
    return status;
}

void halo_digraph_destroy(halo_digraph **out)
{
    halo_digraph *graph = *out;
    if (graph != NULL && !graph->borrowed) {
        halo_memory_free(graph->offsets);
        halo_memory_free(graph->heads);
        halo_memory_free(graph->weights);
        free(graph->ghosts);
    }
    free(graph);
    *out = NULL;
}

/* ---- rasters --------------------------------------------------------------------------------- */

halo_status halo_digraph_create_raster(halo_digraph **out, const double *costs, int64_t rows,
                                       int64_t columns, const halo_paths_options *options)
{
    *out = NULL;
    if (rows > 0 && columns > HALO_DIGRAPH_MAX_VERTICES / rows) {
        return halo_fail(HALO_ARGUMENT,
                         "a raster of %" PRId64 " x %" PRId64 " cells; pools can have %d of them, "
                         "use another method",
                         columns, rows, HALO_DIGRAPH_MAX_VERTICES);
    }
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a graph"));
    halo_digraph *graph = *out;
    *graph = (halo_digraph){
        .vertices = rows * columns,
        .count = rows * columns,
        .raster = {.costs = costs, .rows = rows, .columns = columns},
    };
    graph->raster.step_count = halo_paths_steps(options, graph->raster.steps);
    graph->arcs = graph->vertices * graph->raster.step_count;
    return HALO_OK;
}

/* As in a front of the paths kernel: the same numbers are added in the same order. */
static double weigh(const halo_digraph_raster *raster, const double *from,
                    const halo_paths_step *step)
{
    const int(*passed)[2] = step->passed;
    double to = from[step->dy * raster->columns + step->dx];
    if (passed[1][0] == 0 && passed[1][1] == 0) {
        return (*from + to) * step->weight;
    }
    double first = from[passed[0][0] * raster->columns + passed[0][1]];
    double second = from[passed[1][0] * raster->columns + passed[1][1]];
    return (first + second + to + *from) * step->weight;
}

halo_digraph_arcs halo_digraph_steps_of(const halo_digraph_raster *raster, int64_t vertex,
                                        halo_digraph_room *room)
{
    int64_t y = vertex / raster->columns, x = vertex % raster->columns, count = 0;
    for (int s = 0; s < raster->step_count; s++) {
        const halo_paths_step *step = &raster->steps[s];
        int64_t to_y = y + step->dy, to_x = x + step->dx;
        if (to_y < 0 || to_y >= raster->rows || to_x < 0 || to_x >= raster->columns) {
            continue;
        }
        room->heads[count] = (int32_t)(to_y * raster->columns + to_x);
        room->weights[count++] = weigh(raster, raster->costs + vertex, step);
    }
    return (halo_digraph_arcs){.count = count, .heads = room->heads, .weights = room->weights};
}
