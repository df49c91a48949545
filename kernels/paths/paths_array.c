#include "base/memory.h"
#include "base/minmax.h"
#include "core/beat/beat.h"
#include "kernels/paths/paths_array_internal.h"
#include "kernels/paths/steps.h"

#include <inttypes.h>
#include <math.h>

/* Distances on an array in memory. */

enum {
    BYTE = 8,
    NUMBER_BITS = 32,
    ROWS = 16
}; /* rows of results that are written at once, at least */

typedef struct {
    int axes;                             /* of the costs as the caller has them */
    halo_array costs, distances, nearest; /* of 2 or 3 axes; no data: not asked for */
    const halo_paths_place *sources;
    int64_t count;
    halo_paths_volume volume;
    halo_paths_array_report report;
} paths_array_job;

/* ---- cells ----------------------------------------------------------------------------------- */

void paths_array_make_cells(const halo_array *costs, const void *samples, int64_t count,
                            const halo_paths_options *options, halo_paths_cost_range *range,
                            halo_paths_cell *cells)
{
    enum { REAL_BITS = 64 };
    static const halo_paths_barriers barriers = {.negative = true, .missing = NAN};
    double *reals = (double *)cells, refused; /* in the memory of the cells */
    if (costs->type == HALO_SAMPLE_BIT) {
        const unsigned char *truths = samples;
        for (int64_t x = 0; x < count; x++) {
            reals[x] = truths[x] != 0;
        }
    } else {
        halo_sample_to_doubles(costs->type, samples, 0, count, reals);
    }
    (void)halo_paths_take_costs(cells, count, REAL_BITS, options, &barriers, range, &refused);
}

typedef struct {
    const paths_array_job *job;
    const halo_view *cells;
    halo_paths_cost_range range;
} filling;

/* Rows for each index of axis 0. */
static int64_t rows_of_layer(const halo_array *array)
{
    return array->axes == HALO_AXES ? array->n[1] : 1;
}

/* A row, or a plane, of an array. */
static halo_status take_layer(void *context, int64_t layer, const void *samples)
{
    filling *f = context;
    const halo_array *costs = &f->job->costs;
    const ptrdiff_t width = (ptrdiff_t)costs->n[costs->axes - 1];
    int64_t rows = rows_of_layer(costs), first = (layer - f->cells->owned.lo[0]) * rows;
    for (int64_t y = 0; y < rows; y++) {
        const char *row = (const char *)samples + y * width * array_element(costs);
        paths_array_make_cells(costs, row, width, &f->job->volume.options, &f->range,
                               halo_view_row(f->cells, first + y));
    }
    return HALO_OK;
}

/* A cell of strips by its place; NULL: another rank has it. */
static void *cell_at(const halo_view *view, const halo_paths_place *place)
{
    int64_t unit = view->axes == HALO_AXES ? view->owned.n[1] : 1;
    int64_t row = place->row - view->owned.lo[0] * unit;
    bool mine = row >= 0 && row < view->owned.n[0] * unit;
    return !mine ? NULL
                 : (char *)halo_view_row(view, row) + place->column * (view->cell_bits / BYTE);
}

static halo_status fill_sources(const paths_array_job *job, const halo_view *cells)
{
    for (int64_t i = 0; i < job->count; i++) {
        const halo_paths_place *at = &job->sources[i];
        halo_paths_cell *cell = cell_at(cells, at);
        if (cell != NULL) {
            HALO_FAIL_IF(isinf(cell->cost), HALO_ARGUMENT,
                         "source %" PRId64 ", in row %" PRId64 ", column %" PRId64
                         ", is on a barrier, a cost that is negative, infinite or NaN; use a cell "
                         "beside it",
                         i + 1, at->row, at->column);
            cell->distance = -0.0;
        }
    }
    return HALO_OK;
}

/* Local, but for the agreement. Fills in this rank's cells. */
static halo_status fill_cells(halo_world *world, array_call *call, paths_array_job *job,
                              const halo_view *cells)
{
    filling f = {.job = job, .cells = cells, .range = HALO_PATHS_NO_COSTS};
    halo_status status = array_read_rows(call, world, &job->costs, cells->owned.lo[0],
                                         cells->owned.n[0], take_layer, &f);
    HALO_IF_OK(status, fill_sources(job, cells));
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_paths_share_range(world, &f.range));
    if (halo_world_rank(world) == 0) {
        job->report.barriers = f.range.barriers;
    }
    return HALO_OK;
}

static int64_t columns_of(const paths_array_job *job)
{
    return job->costs.n[job->costs.axes - 1];
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct {
    const halo_view *view;
    int64_t width;
    const halo_paths_options *options;
} results;

/* A row of strips; those of a volume are numbered through all planes. */
static void *row_at(const halo_view *view, int64_t row)
{
    return cell_at(view, &(halo_paths_place){.row = row});
}

static halo_status fill_distances(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const results *r = context;
    for (int64_t i = 0; i < rows; i++) {
        halo_paths_row_distances(r->options, row_at(r->view, first + i), r->width,
                                 (double *)(void *)((char *)out + (size_t)i * pitch));
    }
    return HALO_OK;
}

static halo_status fill_numbers(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const results *r = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, row_at(r->view, first + i),
               (size_t)r->width * sizeof(int32_t));
    }
    return HALO_OK;
}

/* The lowest number, where two are at one place. */
static void number_sources(const paths_array_job *job, const halo_view *numbers)
{
    for (int64_t i = job->count - 1; i >= 0; i--) {
        int32_t *number = cell_at(numbers, &job->sources[i]);
        if (number != NULL) {
            *number = (int32_t)(i + 1);
        }
    }
}

static halo_status write_nearest(array_call *call, paths_array_job *job, const halo_paths_map *map)
{
    halo_world *world = map->world;
    const halo_box *mine = &map->cells->owned;
    halo_field *numbers = NULL;
    halo_status status = halo_agree(
        world, halo_field_create(&numbers, map->domain, mine, NUMBER_BITS, map->cells->depth));
    if (status == HALO_OK) {
        results r = {.view = halo_field_view(numbers), .width = columns_of(job)};
        const array_source source = {HALO_SAMPLE_I32, fill_numbers, &r, ROWS};
        const double finding = .97;
        number_sources(job, r.view);
        array_call_phase(call, world, finding);
        halo_paths_bar_edges(map);
        status = halo_paths_nearest(map, numbers);
        array_call_phase(call, world, 1);
        HALO_IF_OK(status,
                   halo_agree(world, array_write_box(call, world, &job->nearest, mine, &source)));
    }
    halo_field_destroy(&numbers);
    return status;
}

static halo_status write_results(array_call *call, paths_array_job *job, const halo_paths_map *map)
{
    const halo_box *mine = &map->cells->owned;
    const double writing = .83;
    int64_t reached;
    double farthest;
    HALO_TRY(halo_paths_reach(map, &reached, &farthest));
    if (halo_world_rank(map->world) == 0) {
        job->report.reached = reached;
        job->report.farthest = farthest;
    }
    if (job->distances.data != NULL) {
        results r = {.view = map->cells, .width = columns_of(job), .options = map->options};
        const array_source source = {HALO_SAMPLE_F64, fill_distances, &r, ROWS};
        array_call_phase(call, map->world, job->nearest.data != NULL ? writing : 1);
        HALO_TRY(halo_agree(map->world,
                            array_write_box(call, map->world, &job->distances, mine, &source)));
    }
    return job->nearest.data != NULL ? write_nearest(call, job, map) : HALO_OK;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static halo_status search(halo_world *world, array_call *call, paths_array_job *job,
                          halo_beat *beat, const halo_paths_map *map)
{
    const double reading = .1, searching = .8;
    array_call_phase(call, world, reading);
    HALO_TRY(fill_cells(world, call, job, map->cells));
    array_call_phase(call, world, searching);
    HALO_TRY(halo_beat_run(beat, 0));
    return halo_beat_get_report(beat).converged ? write_results(call, job, map) : array_call_stop();
}

/* How far a rank's search is: as far as it has cells that it has taken from its queue, which most
 * are once. */
typedef struct {
    array_call *call;
    const halo_world *world;
    const halo_beat *beat;
    int64_t cells;
} search_watch;

/* The hook `watch` of halo_beat_options. */
static bool watch_search(void *context, int64_t done, int64_t changed)
{
    const search_watch *w = context;
    int64_t taken = halo_paths_count(halo_beat_state(w->beat)).taken;
    (void)done;
    (void)changed;
    return array_call_watch(w->call, w->world, halo_min(taken, w->cells), w->cells);
}

/* One rank computes beats of a quota of cells each; several compute asynchronously. */
static halo_status search_rank(halo_world *world, array_call *call, void *context)
{
    paths_array_job *job = context;
    int ranks = halo_world_ranks(world);
    const halo_domain domain = array_domain(&job->costs);
    const halo_async_options async = {.seconds = .05};
    halo_paths_volume volume = job->volume;
    volume.options.quota = ranks == 1 ? HALO_PATHS_DEFAULT_QUOTA
                                      : halo_paths_async_quota(array_cells(&job->costs) / ranks);
    const halo_kernel kernel = halo_paths_kernel(&volume.options);
    search_watch w = {.call = call, .world = world};
    const halo_beat_options options = {.kernel_options = &volume.options,
                                       .async = ranks > 1 ? &async : NULL,
                                       .watch = watch_search,
                                       .context = &w};
    halo_partition strips = {0};
    halo_beat *beat = NULL;
    halo_status status =
        halo_agree(world, halo_partition_thick_strips(&strips, &domain, ranks, kernel.depth));
    HALO_IF_OK(status, halo_beat_create(&beat, world, &domain, &strips, &kernel, &options));
    if (status == HALO_OK) {
        w.beat = beat;
        w.cells = halo_box_cells(&halo_beat_view(beat, 0)->owned);
        const halo_paths_map map = {.world = world,
                                    .domain = &domain,
                                    .partition = halo_beat_partition(beat),
                                    .cells = halo_beat_view(beat, 0),
                                    .options = &volume.options};
        status = search(world, call, job, beat, &map);
    }
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

static halo_status take_nearest(const halo_array *nearest, const halo_array *costs, int64_t count,
                                halo_array *out)
{
    HALO_TRY(array_check_out(nearest, "the array for nearest sources", 1, HALO_AXES));
    const halo_sample_type_entry *type = &halo_sample_types[nearest->type];
    HALO_FAIL_IF(type->real || nearest->type == HALO_SAMPLE_BIT, HALO_ARGUMENT,
                 "the numbers of nearest sources cannot be of %s; use int32", type->name);
    HALO_FAIL_IF(count > array_largest(nearest->type), HALO_ARGUMENT,
                 "%" PRId64 " sources are more than numbers of %s can be; use int32", count,
                 type->name);
    HALO_TRY(array_check_same(costs, "the array of costs", nearest, "that for nearest sources"));
    *out = paths_array_with_axes(nearest);
    return HALO_OK;
}

static halo_status take_arrays(const halo_array *costs, const halo_array *distances,
                               const halo_array *nearest, paths_array_job *job)
{
    HALO_TRY(paths_array_take_costs(costs, &job->costs));
    HALO_FAIL_IF(array_cells(costs) == 0, HALO_ARGUMENT,
                 "the array of costs is empty; there must be a cell for a source");
    HALO_TRY(paths_array_check_places(&job->costs, job->sources, job->count, "source"));
    HALO_FAIL_IF(job->count < 1 || job->count > INT32_MAX, HALO_ARGUMENT,
                 "there are %" PRId64 " sources; there must be 1 to %d", job->count, INT32_MAX);
    if (distances != NULL) {
        HALO_TRY(array_check_out(distances, "the array for distances", 1, HALO_AXES));
        HALO_TRY(paths_array_take_distances(distances, costs, &job->distances));
    }
    return nearest != NULL ? take_nearest(nearest, costs, job->count, &job->nearest) : HALO_OK;
}

static halo_status run_search(halo_context *context, const halo_paths_array_options *options,
                              paths_array_job *job)
{
    /* Seconds of a core for a cell, at least. */
    const double cost = 20e-9;
    HALO_TRY(paths_array_take_options(options, job->axes, context, &job->volume));
    int64_t depth = job->volume.options.neighbours == PATHS_KNIGHTS ? 2 : 1;
    return array_call_run(context, cost * (double)array_cells(&job->costs),
                          halo_max(job->costs.n[0] / depth, 1), search_rank, job);
}

halo_status halo_paths_array_sized(halo_context *context, const halo_array *costs,
                                   const halo_paths_place *sources, int64_t source_count,
                                   const halo_array *distances, const halo_array *nearest,
                                   const halo_paths_array_options *given,
                                   halo_paths_array_report *report, size_t given_bytes,
                                   size_t report_bytes)
{
    halo_paths_array_options options;
    paths_array_job job = {.axes = costs->axes, .sources = sources, .count = source_count};
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_paths_array_options");
    HALO_IF_OK(status, take_arrays(costs, distances, nearest, &job));
    HALO_IF_OK(status, run_search(context, &options, &job));
    halo_report_give(report, report_bytes, status == HALO_OK ? &job.report : NULL,
                     sizeof job.report);
    return status;
}
