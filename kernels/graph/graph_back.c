#include "kernels/graph/graph_back.h"

#include "base/memory.h"

#include <math.h>

/* A queue in which each vertex is once at most. */
typedef struct {
    int32_t *vertices; /* [vertices of the graph] */
    int64_t first, end;
} queue;

static halo_status create_queue(queue *q, const halo_digraph *whole)
{
    *q = (queue){0};
    return HALO_ALLOCATE_LARGE(q->vertices, whole->vertices, "vertices on ways back");
}

static bool is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* ---- the vertex before ----------------------------------------------------------------------- */

typedef struct {
    const halo_digraph *whole;
    const double *distances;
    int32_t *before;
    int32_t *hops; /* arcs to the end of a plateau */
    queue queue;
} tracing;

/* Tails come in ascending order. Returns how many vertices have a path but nobody before. */
static int64_t find_nearer(tracing *t)
{
    const halo_digraph *g = t->whole;
    int64_t left = 0;
    for (int64_t v = 0; v < g->vertices; v++) {
        double distance = t->distances[v];
        for (int64_t i = g->offsets[v]; i < g->offsets[v + 1] && isfinite(distance); i++) {
            int32_t head = g->heads[i];
            if (t->before[head] < 0 && distance < t->distances[head] &&
                is_same(distance + g->weights[i], t->distances[head])) {
                t->before[head] = (int32_t)v;
            }
        }
    }
    for (int64_t v = 0; v < g->vertices; v++) {
        left += t->before[v] < 0 && isfinite(t->distances[v]);
    }
    return left;
}

static void spread_hops(tracing *t, int32_t v)
{
    const halo_digraph *g = t->whole;
    for (int64_t i = g->offsets[v]; i < g->offsets[v + 1]; i++) {
        int32_t head = g->heads[i];
        bool flat = is_same(t->distances[v], t->distances[head]) &&
                    is_same(t->distances[v] + g->weights[i], t->distances[head]);
        if (flat && t->before[head] < 0) {
            t->before[head] = v;
            t->hops[head] = t->hops[v] + 1;
            t->queue.vertices[t->queue.end++] = head;
        } else if (flat && t->hops[head] == t->hops[v] + 1 && v < t->before[head]) {
            t->before[head] = v;
        }
    }
}

/* Breadth first from those that have somebody before. */
static halo_status cross_plateaus(tracing *t)
{
    const halo_digraph *g = t->whole;
    HALO_TRY(create_queue(&t->queue, g));
    HALO_TRY(HALO_ALLOCATE_LARGE(t->hops, g->vertices, "vertices on ways back"));
    for (int64_t v = 0; v < g->vertices; v++) {
        if (t->before[v] >= 0) {
            t->queue.vertices[t->queue.end++] = (int32_t)v;
        }
    }
    while (t->queue.first < t->queue.end) {
        spread_hops(t, t->queue.vertices[t->queue.first++]);
    }
    return HALO_OK;
}

halo_status halo_digraph_trace(const halo_digraph *whole, const double *distances,
                               const int64_t *sources, int64_t count, int32_t *before)
{
    tracing t = {.whole = whole, .distances = distances, .before = before};
    for (int64_t v = 0; v < whole->vertices; v++) {
        before[v] = -1;
    }
    for (int64_t i = 0; i < count; i++) {
        before[sources[i]] = (int32_t)sources[i];
    }
    halo_status status = find_nearer(&t) > 0 ? cross_plateaus(&t) : HALO_OK;
    halo_memory_free(t.queue.vertices);
    halo_memory_free(t.hops);
    return status;
}

halo_status halo_digraph_path(const int32_t *before, int64_t target, halo_buffer *path)
{
    int64_t count = 1;
    for (int64_t v = target; before[v] != v; v = before[v]) {
        count++;
    }
    path->size = 0;
    HALO_TRY(halo_buffer_reserve(path, (size_t)count * sizeof *before));
    int32_t *vertices = (int32_t *)(void *)path->data;
    path->size = (size_t)count * sizeof *vertices;
    for (int32_t v = (int32_t)target; count > 0; v = before[v]) {
        vertices[--count] = v;
    }
    return HALO_OK;
}

/* ---- nearest sources ------------------------------------------------------------------------- */

/* Sources one after the other: a vertex keeps the number that comes first. */
halo_status halo_digraph_nearest(const halo_digraph *whole, const double *distances,
                                 const int64_t *sources, int64_t count, int32_t *numbers)
{
    queue q;
    HALO_TRY(create_queue(&q, whole));
    for (int64_t v = 0; v < whole->vertices; v++) {
        numbers[v] = 0;
    }
    for (int64_t s = 0; s < count; s++) {
        if (numbers[sources[s]] == 0) {
            numbers[sources[s]] = (int32_t)(s + 1);
            q.vertices[q.end++] = (int32_t)sources[s];
        }
        while (q.first < q.end) {
            int32_t v = q.vertices[q.first++];
            for (int64_t i = whole->offsets[v]; i < whole->offsets[v + 1]; i++) {
                int32_t head = whole->heads[i];
                if (numbers[head] == 0 && isfinite(distances[head]) &&
                    is_same(distances[v] + whole->weights[i], distances[head])) {
                    numbers[head] = numbers[v];
                    q.vertices[q.end++] = head;
                }
            }
        }
    }
    halo_memory_free(q.vertices);
    return HALO_OK;
}
