#include "base/minmax.h"
#include "core/world/watch.h"
#include "kernels/watershed/watershed_internal.h"

#include <stdlib.h>
#include <string.h>

/* D: steps on a level to the cells that have a lower neighbour, or are markers, from generation to
 * generation. */

static const watershed_key_ops *ops_of(const halo_watershed *w)
{
    return &w->ops->keys[__builtin_ctz((unsigned)w->bytes)];
}

/* Steps of the halo are unknown at first. */
static halo_status find_sources(halo_watershed *w)
{
    size_t halo = (size_t)w->layer * sizeof *w->steps;
    memset(w->steps + w->first - w->layer, 0, halo);
    memset(w->steps + w->end, 0, halo);
    for (int64_t row = 0; row < watershed_rows(w); row++) {
        int64_t cell = watershed_row(w, row);
        ops_of(w)->sources(&w->around, watershed_key(w, w->level, cell), w->labels + cell,
                           w->steps + cell);
        HALO_TRY(watershed_watch(w, 1));
    }
    return HALO_OK;
}

/* Cells of a front, and of the next one. */
typedef struct {
    watershed_list now, next;
    int64_t lowered;
} front;

#define DEFINE_SPREAD(key)                                                                      \
    static halo_status spread_##key(halo_watershed *w, front *f, int64_t cell)                  \
    {                                                                                           \
        const key *level = w->level, here = level[cell];                                        \
        uint32_t more = w->steps[cell] + 1;                                                     \
        for (int k = 0; k < w->neighbours; k++) {                                               \
            int64_t other = cell + w->step[k];                                                  \
            if (level[other] == here && w->steps[other] > more && watershed_is_own(w, other)) { \
                w->steps[other] = more;                                                         \
                HALO_TRY(watershed_add(&f->next, other));                                       \
            }                                                                                   \
        }                                                                                       \
        return HALO_OK;                                                                         \
    }                                                                                           \
    static bool lower_##key(halo_watershed *w, int64_t cell)                                    \
    {                                                                                           \
        const key *level = w->level;                                                            \
        uint32_t least = UINT32_MAX;                                                            \
        for (int k = 0; k < w->neighbours; k++) {                                               \
            int64_t other = cell + w->step[k];                                                  \
            uint32_t less = w->steps[other] - 1;                                                \
            least = level[other] == level[cell] && less < least ? less : least;                 \
        }                                                                                       \
        bool falls = least < WATERSHED_FAR && least + 2 < w->steps[cell];                       \
        w->steps[cell] = falls ? least + 2 : w->steps[cell];                                    \
        return falls;                                                                           \
    }
DEFINE_SPREAD(uint8_t)
DEFINE_SPREAD(uint16_t)
DEFINE_SPREAD(uint32_t)
DEFINE_SPREAD(uint64_t)

static halo_status (*const spreads[WATERSHED_KEYS])(halo_watershed *, front *, int64_t) = {
    spread_uint8_t, spread_uint16_t, spread_uint32_t, spread_uint64_t};
static bool (*const lowers[WATERSHED_KEYS])(halo_watershed *, int64_t) = {
    lower_uint8_t, lower_uint16_t, lower_uint32_t, lower_uint64_t};

/* Collects the cells of `count` rows that are next to a source, or farther from one than a
 * neighbour says. They are lowered after all are found, so that all are of one generation. */
static halo_status start_front(halo_watershed *w, front *f, int64_t first, int64_t count)
{
    for (int64_t row = first; row < first + count; row++) {
        int64_t cell = watershed_row(w, row);
        if (ops_of(w)->nears(&w->around, watershed_key(w, w->level, cell), w->steps + cell,
                             w->flags)) {
            for (int64_t x = 0; x < w->columns; x++) {
                HALO_TRY(w->flags[x] != 0 ? watershed_add(&f->next, cell + x) : HALO_OK);
            }
        }
        HALO_TRY(watershed_watch(w, 0));
    }
    return HALO_OK;
}

static halo_status run_front(halo_watershed *w, front *f)
{
    int size = __builtin_ctz((unsigned)w->bytes);
    int64_t since = 0;
    for (int64_t i = 0; i < f->next.count; i++) {
        lowers[size](w, f->next.cells[i]);
    }
    while (f->next.count > 0) {
        watershed_list done = f->now;
        f->now = f->next;
        f->next = done;
        f->next.count = 0;
        f->lowered += f->now.count;
        for (int64_t i = 0; i < f->now.count; i++) {
            HALO_TRY(spreads[size](w, f, f->now.cells[i]));
            HALO_TRY(halo_watch_piece(w->world, &since, 1));
        }
    }
    return HALO_OK;
}

static halo_status settle_strip(halo_watershed *w, front *f)
{
    HALO_TRY(start_front(w, f, 0, watershed_rows(w)));
    return run_front(w, f);
}

static halo_status take_halo(halo_watershed *w, front *f)
{
    int64_t rows = watershed_rows(w), border = halo_min(w->layer_rows, rows);
    HALO_TRY(start_front(w, f, 0, border));
    HALO_TRY(rows > border ? start_front(w, f, rows - border, border) : HALO_OK);
    return run_front(w, f);
}

halo_status watershed_settle_steps(halo_watershed *w)
{
    front f = {.lowered = 0};
    int64_t changed = halo_world_ranks(w->world) - 1;
    halo_status status = find_sources(w);
    HALO_IF_OK(status, settle_strip(w, &f));
    status = halo_agree(w->world, status);
    while (status == HALO_OK && changed > 0) {
        f.lowered = 0;
        status = watershed_exchange(w, w->steps, sizeof *w->steps);
        if (status == HALO_OK) {
            halo_status mine = take_halo(w, &f);
            changed = f.lowered;
            status = watershed_vote(w, mine, &changed);
        }
    }
    free(f.now.cells);
    free(f.next.cells);
    return status;
}
