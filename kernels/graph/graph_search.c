#include "kernels/graph/graph_search.h"

#include "base/minmax.h"
#include "base/names.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/graph/mail.h"

#include <stdlib.h>

/* ---- methods --------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    halo_search_places places;
    graph_order order;
    int64_t quota;
    halo_status (*run)(graph_search *search);
} method;

/* In the order of the list. Where ranks work by distance they look for messages often: in graphs of
 * small diameter a rank that does not works on distances that others have improved. With 4096
 * vertices between two looks 1.8 times as many arcs of an R-MAT graph of 2^18 vertices are relaxed
 * on two ranks as on one, with 128 it is 1.2 times; streets do not mind. */
#define HOW_bucket                     GRAPH_BUCKETS, 1 << 14, graph_run_parts
#define HOW_central                    GRAPH_FIFO, 256, graph_run_central
#define HOW_decentral                  GRAPH_FIFO, 256, graph_run_parts
#define HOW_async                      GRAPH_BUCKETS, 128, graph_run_parts
#define METHOD_ROW(name, places, help) {#name, places, HOW_##name},
static const method methods[] = {HALO_SEARCH_METHOD_LIST(METHOD_ROW)};
#undef METHOD_ROW

enum { METHODS = sizeof methods / sizeof methods[0], BUCKET = 0, ASYNC = METHODS - 1 };

static halo_status find_method(const char *name, int ranks, const method **found)
{
    const char *names[METHODS];
    int index = ranks == 1 ? BUCKET : ASYNC;
    for (int i = 0; i < METHODS; i++) {
        names[i] = methods[i].name;
    }
    if (name != NULL) {
        HALO_TRY(halo_names_find("method", names, METHODS, name, &index));
    }
    *found = &methods[index];
    return (*found)->places != HALO_SEARCH_ALONE || ranks == 1
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--method %s is for one rank, and there are %d; use async",
                           (*found)->name, ranks);
}

halo_status halo_search_choose(const char *name, int ranks, const char **chosen,
                               halo_search_places *places)
{
    const method *found;
    HALO_TRY(find_method(name, ranks, &found));
    *chosen = found->name;
    *places = found->places;
    return HALO_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* An offset a vertex, a head and a weight an arc. */
static int64_t graph_bytes(int64_t vertices, int64_t arcs)
{
    return vertices * (int64_t)sizeof(int64_t) + arcs * (int64_t)(sizeof(int32_t) + sizeof(double));
}

/* Every rank has its part, the distances of its vertices and of those at its arcs' ends, and a
 * queue. */
halo_search_bytes halo_search_estimate(halo_search_places places, int rank, int ranks,
                                       int64_t vertices, int64_t arcs)
{
    const int64_t distance = sizeof(double), number = sizeof(int32_t);
    bool root = rank == 0, parts = places == HALO_SEARCH_PARTS;
    int64_t own = parts ? vertices / ranks : root ? vertices : 0;
    int64_t others = parts ? halo_min(vertices - own, arcs / ranks) : vertices - own;
    int64_t sharing = parts && ranks > 1 ? vertices * number + own * distance : 0;
    int64_t searching = (own + others) * distance + own * (distance + number);
    return (halo_search_bytes){.whole = root ? graph_bytes(vertices, arcs) : 0,
                               .part = ranks == 1 ? 0
                                       : parts    ? graph_bytes(own, arcs / ranks) + others * number
                                       : root     ? 0
                                                  : graph_bytes(vertices, arcs),
                               .searching = halo_max(sharing, searching)};
}

/* ---- a search -------------------------------------------------------------------------------- */

/* Own vertices, in local numbers. */
static void find_range(const graph_search *search, const method *how, int64_t *lo, int64_t *hi)
{
    const halo_digraph *graph = search->graph;
    bool parts = how->places == HALO_SEARCH_PARTS && search->ranks > 1;
    *lo = !parts || graph->ghosts != NULL ? 0 : search->cuts[search->rank];
    *hi = !parts                  ? (search->rank == 0 ? graph->vertices : 0)
          : graph->ghosts != NULL ? graph->count
                                  : search->cuts[search->rank + 1];
}

static halo_status begin(graph_search *search, const method *how)
{
    const halo_search_options *options = search->options;
    const halo_quiescence_options network = {.detector = options->detector,
                                             .max_bytes = GRAPH_MESSAGE_BYTES};
    const halo_paths_options limits = {.max_distance = options->max_distance};
    int64_t lo, hi;
    search->quota = options->quota > 0 ? options->quota : how->quota;
    HALO_TRY(halo_quiescence_create(&search->quiescence, search->world, &network));
    find_range(search, how, &lo, &hi);
    return halo_agree(search->world, graph_front_begin(&search->front, search->graph, lo, hi,
                                                       how->order, halo_paths_unreached(&limits)));
}

/* Those of this rank. */
static void offer_sources(graph_search *search, const int64_t *sources, int64_t count)
{
    graph_front *front = &search->front;
    int64_t first = search->graph->ghosts != NULL ? search->graph->first : 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t v = sources[i] - first;
        if (v >= front->lo && v < front->hi) {
            graph_front_offer(front, v, 0);
        }
    }
}

static void copy_distances(const graph_search *search, double *distances)
{
    const graph_front *front = &search->front;
    for (int64_t v = front->lo; v < front->hi; v++) {
        double distance = fabs(front->distances[v]);
        distances[v - front->lo] = distance < front->unreached ? distance : HUGE_VAL;
    }
}

static halo_status count_all(const graph_search *search, halo_search_counts *counts)
{
    const graph_front *front = &search->front;
    int64_t sums[] = {front->taken, front->relaxed, front->improved, search->sent, search->stopped};
    int64_t bytes = graph_front_bytes(front);
    HALO_TRY(halo_allreduce_sum(search->world, sums, sizeof sums / sizeof sums[0]));
    HALO_TRY(halo_allreduce_max(search->world, &bytes, 1));
    *counts = (halo_search_counts){.method = counts->method,
                                   .final = sums[4] == 0,
                                   .taken = sums[0],
                                   .relaxed = sums[1],
                                   .improved = sums[2],
                                   .sent = sums[3],
                                   .queue_bytes = bytes,
                                   .network = halo_quiescence_get_report(search->quiescence)};
    return HALO_OK;
}

static halo_status run(graph_search *search, const method *how, const int64_t *sources,
                       int64_t count)
{
    HALO_TRY(begin(search, how));
    offer_sources(search, sources, count);
    HALO_TRY(halo_quiescence_begin(search->quiescence));
    return halo_quiescence_end(search->quiescence, how->run(search));
}

halo_status halo_search_run_sized(halo_world *world, const halo_digraph *graph, const int64_t *cuts,
                                  const int64_t *sources, int64_t count,
                                  const halo_search_options *given, double *distances,
                                  halo_search_counts *counts, size_t given_bytes)
{
    halo_search_options options;
    const method *how = NULL;
    graph_search *search = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_search_options");
    HALO_IF_OK(status, find_method(options.method, halo_world_ranks(world), &how));
    HALO_IF_OK(status, HALO_ALLOCATE(search, 1, "a search"));
    status = halo_agree(world, status);
    if (status != HALO_OK) { /* of any rank */
        free(search);
        return status;
    }
    search->world = world;
    search->rank = halo_world_rank(world);
    search->ranks = halo_world_ranks(world);
    search->graph = graph;
    search->cuts = cuts;
    search->options = &options;
    counts->method = how->name;
    status = run(search, how, sources, count);
    if (status == HALO_OK) {
        copy_distances(search, distances);
        status = count_all(search, counts);
    }
    graph_front_free(&search->front);
    halo_quiescence_destroy(&search->quiescence);
    free(search);
    return status;
}
