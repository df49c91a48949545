#ifndef HALOBEAT_PATHS_QUEUE_H
#define HALOBEAT_PATHS_QUEUE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue of cells, or vertices, in buckets of equal width in distance (R. B. Dial, 1969; U. Meyer
 * and P. Sanders, delta-stepping, 2003), for fronts. The buckets are a circular window; cells
 * beyond it are in a separate list. Cells of a bucket are taken last in, first out, when their
 * neighbours are in the cache. A cell whose distance decreases is put into the queue again; its
 * older entry stays and is ignored once the cell was taken. All functions are local. Internal to
 * the paths and graph kernels. */

enum {
    PATHS_BUCKETS = 256, /* a power of 2 */
    PATHS_CHUNK = 1020   /* entries per chunk: a chunk has 4 KiB */
};

typedef struct paths_chunk {
    struct paths_chunk *below;
    int32_t count;
    int32_t unused;
    int32_t entries[PATHS_CHUNK];
} paths_chunk;

typedef struct paths_block paths_block;

/* The end of a bucket's entries in its top chunk, and the end of that chunk; NULL if there is
 * none. */
typedef struct {
    int32_t *next, *end;
} paths_bucket;

/* Initialise it with paths_queue_begin, set buckets_a_unit, free it with paths_queue_free. */
typedef struct {
    paths_bucket buckets[PATHS_BUCKETS];
    paths_chunk *far;      /* beyond the window; each chunk has its count */
    int64_t far_first;     /* minimum bucket of these */
    int64_t current;       /* number of the current bucket */
    int64_t near;          /* entries in buckets */
    double buckets_a_unit; /* buckets per unit of distance */
    paths_chunk *spare;
    paths_block *blocks; /* memory of the chunks */
    int64_t bytes;       /* bytes of the chunks */
    bool failed;         /* there was no memory: an entry is lost */
} paths_queue;

void paths_queue_begin(paths_queue *queue);
void paths_queue_free(paths_queue *queue);

/* Local. Puts a new chunk on top of a bucket whose top chunk is full, or that has none. False
 * without memory, and the queue has failed. */
bool paths_bucket_grow(paths_queue *queue, paths_bucket *bucket);

/* Local, pure. Entries in the top chunk of a bucket that has one. */
static inline int64_t paths_bucket_held(const paths_bucket *bucket)
{
    return bucket->next - (bucket->end - PATHS_CHUNK);
}

/* Local. True if there are entries in the bucket. Then the top chunk has some: an empty one is
 * removed if there is another below. */
bool paths_bucket_shrink(paths_queue *queue, paths_bucket *bucket);
static inline bool paths_bucket_fill(paths_queue *queue, paths_bucket *bucket)
{
    return bucket->end != NULL &&
           (paths_bucket_held(bucket) > 0 || paths_bucket_shrink(queue, bucket));
}

/* Without a window all cells go to the list of far cells. */
static const int64_t PATHS_NO_WINDOW = -(INT64_C(1) << 62);

/* Numbers of buckets are at most this. */
static const int64_t PATHS_LAST_BUCKET = INT64_C(1) << 61;

/* The bucket of a distance. */
static inline int64_t paths_queue_bucket(const paths_queue *queue, double distance)
{
    double bucket = distance * queue->buckets_a_unit;
    return bucket < (double)PATHS_LAST_BUCKET ? (int64_t)bucket : PATHS_LAST_BUCKET;
}

/* Puts a cell into the list of far cells. */
void paths_queue_push_far(paths_queue *queue, int64_t bucket, int32_t cell);

/* Puts a cell into the bucket of this number. One before the window moves the window back; cells
 * that are then beyond its end are taken too early, which costs time but changes no result. */
static inline void paths_queue_push(paths_queue *queue, int64_t bucket, int32_t cell)
{
    int64_t ahead = bucket - queue->current;
    if (ahead >= PATHS_BUCKETS) {
        paths_queue_push_far(queue, bucket, cell);
        return;
    }
    if (ahead < 0) {
        queue->current = bucket;
    }
    paths_bucket *near = &queue->buckets[bucket & (PATHS_BUCKETS - 1)];
    if (near->next != near->end || paths_bucket_grow(queue, near)) {
        *near->next++ = cell;
        queue->near++;
    }
}

/* Functions of the front that owns the cells. */
typedef struct {
    /* The distance of a cell that waits; below 0 if it was taken since it was put into the
     * queue. */
    double (*waiting)(const void *front, int32_t cell);
    /* Takes up to `quota` cells from the bucket, until it is empty. Returns their number. */
    int64_t (*empty)(void *front, paths_bucket *bucket, int64_t quota);
} paths_queue_cells;

/* True if there is an entry in the buckets. First moves far cells that the window has reached into
 * buckets; an empty window restarts at the nearest far cell. */
bool paths_queue_advance(paths_queue *queue, const paths_queue_cells *cells, const void *front);

/* Takes up to `quota` cells approximately by distance, nearest first, until there are none. Returns
 * their number. */
int64_t paths_queue_run(paths_queue *queue, const paths_queue_cells *cells, void *front,
                        int64_t quota);

/* True if there is any entry. */
static inline bool paths_queue_has_more(const paths_queue *queue)
{
    return queue->near > 0 || queue->far != NULL;
}

#endif
