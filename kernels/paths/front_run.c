#include "kernels/paths/front_internal.h"
#include "kernels/paths/reach_ops.h"

/* ---- batches --------------------------------------------------------------------------------- */

/* Cells are taken in batches, in three loops: take cells from the bucket, collect the neighbours
 * that they improve, and update these. A batch's cache misses overlap, and few branches cannot be
 * predicted. A cell that another one of its batch improves is taken again. */

/* Brings the row of a cell, and those beside it, into the cache; in a volume also those of the
 * planes beside it. */
static inline void prefetch_rows(const paths_front *front, const halo_paths_cell *cell, bool volume)
{
    const int64_t pitch = front->pitch, plane = front->plane;
    __builtin_prefetch(cell - pitch);
    __builtin_prefetch(cell);
    __builtin_prefetch(cell + pitch);
    for (int side = -1; volume && side <= 1; side += 2) {
        __builtin_prefetch(cell + side * plane - pitch);
        __builtin_prefetch(cell + side * plane);
        __builtin_prefetch(cell + side * plane + pitch);
    }
}

/* Up to `most` entries of a bucket; those that have been taken since they were put there are left
 * out. Returns how many it has got. Neighbours of the next batch are brought into the cache. */
static inline int take(paths_front *front, paths_bucket *bucket, int64_t most, paths_batch *batch,
                       bool volume)
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
        prefetch_rows(front, soon, volume);
        batch->cells[taken] = entries[i];
        taken += signbit(cost) != 0;
        cell->cost = fabs(cost);
    }
    return taken;
}

/* A cell may come twice here, and may be in its bucket already: it is then left out when it is
 * taken. Rows beside it are brought into the cache, and where few cells are taken at a time those
 * behind them, too: in a corridor the front is one cell, which waits for each. */
static inline void update(paths_front *front, const paths_batch *batch, int count, bool few)
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

/* `volume` is a constant in both calls. */
static inline int64_t empty(paths_front *front, paths_bucket *bucket, int64_t quota, bool volume)
{
    paths_batch batch;
    int64_t left = quota;
    while (left > 0 && paths_bucket_fill(&front->queue, bucket)) {
        int taken = take(front, bucket, left, &batch, volume);
        update(front, &batch, front->reach(front, &batch, taken), taken < PATHS_BATCH);
        left -= taken;
    }
    return quota - left;
}

static int64_t empty_bucket(void *front, paths_bucket *bucket, int64_t quota)
{
    return empty(front, bucket, quota, false);
}

static int64_t empty_bucket_of_volume(void *front, paths_bucket *bucket, int64_t quota)
{
    return empty(front, bucket, quota, true);
}

static double waiting(const void *of, int32_t index)
{
    const halo_paths_cell *cell = &((const paths_front *)of)->cells[index];
    return signbit(cell->cost) ? cell->distance : -1;
}

int64_t paths_front_run(paths_front *front, int64_t quota)
{
    static const paths_queue_cells image = {.waiting = waiting, .empty = empty_bucket},
                                   volume = {.waiting = waiting, .empty = empty_bucket_of_volume};
    const paths_queue_cells *cells = front->volume ? &volume : &image;
    int64_t taken = paths_queue_run(&front->queue, cells, front, quota > 0 ? quota : INT64_MAX);
    front->taken += taken;
    return taken;
}

/* ---- instruction sets ------------------------------------------------------------------------ */

const halo_isa_variant paths_reach_variants[] = HALO_ISA_VARIANTS(paths_reach_ops, AVX512);

halo_status paths_front_find_reach(paths_front *front, const halo_paths_options *options)
{
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, paths_reach_variants, options->instructions));
    const paths_reach_ops *ops = variant->ops;
    const struct {
        int steps;
        paths_reach *reach;
    } known[] = {{4, ops->four},     {6, ops->six},       {8, ops->eight},
                 {16, ops->sixteen}, {18, ops->eighteen}, {26, ops->twenty_six}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        front->reach = known[i].steps == front->step_count ? known[i].reach : front->reach;
    }
    return HALO_OK;
}
