#include "base/memory.h"
#include "base/minmax.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "core/world/collect.h"
#include "kernels/graph/graph_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pools of Moore's algorithm on a raster, to compare and to teach: the raster as a graph whose
 * vertices are cells. Every rank has all costs; distances go back into the cells of the heartbeat,
 * whose next beat then sees that nothing changes. */

/* The whole raster, on every rank. */
typedef struct {
    double *costs, *distances; /* [cells] */
    int64_t cells;
    int64_t *sources; /* [source_count] */
    int64_t source_count;
    int64_t *cuts; /* [ranks + 1] of cells */
} pool;

static halo_paths_cell *cells_of_row(const app_run *run, int64_t y)
{
    return halo_row(halo_beat_view(run->beat, 0), y);
}

/* Values that one rank has, and the others have as 0: sums of their bits are the same on all. */
static halo_status spread(app_run *run, double *values, int64_t count)
{
    enum { AT_ONCE = 1 << 20 };
    int64_t *bits;
    halo_status status = halo_agree(run->world, HALO_ALLOCATE(bits, AT_ONCE, "a raster"));
    for (int64_t i = 0; i < count && status == HALO_OK; i += AT_ONCE) {
        int64_t some = halo_min(count - i, AT_ONCE);
        memcpy(bits, values + i, (size_t)some * sizeof *values);
        status = halo_allreduce_sum(run->world, bits, (int)some);
        memcpy(values + i, bits, (size_t)some * sizeof *values);
    }
    free(bits);
    return status;
}

static halo_status allocate(pool *p, const app_run *run)
{
    p->cells = run->domain.n[0] * run->domain.n[1];
    HALO_TRY(HALO_ALLOCATE_LARGE(p->costs, p->cells, "the costs of a whole raster"));
    HALO_TRY(HALO_ALLOCATE_LARGE(p->distances, p->cells, "the distances of a whole raster"));
    return HALO_ALLOCATE(p->cuts, halo_world_ranks(run->world) + 1, "parts of a raster");
}

static void take_cells(pool *p, const app_run *run)
{
    const halo_box *owned = &halo_beat_view(run->beat, 0)->owned;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        const halo_paths_cell *cells = cells_of_row(run, y);
        int64_t first = (owned->lo[0] + y) * run->domain.n[1] + owned->lo[1];
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
static void cut(pool *p, const app_run *run)
{
    const paths_job *job = run->job;
    int ranks = halo_world_ranks(run->world);
    int64_t steps = run->domain.n[0] / job->kernel.depth;
    int owners = (int)halo_max(halo_min(steps, ranks), 1);
    halo_cuts_even(steps, owners, p->cuts);
    for (int r = 0; r < owners; r++) {
        p->cuts[r] *= job->kernel.depth * run->domain.n[1];
    }
    for (int r = owners; r <= ranks; r++) {
        p->cuts[r] = p->cells;
    }
}

/* Whoever has them: of a central pool rank 0. */
static halo_status search(pool *p, app_run *run, const halo_digraph *graph, bool central)
{
    const paths_options *asked = run->options;
    paths_job *job = run->job;
    int rank = halo_world_rank(run->world);
    int64_t first = central ? 0 : p->cuts[rank];
    const halo_search_options options = {.method = asked->method,
                                         .detector = run->arguments->decomposition.detector,
                                         .max_distance = asked->max_distance,
                                         .quota = asked->quota};
    halo_search_counts counts;
    memset(p->distances, 0, (size_t)p->cells * sizeof *p->distances);
    HALO_TRY(halo_search_run(run->world, graph, central ? NULL : p->cuts, p->sources,
                             p->source_count, &options, p->distances + first, &counts));
    job->pooled = (halo_paths_counts){
        .taken = counts.taken, .improved = counts.improved, .queue_bytes = counts.queue_bytes};
    job->pool_network = counts.network;
    if (central && rank != 0) {
        memset(p->distances, 0, (size_t)p->cells * sizeof *p->distances);
    }
    return spread(run, p->distances, p->cells);
}

/* Sources keep theirs, whose sign tells them. */
static void give_cells(const pool *p, const app_run *run)
{
    const halo_box *owned = &halo_beat_view(run->beat, 0)->owned;
    for (int64_t y = 0; y < owned->n[0]; y++) {
        halo_paths_cell *cells = cells_of_row(run, y);
        int64_t first = (owned->lo[0] + y) * run->domain.n[1] + owned->lo[1];
        for (int64_t x = 0; x < owned->n[1]; x++) {
            if (p->distances[first + x] < cells[x].distance && !signbit(cells[x].distance)) {
                cells[x].distance = p->distances[first + x];
            }
        }
    }
}

static halo_status find_distances(pool *p, app_run *run)
{
    const paths_job *job = run->job;
    halo_digraph *graph = NULL;
    HALO_TRY(halo_agree(run->world, allocate(p, run)));
    take_cells(p, run);
    HALO_TRY(spread(run, p->costs, p->cells));
    HALO_TRY(spread(run, p->distances, p->cells));
    halo_status status = list_sources(p);
    if (status == HALO_OK) {
        cut(p, run);
        status = halo_digraph_create_raster(&graph, p->costs, run->domain.n[0], run->domain.n[1],
                                            &job->options);
    }
    status = halo_agree(run->world, status);
    if (status == HALO_OK) {
        status = search(p, run, graph,
                        (paths_method_traits(((const paths_options *)run->options)->method) &
                         PATHS_CENTRAL) != 0);
    }
    if (status == HALO_OK) {
        give_cells(p, run);
    }
    halo_digraph_destroy(&graph);
    return status;
}

halo_status paths_run_pool(app_run *run)
{
    pool p = {.cells = 0};
    halo_status status = find_distances(&p, run);
    halo_memory_free(p.costs);
    halo_memory_free(p.distances);
    free(p.sources);
    free(p.cuts);
    return status;
}
