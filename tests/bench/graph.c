/* Distances from sources in a random graph of 2^scale vertices, a source after the other. */

#include "core/world/collect.h"
#include "kernels/graph/graph_search.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphs ---------------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Recursive: each of `scale` times an arc goes to one of the quarters of the matrix (D.
 * Chakrabarti, Y. Zhan, C. Faloutsos, R-MAT, 2004), with the chances of Graph500 and GAP. */
static halo_digraph_arc draw_arc(int64_t scale, uint64_t *state)
{
    enum { A = 57, B = 19, C = 19, ALL = 100, WEIGHTS = 255 };
    halo_digraph_arc arc = {.weight = (double)(1 + draw(state) % WEIGHTS)};
    for (int64_t bit = 0; bit < scale; bit++) {
        int part = (int)(draw(state) % ALL);
        arc.tail = arc.tail * 2 + (part >= A + B);
        arc.head = arc.head * 2 + ((part >= A && part < A + B) || part >= A + B + C);
    }
    return arc;
}

static void shuffle(int32_t *numbers, int64_t count, uint64_t *state)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t j = (int64_t)(draw(state) % (uint64_t)(i + 1));
        numbers[i] = numbers[j];
        numbers[j] = (int32_t)i;
    }
}

/* 16 edges a vertex, in both directions, between vertices in any order. */
static halo_digraph_arc *make_rmat(int64_t scale, int64_t *count, uint64_t *state)
{
    enum { DEGREE = 16 };
    int64_t vertices = INT64_C(1) << scale, edges = DEGREE * vertices;
    halo_digraph_arc *arcs = bench_allocate((size_t)(2 * edges) * sizeof *arcs);
    int32_t *numbers = bench_allocate((size_t)vertices * sizeof *numbers);
    shuffle(numbers, vertices, state);
    for (int64_t i = 0; i < edges; i++) {
        halo_digraph_arc arc = draw_arc(scale, state);
        arcs[2 * i] = (halo_digraph_arc){numbers[arc.tail], numbers[arc.head], arc.weight};
        arcs[2 * i + 1] = (halo_digraph_arc){numbers[arc.head], numbers[arc.tail], arc.weight};
    }
    free(numbers);
    *count = 2 * edges;
    return arcs;
}

/* Streets: a square grid whose arcs weigh 1 to 255 in both directions. */
static halo_digraph_arc *make_grid(int64_t scale, int64_t *count, uint64_t *state)
{
    enum { WEIGHTS = 255 };
    int64_t side = INT64_C(1) << scale / 2, n = 0;
    halo_digraph_arc *arcs = bench_allocate((size_t)(4 * side * side) * sizeof *arcs);
    for (int64_t v = 0; v < side * side; v++) {
        int64_t others[] = {v % side < side - 1 ? v + 1 : -1,
                            v + side < side * side ? v + side : -1};
        for (int i = 0; i < 2; i++) {
            double weight = (double)(1 + draw(state) % WEIGHTS);
            if (others[i] >= 0) {
                arcs[n++] = (halo_digraph_arc){(int32_t)v, (int32_t)others[i], weight};
                arcs[n++] = (halo_digraph_arc){(int32_t)others[i], (int32_t)v, weight};
            }
        }
    }
    *count = n;
    return arcs;
}

static int compare_arcs(const void *x, const void *y)
{
    const halo_digraph_arc *a = x, *b = y;
    return a->tail != b->tail ? (a->tail > b->tail) - (a->tail < b->tail)
                              : (a->head > b->head) - (a->head < b->head);
}

/* For peers: a line of vertices and arcs, then tail, head and weight of each, from 0 on. */
static void save(const char *path, int64_t vertices, const halo_digraph_arc *arcs, int64_t count)
{
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file == NULL) {
        return;
    }
    fprintf(file, "p sp %" PRId64 " %" PRId64 "\n", vertices, count);
    for (int64_t i = 0; i < count; i++) {
        fprintf(file, "a %d %d %.0f\n", arcs[i].tail + 1, arcs[i].head + 1, arcs[i].weight);
    }
    bench_check(fclose(file) == 0 ? HALO_OK : halo_fail(HALO_FILE, "%s", path), "a graph");
}

static halo_digraph *make_graph(const bench *b, int64_t scale)
{
    uint64_t state = 20;
    int64_t count, vertices = INT64_C(1) << scale;
    bool grid = strcmp(bench_text(b, "kind", "rmat"), "grid") == 0;
    halo_digraph *graph;
    halo_digraph_arc *arcs =
        grid ? make_grid(scale, &count, &state) : make_rmat(scale, &count, &state);
    qsort(arcs, (size_t)count, sizeof *arcs, compare_arcs);
    save(bench_text(b, "save", NULL), vertices, arcs, count);
    bench_check(halo_digraph_create(&graph, vertices, arcs, count), "a graph");
    free(arcs);
    return graph;
}

/* ---------------------------------------------------------------------------------------------- */

/* One that has an arc. */
static int64_t draw_source(const halo_digraph *whole, uint64_t *state)
{
    int64_t v;
    do {
        v = (int64_t)(draw(state) % (uint64_t)whole->vertices);
    } while (whole->offsets[v] == whole->offsets[v + 1]);
    return v;
}

static const char *print_numbers(char *text, size_t size, const int64_t *numbers, int64_t count)
{
    size_t used = 0;
    text[0] = '\0';
    for (int64_t i = 0; i < count && used + 1 < size; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s%" PRId64, i > 0 ? "," : "", numbers[i]);
    }
    return text;
}

void bench_graph(bench *b)
{
    char drawn[512];
    const halo_search_options options = {.method = bench_text(b, "method", NULL),
                                         .quota = bench_integer(b, "quota", 0)};
    int64_t scale = bench_integer(b, "scale", 16), repeats = bench_integer(b, "sources", 8);
    halo_digraph *whole = b->rank == 0 ? make_graph(b, scale) : NULL, *graph;
    int64_t *cuts = bench_allocate((size_t)(b->ranks + 1) * sizeof *cuts), *sources;
    double *distances = bench_allocate((size_t)(INT64_C(1) << scale) * sizeof *distances);
    halo_search_places places;
    halo_search_counts counts = {0}, all = {0};
    const char *name;
    uint64_t state = 7;
    sources = bench_allocate((size_t)repeats * sizeof *sources);
    for (int64_t i = 0; i < repeats && b->rank == 0; i++) {
        sources[i] = draw_source(whole, &state);
    }
    if (b->rank == 0) {
        halo_digraph_cut(whole, b->ranks, cuts);
    }
    bench_check(halo_bcast(b->world, sources, (size_t)repeats * sizeof *sources, 0), "sources");
    bench_check(halo_search_choose(options.method, b->ranks, &name, &places), "a method");
    bench_check(
        halo_digraph_share(&graph, b->world, whole, places == HALO_SEARCH_PARTS ? cuts : NULL),
        "sharing");
    bench_begin(b);
    for (int64_t i = 0; i < repeats; i++) {
        bench_check(
            halo_search_run(b->world, graph, cuts, &sources[i], 1, &options, distances, &counts),
            "searching");
        all.taken += counts.taken;
        all.relaxed += counts.relaxed;
        all.sent += counts.sent;
        all.network.messages += counts.network.messages;
    }
    bench_end(b);
    double times = (double)repeats;
    bench_print(b, "ms=%.5f cpu_ms=%.5f taken=%.4f relaxed=%.4f sent=%.4f messages=%.1f drawn=%s",
                b->wall * 1e3 / times, b->processor * 1e3 / times,
                (double)all.taken / times / (double)graph->vertices,
                (double)all.relaxed / times / (double)graph->arcs,
                (double)all.sent / times / (double)graph->vertices,
                (double)all.network.messages / times,
                print_numbers(drawn, sizeof drawn, sources, repeats));
    halo_digraph_destroy(&graph);
    halo_digraph_destroy(&whole);
    free(sources);
    free(cuts);
    free(distances);
}
