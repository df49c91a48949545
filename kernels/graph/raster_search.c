#include "kernels/graph/raster_search.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The whole raster, on every rank. */
typedef struct {
    double *costs, *distances; /* [cells] */
    int64_t cells;
    int64_t *sources; /* [source_count] */
    int64_t source_count;
    int64_t *cuts; /* [ranks + 1] of cells */
} pool;

static halo_paths_cell *cells_of_row(const halo_paths_map *map, int64_t y)
{
    return halo_row(map->cells, y);
}

/* Values that one rank has, and the others have as 0: sums of their bits are the same on all. */
static halo_status spread(const halo_paths_map *map, double *values, int64_t count)
{
    enum { AT_ONCE = 1 << 20 };
    int64_t *bits;
    halo_status status = halo_agree(map->world, HALO_ALLOCATE(bits, AT_ONCE, "a raster"));
    for (int64_t i = 0; i < count && status == HALO_OK; i += AT_ONCE) {
        int64_t some = halo_min(count - i, AT_ONCE);
        memcpy(bits, values + i, (size_t)some * sizeof *values);
        status = halo_allreduce_sum(map->world, bits, (int)some);
        memcpy(values + i, bits, (size_t)some * sizeof *values);
    }
    free(bits);
    return status;
}

static halo_status allocate(pool *p, const halo_paths_map *map)
{
    p->cells = map->domain->n[0] * map->domain->n[1];
    HALO_TRY(HALO_ALLOCATE_LARGE(p->costs, p->cells, "the costs of a whole raster"));
    HALO_TRY(HALO_ALLOCATE_LARGE(p->distances, p->cells, "the distances of a whole raster"));
    return HALO_ALLOCATE(p->cuts, halo_world_ranks(map->world) + 1, "parts of a raster");
}

static void take_cells(pool *p, const halo_paths_map *map)
{
    const halo_box *owned = &map->cells->owned;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        const halo_paths_cell *cells = cells_of_row(map, y);
        int64_t first = (owned->lo[0] + y) * map->domain->n[1] + owned->lo[1];
        for (int64_t x = 0; x < owned->n[1]; x++) {
            p->costs[first + x] = fabs(cells[x].cost);
            p->distances[first + x] = cells[x].distance;
        }
    }
}

static halo_status list_sources(pool *p)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->cells; i++) {
        count += signbit(p->distances[i]) != 0;
    }
    HALO_TRY(HALO_ALLOCATE(p->sources, count + 1, "sources"));
    for (int64_t i = 0; i < p->cells; i++) {
        if (signbit(p->distances[i])) {
            p->sources[p->source_count++] = i;
        }
    }
    return HALO_OK;
}

/* Rows as even as can be, as many as a step is long or none: the last ranks, if there are too few.
 */
static void cut(pool *p, const halo_paths_map *map)
{
    int ranks = halo_world_ranks(map->world), depth = halo_paths_kernel(map->options).depth;
    int owners = (int)halo_max(halo_min(map->domain->n[0] / depth, ranks), 1);
    halo_cuts_even(map->domain->n[0] / depth, owners, p->cuts);
    for (int r = 0; r < owners; r++) {
        p->cuts[r] *= depth * map->domain->n[1];
    }
    for (int r = owners; r <= ranks; r++) {
        p->cuts[r] = p->cells;
    }
}

/* Each rank finds the distances of its cells; of a central pool rank 0 finds all. */
static halo_status search(pool *p, const halo_paths_map *map, const halo_digraph *graph,
                          const halo_search_options *options, halo_search_counts *counts)
{
    int rank = halo_world_rank(map->world);
    const char *method;
    halo_search_places places;
    HALO_TRY(halo_search_choose(options->method, halo_world_ranks(map->world), &method, &places));
    bool parts = places == HALO_SEARCH_PARTS;
    memset(p->distances, 0, (size_t)p->cells * sizeof *p->distances);
    HALO_TRY(halo_search_run(map->world, graph, parts ? p->cuts : NULL, p->sources, p->source_count,
                             options, p->distances + (parts ? p->cuts[rank] : 0), counts));
    if (!parts && rank != 0) {
        memset(p->distances, 0, (size_t)p->cells * sizeof *p->distances);
    }
    return spread(map, p->distances, p->cells);
}

/* Sources keep theirs, whose sign tells them. */
static void give_cells(const pool *p, const halo_paths_map *map)
{
    const halo_box *owned = &map->cells->owned;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        halo_paths_cell *cells = cells_of_row(map, y);
        int64_t first = (owned->lo[0] + y) * map->domain->n[1] + owned->lo[1];
        for (int64_t x = 0; x < owned->n[1]; x++) {
            if (p->distances[first + x] < cells[x].distance && !signbit(cells[x].distance)) {
                cells[x].distance = p->distances[first + x];
            }
        }
    }
}

static halo_status find_distances(pool *p, const halo_paths_map *map,
                                  const halo_search_options *options, halo_search_counts *counts)
{
    halo_digraph *graph = NULL;
    HALO_TRY(halo_agree(map->world, allocate(p, map)));
    take_cells(p, map);
    HALO_TRY(spread(map, p->costs, p->cells));
    HALO_TRY(spread(map, p->distances, p->cells));
    halo_status status = list_sources(p);
    if (status == HALO_OK) {
        cut(p, map);
        status = halo_digraph_create_raster(&graph, p->costs, map->domain->n[0], map->domain->n[1],
                                            map->options);
    }
    status = halo_agree(map->world, status);
    if (status == HALO_OK) {
        status = search(p, map, graph, options, counts);
    }
    if (status == HALO_OK) {
        give_cells(p, map);
    }
    halo_digraph_destroy(&graph);
    return status;
}

halo_status halo_search_raster_sized(const halo_paths_map *map, const halo_search_options *given,
                                     halo_search_counts *counts, size_t given_bytes)
{
    halo_search_options options;
    pool p = {.cells = 0};
    HALO_FAIL_IF(map->domain->axes == HALO_AXES, HALO_ARGUMENT,
                 "pools search in images, and this is a volume; use another method");
    HALO_TRY(halo_agree(map->world, halo_options_take(&options, sizeof options, given, given_bytes,
                                                      "halo_search_options")));
    halo_status status = find_distances(&p, map, &options, counts);
    halo_memory_free(p.costs);
    halo_memory_free(p.distances);
    free(p.sources);
    free(p.cuts);
    return status;
}
