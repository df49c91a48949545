/* Distances in graphs and on rasters: every method, detector and number of ranks ends on the bytes
 * of Dijkstra's algorithm as it is in books; ways back and nearest sources are what is said of
 * them. */

#include "core/world/collect.h"
#include "kernels/graph/graph_back.h"
#include "kernels/graph/graph_search.h"
#include "support/failing_memory.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 3, MOST_RANKS = 64 };

typedef struct {
    const char *name;
    halo_digraph *whole; /* on rank 0; of a raster on all */
    int64_t vertices;
    bool raster;
    int64_t columns; /* of a raster */
    double max_distance;
    int64_t sources[MOST_SOURCES], source_count;
    double *expected; /* [vertices] */
} graph_case;

static uint64_t draw(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % below;
}

/* ---- the definition -------------------------------------------------------------------------- */

static void find_expected(graph_case *c)
{
    bool *done = calloc((size_t)c->vertices + 1, sizeof *done);
    double limit = c->max_distance > 0 ? c->max_distance : HUGE_VAL;
    for (int64_t v = 0; v < c->vertices; v++) {
        c->expected[v] = HUGE_VAL;
    }
    for (int64_t i = 0; i < c->source_count; i++) {
        c->expected[c->sources[i]] = 0;
    }
    for (;;) {
        int64_t nearest = -1;
        for (int64_t v = 0; v < c->vertices; v++) {
            bool better = nearest < 0 || c->expected[v] < c->expected[nearest];
            nearest = !done[v] && isfinite(c->expected[v]) && better ? v : nearest;
        }
        if (nearest < 0) {
            break;
        }
        halo_digraph_room room;
        halo_digraph_arcs arcs = halo_digraph_arcs_of(c->whole, nearest, &room);
        done[nearest] = true;
        for (int64_t i = 0; i < arcs.count; i++) {
            double reached = c->expected[nearest] + arcs.weights[i];
            double *there = &c->expected[arcs.heads[i]];
            *there = reached < *there && reached <= limit ? reached : *there;
        }
    }
    free(done);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void compare(const graph_case *c, const char *method, const double *found, int64_t first,
                    int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (memcmp(&found[i], &c->expected[first + i], sizeof *found) != 0) {
            expect(false, "%s, %s: vertex %" PRId64 " is at %.17g, not at %.17g", c->name, method,
                   first + i, found[i], c->expected[first + i]);
            return;
        }
    }
    expect(true, "distances");
}

/* Ranges of whole rows. */
static void cut_rows(const graph_case *c, int64_t *cuts)
{
    enum { REACH = 2 };
    int64_t rows = c->vertices / c->columns, parts = rows / REACH;
    parts = parts < all_ranks() ? parts : all_ranks();
    for (int r = 0; r <= all_ranks(); r++) {
        int64_t part = r < parts ? r : parts;
        cuts[r] = rows * part / parts * c->columns;
    }
}

static void check_counts(const graph_case *c, const halo_search_counts *counts,
                         halo_search_places places)
{
    expect(counts->final, "%s: it is not final", c->name);
    expect(counts->taken >= 1 && counts->improved >= counts->taken,
           "%s: %" PRId64 " taken, %" PRId64 " improved", c->name, counts->taken, counts->improved);
    expect(counts->network.bytes == 12 * counts->sent,
           "%" PRId64 " bytes for %" PRId64 " distances", counts->network.bytes, counts->sent);
    expect(counts->network.ended == (places != HALO_SEARCH_WHOLE), "who has ended it");
}

static void run_case(halo_world *world, const graph_case *c, const halo_search_options *options)
{
    int64_t *cuts = calloc((size_t)all_ranks() + 1, sizeof *cuts);
    double *found = calloc((size_t)c->vertices + 1, sizeof *found);
    halo_digraph *graph = NULL;
    halo_search_places places;
    halo_search_counts counts;
    const char *name;
    expect_ok(halo_search_choose(options->method, all_ranks(), &name, &places));
    if (c->raster) {
        cut_rows(c, cuts);
    } else {
        if (my_rank() == 0) {
            halo_digraph_cut(c->whole, all_ranks(), cuts);
        }
        expect_ok(halo_digraph_share(&graph, world, my_rank() == 0 ? c->whole : NULL,
                                     places == HALO_SEARCH_PARTS ? cuts : NULL));
    }
    halo_search_options full = *options;
    full.max_distance = c->max_distance;
    expect_ok(halo_search_run(world, c->raster ? c->whole : graph, cuts, c->sources,
                              c->source_count, &full, found, &counts));
    bool parts = places == HALO_SEARCH_PARTS && all_ranks() > 1;
    int64_t lo = parts ? cuts[my_rank()] : 0;
    int64_t hi = parts ? cuts[my_rank() + 1] : my_rank() == 0 ? c->vertices : 0;
    compare(c, name, found, lo, hi - lo);
    expect(strcmp(counts.method, name) == 0, "method %s", counts.method);
    check_counts(c, &counts,
                 places == HALO_SEARCH_WHOLE && all_ranks() == 1 ? HALO_SEARCH_WHOLE : places);
    halo_digraph_destroy(&graph);
    free(found);
    free(cuts);
}

static void run_all(halo_world *world, graph_case *c)
{
    static const char *const names[] = {NULL, "central", "decentral", "async", "bucket"};
    c->expected = calloc((size_t)c->vertices + 1, sizeof *c->expected);
    find_expected(c);
    for (size_t i = 0; i < sizeof names / sizeof *names - (all_ranks() > 1); i++) {
        run_case(world, c, &(halo_search_options){.method = names[i]});
        run_case(world, c, &(halo_search_options){.method = names[i], .quota = 1});
    }
    for (int d = 0; halo_detector_list(d) != NULL; d++) {
        const halo_detector_entry *entry = halo_detector_list(d);
        if (entry->sound || entry->synchronous) {
            run_case(
                world, c,
                &(halo_search_options){.method = "decentral", .detector = entry->name, .quota = 3});
        }
    }
    free(c->expected);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* The kind of weights: whole numbers, any, few, or 0 and 1. */
static double draw_weight(uint64_t *state, int kind)
{
    uint64_t number = draw(state, 1 << 20);
    return kind == 0   ? (double)(1 + number % 100)
           : kind == 1 ? (double)number / 1e5 + 0.1
           : kind == 2 ? 0.1 * (double)(1 + number % 3)
                       : (double)(number % 2);
}

static halo_digraph_arc *draw_arcs(int64_t vertices, int64_t count, uint64_t seed)
{
    halo_digraph_arc *arcs = calloc((size_t)count + 1, sizeof *arcs);
    uint64_t state = seed;
    int kind = (int)(seed % 4);
    for (int64_t i = 0; i < count; i++) {
        int64_t tail = (int64_t)draw(&state, (uint64_t)vertices);
        bool far = draw(&state, 4) == 0; /* most arcs lead to vertices that have near numbers */
        int64_t head = far ? (int64_t)draw(&state, (uint64_t)vertices)
                           : (tail + (int64_t)draw(&state, 9) - 4 + vertices) % vertices;
        arcs[i] = (halo_digraph_arc){(int32_t)tail, (int32_t)head, draw_weight(&state, kind)};
    }
    return arcs;
}

static void test_graphs(void)
{
    static const struct {
        int64_t vertices, arcs;
        double max_distance;
    } sizes[] = {{1, 0, 0},   {1, 3, 0},      {2, 1, 0},       {7, 9, 0},
                 {60, 90, 0}, {300, 2000, 0}, {300, 700, 2.5}, {2000, 3000, 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint64_t seed = 3 * i; seed < 3 * i + 2; seed++) { /* all kinds of weights */
            graph_case c = {.name = "a graph",
                            .vertices = sizes[i].vertices,
                            .max_distance = sizes[i].max_distance,
                            .source_count = 1 + (int64_t)(seed % MOST_SOURCES)};
            halo_digraph_arc *arcs = draw_arcs(c.vertices, sizes[i].arcs, seed + 1);
            expect_ok(halo_digraph_create(&c.whole, c.vertices, arcs, sizes[i].arcs));
            for (int64_t s = 0; s < c.source_count; s++) {
                c.sources[s] = (s * 37 + (int64_t)seed) % c.vertices;
            }
            run_all(mpi_check_world(), &c);
            halo_digraph_destroy(&c.whole);
            free(arcs);
        }
    }
    EXPECT_AGREED();
}

/* ---- rasters --------------------------------------------------------------------------------- */

static void test_rasters(void)
{
    enum { ROWS = 13, COLUMNS = 9, CELLS = ROWS * COLUMNS };
    static const int neighbours[] = {4, 8, 16};
    double costs[CELLS];
    uint64_t state = 5;
    for (int i = 0; i < CELLS; i++) {
        costs[i] = draw(&state, 5) == 0 ? HUGE_VAL : (double)draw(&state, 1000) / 7;
    }
    for (int i = 0; i < 3; i++) {
        const halo_paths_options options = {.neighbours = neighbours[i], .cell_size = {1, 1.5}};
        graph_case c = {.name = "a raster",
                        .vertices = CELLS,
                        .raster = true,
                        .columns = COLUMNS,
                        .sources = {4, CELLS - 3},
                        .source_count = 2};
        costs[4] = costs[CELLS - 3] = 1;
        expect_ok(halo_digraph_create_raster(&c.whole, costs, ROWS, COLUMNS, &options));
        run_all(mpi_check_world(), &c);
        halo_digraph_destroy(&c.whole);
    }
    EXPECT_AGREED();
}

/* ---- ways back ------------------------------------------------------------------------------- */

static double weight_between(const halo_digraph *g, int64_t tail, int64_t head)
{
    double weight = HUGE_VAL;
    for (int64_t i = g->offsets[tail]; i < g->offsets[tail + 1]; i++) {
        weight = g->heads[i] == head ? fmin(weight, g->weights[i]) : weight;
    }
    return weight;
}

static bool is_tight(const graph_case *c, int64_t tail, int64_t head)
{
    double reached = c->expected[tail] + weight_between(c->whole, tail, head);
    return isfinite(reached) && memcmp(&reached, &c->expected[head], sizeof reached) == 0;
}

/* The path to a reached vertex, from its source on. */
static void check_path(const int32_t *before, int64_t target, halo_buffer *path)
{
    expect_ok(halo_digraph_path(before, target, path));
    const int32_t *vertices = (const int32_t *)(const void *)path->data;
    int64_t last = (int64_t)(path->size / sizeof *vertices) - 1;
    expect(last >= 0 && vertices[last] == target && before[vertices[0]] == vertices[0],
           "the path to %" PRId64 " has other ends", target);
    for (int64_t i = last; i > 0; i--) {
        expect(before[vertices[i]] == vertices[i - 1], "step %" PRId64 " to %" PRId64, i, target);
    }
}

/* Is the vertex before the smallest of those that are nearer, and does every way end at a source?
 */
static void check_before(const graph_case *c, const int32_t *before)
{
    halo_buffer path = {0};
    for (int64_t v = 0; v < c->vertices; v++) {
        int64_t nearer = -1, at = v, steps = 0;
        for (int64_t u = c->vertices - 1; u >= 0; u--) {
            nearer = is_tight(c, u, v) && c->expected[u] < c->expected[v] ? u : nearer;
        }
        if (!isfinite(c->expected[v])) {
            expect(before[v] == -1, "unreached %" PRId64, v);
            continue;
        }
        expect(nearer < 0 || before[v] == nearer, "%" PRId64 " comes after %d", v, before[v]);
        while (before[at] != at && steps++ <= c->vertices) {
            expect(is_tight(c, before[at], at), "%d to %" PRId64, before[at], at);
            at = before[at];
        }
        expect(steps <= c->vertices && c->expected[at] <= 0, "the way of %" PRId64 " ends nowhere",
               v);
        check_path(before, v, &path);
    }
    halo_buffer_free(&path);
}

/* The least number among its own and those before it, until nothing changes. */
static void check_numbers(const graph_case *c, const int32_t *numbers)
{
    int32_t *expected = calloc((size_t)c->vertices, sizeof *expected);
    bool changes = true;
    for (int64_t s = c->source_count; s > 0; s--) {
        expected[c->sources[s - 1]] = (int32_t)s;
    }
    while (changes) {
        changes = false;
        for (int64_t u = 0; u < c->vertices; u++) {
            for (int64_t i = c->whole->offsets[u]; i < c->whole->offsets[u + 1]; i++) {
                int32_t *number = &expected[c->whole->heads[i]];
                if (expected[u] > 0 && is_tight(c, u, c->whole->heads[i]) &&
                    (*number == 0 || expected[u] < *number)) {
                    *number = expected[u];
                    changes = true;
                }
            }
        }
    }
    expect(memcmp(expected, numbers, (size_t)c->vertices * sizeof *numbers) == 0,
           "nearest sources are others");
    free(expected);
}

static void test_back(void)
{
    enum { VERTICES = 90, ARCS = 260 };
    double expected[VERTICES];
    int32_t numbers[VERTICES];
    for (uint64_t seed = 1; seed <= 12; seed++) {
        graph_case c = {
            .vertices = VERTICES, .sources = {60, 3, 60}, .source_count = 3, .expected = expected};
        halo_digraph_arc *arcs = draw_arcs(VERTICES, ARCS, seed);
        expect_ok(halo_digraph_create(&c.whole, VERTICES, arcs, ARCS));
        find_expected(&c);
        expect_ok(halo_digraph_trace(c.whole, expected, c.sources, 3, numbers));
        check_before(&c, numbers);
        expect_ok(halo_digraph_nearest(c.whole, expected, c.sources, 3, numbers));
        check_numbers(&c, numbers);
        halo_digraph_destroy(&c.whole);
        free(arcs);
    }
    EXPECT_AGREED();
}

/* ---- what is refused, and stopped ------------------------------------------------------------ */

static void test_refusals(void)
{
    static const halo_digraph_arc wrong[] = {{0, 3, 1},  {3, 0, 1},   {-1, 0, 1},
                                             {0, 1, -1}, {0, 1, NAN}, {0, 1, HUGE_VAL}};
    halo_digraph *graph = NULL;
    const char *name;
    halo_search_places places;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect(halo_digraph_create(&graph, 3, &wrong[i], 1) == HALO_ARGUMENT && graph == NULL,
               "arc %zu is taken", i);
    }
    expect(halo_digraph_create(&graph, INT64_C(1) << 31, NULL, 0) == HALO_ARGUMENT, "2^31");
    expect(halo_search_choose("dijkstra", 1, &name, &places) == HALO_ARGUMENT, "a name");
    expect(halo_search_choose("bucket", 2, &name, &places) == HALO_ARGUMENT, "two ranks");
    expect(halo_search_choose("bucket", 1, &name, &places) == HALO_OK, "one rank");
    EXPECT_AGREED();
}

static bool stop_at_once(void *context)
{
    return my_rank() == *(const int *)context;
}

static void test_stops(void)
{
    static const char *const names[] = {"central", "decentral", "async"};
    for (int i = 0; i < 3; i++) {
        int stopper = i % all_ranks();
        const halo_search_options options = {
            .method = names[i], .stops = stop_at_once, .context = &stopper};
        const halo_digraph_arc arc = {0, 1, 1};
        const int64_t source = 0;
        int64_t *cuts = calloc((size_t)all_ranks() + 1, sizeof *cuts);
        halo_digraph *whole = NULL, *graph;
        double found[2];
        halo_search_counts counts;
        if (my_rank() == 0) {
            expect_ok(halo_digraph_create(&whole, 2, &arc, 1));
            halo_digraph_cut(whole, all_ranks(), cuts);
        }
        expect_ok(halo_digraph_share(&graph, mpi_check_world(), whole, i > 0 ? cuts : NULL));
        expect_ok(
            halo_search_run(mpi_check_world(), graph, cuts, &source, 1, &options, found, &counts));
        expect(!counts.final, "%s: final, though it was stopped", names[i]);
        halo_digraph_destroy(&graph);
        halo_digraph_destroy(&whole);
        free(cuts);
    }
    EXPECT_AGREED();
}

/* ---- without memory -------------------------------------------------------------------------- */

static halo_status search_once(void *context)
{
    const halo_search_options *options = context;
    const halo_digraph_arc arcs[] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}, {0, 3, 9}};
    const int64_t source = 0;
    int64_t cuts[MOST_RANKS + 1];
    halo_digraph *whole = NULL, *graph = NULL;
    double found[4];
    halo_search_counts counts;
    halo_status status = halo_digraph_create(&whole, 4, arcs, 5);
    status = halo_agree(mpi_check_world(), status);
    if (status == HALO_OK) {
        halo_digraph_cut(whole, all_ranks(), cuts);
        status = halo_digraph_share(&graph, mpi_check_world(), my_rank() == 0 ? whole : NULL,
                                    strcmp(options->method, "central") == 0 ? NULL : cuts);
    }
    if (status == HALO_OK) {
        status =
            halo_search_run(mpi_check_world(), graph, cuts, &source, 1, options, found, &counts);
    }
    halo_digraph_destroy(&graph);
    halo_digraph_destroy(&whole);
    return status;
}

static void test_memory(void)
{
    static const char *const names[] = {"central", "decentral", "async"};
    for (int i = 0; i < 3; i++) {
        halo_search_options options = {.method = names[i]};
        failing_memory_each(search_once, NULL, &options, false, names[i]);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("searches in graphs", {"graphs", test_graphs}, {"rasters", test_rasters},
               {"ways back", test_back}, {"refusals", test_refusals}, {"stops", test_stops},
               {"each allocation", test_memory})
