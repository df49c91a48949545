#include "core/world/watch.h"
#include "kernels/watershed/watershed_internal.h"

#include <stdlib.h>
#include <string.h>

/* Labels: a cell takes that of its best neighbours, after them. */

/* Directions of a row's cells, and what there is to report of it. */
static void direct_row(halo_watershed *w, int64_t row)
{
    const watershed_key_ops *ops = &w->ops->keys[__builtin_ctz((unsigned)w->bytes)];
    int64_t cell = watershed_row(w, row), size = w->wide ? sizeof(uint32_t) : sizeof(uint8_t);
    ops->best[w->wide](&w->around, watershed_key(w, w->level, cell), w->steps + cell,
                       w->labels + cell, (char *)w->directions + cell * size);
    int64_t reached = 0, inside = 0;
    for (int64_t x = 0; x < w->columns; x++) {
        uint32_t steps = w->steps[cell + x];
        inside += steps != WATERSHED_OUTSIDE;
        reached += steps != WATERSHED_OUTSIDE && steps < WATERSHED_FAR;
    }
    w->report.reached += reached;
    w->report.unreached += inside - reached;
}

/* The arrays that cells are labelled by. */
typedef struct {
    halo_watershed *w;
    uint8_t *narrow; /* directions, of one or the other size */
    uint32_t *wider;
    int32_t *labels;
    int64_t step[WATERSHED_NEIGHBOURS];
    watershed_list list; /* cells that wait for the next one in it, or for the cell at hand */
    int64_t since;
} labelling;

/* `wide` is a constant where these are called. */
static inline uint32_t directions_of(const labelling *l, bool wide, int64_t cell)
{
    return wide ? l->wider[cell] : l->narrow[cell];
}

static inline void give_label(const labelling *l, bool wide, int64_t cell, int32_t label)
{
    l->labels[cell] = label;
    if (wide) {
        l->wider[cell] = 0;
    } else {
        l->narrow[cell] = 0;
    }
}

static inline bool is_single(uint32_t directions)
{
    return (directions & (directions - 1)) == 0;
}

/* Labels a cell if its best neighbours have labels; otherwise *waits is one that has none, and is
 * -1 if not. */
static inline halo_status label_cell(labelling *l, bool wide, int64_t cell, int64_t *waits)
{
    uint32_t all = directions_of(l, wide, cell);
    int32_t label = l->labels[cell + l->step[__builtin_ctz(all)]];
    bool differ = false;
    for (uint32_t left = all; left != 0; left &= left - 1) {
        int64_t other = cell + l->step[__builtin_ctz(left)];
        if (directions_of(l, wide, other) != 0) {
            *waits = other;
            return HALO_OK;
        }
        differ |= l->labels[other] != label;
    }
    if (differ) {
        HALO_TRY(watershed_decide(l->w, cell, all, &label));
    }
    give_label(l, wide, cell, label);
    *waits = -1;
    return HALO_OK;
}

/* A cell has its label now: so have those that wait for nothing else. Returns the next one that
 * waits, for this cell among others, which then is not in the list any more; or -1. */
static inline int64_t pass_label(labelling *l, bool wide, int64_t cell)
{
    int32_t label = l->labels[cell];
    while (l->list.count > 0) {
        int64_t waiting = l->list.cells[--l->list.count];
        if (!is_single(directions_of(l, wide, waiting))) {
            return waiting;
        }
        give_label(l, wide, waiting, label);
    }
    return -1;
}

/* Labels a cell and all that it waits for. */
static inline halo_status label_from(labelling *l, bool wide, int64_t cell)
{
    while (cell >= 0) {
        uint32_t open = directions_of(l, wide, cell);
        int64_t waits = -1;
        if (open != 0 && is_single(open)) {
            waits = cell + l->step[__builtin_ctz(open)];
        } else if (open != 0) {
            HALO_TRY(label_cell(l, wide, cell, &waits));
        }
        if (waits >= 0) {
            HALO_TRY(watershed_add(&l->list, cell));
            HALO_TRY(halo_watch_piece(l->w->world, &l->since, 1));
            cell = waits;
        } else {
            cell = pass_label(l, wide, cell);
        }
    }
    return HALO_OK;
}

/* Most cells have one best neighbour, and every other one has its label already. */
static inline halo_status label_row(labelling *l, bool wide, int64_t row)
{
    int64_t first = watershed_row(l->w, row), end = first + l->w->columns;
    for (int64_t cell = first; cell < end; cell++) {
        uint32_t open = directions_of(l, wide, cell);
        if (open == 0) {
            continue;
        }
        int64_t other = cell + l->step[__builtin_ctz(open)];
        if (is_single(open) && directions_of(l, wide, other) == 0) {
            give_label(l, wide, cell, l->labels[other]);
        } else {
            HALO_TRY(label_from(l, wide, cell));
        }
    }
    return watershed_watch(l->w, 2);
}

static halo_status label_strip(halo_watershed *w)
{
    labelling l = {.w = w, .narrow = w->directions, .wider = w->directions, .labels = w->labels};
    halo_status status = HALO_OK;
    memcpy(l.step, w->step, sizeof l.step);
    for (int64_t row = 0; row < watershed_rows(w) && status == HALO_OK; row++) {
        status = w->wide ? label_row(&l, true, row) : label_row(&l, false, row);
    }
    free(l.list.cells);
    return status;
}

static halo_status direct_strip(halo_watershed *w)
{
    size_t size = w->wide ? sizeof(uint32_t) : sizeof(uint8_t);
    memset(w->directions, 0, (size_t)w->cells * size);
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        direct_row(w, row);
        HALO_TRY(watershed_watch(w, 1));
    }
    return HALO_OK;
}

halo_status watershed_label(halo_watershed *w)
{
    bool alone = halo_world_ranks(w->world) == 1;
    halo_status status = direct_strip(w);
    if (!alone) {
        status = halo_agree(w->world, status);
        HALO_IF_OK(status, watershed_exchange_entries(w));
        HALO_IF_OK(status, watershed_nodes_create(w));
    }
    HALO_IF_OK(status, label_strip(w));
    HALO_TRY(halo_agree(w->world, status));
    return alone ? HALO_OK : watershed_nodes_settle(w);
}
