#include "base/memory.h"
#include "core/world/watch.h"
#include "kernels/watershed/watershed_internal.h"

#include <stdlib.h>
#include <string.h>

/* Regional minima. A cell is none if a neighbour is lower; and neither is a cell with a neighbour
 * of the same key that is none, from cell to cell of a plateau. What is left are minima. A row is
 * looked at when the rows around it are known, and the plateau at hand is followed at once, while
 * it is in the cache. */

typedef struct {
    halo_watershed *w;
    void *keys;
    watershed_list stack;
    int64_t changed;
} search;

static const watershed_key_ops *ops_of(const halo_watershed *w)
{
    return &w->ops->keys[__builtin_ctz((unsigned)w->bytes)];
}

/* Cells of the stack are no minima, and neither are those of their plateaus. */
#define DEFINE_FOLLOW(key)                                                                \
    static halo_status follow_##key(search *s)                                            \
    {                                                                                     \
        const halo_watershed *w = s->w;                                                   \
        const key *keys = s->keys;                                                        \
        int64_t since = 0;                                                                \
        while (s->stack.count > 0) {                                                      \
            int64_t cell = s->stack.cells[--s->stack.count];                              \
            s->changed++;                                                                 \
            for (int k = 0; k < w->neighbours; k++) {                                     \
                int64_t other = cell + w->step[k];                                        \
                if (w->states[other] == WATERSHED_MINIMUM && keys[other] == keys[cell] && \
                    watershed_is_own(w, other)) {                                         \
                    w->states[other] = WATERSHED_FALLS;                                   \
                    HALO_TRY(watershed_add(&s->stack, other));                            \
                }                                                                         \
            }                                                                             \
            HALO_TRY(halo_watch_piece(w->world, &since, 1));                              \
        }                                                                                 \
        return HALO_OK;                                                                   \
    }
DEFINE_FOLLOW(uint8_t)
DEFINE_FOLLOW(uint16_t)
DEFINE_FOLLOW(uint32_t)
DEFINE_FOLLOW(uint64_t)

static halo_status follow(search *s)
{
    static halo_status (*const follows[WATERSHED_KEYS])(search *) = {
        follow_uint8_t, follow_uint16_t, follow_uint32_t, follow_uint64_t};
    return follows[__builtin_ctz((unsigned)s->w->bytes)](s);
}

/* Follows plateaus from the cells of a row that are next to a cell that is no minimum. */
static halo_status leave_row(search *s, int64_t row)
{
    halo_watershed *w = s->w;
    int64_t cell = watershed_row(w, row);
    if (!ops_of(w)->leaves(&w->around, watershed_key(w, s->keys, cell), w->states + cell,
                           w->flags)) {
        return HALO_OK;
    }
    for (int64_t x = 0; x < w->columns; x++) {
        if (w->flags[x] != 0 && w->states[cell + x] == WATERSHED_MINIMUM) {
            w->states[cell + x] = WATERSHED_FALLS;
            HALO_TRY(watershed_add(&s->stack, cell + x));
            HALO_TRY(follow(s));
        }
    }
    return HALO_OK;
}

/* Cells on an edge of the domain are no minima. */
static void close_edges(halo_watershed *w, int64_t row, int axes)
{
    bool volume = w->domain.axes == HALO_AXES;
    int64_t layer = row / w->layer_rows, y = row % w->layer_rows;
    bool edge =
        axes > 1 && ((layer == 0 && w->before < 0) || (layer == w->layers - 1 && w->after < 0) ||
                     (volume && (y == 0 || y == w->layer_rows - 1)));
    uint8_t *states = w->states + watershed_row(w, row);
    for (int64_t x = 0; x < w->columns; x += edge || w->columns == 1 ? 1 : w->columns - 1) {
        states[x] = states[x] == WATERSHED_NO_STATE ? states[x] : WATERSHED_FALLS;
    }
}

/* Rows are looked at so many rows late: then those around them are known. */
static halo_status search_strip(search *s, bool borders, int axes)
{
    halo_watershed *w = s->w;
    int64_t rows = watershed_rows(w), late = w->domain.axes == HALO_AXES ? w->layer_rows + 1 : 1;
    for (int64_t row = 0; row < rows + late; row++) {
        if (row < rows) {
            int64_t cell = watershed_row(w, row);
            ops_of(w)->compare(&w->around, watershed_key(w, s->keys, cell), w->states + cell);
            if (!borders) {
                close_edges(w, row, axes);
            }
        }
        HALO_TRY(row >= late ? leave_row(s, row - late) : HALO_OK);
        HALO_TRY(watershed_watch(w, 1));
    }
    return HALO_OK;
}

/* Cells of the first and the last layer take the halo's states. */
static halo_status take_halo(search *s)
{
    int64_t rows = watershed_rows(s->w), border = s->w->layer_rows;
    for (int64_t row = 0; row < rows; row++) {
        row = row == border && rows > 2 * border ? rows - border : row;
        HALO_TRY(leave_row(s, row));
    }
    return HALO_OK;
}

static halo_status settle(search *s, bool borders, int axes)
{
    halo_watershed *w = s->w;
    int64_t changed = halo_world_ranks(w->world) - 1;
    if (changed > 0) {
        HALO_TRY(watershed_exchange(w, s->keys, (size_t)w->bytes));
    }
    HALO_TRY(halo_agree(w->world, search_strip(s, borders, axes)));
    while (changed > 0) {
        s->changed = 0;
        HALO_TRY(watershed_exchange(w, w->states, sizeof *w->states));
        halo_status mine = take_halo(s);
        changed = s->changed;
        HALO_TRY(watershed_vote(w, mine, &changed));
    }
    return HALO_OK;
}

/* Inside unless the mask says otherwise. */
static halo_status create_states(halo_watershed *w)
{
    if (w->states == NULL) {
        HALO_TRY(HALO_ALLOCATE_LARGE(w->states, (size_t)w->cells, "the minima of a strip"));
    }
    memset(w->states + w->first - w->layer, WATERSHED_NO_STATE, (size_t)w->layer);
    memset(w->states + w->end, WATERSHED_NO_STATE, (size_t)w->layer);
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        int64_t cell = watershed_row(w, row);
        memset(w->states + cell, WATERSHED_MINIMUM, (size_t)w->columns);
        for (int64_t x = 0; x < w->columns && w->masked; x++) {
            w->states[cell + x] =
                w->steps[cell + x] == WATERSHED_OUTSIDE ? WATERSHED_NO_STATE : WATERSHED_MINIMUM;
        }
    }
    return HALO_OK;
}

halo_status watershed_find_regional(halo_watershed *w, void *keys, bool borders, int axes)
{
    search s = {.w = w, .keys = keys};
    halo_status status = halo_agree(w->world, create_states(w));
    HALO_IF_OK(status, settle(&s, borders, axes));
    free(s.stack.cells);
    return status;
}
