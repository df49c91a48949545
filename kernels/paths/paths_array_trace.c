#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/paths/map.h"
#include "kernels/paths/paths_array_internal.h"

#include <inttypes.h>
#include <stdlib.h>

/* Paths on an array in memory. A path is followed in tiles, cells around it that are made of costs
 * and distances as they are needed. Within plateaus of one distance, where costs are 0, it depends
 * on cells far away which way is the shortest: cells of the whole array are made then. */

/* The cells of a tile along an axis, without its halo, and a row with it. */
enum { SIDE = 64, VOLUME_SIDE = 16, DEPTH = 2, PITCH = SIDE + 2 * DEPTH };

typedef struct {
    array_call *call;
    halo_world *world;
    halo_array costs, distances;  /* of 2 or 3 axes */
    const halo_paths_place *ends; /* [end_count] */
    halo_paths_place *sources;    /* [source_count], sorted */
    int64_t end_count, source_count;
    halo_paths_volume volume;
    halo_domain domain;
    halo_view view; /* of the tile */
    paths_look look;
    halo_paths_map map;
    halo_buffer stops; /* of the paths that were followed to their sources */
    halo_paths_trail *trail;
} tracing;

/* ---- cells ----------------------------------------------------------------------------------- */

static int compare_places(const void *x, const void *y)
{
    const halo_paths_place *a = x, *b = y;
    int64_t order = a->row != b->row ? a->row - b->row : a->column - b->column;
    return order < 0 ? -1 : order > 0;
}

static bool is_source(const tracing *t, const halo_paths_place *place)
{
    return bsearch(place, t->sources, (size_t)t->source_count, sizeof *place, compare_places) !=
           NULL;
}

/* Makes the cells of columns `first` to `first + count - 1` of a row, without sources. */
static void make_row(const tracing *t, int64_t row, int64_t first, int64_t count, char *samples,
                     double *distances, halo_paths_cell *cells)
{
    halo_paths_cost_range range = HALO_PATHS_NO_COSTS;
    const halo_array costs = array_with_axes(&t->costs, HALO_AXES),
                     from = array_with_axes(&t->distances, HALO_AXES);
    const int64_t z = row / costs.n[1], y = row % costs.n[1];
    array_get(&costs, z, y, first, count, samples);
    array_get(&from, z, y, first, count, distances);
    paths_array_make_cells(&t->costs, samples, count, &t->volume.options, &range, cells);
    for (int64_t x = 0; x < count; x++) {
        cells[x].distance = fabs(distances[x]);
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Places the tile so that a cell of the array is in its middle if possible. */
static void place_tile(tracing *t, const halo_paths_place *to)
{
    int axes = t->view.axes, before = HALO_AXES - axes;
    int64_t at[HALO_AXES], side = axes == HALO_AXES ? VOLUME_SIDE : SIDE;
    const paths_part *part = &t->look.part;
    paths_find_local(part, to, at);
    for (int axis = 0; axis < axes; axis++) {
        int64_t all = t->domain.n[axis], place = at[before + axis] + part->lo[before + axis];
        int64_t n = halo_min(side, all);
        t->view.owned.n[axis] = n;
        t->view.owned.lo[axis] = halo_min(halo_max(place - side / 2, 0), all - n);
    }
    t->look = paths_look_at(&t->map);
}

/* Makes row (z, y) of the tile and its halo, local indices. Beyond the array's ends nothing is a
 * way back. */
static void make_tile_row(const tracing *t, int64_t z, int64_t y)
{
    static const halo_paths_cell beyond = {HUGE_VAL, HUGE_VAL};
    _Alignas(double) char samples[PITCH * sizeof(double)];
    double distances[PITCH];
    const paths_part *part = &t->look.part;
    const int64_t lo = part->lo[2], end = lo + part->size[2] + part->halo[2];
    const int64_t first = halo_max(lo - part->halo[2], 0), last = halo_min(end, part->n[2]);
    halo_paths_cell *row = (halo_paths_cell *)(uintptr_t)paths_cell_at(&t->look, z, y, 0) - lo;
    for (int64_t x = lo - part->halo[2]; x < end; x++) {
        row[x] = beyond;
    }
    if (paths_part_is_inside(part, z, y, 0)) {
        make_row(t, paths_place_of(part, z, y, 0).row, first, last - first, samples, distances,
                 row + first);
    }
}

static void move_tile(tracing *t, const halo_paths_place *to)
{
    place_tile(t, to);
    const int64_t *size = t->look.part.size, *halo = t->look.part.halo;
    for (int64_t z = -halo[0]; z < size[0] + halo[0]; z++) {
        for (int64_t y = -halo[1]; y < size[1] + halo[1]; y++) {
            make_tile_row(t, z, y);
        }
    }
}

/* Notes a path from its end on. *followed is false if it meets a plateau. */
static halo_status follow(tracing *t, int64_t end, bool *followed)
{
    halo_paths_stop stop = {.target = end, .at = t->ends[end]};
    for (*followed = true;; stop.step++) {
        int64_t at[HALO_AXES];
        paths_find_local(&t->look.part, &stop.at, at);
        if (!paths_is_owned(&t->look, at[0], at[1], at[2])) {
            HALO_TRY(halo_watch_work(t->world, end, t->end_count));
            move_tile(t, &stop.at);
            paths_find_local(&t->look.part, &stop.at, at);
        }
        stop.distance = paths_cell_at(&t->look, at[0], at[1], at[2])->distance;
        if (!(stop.distance < t->look.unreached) && stop.step == 0) {
            return HALO_OK;
        }
        HALO_TRY(halo_buffer_append(&t->stops, &stop, sizeof stop));
        int step = -1;
        if (stop.distance > 0) {
            step = paths_look_back(&t->look, at[0], at[1], at[2]);
        } else if (is_source(t, &stop.at)) {
            return HALO_OK;
        }
        if (step < 0) {
            *followed = false;
            return HALO_OK;
        }
        paths_go(&t->look.part, &t->look.steps[step], &stop.at);
    }
}

static void reverse(halo_paths_stop *stops, int64_t count)
{
    for (int64_t i = 0, j = count - 1; i < j; i++, j--) {
        halo_paths_stop stop = stops[i];
        stops[i] = stops[j];
        stops[j] = stop;
    }
    for (int64_t i = 0; i < count; i++) {
        stops[i].step = i;
    }
}

static halo_status follow_all(tracing *t, bool *followed)
{
    *followed = true;
    for (int64_t end = 0; end < t->end_count && *followed; end++) {
        size_t begin = t->stops.size;
        HALO_TRY(halo_watch_work(t->world, end, t->end_count));
        HALO_TRY(follow(t, end, followed));
        if (t->stops.size > begin) {
            reverse((halo_paths_stop *)(void *)(t->stops.data + begin),
                    (int64_t)((t->stops.size - begin) / sizeof(halo_paths_stop)));
        }
    }
    return HALO_OK;
}

static halo_status take_stops(tracing *t)
{
    HALO_TRY(HALO_ALLOCATE(t->trail, 1, "a trail"));
    t->trail->count = (int64_t)(t->stops.size / sizeof(halo_paths_stop));
    HALO_TRY(HALO_ALLOCATE_LARGE(t->trail->stops, t->trail->count + 1, "the cells of paths"));
    if (t->stops.size > 0) {
        memcpy(t->trail->stops, t->stops.data, t->stops.size);
    }
    return HALO_OK;
}

/* ---- plateaus -------------------------------------------------------------------------------- */

static halo_status fill_all(tracing *t, const halo_view *cells)
{
    int64_t width = t->domain.n[t->domain.axes - 1], rows = halo_view_rows(cells);
    char *samples = NULL;
    double *distances = NULL;
    halo_status status = HALO_ALLOCATE_LARGE(samples, width * (int64_t)sizeof(double), "a row");
    HALO_IF_OK(status, HALO_ALLOCATE_LARGE(distances, width, "a row of distances"));
    for (int64_t y = 0; y < rows && status == HALO_OK; y++) {
        make_row(t, y, 0, width, samples, distances, halo_view_row(cells, y));
        status = halo_watch_work(t->world, y + 1, rows);
    }
    for (int64_t i = 0; i < t->source_count && status == HALO_OK; i++) {
        const halo_paths_place *at = &t->sources[i];
        halo_paths_cell *cell = (halo_paths_cell *)halo_view_row(cells, at->row) + at->column;
        cell->distance = cell->distance > 0 ? cell->distance : -0.0;
    }
    halo_memory_free(samples);
    halo_memory_free(distances);
    return status;
}

static halo_status trace_all(tracing *t)
{
    enum { CELL_BITS = 8 * sizeof(halo_paths_cell) };
    const double filled = .6;
    const halo_box all = {.n = {t->domain.n[0], t->domain.n[1], t->domain.n[2]}};
    halo_field *cells = NULL;
    halo_partition whole = {0};
    HALO_TRY(halo_partition_strips(&whole, &t->domain, 1));
    halo_status status = halo_field_create(&cells, &t->domain, &all, CELL_BITS, DEPTH);
    if (status == HALO_OK) {
        t->map.partition = &whole;
        t->map.cells = halo_field_view(cells);
        array_call_phase(t->call, t->world, filled);
        status = fill_all(t, t->map.cells);
        array_call_phase(t->call, t->world, 1);
        halo_paths_bar_edges(&t->map);
    }
    HALO_IF_OK(status, halo_paths_trace(&t->trail, &t->map, t->ends, t->end_count));
    halo_field_destroy(&cells);
    halo_partition_free(&whole);
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

enum {
    VOLUME_PITCH = VOLUME_SIDE + 2 * DEPTH,
    TILE = VOLUME_PITCH * VOLUME_PITCH * VOLUME_PITCH /* cells, more than those of an image's */
};

/* An empty tile with room for its largest size. */
static halo_view view_tile(halo_paths_cell *cells, int axes)
{
    _Static_assert(TILE >= PITCH * PITCH, "a tile has room for either kind");
    const ptrdiff_t pitch = axes == HALO_AXES ? VOLUME_PITCH : PITCH, plane = pitch * pitch;
    halo_view view = {.axes = axes,
                      .depth = DEPTH,
                      .side_depth = DEPTH,
                      .cell_bits = 8 * sizeof *cells,
                      .origin = cells + DEPTH * pitch + DEPTH,
                      .stride = {pitch * (ptrdiff_t)sizeof *cells, sizeof *cells}};
    if (axes == HALO_AXES) {
        view.origin = cells + DEPTH * (plane + pitch + 1);
        view.stride[2] = view.stride[1];
        view.stride[1] = view.stride[0];
        view.stride[0] = plane * (ptrdiff_t)sizeof *cells;
    }
    return view;
}

static halo_status trace(tracing *t)
{
    const double followed_until = .5;
    bool followed;
    halo_paths_cell *cells;
    HALO_TRY(HALO_ALLOCATE_LARGE(cells, TILE, "cells around a path"));
    t->view = view_tile(cells, t->domain.axes);
    t->map = (halo_paths_map){
        .world = t->world, .domain = &t->domain, .cells = &t->view, .options = &t->volume.options};
    t->look = paths_look_at(&t->map);
    array_call_phase(t->call, t->world, followed_until);
    halo_status status = follow_all(t, &followed);
    HALO_IF_OK(status, followed ? take_stops(t) : trace_all(t));
    halo_memory_free(cells);
    return status;
}

static halo_status trace_rank(halo_world *world, array_call *call, void *context)
{
    tracing *t = context;
    t->world = world;
    t->call = call;
    return trace(t);
}

static halo_status take_places(const halo_paths_place *sources, tracing *t)
{
    HALO_TRY(paths_array_check_places(&t->costs, sources, t->source_count, "source"));
    HALO_TRY(paths_array_check_places(&t->costs, t->ends, t->end_count, "end"));
    HALO_FAIL_IF(t->source_count < 1 || t->end_count < 0, HALO_ARGUMENT,
                 "there are %" PRId64 " sources and %" PRId64 " ends; there must be a source",
                 t->source_count, t->end_count);
    HALO_TRY(HALO_ALLOCATE(t->sources, t->source_count, "sources"));
    memcpy(t->sources, sources, (size_t)t->source_count * sizeof *t->sources);
    qsort(t->sources, (size_t)t->source_count, sizeof *t->sources, compare_places);
    return HALO_OK;
}

halo_status halo_paths_array_trace_sized(halo_context *context, const halo_array *costs,
                                         const halo_array *distances,
                                         const halo_paths_place *sources, int64_t source_count,
                                         const halo_paths_place *ends, int64_t end_count,
                                         const halo_paths_array_options *given,
                                         halo_paths_trail **trail, size_t given_bytes)
{
    halo_paths_array_options options;
    tracing t = {.ends = ends, .end_count = end_count, .source_count = source_count};
    *trail = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes,
                               "halo_paths_array_options"));
    HALO_TRY(paths_array_take_costs(costs, &t.costs));
    HALO_TRY(array_check(distances, "the array of distances", 1, HALO_AXES));
    HALO_TRY(paths_array_take_distances(distances, costs, &t.distances));
    HALO_TRY(paths_array_take_options(&options, costs->axes, context, &t.volume));
    t.domain = array_domain(&t.costs);
    halo_status status = take_places(sources, &t);
    HALO_IF_OK(status, array_call_run(context, 0, 1, trace_rank, &t));
    if (status == HALO_FORMAT) {
        status = halo_fail(HALO_ARGUMENT,
                           "the distances are not those of these costs, sources and options; pass "
                           "what halo_paths_array computed from the same");
    }
    free(t.sources);
    halo_buffer_free(&t.stops);
    if (status != HALO_OK) {
        halo_paths_trail_destroy(&t.trail);
    }
    *trail = t.trail;
    return status;
}
