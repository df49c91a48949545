#include "app/beats.h"
#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/services/checkpoint.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int64_t columns_of(const app_run *run)
{
    return run->domain.n[run->domain.axes - 1];
}

/* They have the distances so far, a row of them for each row of the raster. Where they come from,
 * sources, barriers and sizes of cells, is the command line's, and must be the same. */
static uint64_t find_digest(const app_run *run)
{
    const paths_options *options = run->options;
    const paths_job *job = run->job;
    const halo_paths_barriers *barriers = &options->barriers;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    const double flags[] = {nodata->missing,
                            (double)nodata->cell,
                            barriers->negative,
                            job->volume.options.cell_size[0],
                            job->volume.options.cell_size[1],
                            job->volume.plane_distance};
    size_t values = (size_t)barriers->count * sizeof *barriers->values;
    bool volume = run->domain.axes == HALO_AXES; /* images have no distance of planes */
    XXH64_hash_t digest = XXH3_64bits(flags, sizeof flags - (volume ? 0 : sizeof *flags));
    digest = XXH3_64bits_withSeed(barriers->values, values, digest);
    return XXH3_64bits_withSeed(job->ends.sources,
                                (size_t)job->ends.source_count * sizeof(halo_paths_place), digest);
}

halo_status paths_check_restored(const app_run *run)
{
    paths_job *job = run->job;
    uint64_t restored = job->search;
    job->search = find_digest(run);
    return HALO_REQUIRE(!app_restores(run) || restored == job->search, HALO_ARGUMENT,
                        "the checkpoint \"%s\" was made with another --from, --barrier, --nodata "
                        "or --cell-size; give the same again",
                        app_checkpoint_arguments(run)->restore);
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        const halo_paths_cell *cells = paths_row(run, first + i);
        double *row = (double *)((char *)out + (size_t)i * pitch);
        for (int64_t x = 0; x < columns_of(run); x++) {
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
        for (int64_t x = 0; x < columns_of(run); x++) {
            double distance;
            memcpy(&distance, row + (size_t)x * sizeof distance, sizeof distance);
            bool barrier = isinf(cells[x].cost) && distance < cells[x].distance;
            HALO_FAIL_IF(!(distance >= 0) || barrier || distance > cells[x].distance, HALO_FORMAT,
                         "\"%s\": %g is no distance of the cell in row %" PRId64 ", column %" PRId64
                         "; begin anew without it",
                         app_checkpoint_arguments(run)->restore, distance, first + i, x);
            cells[x].distance = distance;
        }
    }
    return HALO_OK;
}

static halo_status lay_rows(app_run *run, app_layout *rows, bool reads)
{
    *rows = (app_layout){.rows = paths_cells(run) / columns_of(run),
                         .row_bytes = (size_t)columns_of(run) * sizeof(double),
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

static void fill_distances(const app_run *run, int64_t row, void *out)
{
    halo_paths_row_distances(&((const paths_job *)run->job)->volume.options, paths_row(run, row),
                             columns_of(run), out);
}

static const app_writer distance_writers[] = {
    {APP_ARRAYS, HALO_SAMPLE_F64, .fill_row = fill_distances}, {0}};

/* ---- nearest sources ------------------------------------------------------------------------- */

/* They, and paths, follow from final distances only. */
static halo_status check_final(app_run *run)
{
    return HALO_REQUIRE(((const paths_job *)run->job)->settled, HALO_FILE,
                        "the run ended before distances were final, so that there are no paths and "
                        "nearest sources yet");
}

static int32_t *numbers_of_row(const app_run *run, int64_t row)
{
    const paths_job *job = run->job;
    return app_image_place(run->image, halo_field_view(job->numbers), row);
}

/* The smallest number, where two are at one place. */
static void take_source(void *context, int64_t row, int64_t column, int64_t number)
{
    int32_t *at = numbers_of_row(context, row) + column;
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
    HALO_TRY(paths_visit_sources(run, take_source, run));
    return halo_paths_nearest_in_strips(&map, &job->strips, job->numbers, &run->clock);
}

static void release_numbers(app_run *run)
{
    halo_field_destroy(&((paths_job *)run->job)->numbers);
}

static const void *numbers_at(const app_run *run, int64_t row)
{
    return numbers_of_row(run, row);
}

static void fill_colours(const app_run *run, int64_t row, void *out)
{
    const int32_t *numbers = numbers_at(run, row);
    unsigned char *colours = out;
    for (int64_t x = 0; x < columns_of(run); x++) {
        int32_t count = HALO_LABEL_PALETTE_COLOURS - 1;
        colours[x] = (unsigned char)(numbers[x] > 0 ? (numbers[x] - 1) % count + 1 : 0);
    }
}

static const app_writer nearest_writers[] = {
    {APP_ARRAYS, HALO_SAMPLE_I32, .row = numbers_at},
    {APP_PICTURES, HALO_PNG_PALETTE, .fill_row = fill_colours},
    {0}};

/* ---- paths ----------------------------------------------------------------------------------- */

/* Distances have as many digits as tell them apart from all others. */
static halo_status write_path(app_run *run, const char *path, halo_buffer *text)
{
    const paths_job *job = run->job;
    const halo_paths_trail *trail = job->trail;
    const char *head =
        job->ends.plane_rows > 0 ? "target,step,x,y,z,distance\n" : "target,step,x,y,distance\n";
    enum { LINE = 160 };
    char line[LINE], place[PATHS_PLACE_TEXT];
    (void)path;
    HALO_TRY(halo_buffer_append(text, head, strlen(head)));
    for (int64_t i = 0; i < trail->count; i++) {
        const halo_paths_stop *stop = &trail->stops[i];
        paths_print_place(&job->ends, (const int64_t[]){stop->at.row, stop->at.column}, place);
        int length = snprintf(line, sizeof line, "%" PRId64 ",%" PRId64 ",%s,%.17g\n",
                              stop->target + 1, stop->step, place, stop->distance);
        HALO_TRY(halo_buffer_append(text, line, (size_t)length));
    }
    return HALO_OK;
}

/* ---- the overlay ----------------------------------------------------------------------------- */

enum { BYTE = 8, SHORT = 16 }; /* bits */

/* For a picture of the paths; one in colours is read again. */
halo_status paths_create_picture(app_run *run)
{
    const paths_job *job = run->job;
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    int bits = run->image->cell_bits > SHORT ? BYTE : run->image->cell_bits;
    return app_samples_are_shown(run)
               ? halo_field_create(&run->samples, &run->domain, &mine, bits, 0)
               : HALO_OK;
}

void paths_keep_samples(const app_run *run)
{
    if (run->samples == NULL || run->image->cell_bits > SHORT) {
        return;
    }
    const halo_view *picture = halo_field_view(run->samples);
    size_t bytes = (size_t)(run->domain.n[1] * picture->cell_bits / BYTE);
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        memcpy(halo_row(picture, y), paths_row(run, picture->owned.lo[0] + y), bytes);
    }
}

void paths_draw_costs(const app_run *run)
{
    enum { WHITE = 255 };
    const paths_job *job = run->job;
    if (run->samples == NULL || run->image->cell_bits <= SHORT) {
        return;
    }
    const halo_view *picture = halo_field_view(run->samples);
    double min = job->range.min, range = job->range.max - min;
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        uint8_t *greys = halo_row(picture, y);
        const halo_paths_cell *cells = paths_row(run, picture->owned.lo[0] + y);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            double cost = isinf(cells[x].cost) ? min : cells[x].cost;
            greys[x] = (uint8_t)(range > 0 ? (cost - min) / range * WHITE : WHITE);
        }
    }
}

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
    for (int64_t i = 0; i < job->ends.source_count; i++) {
        paint_place(&paths_places_of(job->ends.sources)[i], canvas, &pen, true);
    }
    for (int64_t i = 0; i < job->ends.target_count; i++) {
        paint_place(&paths_places_of(job->ends.targets)[i], canvas, &pen, false);
    }
    return HALO_OK;
}

const app_output paths_outputs[] = {{.option = offsetof(paths_options, output),
                                     .phase = "writing distances",
                                     .writers = distance_writers,
                                     .prepare = paths_collect,
                                     .finish = paths_release},
                                    {.option = offsetof(paths_options, nearest),
                                     .phase = "writing nearest sources",
                                     .writers = nearest_writers,
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

/* ---- reports --------------------------------------------------------------------------------- */

/* NULL without a pool. */
static json_t *list_pool(const paths_job *job)
{
    const halo_quiescence_report *network = &job->pooled.network;
    return !job->has_pooled
               ? NULL
               : json_pack("{s:I, s:I, s:I}", "messages", (json_int_t)network->messages, "bytes",
                           (json_int_t)network->bytes, "control",
                           (json_int_t)(network->control + network->announcements));
}

/* Along x, y and z. */
static json_t *cell_size_json(const app_run *run)
{
    const halo_paths_volume *volume = &((const paths_job *)run->job)->volume;
    const double side[HALO_AXES] = {volume->options.cell_size[1], volume->options.cell_size[0],
                                    volume->plane_distance};
    json_t *list = json_array();
    for (int axis = 0; axis < run->domain.axes; axis++) {
        json_array_append_new(list, json_real(side[axis] > 0 ? side[axis] : 1));
    }
    return list;
}

json_t *paths_facts(app_run *run, json_t *texts)
{
    const paths_job *job = run->job;
    int64_t cells = paths_cells(run);
    bool costs = job->range.barriers < cells;
    halo_async_report async = halo_beat_get_async_report(run->beat);
    json_object_set_new(texts, "nanoseconds", json_real(1e9 * run->loop->seconds / (double)cells));
    json_object_set_new(texts, "taken_a_cell",
                        json_real((double)job->done.taken / (double)halo_max(job->reached, 1)));
    return json_pack(
        "{s:s, s:o, s:o, s:I, s:f, s:f, s:I, s:I, s:f, s:b, s:I, s:I, s:I, s:I, "
        "s:s, s:f, s:I, s:o, s:o*, s:o*}",
        "method", paths_method_of(run), "neighbours",
        json_sprintf("%d", job->volume.options.neighbours), "cell_size", cell_size_json(run),
        "cells", (json_int_t)cells, "min_cost", costs ? job->range.min : 0, "max_cost",
        costs ? job->range.max : 0, "barrier_cells", (json_int_t)job->range.barriers,
        "reached_cells", (json_int_t)job->reached, "farthest", job->farthest, "final",
        (int)job->settled, "taken_cells", (json_int_t)job->done.taken, "improvements",
        (json_int_t)job->done.improved, "queue_bytes", (json_int_t)job->done.queue_bytes, "beat",
        (json_int_t)app_beats_done(run), "ended", app_ending_text(run), "beats_seconds",
        run->loop->seconds, "targets", (json_int_t)job->ends.target_count, "target_distances",
        paths_ends_json(&job->ends), "async",
        app_fact_async(&async, run->arguments->decomposition.detector), "pool", list_pool(job));
}

const app_line paths_lines[] = {
    {.name = "costs",
     .verbose = true,
     .text = "{min_cost} to {max_cost}[, {barrier_cells>0} cell{s:barrier_cells} "
             "are barriers]; {neighbours} neighbours"},
    {.name = "distances",
     .text = "{reached_cells} of {cells} cells are reached, the farthest at {farthest%.10g}"},
    {.name = "targets",
     .text = "{targets>0}[, the first at a distance of {target_distances.0.distance%.10g}]"},
    {.name = "beats", .text = "{beat} ({method}): {ended}"},
    APP_ASYNC_LINE,
    {.name = "messages",
     .verbose = true,
     .text = "{pool.messages} of the pool, {pool.control} to find its end"},
    {.name = "search", .text = "a reached cell is taken {taken_a_cell%.4g} times", .verbose = true},
    {.name = "queue", .text = "{queue_bytes} bytes at most on a rank", .verbose = true},
    {0}};
