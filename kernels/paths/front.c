#include "kernels/paths/front.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- cells ----------------------------------------------------------------------------------- */

static int64_t index_of(const paths_front *front, int64_t y, int64_t x)
{
    return (y + front->depth) * front->pitch + x + front->side;
}

static inline int64_t bucket_of(const paths_front *front, double distance)
{
    double bucket = distance * front->buckets_a_unit;
    return bucket < (double)PATHS_LAST_BUCKET ? (int64_t)bucket : PATHS_LAST_BUCKET;
}

/* A cell that is in the bucket of its new distance already need not be put there again. */
static inline void improve(paths_front *front, int64_t index, double distance)
{
    halo_paths_cell *cell = &front->cells[index];
    int64_t bucket = bucket_of(front, distance);
    bool waits = signbit(cell->cost) && bucket == bucket_of(front, cell->distance);
    cell->distance = distance;
    front->improved++;
    if (!waits) {
        cell->cost = -fabs(cell->cost);
        paths_queue_push(&front->queue, bucket, (int32_t)index);
    }
}

static inline double weigh(const paths_front *front, int64_t index, double cost, int step)
{
    enum { STRAIGHT = 8 };
    const halo_paths_cell *cells = front->cells;
    double to = fabs(cells[index + front->offsets[step]].cost);
    if (step < STRAIGHT) {
        return (cost + to) * front->steps[step].weight;
    }
    const int64_t *passed = front->passed[step];
    return (fabs(cells[index + passed[0]].cost) + fabs(cells[index + passed[1]].cost) + to + cost) *
           front->steps[step].weight;
}

/* ---- from one cell to its neighbours --------------------------------------------------------- */

/* `count` is a constant where this is called: the loop is unrolled. */
static inline void tell_neighbours(paths_front *front, int64_t index, int count)
{
    double distance = front->cells[index].distance, cost = fabs(front->cells[index].cost);
    for (int s = 0; s < count; s++) {
        int64_t other = index + front->offsets[s];
        double reached = distance + weigh(front, index, cost, s);
        if (reached < front->cells[other].distance) {
            __builtin_prefetch(
                &front->cells[other + front->offsets[s]]); /* which it will look at */
            improve(front, other, reached);
        }
    }
}

void paths_front_offer(paths_front *front, int64_t y, int64_t x, double distance)
{
    int64_t index = index_of(front, y, x);
    double cost = fabs(front->cells[index].cost);
    for (int s = 0; s < front->step_count; s++) {
        int64_t to_y = y + front->steps[s].dy, to_x = x + front->steps[s].dx;
        if (to_y < 0 || to_y >= front->rows || to_x < 0 || to_x >= front->columns) {
            continue;
        }
        int64_t other = index + front->offsets[s];
        double reached = distance + weigh(front, index, cost, s);
        if (reached < front->cells[other].distance) {
            improve(front, other, reached);
        }
    }
}

void paths_front_start(paths_front *front)
{
    for (int64_t y = 0; y < front->rows; y++) {
        halo_paths_cell *row = &front->cells[index_of(front, y, 0)];
        for (int64_t x = 0; x < front->columns; x++) {
            row[x].cost = fabs(row[x].cost);
        }
    }
    /* Those that are put into the queue meanwhile look when they are taken from it, in order. */
    for (int64_t y = 0; y < front->rows; y++) {
        const halo_paths_cell *row = &front->cells[index_of(front, y, 0)];
        for (int64_t x = 0; x < front->columns; x++) {
            if (row[x].distance < front->unreached && !signbit(row[x].cost)) {
                paths_front_offer(front, y, x, row[x].distance);
            }
        }
    }
}

/* ---- the halo -------------------------------------------------------------------------------- */

static bool is_halo_cell(const paths_front *front, int64_t y, int64_t x)
{
    bool owned = y >= 0 && y < front->rows && x >= 0 && x < front->columns;
    int64_t row = front->lo[0] + y, column = front->lo[1] + x;
    return !owned && row >= 0 && row < front->n[0] && column >= 0 && column < front->n[1];
}

/* Those in the domain, into front->halo unless that is NULL; returns their number. */
static int64_t list_halo(paths_front *front)
{
    int64_t count = 0;
    for (int64_t y = -front->depth; y < front->rows + front->depth; y++) {
        bool owned = y >= 0 && y < front->rows;
        for (int64_t x = -front->side; x < front->columns + front->side; x++) {
            x = owned && x == 0 ? front->columns : x;
            if (!is_halo_cell(front, y, x)) {
                continue;
            }
            if (front->halo != NULL) {
                front->halo[count] = (paths_halo_cell){.seen = front->unreached,
                                                       .cell = (int32_t)index_of(front, y, x)};
            }
            count++;
        }
    }
    return count;
}

int64_t paths_front_close(paths_front *front)
{
    int64_t fresh = 0;
    for (int64_t i = 0; i < front->halo_count; i++) {
        paths_halo_cell *halo = &front->halo[i];
        halo_paths_cell *cell = &front->cells[halo->cell];
        double distance = cell->distance;
        cell->distance = 0;
        if (distance < halo->seen) {
            halo->seen = distance;
            paths_front_offer(front, halo->cell / front->pitch - front->depth,
                              halo->cell % front->pitch - front->side, distance);
            fresh++;
        }
    }
    return fresh;
}

void paths_front_open(paths_front *front)
{
    for (int64_t i = 0; i < front->halo_count; i++) {
        front->cells[front->halo[i].cell].distance = front->halo[i].seen;
    }
}

/* ---- the queue ------------------------------------------------------------------------------- */

static bool is_queued(const paths_front *front, int32_t cell)
{
    return signbit(front->cells[cell].cost);
}

static int64_t first_bucket(const paths_front *front)
{
    int64_t first = PATHS_LAST_BUCKET + 1;
    for (const paths_chunk *chunk = front->queue.far; chunk != NULL; chunk = chunk->below) {
        for (int32_t i = 0; i < chunk->count; i++) {
            int32_t cell = chunk->entries[i];
            int64_t bucket = bucket_of(front, front->cells[cell].distance);
            first = is_queued(front, cell) && bucket < first ? bucket : first;
        }
    }
    return first;
}

/* Far cells that the window has come to go into buckets. An empty window begins anew at the nearest
 * of them. Cells that have been taken since they were put there are left out. */
static void take_far_cells(paths_front *front)
{
    paths_queue *queue = &front->queue;
    paths_chunk *chunk = queue->far;
    if (queue->near == 0) {
        int64_t first = first_bucket(front);
        queue->current = first <= PATHS_LAST_BUCKET ? first : PATHS_NO_WINDOW;
    }
    queue->far = NULL;
    queue->far_first = INT64_MAX;
    while (chunk != NULL) {
        for (int32_t i = 0; i < chunk->count; i++) {
            int32_t cell = chunk->entries[i];
            if (is_queued(front, cell)) {
                paths_queue_push(queue, bucket_of(front, front->cells[cell].distance), cell);
            }
        }
        paths_chunk *below = chunk->below;
        chunk->below = queue->spare;
        queue->spare = chunk;
        chunk = below;
    }
}

static bool has_cells(paths_front *front)
{
    const paths_queue *queue = &front->queue;
    if (queue->far != NULL && (queue->near == 0 || queue->current >= queue->far_first)) {
        take_far_cells(front);
    }
    return queue->near > 0;
}

/* Cells that will be taken soon are brought into the cache. */
static inline void prefetch(const paths_front *front, const paths_chunk *chunk)
{
    enum { AHEAD = 4 };
    if (chunk->count > AHEAD) {
        const halo_paths_cell *cell = &front->cells[chunk->entries[chunk->count - AHEAD - 1]];
        __builtin_prefetch(cell);
        __builtin_prefetch(cell - front->pitch);
        __builtin_prefetch(cell + front->pitch);
    }
}

/* Take cells from the current bucket until it is empty, or until `quota` is 0. */
static inline int64_t empty_bucket(paths_front *front, int64_t quota, int steps)
{
    paths_queue *queue = &front->queue;
    paths_chunk **bucket = &queue->buckets[queue->current & (PATHS_BUCKETS - 1)];
    int64_t left = quota;
    while (*bucket != NULL && left > 0) {
        paths_chunk *top = *bucket;
        if (top->count == 0) {
            if (top->below == NULL) {
                break;
            }
            paths_queue_shrink(queue, bucket);
            continue;
        }
        int32_t cell = top->entries[--top->count];
        queue->near--;
        prefetch(front, top);
        if (is_queued(front, cell)) {
            front->cells[cell].cost = fabs(front->cells[cell].cost);
            tell_neighbours(front, cell, steps);
            left--;
        }
    }
    return quota - left;
}

static inline int64_t run(paths_front *front, int64_t quota, int steps)
{
    paths_queue *queue = &front->queue;
    int64_t taken = 0;
    while (taken < quota && has_cells(front) && !queue->failed) {
        int64_t bucket = queue->current;
        taken += empty_bucket(front, quota - taken, steps);
        /* A cell that is taken too early may move the window back. */
        if (queue->current == bucket && taken < quota) {
            queue->current++;
        }
    }
    return taken;
}

bool paths_front_has_more(const paths_front *front)
{
    return front->queue.near > 0 || front->queue.far != NULL;
}

int64_t paths_front_run(paths_front *front, int64_t quota)
{
    enum { FOUR = 4, EIGHT = 8, SIXTEEN = 16 };
    quota = quota > 0 ? quota : INT64_MAX;
    int64_t taken = front->step_count == FOUR    ? run(front, quota, FOUR)
                    : front->step_count == EIGHT ? run(front, quota, EIGHT)
                                                 : run(front, quota, SIXTEEN);
    if (!paths_front_has_more(front)) {
        front->queue.current = PATHS_NO_WINDOW;
    }
    front->taken += taken;
    return taken;
}

/* ---- making one ------------------------------------------------------------------------------ */

enum { SAMPLES = 8192 }; /* of costs, at most */

/* The mean of those sampled costs that are not above `most`, and the smallest one. */
static double sample_costs(const paths_front *front, double most, double *min)
{
    int64_t total = front->rows * front->columns, step = total / SAMPLES + 1, count = 0;
    double sum = 0;
    for (int64_t i = 0; i < total; i += step) {
        int64_t cell = index_of(front, i / front->columns, i % front->columns);
        double cost = fabs(front->cells[cell].cost);
        if (isfinite(cost) && cost <= most) {
            *min = cost < *min ? cost : *min;
            sum += cost;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

/* Buckets are as wide as the smallest cost, so that cells of one are final when they are taken, or
 * as an eighth of the mean cost, so that there are not too many. Few costs that are much larger
 * than the others do not count: with wide buckets cells would be taken many times. */
static void find_width(paths_front *front)
{
    enum { SHARE = 8, ROUNDS = 4 };
    double min = HUGE_VAL, mean = sample_costs(front, HUGE_VAL, &min);
    for (int i = 0; i < ROUNDS; i++) {
        mean = sample_costs(front, 2 * mean, &min);
    }
    double width = fmax(isfinite(min) ? min : 0, mean / SHARE);
    double shortest = fmin(front->steps[0].weight, front->steps[1].weight) * 2;
    width *= shortest;
    front->buckets_a_unit = width > 0 && isfinite(1 / width) ? 1 / width : 1;
}

static void find_offsets(paths_front *front, const halo_paths_options *options)
{
    front->step_count = halo_paths_steps(options, front->steps);
    for (int s = 0; s < front->step_count; s++) {
        const halo_paths_step *step = &front->steps[s];
        front->offsets[s] = step->dy * front->pitch + step->dx;
        for (int p = 0; p < 2; p++) {
            front->passed[s][p] = step->passed[p][0] * front->pitch + step->passed[p][1];
        }
    }
}

static halo_status check_size(const paths_front *front)
{
    int64_t cells = (front->rows + 2 * front->depth) * front->pitch;
    return cells <= INT32_MAX
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "a rank's part has %" PRId64 " cells, halo included, and can have %d; "
                           "use more ranks",
                           cells, INT32_MAX);
}

halo_status paths_front_create(paths_front **out, const halo_view *cells, const halo_domain *domain,
                               const halo_paths_options *options)
{
    *out = NULL;
    paths_front *front;
    HALO_TRY(HALO_ALLOCATE(front, 1, "a front"));
    front->pitch = cells->stride[0] / (ptrdiff_t)sizeof(halo_paths_cell);
    front->rows = cells->owned.n[0];
    front->columns = cells->owned.n[1];
    front->depth = cells->depth;
    front->side = cells->side_depth;
    front->lo[0] = cells->owned.lo[0];
    front->lo[1] = cells->owned.lo[1];
    front->n[0] = domain->n[0];
    front->n[1] = domain->n[1];
    front->unreached = halo_paths_unreached(options);
    paths_queue_begin(&front->queue);
    *out = front;
    HALO_TRY(check_size(front));
    front->halo_count = list_halo(front);
    HALO_TRY(HALO_ALLOCATE(front->halo, front->halo_count + 1, "cells of a halo"));
    list_halo(front);
    front->cells = (halo_paths_cell *)cells->origin - index_of(front, 0, 0);
    find_offsets(front, options);
    find_width(front);
    return HALO_OK;
}

void paths_front_destroy(paths_front **front)
{
    if (*front != NULL) {
        paths_queue_free(&(*front)->queue);
        free((*front)->halo);
    }
    free(*front);
    *front = NULL;
}
