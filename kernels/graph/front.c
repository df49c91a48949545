#include "kernels/graph/front.h"

#include <stdlib.h>

/* ---- queues ---------------------------------------------------------------------------------- */

/* A vertex is in the ring once at most, so that all fit in. */
static inline void push_last(graph_front *front, int64_t v)
{
    int64_t at = front->ring_first + front->ring_count++;
    front->ring[at < front->capacity ? at : at - front->capacity] = (int32_t)v;
}

/* ---- distances ------------------------------------------------------------------------------- */

static void add_outgoing(graph_front *front, int64_t v)
{
    const int32_t number = (int32_t)v;
    if (halo_buffer_append(&front->outgoing, &number, sizeof number) != HALO_OK) {
        front->failed = true;
    }
}

/* `order` is a constant where this is called. A vertex that is in the bucket of its new distance
 * already need not be put there again. */
static inline void improve(graph_front *front, int64_t v, double distance, graph_order order)
{
    double old = front->distances[v];
    bool waits = signbit(old) != 0;
    front->distances[v] = -distance;
    front->improved++;
    if (v < front->lo || v >= front->hi) {
        if (!waits) {
            add_outgoing(front, v);
        }
    } else if (order == GRAPH_FIFO) {
        if (!waits) {
            push_last(front, v);
        }
    } else {
        int64_t bucket = paths_queue_bucket(&front->queue, distance);
        if (!waits || bucket != paths_queue_bucket(&front->queue, fabs(old))) {
            paths_queue_push(&front->queue, bucket, (int32_t)v);
        }
    }
}

static inline void relax(graph_front *front, int64_t v, graph_order order)
{
    enum { AHEAD = 12 }; /* arcs whose heads' distances are brought into the cache */
    halo_digraph_room room;
    double distance = fabs(front->distances[v]);
    halo_digraph_arcs arcs = halo_digraph_arcs_of(front->graph, v, &room);
    front->relaxed += arcs.count;
    for (int64_t i = 0; i < arcs.count; i++) {
        __builtin_prefetch(&front->distances[arcs.heads[i + AHEAD < arcs.count ? i + AHEAD : i]]);
        double reached = distance + arcs.weights[i];
        if (reached < fabs(front->distances[arcs.heads[i]])) {
            improve(front, arcs.heads[i], reached, order);
        }
    }
}

void graph_front_offer(graph_front *front, int64_t v, double distance)
{
    if (distance < fabs(front->distances[v])) {
        if (front->order == GRAPH_BUCKETS) {
            improve(front, v, distance, GRAPH_BUCKETS);
        } else {
            improve(front, v, distance, GRAPH_FIFO);
        }
    }
}

void graph_front_relax(graph_front *front, int64_t v)
{
    front->taken++;
    relax(front, v, GRAPH_FIFO);
}

/* ---- taking vertices ------------------------------------------------------------------------- */

int32_t graph_front_take(graph_front *front)
{
    int32_t v = front->ring[front->ring_first];
    front->ring_first = front->ring_first + 1 < front->capacity ? front->ring_first + 1 : 0;
    front->ring_count--;
    front->distances[v] = fabs(front->distances[v]);
    return v;
}

/* Prefetch the arcs of vertices that are taken soon. */
static inline void prefetch(const graph_front *front, const paths_bucket *bucket)
{
    enum { FAR = 8, NEAR = 3 };
    const halo_digraph *graph = front->graph;
    if (paths_bucket_held(bucket) > FAR && graph->offsets != NULL) {
        int32_t v = bucket->next[-FAR - 1];
        __builtin_prefetch(&graph->offsets[v]);
        __builtin_prefetch(&front->distances[v]);
        v = bucket->next[-NEAR - 1];
        __builtin_prefetch(&graph->heads[graph->offsets[v]]);
        __builtin_prefetch(&graph->weights[graph->offsets[v]]);
    }
}

static int64_t empty_bucket(void *of, paths_bucket *bucket, int64_t quota)
{
    graph_front *front = of;
    int64_t left = quota;
    while (left > 0 && paths_bucket_fill(&front->queue, bucket)) {
        int32_t v = *--bucket->next;
        front->queue.near--;
        prefetch(front, bucket);
        if (signbit(front->distances[v])) {
            front->distances[v] = fabs(front->distances[v]);
            relax(front, v, GRAPH_BUCKETS);
            left--;
        }
    }
    return quota - left;
}

static double waiting(const void *of, int32_t v)
{
    double distance = ((const graph_front *)of)->distances[v];
    return signbit(distance) ? fabs(distance) : -1;
}

static const paths_queue_cells vertices = {.waiting = waiting, .empty = empty_bucket};

bool graph_front_has_work(graph_front *front)
{
    return front->order == GRAPH_FIFO ? front->ring_count > 0
                                      : paths_queue_advance(&front->queue, &vertices, front);
}

void graph_front_run(graph_front *front, int64_t quota)
{
    if (front->order == GRAPH_BUCKETS) {
        front->taken += paths_queue_run(&front->queue, &vertices, front, quota);
        front->failed = front->failed || front->queue.failed;
        return;
    }
    for (; quota > 0 && front->ring_count > 0; quota--) {
        graph_front_relax(front, graph_front_take(front));
    }
}

/* ---- making one ------------------------------------------------------------------------------ */

/* Return the mean weight of a sample of the arcs; *min is the smallest one. */
static double sample_weights(const graph_front *front, double *min)
{
    enum { SAMPLES = 4096 };
    int64_t step = (front->hi - front->lo) / SAMPLES + 1, count = 0;
    double sum = 0;
    *min = HUGE_VAL;
    for (int64_t v = front->lo; v < front->hi; v += step) {
        halo_digraph_room room;
        halo_digraph_arcs arcs = halo_digraph_arcs_of(front->graph, v, &room);
        for (int64_t i = 0; i < arcs.count; i++) {
            if (isfinite(arcs.weights[i])) {
                *min = arcs.weights[i] < *min ? arcs.weights[i] : *min;
                sum += arcs.weights[i];
                count++;
            }
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

/* Buckets are as wide as the smallest weight, so that vertices of one are final when they are
 * taken, or as a small share of the mean one, so that there are not too many. Wider ones cost more:
 * in graphs with many arcs a vertex most vertices would be taken again. */
static void find_width(graph_front *front)
{
    static const double share = 1.0 / 128;
    double min, mean = sample_weights(front, &min);
    double width = fmax(isfinite(min) ? min : 0, mean * share);
    front->queue.buckets_a_unit = width > 0 && isfinite(1 / width) ? 1 / width : 1;
}

static halo_status create_queue(graph_front *front)
{
    if (front->order == GRAPH_BUCKETS) {
        find_width(front);
        return HALO_OK;
    }
    front->capacity = front->hi - front->lo;
    return HALO_ALLOCATE_LARGE(front->ring, front->capacity, "a queue of vertices");
}

/* Initialise the distances that may be needed. For a raster only addresses are reserved for all
 * cells; memory is touched for the strip and the cells beyond its ends that steps reach. */
static void fill_unreached(graph_front *front)
{
    enum { DEPTH = 2 };
    bool all = front->graph->offsets != NULL || front->lo == front->hi;
    int64_t reach = all ? front->total : DEPTH * front->graph->raster.columns;
    int64_t begin = front->lo > reach ? front->lo - reach : 0;
    int64_t end = front->total - front->hi > reach ? front->hi + reach : front->total;
    for (int64_t v = begin; v < end; v++) {
        front->distances[v] = front->unreached;
    }
}

halo_status graph_front_begin(graph_front *front, const halo_digraph *graph, int64_t lo, int64_t hi,
                              graph_order order, double unreached)
{
    *front = (graph_front){.graph = graph,
                           .total = graph->count + graph->ghost_count,
                           .lo = lo,
                           .hi = hi,
                           .order = order,
                           .unreached = unreached};
    paths_queue_begin(&front->queue);
    HALO_TRY(HALO_ALLOCATE_LARGE(front->distances, front->total, "distances"));
    fill_unreached(front);
    return create_queue(front);
}

void graph_front_free(graph_front *front)
{
    paths_queue_free(&front->queue);
    halo_memory_free(front->distances);
    halo_memory_free(front->ring);
    halo_buffer_free(&front->outgoing);
}

int64_t graph_front_bytes(const graph_front *front)
{
    return front->queue.bytes + front->capacity * (int64_t)sizeof *front->ring;
}
