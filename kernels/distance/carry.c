#include "base/minmax.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/distance/distance_internal.h"

#include <string.h>

/* Distances along axis 0, and what one block, or one rank, has to know of others. */

/* ---- within a block -------------------------------------------------------------------------- */

static int64_t layers_of(const distance_run *run, int64_t block)
{
    return halo_min(run->block, run->own - block * run->block);
}

/* Goes through the layers of a block, of this rank's; from the last one to the first one if `up`.
 */
static void scan_block(const distance_run *run, int64_t block, bool up, distance_scan what)
{
    int64_t count = layers_of(run, block), first = block * run->block, begin = up ? count - 1 : 0;
    ptrdiff_t pitch = run->columns;
    for (int64_t y = 0; y < run->rows; y++) {
        const halo_view *view = &run->bits;
        const uint64_t *row = run->axes == HALO_AXES ? halo_row_of_plane(view, first + begin, y)
                                                     : halo_row(view, first + begin);
        for (int64_t w = 0; w < run->words; w += DISTANCE_WORDS) {
            const distance_bits bits = {.bits = row + w,
                                        .step = up ? -view->stride[0] : view->stride[0],
                                        .rows = count,
                                        .words = (int)halo_min(DISTANCE_WORDS, run->words - w)};
            int64_t column = (y * run->words + w) * DISTANCE_WORD;
            run->ops->scan(&bits, run->state + column, run->gaps + begin * pitch + column,
                           up ? -pitch : pitch, what);
        }
    }
}

/* ---- this rank's layers ---------------------------------------------------------------------- */

static void fill(int32_t *places, int64_t count, int32_t value)
{
    for (int64_t i = 0; i < count; i++) {
        places[i] = value;
    }
}

static bool all_found(const distance_run *run)
{
    int32_t least = INT32_MAX;
    for (int64_t i = 0; i < run->columns; i++) {
        least = run->above[i] < least ? run->above[i] : least;
    }
    return least != DISTANCE_NONE_ABOVE;
}

/* The last background of each column: in the last block that has any. */
static halo_status find_last(distance_run *run)
{
    fill(run->above, run->columns, DISTANCE_NONE_ABOVE);
    for (int64_t b = run->blocks - 1; b >= 0 && !all_found(run); b--) {
        int32_t end = (int32_t)(run->first + b * run->block + layers_of(run, b) - 1);
        memset(run->state, DISTANCE_GAP, (size_t)run->columns);
        scan_block(run, b, false, DISTANCE_SKIP);
        for (int64_t i = 0; i < run->columns; i++) {
            bool new = run->above[i] == DISTANCE_NONE_ABOVE && run->state[i] < DISTANCE_GAP;
            run->above[i] = new ? end - run->state[i] : run->above[i];
        }
        HALO_TRY(halo_watch_work(run->world, 0, 0));
    }
    return HALO_OK;
}

halo_status distance_carry_find(distance_run *run)
{
    size_t bytes = (size_t)run->columns * sizeof(int32_t);
    fill(run->below, run->columns, DISTANCE_NONE_BELOW);
    for (int64_t b = run->blocks - 1; b >= 0; b--) {
        memcpy(run->next + b * run->columns, run->below, bytes);
        memset(run->state, DISTANCE_GAP, (size_t)run->columns);
        scan_block(run, b, true, DISTANCE_SKIP);
        run->ops->leave(run->state, run->columns, (int32_t)(run->first + b * run->block), 1,
                        run->below);
        HALO_TRY(halo_watch_work(run->world, 0, 0));
    }
    return halo_world_ranks(run->world) > 1 ? find_last(run) : HALO_OK;
}

/* ---- other ranks ----------------------------------------------------------------------------- */

static void take_most(int32_t *places, const int32_t *others, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        places[i] = places[i] > others[i] ? places[i] : others[i];
    }
}

static void take_least(int32_t *places, const int32_t *others, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        places[i] = places[i] < others[i] ? places[i] : others[i];
    }
}

/* The nearest background of columns: `all` is that of this rank and the ranks before it, in the
 * direction of `step`, `others` that of the ranks before it. */
typedef struct {
    int32_t *all, *others, *received;
} carry_prefix;

/* Collective. Sends `all` to the rank `step` after this one, and takes that of the one as far
 * before it. (Hillis and Steele 1986: after log2 P steps every rank has what is before it.) */
static halo_status pass(const distance_run *run, const carry_prefix *prefix, int step, bool most)
{
    enum { PIECE = 1 << 26 };
    int ranks = halo_world_ranks(run->world), rank = halo_world_rank(run->world);
    int to = rank + step, from = rank - step;
    bool sends = to >= 0 && to < ranks, receives = from >= 0 && from < ranks;
    void (*merge)(int32_t *, const int32_t *, int64_t) = most ? take_most : take_least;
    for (int64_t i = 0; i < run->columns; i += PIECE) {
        size_t bytes = (size_t)halo_min(PIECE, run->columns - i) * sizeof(int32_t);
        halo_message out = {.rank = to, .data = prefix->all + i, .bytes = bytes};
        halo_message in = {.rank = from, .data = prefix->received + i, .bytes = bytes};
        HALO_TRY(halo_sendrecv(run->world, &out, sends, &in, receives));
    }
    if (receives) {
        merge(prefix->others, prefix->received, run->columns);
        merge(prefix->all, prefix->received, run->columns);
    }
    return HALO_OK;
}

/* Collective. `mine` becomes what the ranks before this one have. */
static halo_status share(const distance_run *run, int32_t *mine, int32_t *memory, int sign)
{
    int64_t n = run->columns;
    const carry_prefix prefix = {.all = memory, .others = mine, .received = memory + n};
    memcpy(prefix.all, mine, (size_t)n * sizeof *mine);
    fill(mine, n, sign > 0 ? DISTANCE_NONE_ABOVE : DISTANCE_NONE_BELOW);
    for (int step = 1; step < halo_world_ranks(run->world); step *= 2) {
        HALO_TRY(pass(run, &prefix, sign * step, sign > 0));
    }
    return HALO_OK;
}

halo_status distance_carry_share(distance_run *run)
{
    int ranks = halo_world_ranks(run->world);
    if (ranks > 1) {
        int32_t *memory;
        HALO_TRY(halo_agree(
            run->world, HALO_ALLOCATE_LARGE(memory, 2 * run->columns, "columns of other ranks")));
        halo_status status = share(run, run->above, memory, 1);
        HALO_IF_OK(status, share(run, run->below, memory, -1));
        halo_memory_free(memory);
        HALO_TRY(halo_agree(run->world, status));
    } else {
        fill(run->above, run->columns, DISTANCE_NONE_ABOVE);
        fill(run->below, run->columns, DISTANCE_NONE_BELOW);
    }
    if (run->edge[0]) {
        const int32_t before = -1, behind = (int32_t)run->layers;
        for (int64_t i = 0; i < run->columns; i++) {
            run->above[i] = run->above[i] > before ? run->above[i] : before;
            run->below[i] = run->below[i] < behind ? run->below[i] : behind;
        }
    }
    return HALO_OK;
}

/* ---- blocks one after the other -------------------------------------------------------------- */

void distance_carry_begin(distance_run *run, int64_t block)
{
    int32_t *next = run->next + block * run->columns;
    int64_t begin = run->first + block * run->block;
    take_least(next, run->below, run->columns);
    run->ops->enter(next, run->columns, (int32_t)(begin + layers_of(run, block)), 1, run->state);
    scan_block(run, block, true, DISTANCE_STORE);
    run->ops->enter(run->above, run->columns, (int32_t)(begin - 1), -1, run->state);
    scan_block(run, block, false, DISTANCE_LEAST);
}

void distance_carry_end(distance_run *run, int64_t block)
{
    int64_t end = run->first + block * run->block + layers_of(run, block);
    run->ops->leave(run->state, run->columns, (int32_t)(end - 1), -1, run->above);
}
