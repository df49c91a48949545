#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/services/checkpoint.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"
#include "io/npy/npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* They have the distances so far, a row of them for each row of the raster. Where they come from,
 * sources, barriers and sizes of cells, is the command line's, and must be the same. */
static uint64_t find_digest(const app_run *run)
{
    const paths_options *asked = run->options;
    const paths_job *job = run->job;
    const paths_barriers *barriers = &asked->barriers;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    const double flags[] = {nodata->missing, (double)nodata->cell, barriers->negative,
                            job->options.cell_size[0], job->options.cell_size[1]};
    size_t values = (size_t)barriers->count * sizeof *barriers->values;
    XXH64_hash_t digest = XXH3_64bits(flags, sizeof flags);
    digest = XXH3_64bits_withSeed(barriers->values, values, digest);
    return XXH3_64bits_withSeed(job->sources, (size_t)job->source_count * sizeof *job->sources,
                                digest);
}

halo_status paths_check_restored(const app_run *run)
{
    paths_job *job = run->job;
    uint64_t restored = job->search;
    job->search = find_digest(run);
    return !app_restores(run) || restored == job->search
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "the checkpoint \"%s\" was made with another --from, --barrier, "
                           "--nodata or --cell-size; give the same again",
                           run->arguments->state.restore);
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        const halo_paths_cell *cells = paths_row(run, first + i);
        double *row = (double *)((char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            row[x] = cells[x].distance;
        }
    }
    return HALO_OK;
}

/* The costs are there already. Anybody can write a file: what is no distance is refused. */
static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        halo_paths_cell *cells = paths_row(run, first + i);
        const char *row = (const char *)data + (size_t)i * pitch;
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            double distance;
            memcpy(&distance, row + (size_t)x * sizeof distance, sizeof distance);
            bool barrier = isinf(cells[x].cost) && distance < cells[x].distance;
            if (!(distance >= 0) || barrier || distance > cells[x].distance) {
                return halo_fail(HALO_FORMAT,
                                 "\"%s\": %g is no distance of the cell in row %" PRId64
                                 ", column %" PRId64 "; begin anew without it",
                                 run->arguments->state.restore, distance, first + i, x);
            }
            cells[x].distance = distance;
        }
    }
    return HALO_OK;
}

static halo_status lay_rows(app_run *run, app_layout *rows, bool reads)
{
    *rows = (app_layout){.rows = run->domain.n[0],
                         .row_bytes = (size_t)run->domain.n[1] * sizeof(double),
                         .cuts = run->cuts,
                         .fill = fill_rows,
                         .take = take_rows,
                         .context = run};
    ((paths_job *)run->job)->collected = !reads;
    return reads ? HALO_OK : paths_collect(run);
}

static void release_rows(app_run *run)
{
    paths_job *job = run->job;
    if (job->collected) { /* those that were read have still to be spread */
        paths_release(run);
    }
}

static const app_kept kept[] = {{APP_KEPT_ROW(paths_job, "search", HASH, search)}, {.max = 0}};

enum { DISTANCE_BITS = 64, NUMBER_BITS = 32 };

const app_state paths_state = {.image = "image",
                               .kept = kept,
                               .pixel_bits = DISTANCE_BITS,
                               .layout = lay_rows,
                               .release = release_rows};

/* ---- distances ------------------------------------------------------------------------------- */

static halo_status fill_distances(void *context, int64_t first, int64_t rows, void *out,
                                  size_t pitch)
{
    const app_run *run = context;
    const paths_job *job = run->job;
    double unreached = halo_paths_unreached(&job->options);
    for (int64_t i = 0; i < rows; i++) {
        const halo_paths_cell *cells = paths_row(run, first + i);
        double *row = (double *)((char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            row[x] = cells[x].distance < unreached ? fabs(cells[x].distance) : HUGE_VAL;
        }
    }
    return HALO_OK;
}

static const app_writer distance_writers[] = {{".npy", HALO_NPY_F64, .fill = fill_distances}, {0}};

/* ---- nearest sources ------------------------------------------------------------------------- */

/* They, and paths, follow from final distances only. */
static halo_status check_final(app_run *run)
{
    return ((const paths_job *)run->job)->settled
               ? HALO_OK
               : halo_fail(HALO_FILE, "the run ended before distances were final, so that there "
                                      "are no paths and nearest sources yet");
}

/* The smallest number, where two are at one place. */
static void take_source(void *context, int64_t row, int64_t column, int64_t number)
{
    const halo_view *numbers = context;
    int32_t *at = (int32_t *)halo_row(numbers, row - numbers->owned.lo[0]) + column;
    if (*at == 0 || number < *at) {
        *at = (int32_t)number;
    }
}

static halo_status find_nearest(app_run *run)
{
    paths_job *job = run->job;
    const halo_paths_map map = paths_map(run);
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    HALO_TRY(check_final(run));
    HALO_TRY(halo_agree(run->world,
                        halo_field_create(&job->numbers, &run->domain, &mine, NUMBER_BITS, 0)));
    HALO_TRY(paths_visit_sources(run, take_source, (void *)halo_field_view(job->numbers)));
    return halo_paths_nearest_in_strips(&map, &job->strips, job->numbers, &run->clock);
}

static void release_numbers(app_run *run)
{
    halo_field_destroy(&((paths_job *)run->job)->numbers);
}

static const int32_t *numbers_at(const app_run *run, int64_t row)
{
    const halo_view *view = halo_field_view(((const paths_job *)run->job)->numbers);
    return halo_row(view, row - view->owned.lo[0]);
}

static halo_status fill_numbers(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, numbers_at(run, first + i),
               (size_t)run->domain.n[1] * sizeof(int32_t));
    }
    return HALO_OK;
}

static halo_status fill_colours(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        const int32_t *numbers = numbers_at(run, first + i);
        unsigned char *row = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            int32_t colours = HALO_LABEL_PALETTE_COLOURS - 1;
            row[x] = (unsigned char)(numbers[x] > 0 ? (numbers[x] - 1) % colours + 1 : 0);
        }
    }
    return HALO_OK;
}

static halo_status write_nearest(app_run *run, const char *path)
{
    return halo_name_ends(path, ".npy") ? app_write_array(run, path, HALO_NPY_I32, fill_numbers)
                                        : app_write_colours(run, path, fill_colours);
}

/* ---- targets --------------------------------------------------------------------------------- */

int64_t paths_count_lost(const double *distances, int64_t count, int64_t *first)
{
    int64_t lost = 0;
    for (int64_t i = 0; distances != NULL && i < count; i++) {
        if (isinf(distances[i])) {
            *first = lost == 0 ? i : *first;
            lost++;
        }
    }
    return lost;
}

json_t *paths_list_targets(const double *distances, int64_t count,
                           json_t *(*name)(const void *context, int64_t i), const void *context)
{
    enum { MAX_TARGETS = 1000 };
    if (distances != NULL && count > MAX_TARGETS) {
        return json_null();
    }
    json_t *list = json_array();
    for (int64_t i = 0; distances != NULL && i < count; i++) {
        json_t *target = name(context, i);
        json_object_set_new(target, "distance", app_fact_real(distances[i], true));
        json_array_append_new(list, target);
    }
    return list;
}

/* ---- paths ----------------------------------------------------------------------------------- */

static halo_status append_line(halo_buffer *text, const char *line, int length)
{
    return halo_buffer_append(text, line, (size_t)length);
}

/* Distances have as many digits as tell them apart from all others. */
static halo_status write_path(app_run *run, const char *path, halo_buffer *text)
{
    const halo_paths_trail *trail = ((const paths_job *)run->job)->trail;
    enum { LINE = 160 };
    char line[LINE];
    (void)path;
    HALO_TRY(append_line(text, line, snprintf(line, sizeof line, "target,step,x,y,distance\n")));
    for (int64_t i = 0; i < trail->count; i++) {
        const halo_paths_stop *stop = &trail->stops[i];
        int length =
            snprintf(line, sizeof line, "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%.17g\n",
                     stop->target + 1, stop->step, stop->at.column, stop->at.row, stop->distance);
        HALO_TRY(append_line(text, line, length));
    }
    return HALO_OK;
}

/* ---- the overlay ----------------------------------------------------------------------------- */

static halo_canvas_point point_of(const halo_paths_place *place)
{
    return (halo_canvas_point){.x = place->column * HALO_CANVAS_ONE,
                               .y = place->row * HALO_CANVAS_ONE};
}

/* A pen as wide as suits the picture's size. */
static halo_canvas_pen choose_pen(const app_run *run)
{
    enum { SHARE = 256 };
    int64_t longer = halo_max(run->domain.n[0], run->domain.n[1]);
    int64_t width = HALO_CANVAS_ONE + longer * HALO_CANVAS_ONE / SHARE;
    return (halo_canvas_pen){
        .width = width, .rim = width / 3, .colour = {255, 64, 32}, .rim_colour = {255, 255, 255}};
}

static void paint_stops(const halo_paths_trail *trail, const halo_canvas *canvas,
                        const halo_canvas_pen *pen, halo_canvas_point *points)
{
    for (int64_t begin = 0, end; begin < trail->count; begin = end) {
        for (end = begin;
             end < trail->count && trail->stops[end].target == trail->stops[begin].target; end++) {
            points[end - begin] = point_of(&trail->stops[end].at);
        }
        halo_canvas_polyline(canvas, points, end - begin, false, pen);
    }
}

static void paint_place(const halo_paths_place *place, const halo_canvas *canvas,
                        const halo_canvas_pen *pen, bool source)
{
    halo_canvas_pen dot = *pen;
    dot.width = 3 * pen->width;
    memcpy(dot.colour, source ? (unsigned char[]){32, 160, 64} : (unsigned char[]){32, 80, 224},
           sizeof dot.colour);
    const halo_canvas_point points[] = {point_of(place), point_of(place)}; /* a dot */
    halo_canvas_polyline(canvas, points, 2, false, &dot);
}

static halo_status paint_paths(app_run *run, const halo_canvas *canvas)
{
    const paths_job *job = run->job;
    const halo_canvas_pen pen = choose_pen(run);
    halo_canvas_point *points;
    if (job->trail != NULL) {
        HALO_TRY(HALO_ALLOCATE_LARGE(points, job->trail->count + 1, "the points of paths"));
        paint_stops(job->trail, canvas, &pen, points);
        halo_memory_free(points);
    }
    for (int64_t i = 0; i < job->source_count; i++) {
        paint_place(&job->sources[i], canvas, &pen, true);
    }
    for (int64_t i = 0; i < job->target_count; i++) {
        paint_place(&job->targets[i], canvas, &pen, false);
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

const app_output paths_outputs[] = {{.option = offsetof(paths_options, output),
                                     .phase = "writing distances",
                                     .writers = distance_writers,
                                     .prepare = paths_collect,
                                     .finish = paths_release},
                                    {.option = offsetof(paths_options, nearest),
                                     .phase = "writing nearest sources",
                                     .write = write_nearest,
                                     .prepare = find_nearest,
                                     .finish = release_numbers},
                                    {.option = offsetof(paths_options, path),
                                     .phase = "writing paths",
                                     .text = write_path,
                                     .prepare = check_final},
                                    {.option = offsetof(paths_options, overlay),
                                     .phase = "drawing",
                                     .paint = paint_paths,
                                     .colours = true,
                                     .prepare = check_final},
                                    {0}};
