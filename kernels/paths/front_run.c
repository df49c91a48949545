#include "kernels/paths/front_internal.h"
#include "kernels/paths/reach_ops.h"

/* ---- cells that are far ---------------------------------------------------------------------- */

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
            int64_t bucket = paths_bucket_of(front, front->cells[cell].distance);
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
                paths_queue_push(queue, paths_bucket_of(front, front->cells[cell].distance), cell);
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

/* ---- batches --------------------------------------------------------------------------------- */

/* Cells are taken in batches, in three loops: take cells from the bucket, collect which neighbours
 * they reach, and tell these. What a batch needs from memory is on its way together, and there are
 * few branches that cannot be predicted. A cell that hears from another one of its batch is taken
 * again. */

/* Up to `most` entries of a bucket; those that have been taken since they were put there are left
 * out. Returns how many it has got. Neighbours of the next batch are brought into the cache. */
static inline int take(paths_front *front, paths_bucket *bucket, int64_t most, paths_batch *batch)
{
    int64_t held = paths_bucket_held(bucket);
    most = most < PATHS_BATCH ? most : PATHS_BATCH;
    int count = (int)(held < most ? held : most), taken = 0;
    int ahead = held >= 2 * PATHS_BATCH ? PATHS_BATCH : 0;
    bucket->next -= count;
    front->queue.near -= count;
    const int32_t *entries = bucket->next;
    for (int i = count - 1; i >= 0; i--) {
        halo_paths_cell *cell = &front->cells[entries[i]];
        const halo_paths_cell *soon = &front->cells[entries[i - ahead]];
        double cost = cell->cost;
        __builtin_prefetch(soon - front->pitch);
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + front->pitch);
        batch->cells[taken] = entries[i];
        taken += signbit(cost) != 0;
        cell->cost = fabs(cost);
    }
    return taken;
}

/* A cell may come twice here, and may be in its bucket already: it is then left out when it is
 * taken. Rows beside it are brought into the cache, and where few cells are taken at a time those
 * behind them, too: in a corridor the front is one cell, which waits for each. */
static inline void tell(paths_front *front, const paths_batch *batch, int count, bool few)
{
    const int64_t pitch = front->pitch;
    for (int i = 0; i < count; i++) {
        int32_t other = batch->others[i];
        halo_paths_cell *cell = &front->cells[other];
        if (batch->reached[i] < cell->distance) {
            __builtin_prefetch(cell - pitch);
            __builtin_prefetch(cell + pitch);
            if (few) {
                __builtin_prefetch(cell - 2 * pitch);
                __builtin_prefetch(cell + 2 * pitch);
            }
            paths_improve(front, other, batch->reached[i]);
        }
    }
}

/* Take cells from the current bucket until it is empty, or `quota` of them. */
static int64_t empty_bucket(paths_front *front, int64_t quota, paths_batch *batch)
{
    paths_queue *queue = &front->queue;
    paths_bucket *bucket = &queue->buckets[queue->current & (PATHS_BUCKETS - 1)];
    int64_t left = quota;
    while (left > 0 && paths_bucket_fill(queue, bucket)) {
        int taken = take(front, bucket, left, batch);
        tell(front, batch, front->reach(front, batch, taken), taken < PATHS_BATCH);
        left -= taken;
    }
    return quota - left;
}

bool paths_front_has_more(const paths_front *front)
{
    return front->queue.near > 0 || front->queue.far != NULL;
}

int64_t paths_front_run(paths_front *front, int64_t quota)
{
    paths_queue *queue = &front->queue;
    paths_batch batch;
    int64_t taken = 0;
    quota = quota > 0 ? quota : INT64_MAX;
    while (taken < quota && has_cells(front) && !queue->failed) {
        int64_t bucket = queue->current;
        taken += empty_bucket(front, quota - taken, &batch);
        /* A cell that is taken too early may move the window back. */
        if (queue->current == bucket && taken < quota) {
            queue->current++;
        }
    }
    if (!paths_front_has_more(front)) {
        queue->current = PATHS_NO_WINDOW;
    }
    front->taken += taken;
    return taken;
}

/* ---- instruction sets ------------------------------------------------------------------------ */

const halo_isa_variant paths_reach_variants[] = HALO_ISA_VARIANTS(paths_reach_ops, AVX512);

halo_status paths_front_find_reach(paths_front *front, const halo_paths_options *options)
{
    enum { FOUR = 4, EIGHT = 8 };
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, paths_reach_variants, options->instructions));
    const paths_reach_ops *ops = variant->ops;
    front->reach = front->step_count == FOUR    ? ops->four
                   : front->step_count == EIGHT ? ops->eight
                                                : ops->sixteen;
    return HALO_OK;
}
