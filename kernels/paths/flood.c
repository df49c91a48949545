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
    ptrdiff_t cell_step[PATHS_STEPS], number_step[PATHS_STEPS];
    ptrdiff_t number_stride[2]; /* bytes of numbers from plane to plane and from row to row */
    bool hops;                  /* add 1 a step, and only between cells of the same distance */
    halo_buffer list;           /* of cells whose neighbours are to be updated */
    int64_t changed;
    halo_status status;
} flood;

/* An owned cell. Rows are numbered through all planes of the part. */
typedef struct {
    int32_t row, x;
} flood_cell;

static flood begin(const halo_paths_map *map, halo_field *numbers)
{
    flood f = {.look = paths_look_at(map), .numbers = halo_field_view(numbers)};
    const ptrdiff_t *stride = f.look.part.stride;
    bool volume = f.numbers->axes == HALO_AXES;
    f.number_stride[0] = volume ? f.numbers->stride[0] : 0;
    f.number_stride[1] = f.numbers->stride[volume ? 1 : 0];
    for (int s = 0; s < f.look.step_count; s++) {
        const paths_step *step = &f.look.steps[s];
        f.cell_step[s] = step->dz * stride[0] + step->dy * stride[1] + step->dx * stride[2];
        f.number_step[s] = step->dz * f.number_stride[0] + step->dy * f.number_stride[1] +
                           step->dx * (ptrdiff_t)sizeof(int32_t);
    }
    return f;
}

static int32_t *number_at(const flood *f, int64_t z, int64_t y, int64_t x)
{
    char *row = (char *)f->numbers->origin + z * f->number_stride[0] + y * f->number_stride[1];
    return (int32_t *)(void *)row + x;
}

static void put(flood *f, int64_t z, int64_t y, int64_t x, int32_t number)
{
    const flood_cell cell = {.row = (int32_t)(z * f->look.part.size[1] + y), .x = (int32_t)x};
    *number_at(f, z, y, x) = number;
    f->changed++;
    f->status = halo_status_first(f->status, halo_buffer_append(&f->list, &cell, sizeof cell));
}

/* True if all steps from the cell lead to cells of the part. */
static inline bool is_inner(const paths_part *part, int64_t z, int64_t y, int64_t x)
{
    enum { REACH = 2 }; /* rows and columns of a step, at most */
    const int64_t *size = part->size;
    return y >= REACH && y < size[1] - REACH && x >= REACH && x < size[2] - REACH &&
           (part->halo[0] == 0 || (z >= 1 && z < size[0] - 1));
}

/* From cell (z, y, x), which may lie in the halo, to those of the part. */
static inline void update_neighbours(flood *f, int64_t z, int64_t y, int64_t x)
{
    const paths_look *look = &f->look;
    const halo_paths_cell *from = paths_cell_at(look, z, y, x);
    const char *own = (const char *)number_at(f, z, y, x);
    int32_t number = *number_at(f, z, y, x);
    if (number == NOTHING || !(from->distance < look->unreached)) {
        return;
    }
    number += f->hops;
    bool inside = is_inner(&look->part, z, y, x);
    for (int s = 0; s < look->step_count; s++) {
        const paths_step *step = &look->steps[s];
        int64_t to_z = z + step->dz, to_y = y + step->dy, to_x = x + step->dx;
        if ((!inside && !paths_is_owned(look, to_z, to_y, to_x)) ||
            *(const int32_t *)(const void *)(own + f->number_step[s]) <= number) {
            continue;
        }
        const halo_paths_cell *to =
            (const halo_paths_cell *)(const void *)((const char *)from + f->cell_step[s]);
        if (to->distance < look->unreached &&
            paths_is_same(paths_look_reach(look, z, y, x, step, from, to), to->distance) &&
            (!f->hops || paths_is_same(to->distance, from->distance))) {
            put(f, to_z, to_y, to_x, number);
        }
    }
}

/* Sets place[] to a cell's plane and row. `volume` is a constant in all calls. */
static inline void find_row(const flood *f, const flood_cell *cell, bool volume, int64_t place[2])
{
    int32_t rows = (int32_t)f->look.part.size[1];
    place[0] = volume ? cell->row / rows : 0;
    place[1] = volume ? cell->row % rows : cell->row;
}

/* Asks for the memory around a cell whose turn comes soon: cells of the front are in many rows. */
static inline void prefetch(const flood *f, size_t at, bool volume)
{
    if (at < f->list.size) {
        const flood_cell *cell = (const flood_cell *)(const void *)(f->list.data + at);
        int64_t place[2];
        find_row(f, cell, volume, place);
        for (int64_t y = place[1] - 1; y <= place[1] + 1; y++) {
            __builtin_prefetch(paths_cell_at(&f->look, place[0], y, cell->x));
            __builtin_prefetch(number_at(f, place[0], y, cell->x));
        }
    }
}

/* About as many cells are done as have changed: few change twice. */
static void watch(flood *f)
{
    int64_t cells = halo_box_cells(&f->look.cells->owned);
    f->status = halo_status_first(
        f->status, halo_watch_work(f->look.map->world, halo_min(f->changed, cells), cells));
}

/* First in, first out: few cells change twice. What is done leaves the list from time to time, so
 * that it becomes no longer than the front. */
static inline void spread_cells(flood *f, bool volume)
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
        prefetch(f, first + AHEAD * sizeof(flood_cell), volume);
        flood_cell cell = *(const flood_cell *)(const void *)(f->list.data + first);
        int64_t place[2];
        find_row(f, &cell, volume, place);
        update_neighbours(f, place[0], place[1], cell.x);
    }
    f->list.size = 0;
}

static void spread(flood *f)
{
    if (f->look.cells->axes == HALO_AXES) {
        spread_cells(f, true);
    } else {
        spread_cells(f, false);
    }
}

static void visit_owned(flood *f, paths_visit *visit)
{
    const int64_t *size = f->look.part.size;
    for (int64_t row = 0; row < size[0] * size[1] && f->status == HALO_OK; row++) {
        const int64_t z = row / size[1], y = row % size[1], columns = size[2];
        watch(f);
        for (int64_t x = 0; x < columns; x++) {
            visit(f, z, y, x);
        }
    }
}

static void visit_halo(flood *f, paths_visit *visit)
{
    paths_part_visit_halo(&f->look.part, visit, f);
}

static void clear_number(void *f, int64_t z, int64_t y, int64_t x)
{
    int32_t *number = number_at(f, z, y, x);
    *number = *number == 0 ? NOTHING : *number;
}

static void restore_number(void *f, int64_t z, int64_t y, int64_t x)
{
    int32_t *number = number_at(f, z, y, x);
    *number = *number == NOTHING ? 0 : *number;
}

/* One source or halo cell after the other: where those with small numbers come first, few cells
 * change twice. */
static void begin_at(void *f, int64_t z, int64_t y, int64_t x)
{
    update_neighbours(f, z, y, x);
    spread(f);
}

static void begin_at_source(void *f, int64_t z, int64_t y, int64_t x)
{
    if (signbit(paths_cell_at(&((const flood *)f)->look, z, y, x)->distance)) {
        begin_at(f, z, y, x);
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

static void begin_hops(void *context, int64_t z, int64_t y, int64_t x)
{
    const flood *f = context;
    const halo_paths_cell *cell = paths_cell_at(&f->look, z, y, x);
    bool reached = cell->distance < f->look.unreached;
    bool leaves = reached && (signbit(cell->distance) || paths_look_back(&f->look, z, y, x) >= 0);
    *number_at(f, z, y, x) = leaves ? 0 : NOTHING;
}

static void clear_hops(void *f, int64_t z, int64_t y, int64_t x)
{
    *number_at(f, z, y, x) = NOTHING;
}

static void begin_hops_at(void *f, int64_t z, int64_t y, int64_t x)
{
    if (*number_at(f, z, y, x) == 0) {
        update_neighbours(f, z, y, x);
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
