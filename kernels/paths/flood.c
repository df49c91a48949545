#include "base/memory.h"
#include "base/minmax.h"
#include "core/exchange/exchange.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/paths/map.h"

#include <stdlib.h>
#include <string.h>

/* Whole numbers that spread from cell to cell along tight steps, the smallest of those that come:
 * numbers of sources, and hops within a plateau. Each rank spreads those of its part until nothing
 * changes, then halos are exchanged, until nothing changes anywhere. */

static const int32_t NOTHING = INT32_MAX;

typedef struct {
    paths_look look;
    const halo_view *numbers;
    /* Bytes from a cell, and from its number, to those at the end of each step. */
    ptrdiff_t cell_step[HALO_PATHS_NEIGHBOURS], number_step[HALO_PATHS_NEIGHBOURS];
    bool hops;        /* add 1 a step, and only between cells of the same distance */
    halo_buffer list; /* of cells whose neighbours are to be updated: row, column */
    int64_t changed;
    halo_status status;
} flood;

typedef struct {
    int32_t y, x;
} flood_cell;

static flood begin(const halo_paths_map *map, halo_field *numbers)
{
    flood f = {.look = paths_look_at(map), .numbers = halo_field_view(numbers)};
    for (int s = 0; s < f.look.step_count; s++) {
        const halo_paths_step *step = &f.look.steps[s];
        f.cell_step[s] =
            step->dy * map->cells->stride[0] + step->dx * (ptrdiff_t)sizeof(halo_paths_cell);
        f.number_step[s] = step->dy * f.numbers->stride[0] + step->dx * (ptrdiff_t)sizeof(int32_t);
    }
    return f;
}

static int32_t *number_at(const flood *f, int64_t y, int64_t x)
{
    return (int32_t *)halo_row(f->numbers, y) + x;
}

static void put(flood *f, int64_t y, int64_t x, int32_t number)
{
    const flood_cell cell = {.y = (int32_t)y, .x = (int32_t)x};
    *number_at(f, y, x) = number;
    f->changed++;
    f->status = halo_status_first(f->status, halo_buffer_append(&f->list, &cell, sizeof cell));
}

/* From cell (y, x), which may lie in the halo, to those of the part. */
static void update_neighbours(flood *f, int64_t y, int64_t x)
{
    enum { REACH = 2 }; /* rows and columns of a step, at most */
    const paths_look *look = &f->look;
    const halo_paths_cell *from = paths_cell_at(look, y, x);
    const char *own = (const char *)number_at(f, y, x);
    int32_t number = *number_at(f, y, x);
    if (number == NOTHING || !(from->distance < look->unreached)) {
        return;
    }
    number += f->hops;
    bool inside = y >= REACH && y < look->rows - REACH && x >= REACH && x < look->columns - REACH;
    for (int s = 0; s < look->step_count; s++) {
        const halo_paths_step *step = &look->steps[s];
        int64_t to_y = y + step->dy, to_x = x + step->dx;
        if ((!inside && !paths_is_owned(look, to_y, to_x)) ||
            *(const int32_t *)(const void *)(own + f->number_step[s]) <= number) {
            continue;
        }
        const halo_paths_cell *to =
            (const halo_paths_cell *)(const void *)((const char *)from + f->cell_step[s]);
        if (to->distance < look->unreached &&
            paths_is_same(paths_look_reach(look, y, x, step, from, to), to->distance) &&
            (!f->hops || paths_is_same(to->distance, from->distance))) {
            put(f, to_y, to_x, number);
        }
    }
}

/* Asks for the memory around a cell whose turn comes soon: cells of the front are in many rows. */
static inline void prefetch(const flood *f, size_t at)
{
    if (at < f->list.size) {
        const flood_cell *cell = (const flood_cell *)(const void *)(f->list.data + at);
        for (int64_t y = cell->y - 1; y <= cell->y + 1; y++) {
            __builtin_prefetch(paths_cell_at(&f->look, y, cell->x));
            __builtin_prefetch(number_at(f, y, cell->x));
        }
    }
}

/* About as many cells are done as have changed: few change twice. */
static void watch(flood *f)
{
    int64_t cells = f->look.rows * f->look.columns;
    f->status = halo_status_first(
        f->status, halo_watch_work(f->look.map->world, halo_min(f->changed, cells), cells));
}

/* First in, first out: few cells change twice. What is done leaves the list from time to time, so
 * that it becomes no longer than the front. */
static void spread(flood *f)
{
    enum { CELLS = 4096, AHEAD = 12 };
    const size_t most = CELLS * sizeof(flood_cell);
    size_t first = 0;
    for (; first < f->list.size && f->status == HALO_OK; first += sizeof(flood_cell)) {
        if (first >= most && first >= f->list.size / 2) {
            f->list.size -= first;
            memmove(f->list.data, f->list.data + first, f->list.size);
            first = 0;
            watch(f);
        }
        prefetch(f, first + AHEAD * sizeof(flood_cell));
        flood_cell cell = *(const flood_cell *)(const void *)(f->list.data + first);
        update_neighbours(f, cell.y, cell.x);
    }
    f->list.size = 0;
}

typedef void visit_cell(flood *f, int64_t y, int64_t x);

static void visit_owned(flood *f, visit_cell *visit)
{
    for (int64_t y = 0; y < f->look.rows && f->status == HALO_OK; y++) {
        watch(f);
        for (int64_t x = 0; x < f->look.columns; x++) {
            visit(f, y, x);
        }
    }
}

static void visit_halo(flood *f, visit_cell *visit)
{
    int64_t depth = f->numbers->depth, side = f->numbers->side_depth;
    if (f->look.rows * f->look.columns == 0) {
        return; /* there is no halo either */
    }
    for (int64_t y = -depth; y < f->look.rows + depth; y++) {
        bool owned = y >= 0 && y < f->look.rows;
        for (int64_t x = -side; x < f->look.columns + side; x++) {
            x = owned && x == 0 ? f->look.columns : x;
            if (x < f->look.columns + side) {
                visit(f, y, x);
            }
        }
    }
}

static void clear_number(flood *f, int64_t y, int64_t x)
{
    if (*number_at(f, y, x) == 0) {
        *number_at(f, y, x) = NOTHING;
    }
}

static void restore_number(flood *f, int64_t y, int64_t x)
{
    if (*number_at(f, y, x) == NOTHING) {
        *number_at(f, y, x) = 0;
    }
}

/* One source or halo cell after the other: where those with small numbers come first, few cells
 * change twice. */
static void begin_at(flood *f, int64_t y, int64_t x)
{
    update_neighbours(f, y, x);
    spread(f);
}

static void begin_at_source(flood *f, int64_t y, int64_t x)
{
    if (signbit(paths_cell_at(&f->look, y, x)->distance)) {
        begin_at(f, y, x);
    }
}

static halo_status run_rounds(flood *f, halo_exchange *exchange)
{
    halo_world *world = f->look.map->world;
    do {
        HALO_TRY(halo_agree(world, f->status));
        HALO_TRY(halo_agree(world, halo_exchange_begin(exchange)));
        HALO_TRY(halo_agree(world, halo_exchange_end(exchange)));
        f->changed = 0;
        visit_halo(f, begin_at);
        HALO_TRY(halo_allreduce_sum(world, &f->changed, 1));
    } while (f->changed > 0);
    return halo_agree(world, f->status);
}

static halo_status run(flood *f, halo_field *numbers)
{
    const halo_paths_map *map = f->look.map;
    const halo_exchange_options options = {.mode = map->exchange, .corners = true};
    halo_exchange *exchange = NULL;
    HALO_TRY(halo_exchange_create(&exchange, map->world, map->partition, &numbers, 1, &options));
    halo_status status = run_rounds(f, exchange);
    halo_exchange_destroy(&exchange);
    halo_buffer_free(&f->list);
    return status;
}

halo_status halo_paths_nearest(const halo_paths_map *map, halo_field *numbers)
{
    flood f = begin(map, numbers);
    visit_owned(&f, clear_number);
    visit_halo(&f, clear_number);
    visit_owned(&f, begin_at_source);
    HALO_TRY(run(&f, numbers));
    visit_owned(&f, restore_number);
    return halo_agree(map->world, f.status);
}

static void begin_hops(flood *f, int64_t y, int64_t x)
{
    const halo_paths_cell *cell = paths_cell_at(&f->look, y, x);
    bool reached = cell->distance < f->look.unreached;
    bool leaves = reached && (signbit(cell->distance) || paths_look_back(&f->look, y, x) >= 0);
    *number_at(f, y, x) = leaves ? 0 : NOTHING;
}

static void clear_hops(flood *f, int64_t y, int64_t x)
{
    *number_at(f, y, x) = NOTHING;
}

static void begin_hops_at(flood *f, int64_t y, int64_t x)
{
    if (*number_at(f, y, x) == 0) {
        update_neighbours(f, y, x);
    }
}

halo_status paths_find_hops(const halo_paths_map *map, halo_field *hops)
{
    flood f = begin(map, hops);
    f.hops = true;
    visit_owned(&f, begin_hops);
    visit_halo(&f, clear_hops);
    visit_owned(&f, begin_hops_at); /* all of them first: then hops come in order */
    spread(&f);
    return run(&f, hops);
}
