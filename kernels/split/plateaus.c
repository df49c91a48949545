#include "core/world/watch.h"
#include "kernels/split/split_internal.h"

#include <stdlib.h>

/* Step 2: flat cells point to a neighbour of their plateau that is nearer to a cell that points out
 * of it. Steps are those of the shortest path within the plateau; strips lower them until none
 * changes. */

/* Returns the steps of a cell: 0 of those that have a way from step 1. */
static inline int32_t steps_of(const halo_split *s, int64_t cell)
{
    return s->ways[cell] < SPLIT_LATER ? 0 : s->numbers[cell];
}

/* The least steps of neighbours of one key, or SPLIT_FAR. */
static int32_t least_around(const halo_split *s, int64_t cell)
{
    uint64_t key = split_key(s, cell);
    int32_t least = SPLIT_FAR;
    for (int k = 0; k < s->around.count; k++) {
        int64_t other = cell + s->around.step[k];
        if (s->ways[other] != SPLIT_OUTSIDE && split_key(s, other) == key) {
            int32_t steps = steps_of(s, other);
            least = steps < least ? steps : least;
        }
    }
    return least;
}

/* Lowers the steps of a flat cell next to its neighbours. */
static halo_status lower(halo_split *s, int64_t cell, split_list *queue, int64_t *lowered)
{
    int32_t least = least_around(s, cell);
    if (least >= s->numbers[cell] - 1) {
        return HALO_OK;
    }
    s->numbers[cell] = least + 1;
    ++*lowered;
    return split_add(queue, cell);
}

/* Lowers steps of this strip from the cells of the queue on, first come first. */
static halo_status spread(halo_split *s, split_list *queue)
{
    int64_t since = 0;
    for (int64_t i = 0; i < queue->count; i++) {
        int64_t cell = queue->cells[i];
        uint64_t key = split_key(s, cell);
        int32_t next = s->numbers[cell] + 1;
        for (int k = 0; k < s->around.count; k++) {
            int64_t other = cell + s->around.step[k];
            if (s->ways[other] == SPLIT_FLAT && s->numbers[other] > next &&
                split_key(s, other) == key && split_is_own(s, other)) {
                s->numbers[other] = next;
                HALO_TRY(split_add(queue, other));
            }
        }
        HALO_TRY(halo_watch_piece(s->world, &since, 1));
    }
    queue->count = 0;
    return HALO_OK;
}

static halo_status start(halo_split *s, split_list *queue)
{
    const split_list *flats = &s->flats;
    for (int64_t i = 0; i < flats->count; i++) {
        s->numbers[flats->cells[i]] = SPLIT_FAR;
    }
    for (int64_t i = 0; i < flats->count; i++) {
        int64_t cell = flats->cells[i];
        uint64_t key = split_key(s, cell);
        bool leaves = false;
        for (int k = 0; k < s->around.count && !leaves; k++) {
            int64_t other = cell + s->around.step[k];
            leaves = s->ways[other] < SPLIT_LATER && split_key(s, other) == key;
        }
        if (leaves) {
            s->numbers[cell] = 1;
            HALO_TRY(split_add(queue, cell));
        }
        HALO_TRY(halo_watch_entry(s->world, i));
    }
    return spread(s, queue);
}

/* Flat cells of the first and the last layer take the halo's steps. */
static halo_status take_halo(halo_split *s, split_list *queue, int64_t *lowered)
{
    const split_list *flats = &s->flats;
    int64_t i = 0;
    for (; i < flats->count && flats->cells[i] < s->first + s->layer; i++) {
        HALO_TRY(lower(s, flats->cells[i], queue, lowered));
    }
    for (int64_t j = flats->count - 1; j >= i && flats->cells[j] >= s->end - s->layer; j--) {
        HALO_TRY(lower(s, flats->cells[j], queue, lowered));
    }
    return spread(s, queue);
}

/* The first neighbour that is a step nearer. */
static uint8_t way_of(const halo_split *s, int64_t cell)
{
    uint64_t key = split_key(s, cell);
    int32_t nearer = s->numbers[cell] - 1;
    int k = 0;
    while (k < s->around.count - 1) {
        int64_t other = cell + s->around.step[k];
        if (s->ways[other] != SPLIT_OUTSIDE && split_key(s, other) == key &&
            steps_of(s, other) == nearer) {
            break;
        }
        k++;
    }
    return (uint8_t)(SPLIT_LATER + k);
}

static halo_status set_ways(halo_split *s)
{
    const split_list *flats = &s->flats;
    for (int64_t i = 0; i < flats->count; i++) {
        int64_t cell = flats->cells[i];
        if (s->numbers[cell] != SPLIT_FAR) {
            s->ways[cell] = way_of(s, cell);
        }
        HALO_TRY(halo_watch_entry(s->world, i));
    }
    for (int64_t i = 0; i < flats->count; i++) {
        int32_t *steps = &s->numbers[flats->cells[i]];
        *steps = *steps == SPLIT_FAR ? SPLIT_FAR : 0;
    }
    return HALO_OK;
}

static halo_status settle(halo_split *s, split_list *queue)
{
    int64_t changed = halo_world_ranks(s->world) - 1;
    HALO_TRY(halo_agree(s->world, start(s, queue)));
    while (changed > 0) {
        changed = 0;
        HALO_TRY(split_exchange(s, s->numbers, sizeof *s->numbers));
        halo_status mine = take_halo(s, queue, &changed);
        HALO_TRY(split_vote(s, mine, &changed));
    }
    return halo_agree(s->world, set_ways(s));
}

halo_status split_cross_plateaus(halo_split *s)
{
    split_list queue = {.cells = NULL};
    halo_status status = settle(s, &queue);
    free(queue.cells);
    return status;
}
