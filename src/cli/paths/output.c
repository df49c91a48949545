#include "app/outputs.h"
#include "app/report/report.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/paths/job.h"
#include "core/move/scatter_gather.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"
#include "io/npy/npy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static const app_writer distance_writers[] = {{".npy", HALO_NPY_F64, fill_distances}, {0}};

/* ---- nearest sources ------------------------------------------------------------------------- */

/* They, and paths, follow from final distances only. */
static halo_status check_final(app_run *run)
{
    return ((const paths_job *)run->job)->settled
               ? HALO_OK
               : halo_fail(HALO_FILE, "the run ended before distances were final, so that there "
                                      "are no paths and nearest sources yet");
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

static halo_status prepare_nearest(app_run *run)
{
    HALO_TRY(check_final(run));
    return paths_find_nearest(run);
}

static halo_status write_nearest(app_run *run, const char *path)
{
    return halo_name_ends(path, ".npy") ? app_write_array(run, path, HALO_NPY_I32, fill_numbers)
                                        : app_write_colours(run, path, fill_colours);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static halo_status append_line(halo_buffer *text, const char *line, int length)
{
    return halo_buffer_append(text, line, (size_t)length);
}

/* Distances have as many digits as tell them apart from all others. */
static halo_status make_table(const halo_paths_trail *trail, halo_buffer *text)
{
    enum { LINE = 160 };
    char line[LINE];
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

static halo_status write_path(app_run *run, const char *path)
{
    const paths_job *job = run->job;
    HALO_TRY(check_final(run));
    halo_buffer text = {0};
    halo_status made = halo_world_rank(run->world) == 0 ? make_table(job->trail, &text) : HALO_OK;
    halo_status status = report_save_text(run->world, path, made, &text);
    halo_buffer_free(&text);
    return status;
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

const app_output paths_outputs[] = {
    {.option = offsetof(paths_options, output),
     .phase = "writing distances",
     .writers = distance_writers,
     .prepare = paths_collect,
     .finish = paths_release},
    {.option = offsetof(paths_options, nearest),
     .phase = "writing nearest sources",
     .write = write_nearest,
     .prepare = prepare_nearest,
     .finish = paths_release_numbers},
    {.option = offsetof(paths_options, path), .phase = "writing paths", .write = write_path},
    {.option = offsetof(paths_options, overlay),
     .phase = "drawing",
     .paint = paint_paths,
     .colours = true,
     .prepare = check_final},
    {0}};
