#include "kernels/paths/queue.h"

#include "base/memory.h"

/* ---- memory ---------------------------------------------------------------------------------- */

enum { MIN_CHUNKS = 16, MAX_CHUNKS = 512 }; /* of a block: 64 KiB to 2 MiB */

struct paths_block {
    struct paths_block *next;
};

void paths_queue_begin(paths_queue *queue)
{
    *queue = (paths_queue){.current = PATHS_NO_WINDOW, .far_first = INT64_MAX};
}

void paths_queue_free(paths_queue *queue)
{
    while (queue->blocks != NULL) {
        paths_block *next = queue->blocks->next;
        halo_memory_free(queue->blocks);
        queue->blocks = next;
    }
    paths_queue_begin(queue);
}

/* Blocks double, so that small rasters take little memory. The first chunk of one links it. */
static bool add_block(paths_queue *queue)
{
    size_t held = (size_t)queue->bytes / sizeof(paths_chunk);
    size_t count = held < MIN_CHUNKS ? MIN_CHUNKS : held > MAX_CHUNKS ? MAX_CHUNKS : held;
    void *memory;
    if (halo_memory_create(&memory, count * sizeof(paths_chunk), "the queue of cells") != HALO_OK) {
        return false;
    }
    paths_block *block = memory;
    paths_chunk *chunks = memory;
    block->next = queue->blocks;
    queue->blocks = block;
    queue->bytes += (int64_t)(count * sizeof(paths_chunk));
    for (size_t i = count - 1; i > 0; i--) {
        chunks[i].below = queue->spare;
        queue->spare = &chunks[i];
    }
    return true;
}

/* Puts a new chunk on top of *chunk; NULL without memory, and the queue has failed. */
static paths_chunk *grow(paths_queue *queue, paths_chunk **chunk)
{
    if (queue->spare == NULL && !add_block(queue)) {
        queue->failed = true;
        return NULL;
    }
    paths_chunk *top = queue->spare;
    queue->spare = top->below;
    top->below = *chunk;
    top->count = 0;
    *chunk = top;
    return top;
}

static paths_chunk *chunk_of(const paths_bucket *bucket)
{
    return bucket->end == NULL ? NULL
                               : (paths_chunk *)(void *)((char *)(bucket->end - PATHS_CHUNK) -
                                                         offsetof(paths_chunk, entries));
}

static void begin_at(paths_bucket *bucket, paths_chunk *chunk, int count)
{
    bucket->next = chunk->entries + count;
    bucket->end = chunk->entries + PATHS_CHUNK;
}

bool paths_bucket_grow(paths_queue *queue, paths_bucket *bucket)
{
    paths_chunk *chunk = chunk_of(bucket);
    if (grow(queue, &chunk) == NULL) {
        return false;
    }
    begin_at(bucket, chunk, 0);
    return true;
}

bool paths_bucket_shrink(paths_queue *queue, paths_bucket *bucket)
{
    paths_chunk *top = chunk_of(bucket), *below = top->below;
    if (below == NULL) {
        return false;
    }
    top->below = queue->spare;
    queue->spare = top;
    begin_at(bucket, below, PATHS_CHUNK);
    return true;
}

void paths_queue_push_far(paths_queue *queue, int64_t bucket, int32_t cell)
{
    paths_chunk *top = queue->far;
    if (top == NULL || top->count == PATHS_CHUNK) {
        top = grow(queue, &queue->far);
    }
    if (top != NULL) {
        top->entries[top->count++] = cell;
        queue->far_first = bucket < queue->far_first ? bucket : queue->far_first;
    }
}

/* ---- taking cells ---------------------------------------------------------------------------- */

static int64_t first_far_bucket(const paths_queue *queue, const paths_queue_cells *cells,
                                const void *front)
{
    int64_t first = PATHS_LAST_BUCKET + 1;
    for (const paths_chunk *chunk = queue->far; chunk != NULL; chunk = chunk->below) {
        for (int32_t i = 0; i < chunk->count; i++) {
            double distance = cells->waiting(front, chunk->entries[i]);
            int64_t bucket = paths_queue_bucket(queue, distance);
            first = distance >= 0 && bucket < first ? bucket : first;
        }
    }
    return first;
}

static void take_far(paths_queue *queue, const paths_queue_cells *cells, const void *front)
{
    paths_chunk *chunk = queue->far;
    if (queue->near == 0) {
        int64_t first = first_far_bucket(queue, cells, front);
        queue->current = first <= PATHS_LAST_BUCKET ? first : PATHS_NO_WINDOW;
    }
    queue->far = NULL;
    queue->far_first = INT64_MAX;
    while (chunk != NULL) {
        for (int32_t i = 0; i < chunk->count; i++) {
            double distance = cells->waiting(front, chunk->entries[i]);
            if (distance >= 0) {
                paths_queue_push(queue, paths_queue_bucket(queue, distance), chunk->entries[i]);
            }
        }
        paths_chunk *below = chunk->below;
        chunk->below = queue->spare;
        queue->spare = chunk;
        chunk = below;
    }
}

bool paths_queue_advance(paths_queue *queue, const paths_queue_cells *cells, const void *front)
{
    if (queue->far != NULL && (queue->near == 0 || queue->current >= queue->far_first)) {
        take_far(queue, cells, front);
    }
    return queue->near > 0;
}

int64_t paths_queue_run(paths_queue *queue, const paths_queue_cells *cells, void *front,
                        int64_t quota)
{
    int64_t taken = 0;
    while (taken < quota && paths_queue_advance(queue, cells, front) && !queue->failed) {
        int64_t current = queue->current;
        taken += cells->empty(front, &queue->buckets[current & (PATHS_BUCKETS - 1)], quota - taken);
        /* A cell that is taken too early may move the window back. */
        if (queue->current == current && taken < quota) {
            queue->current++;
        }
    }
    if (!paths_queue_has_more(queue)) {
        queue->current = PATHS_NO_WINDOW;
    }
    return taken;
}
