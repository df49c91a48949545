#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/graph/digraph.h"

#include <stdlib.h>

/* From rank 0's graph to those of all ranks. */

void halo_digraph_cut(const halo_digraph *whole, int ranks, int64_t *cuts)
{
    int64_t total = whole->arcs + whole->vertices, v = 0;
    cuts[0] = 0;
    for (int r = 1; r < ranks; r++) {
        int64_t wanted = total / ranks * r + total % ranks * r / ranks;
        while (v < whole->vertices &&
               (whole->offsets != NULL ? whole->offsets[v] : whole->arcs / whole->vertices * v) +
                       v <
                   wanted) {
            v++;
        }
        cuts[r] = v;
    }
    cuts[ranks] = whole->vertices;
}

/* ---- whole ----------------------------------------------------------------------------------- */

static halo_status borrow(halo_digraph **out, const halo_digraph *whole)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a graph"));
    **out = *whole;
    (*out)->borrowed = true;
    return HALO_OK;
}

static halo_status create_empty(halo_digraph **out, const int64_t sizes[2])
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a graph"));
    halo_digraph *graph = *out;
    *graph = (halo_digraph){.vertices = sizes[0], .arcs = sizes[1], .count = sizes[0]};
    HALO_TRY(HALO_ALLOCATE_LARGE(graph->offsets, sizes[0] + 1, "the vertices of a graph"));
    HALO_TRY(HALO_ALLOCATE_LARGE(graph->heads, sizes[1], "the arcs of a graph"));
    return HALO_ALLOCATE_LARGE(graph->weights, sizes[1], "the arcs of a graph");
}

static halo_status share_whole(halo_digraph **out, halo_world *world, const halo_digraph *whole,
                               const int64_t sizes[2])
{
    HALO_TRY(halo_agree(world, whole != NULL ? borrow(out, whole) : create_empty(out, sizes)));
    halo_digraph *graph = *out;
    size_t vertices = (size_t)sizes[0] + 1, arcs = (size_t)sizes[1];
    HALO_TRY(halo_bcast(world, graph->offsets, vertices * sizeof *graph->offsets, 0));
    HALO_TRY(halo_bcast(world, graph->heads, arcs * sizeof *graph->heads, 0));
    return halo_bcast(world, graph->weights, arcs * sizeof *graph->weights, 0);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* To each rank its part of an array of rank 0, of counts[r] elements; *came is how many this rank
 * got. */
static halo_status scatter(halo_world *world, const void *all, size_t element,
                           const int64_t *counts, void **mine, int64_t *came)
{
    size_t ranks = (size_t)halo_world_ranks(world);
    size_t *bytes;
    halo_status status = halo_agree(world, HALO_ALLOCATE(bytes, 2 * ranks, "parts of a graph"));
    *mine = NULL;
    for (size_t r = 0; status == HALO_OK && r < ranks && counts != NULL; r++) {
        bytes[r] = (size_t)counts[r] * element;
    }
    if (status == HALO_OK) {
        status = halo_agree(world, halo_alltoallv(world, all, bytes, mine, bytes + ranks));
        *came = (int64_t)(bytes[ranks] / element);
    }
    if (status != HALO_OK) { /* of any rank */
        halo_memory_free(*mine);
        *mine = NULL;
    }
    free(bytes);
    return status;
}

/* `counts`, [2 * ranks], of rank 0: vertices and arcs of each rank. *arcs: those of this one. */
static halo_status scatter_arrays(halo_digraph *graph, halo_world *world, const halo_digraph *whole,
                                  const int64_t *counts, int64_t *arcs)
{
    void *offsets, *heads, *weights;
    const int64_t *of = counts != NULL ? counts + halo_world_ranks(world) : NULL;
    bool is_root = whole != NULL;
    HALO_TRY(scatter(world, is_root ? whole->offsets : NULL, sizeof *graph->offsets, counts,
                     &offsets, arcs));
    graph->offsets = offsets;
    HALO_TRY(scatter(world, is_root ? whole->heads : NULL, sizeof *graph->heads, of, &heads, arcs));
    graph->heads = heads;
    HALO_TRY(scatter(world, is_root ? whole->weights : NULL, sizeof *graph->weights, of, &weights,
                     arcs));
    graph->weights = weights;
    return HALO_OK;
}

static halo_status count_parts(const halo_digraph *whole, int ranks, const int64_t *cuts,
                               int64_t **counts)
{
    HALO_TRY(HALO_ALLOCATE(*counts, 2 * ranks, "parts of a graph"));
    for (int r = 0; r < ranks; r++) {
        (*counts)[r] = cuts[r + 1] - cuts[r];
        (*counts)[ranks + r] = whole->offsets[cuts[r + 1]] - whole->offsets[cuts[r]];
    }
    return HALO_OK;
}

/* Offsets came as those of the whole graph, without the one behind the last. */
static halo_status set_offsets(halo_digraph *graph, int64_t arcs)
{
    int64_t *came = graph->offsets, *offsets;
    HALO_TRY(HALO_ALLOCATE_LARGE(offsets, graph->count + 1, "the vertices of a graph"));
    for (int64_t v = 0; v < graph->count; v++) {
        offsets[v] = came[v] - came[0];
    }
    offsets[graph->count] = arcs;
    halo_memory_free(came);
    graph->offsets = offsets;
    return HALO_OK;
}

/* Heads become local numbers. `slots`, [vertices], zeroed, is scratch. */
static halo_status number_heads(halo_digraph *graph, int64_t arcs, int32_t *slots)
{
    int64_t end = graph->first + graph->count, ghosts = 0;
    for (int64_t i = 0; i < arcs; i++) {
        int32_t head = graph->heads[i];
        if ((head < graph->first || head >= end) && slots[head] == 0) {
            slots[head] = 1;
            ghosts++;
        }
    }
    HALO_TRY(HALO_ALLOCATE(graph->ghosts, ghosts + 1, "vertices of other ranks"));
    for (int64_t v = 0; v < graph->vertices; v++) {
        if (slots[v] != 0) {
            slots[v] = (int32_t)(graph->count + graph->ghost_count);
            graph->ghosts[graph->ghost_count++] = (int32_t)v;
        }
    }
    for (int64_t i = 0; i < arcs; i++) {
        int32_t head = graph->heads[i];
        graph->heads[i] =
            head >= graph->first && head < end ? (int32_t)(head - graph->first) : slots[head];
    }
    return HALO_OK;
}

static halo_status finish_part(halo_digraph *graph, int64_t arcs)
{
    int32_t *slots;
    HALO_TRY(set_offsets(graph, arcs));
    HALO_TRY(HALO_ALLOCATE_LARGE(slots, graph->vertices, "vertices of other ranks"));
    halo_status status = number_heads(graph, arcs, slots);
    halo_memory_free(slots);
    return status;
}

static halo_status share_parts(halo_digraph **out, halo_world *world, const halo_digraph *whole,
                               const int64_t sizes[2], const int64_t *cuts)
{
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    int64_t *counts = NULL, arcs = 0;
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(*out, 1, "a graph")));
    halo_digraph *graph = *out;
    *graph = (halo_digraph){.vertices = sizes[0],
                            .arcs = sizes[1],
                            .first = cuts[rank],
                            .count = cuts[rank + 1] - cuts[rank]};
    HALO_TRY(halo_agree(world, whole != NULL ? count_parts(whole, ranks, cuts, &counts) : HALO_OK));
    halo_status status = scatter_arrays(graph, world, whole, counts, &arcs);
    free(counts);
    return halo_agree(world, status == HALO_OK ? finish_part(graph, arcs) : status);
}

halo_status halo_digraph_share(halo_digraph **out, halo_world *world, const halo_digraph *whole,
                               int64_t *cuts)
{
    int ranks = halo_world_ranks(world);
    int64_t sizes[2] = {0};
    *out = NULL;
    if (whole != NULL) {
        sizes[0] = whole->vertices;
        sizes[1] = whole->arcs;
    }
    HALO_TRY(halo_bcast(world, sizes, sizeof sizes, 0));
    if (cuts != NULL) {
        HALO_TRY(halo_bcast(world, cuts, (size_t)(ranks + 1) * sizeof *cuts, 0));
    }
    halo_status status = cuts == NULL || ranks == 1 ? share_whole(out, world, whole, sizes)
                                                    : share_parts(out, world, whole, sizes, cuts);
    if (status != HALO_OK) {
        halo_digraph_destroy(out);
    }
    return status;
}
