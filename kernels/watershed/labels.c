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

/* Labels a cell if its best neighbours have labels; otherwise returns one that has none, or the
 * cell itself. `wide` is a constant where this is called. */
static inline halo_status label_cell(halo_watershed *w, bool wide, int64_t cell, int64_t *waits)
{
    uint8_t *narrow = w->directions;
    uint32_t *wider = w->directions, all = wide ? wider[cell] : narrow[cell], left = all;
    int64_t other = cell + w->step[__builtin_ctz(left)];
    int32_t label = w->labels[other];
    bool differ = false;
    for (;;) {
        if ((wide ? wider[other] : narrow[other]) != 0) {
            *waits = other;
            return HALO_OK;
        }
        differ |= w->labels[other] != label;
        left &= left - 1;
        if (left == 0) {
            break;
        }
        other = cell + w->step[__builtin_ctz(left)];
    }
    if (differ) {
        HALO_TRY(watershed_decide(w, cell, all, &label));
    }
    w->labels[cell] = label;
    if (wide) {
        wider[cell] = 0;
    } else {
        narrow[cell] = 0;
    }
    *waits = -1;
    return HALO_OK;
}

/* Labels a cell and all that it waits for: the last cell of the list comes first. */
static inline halo_status label_from(halo_watershed *w, bool wide, int64_t cell,
                                     watershed_list *list)
{
    int64_t since = 0;
    while (cell >= 0) {
        int64_t waits;
        HALO_TRY(label_cell(w, wide, cell, &waits));
        if (waits >= 0) {
            HALO_TRY(watershed_add(list, cell));
            HALO_TRY(halo_watch_piece(w->world, &since, 1));
            cell = waits;
        } else {
            cell = list->count > 0 ? list->cells[--list->count] : -1;
        }
    }
    return HALO_OK;
}

/* Most cells have one best neighbour, and every other one has its label already. */
static inline halo_status label_row(halo_watershed *w, bool wide, int64_t row, watershed_list *list)
{
    uint8_t *narrow = w->directions;
    uint32_t *wider = w->directions;
    int32_t *labels = w->labels;
    int64_t step[WATERSHED_NEIGHBOURS], first = watershed_row(w, row), end = first + w->columns;
    memcpy(step, w->step, sizeof step);
    for (int64_t cell = first; cell < end; cell++) {
        uint32_t open = wide ? wider[cell] : narrow[cell];
        if (open == 0) {
            continue;
        }
        int64_t other = cell + step[__builtin_ctz(open)];
        bool single = (open & (open - 1)) == 0;
        if (!single || (wide ? wider[other] : narrow[other]) != 0) {
            HALO_TRY(label_from(w, wide, cell, list));
            continue;
        }
        labels[cell] = labels[other];
        if (wide) {
            wider[cell] = 0;
        } else {
            narrow[cell] = 0;
        }
    }
    return watershed_watch(w, 2);
}

static halo_status label_strip(halo_watershed *w)
{
    watershed_list list = {.cells = NULL};
    halo_status status = HALO_OK;
    for (int64_t row = 0; row < watershed_rows(w) && status == HALO_OK; row++) {
        status = w->wide ? label_row(w, true, row, &list) : label_row(w, false, row, &list);
    }
    free(list.cells);
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
