#include "app/outputs.h"
#include "app/frame_internal.h"
#include "app/image/image.h"
#include "app/paths/planes.h"
#include "app/report/report.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "core/beat/beat.h"
#include "core/world/collect.h"
#include "io/array/array_write.h"
#include "io/array/picture.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"
#include "io/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

halo_status app_survive(app_run *run, halo_status status, const char *then)
{
    if (status != HALO_FILE || app_is_one_of_many(run)) {
        return status; /* of one of many images, that is a failure of it */
    }
    run->writing->lost = true;
    if (then != NULL) {
        app_warn(run, "%s; %s", halo_last_message(), then);
    }
    return HALO_OK;
}

halo_status app_survive_for_now(app_run *run, halo_status status, const char *then)
{
    bool lost = run->writing->lost;
    status = app_survive(run, status, then);
    run->writing->lost = lost;
    return status;
}

void app_show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(&((app_run *)context)->progress, done, total);
}

const int64_t *app_cuts(const app_run *run)
{
    return run->cuts != NULL ? run->cuts : halo_beat_cuts(run->beat);
}

/* Is `path` a pattern that makes a file of each plane of a volume? */
static bool is_a_plane(const app_run *run, const char *path)
{
    return run->domain.axes == HALO_AXES && app_planes_are_named(path);
}

/* A picture and what is said of it. */
typedef struct {
    halo_png_header header;
    const halo_array_about *about;
} plane_picture;

static halo_status write_png_plane(halo_world *world, const char *path, const void *header,
                                   const int64_t *cuts, const halo_rows *rows)
{
    const plane_picture *plane = header;
    return halo_picture_write(world, path, &plane->header, plane->about, cuts, rows);
}

/* An array and what is said of it. */
typedef struct {
    halo_npy_header header;
    const halo_array_about *about;
} plane_array;

static halo_status write_array_plane(halo_world *world, const char *path, const void *header,
                                     const int64_t *cuts, const halo_rows *rows)
{
    const plane_array *plane = header;
    return halo_array_write(world, path, &plane->header, plane->about, cuts, rows);
}

/* Describes the array for its file: unless the command says otherwise, it lies where the image
 * does. */
static halo_array_about about_of(const app_run *run)
{
    halo_array_about about = run->writing->about;
    const halo_image_geometry *own = &about.geometry;
    if (run->command->image && !own->placed && !halo_geometry_is_spaced(own)) {
        about.geometry = run->image->info.geometry;
        about.geotiff = run->image->info.geotiff;
    }
    return about;
}

/* Writes a picture in which a cell is a square of `scale` x `scale` pixels, and which does not lie
 * where the image does. */
static halo_status write_scaled(app_run *run, const char *path, halo_png_header header, int scale,
                                const halo_rows *rows)
{
    int ranks = halo_world_ranks(run->world);
    int64_t *cuts;
    header.width *= scale;
    header.height *= scale;
    halo_status status = HALO_ALLOCATE(cuts, ranks + 1, "the cuts of a picture");
    HALO_TRY_OR(done, halo_agree(run->world, status));
    for (int r = 0; r <= ranks; r++) {
        cuts[r] = app_cuts(run)[r] * scale;
    }
    status = halo_picture_write(run->world, path, &header, NULL, cuts, rows);
done:
    free(cuts);
    return status;
}

/* Writes a picture of the domain's size, or of one that the output scales. */
static halo_status write_png(app_run *run, const char *path, halo_png_header header,
                             halo_rows_fill *fill)
{
    const halo_rows rows = {.fill = fill, .progress = app_show_rows, .context = run};
    header.width = run->domain.n[run->domain.axes - 1];
    header.height = run->domain.n[run->domain.axes - 2];
    if (run->writing->output->scale != NULL) {
        return write_scaled(run, path, header, run->writing->output->scale(run), &rows);
    }
    halo_array_about about = about_of(run);
    about.packing = HALO_ARRAY_PACKING_NONE;
    const plane_picture plane = {header, &about};
    return is_a_plane(run, path)
               ? app_write_planes(run, path, &plane, write_png_plane, fill)
               : halo_picture_write(run->world, path, &header, &about, app_cuts(run), &rows);
}

halo_status app_write_png(app_run *run, const char *path, halo_png_kind kind, halo_rows_fill *fill)
{
    return write_png(run, path, (halo_png_header){.kind = kind}, fill);
}

/* In the colours of labels: samples are 0 for none, and 1 to HALO_LABEL_PALETTE_COLOURS - 1. */
static halo_status write_colours(app_run *run, const char *path, halo_rows_fill *fill)
{
    unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS];
    halo_label_palette(palette);
    const halo_png_header header = {
        .kind = HALO_PNG_PALETTE, .palette = palette, .colours = HALO_LABEL_PALETTE_COLOURS};
    return write_png(run, path, header, fill);
}

halo_status app_write_pixels(app_run *run, const char *path, halo_sample_type type, int pixel,
                             halo_rows_fill *fill)
{
    const int64_t *n = run->domain.n;
    const int axes = run->domain.axes;
    bool solid = axes == HALO_AXES;
    const halo_array_about about = about_of(run);
    const plane_array plane = {{.width = n[2], .height = n[1], .type = type, .axes = 2}, &about};
    if (is_a_plane(run, path)) {
        return app_write_planes(run, path, &plane, write_array_plane, fill);
    }
    const halo_npy_header header = {.width = axes > 1 ? n[axes - 1] * halo_max(pixel, 1) : 1,
                                    .height = solid ? n[0] * n[1] : n[0],
                                    .type = type,
                                    .axes = pixel > 0 ? 3 : axes,
                                    .planes = solid ? n[0] : 0,
                                    .pixel = pixel};
    const halo_rows rows = {.fill = fill, .progress = app_show_rows, .context = run};
    return halo_array_write(run->world, path, &header, &about, app_cuts(run), &rows);
}

halo_status app_write_array(app_run *run, const char *path, halo_sample_type type,
                            halo_rows_fill *fill)
{
    return app_write_pixels(run, path, type, 0, fill);
}

halo_status app_write_table(app_run *run, const char *path, const halo_table *table)
{
    return run->writing->table != NULL ? run->writing->table(run, path, table)
                                       : halo_table_write(run->world, path, table);
}

halo_status app_write_plot(app_run *run, const char *path, int width, int height,
                           halo_plot_writer *write, const void *context)
{
    return halo_agree(run->world, app_is_root(run)
                                      ? halo_plot_draw_written(path, width, height, write, context)
                                      : HALO_OK);
}

static bool writes(const app_writer *writer, const char *path)
{
    return writer->what == APP_ARRAYS     ? halo_array_is_one(path)
           : writer->what == APP_PICTURES ? halo_picture_is_one(path) || app_planes_in_folder(path)
                                          : halo_name_ends(path, writer->ending);
}

const app_writer *app_writer_of(const app_output *output, const char *path)
{
    static const app_writer none;
    const app_writer *writer = output->writers != NULL ? output->writers : &none;
    while (writer->what != APP_NO_FILES && !writes(writer, path)) {
        writer++;
    }
    return writer;
}

/* Bytes of a row that lies in memory as the file has it. */
static size_t row_bytes(const app_run *run, const app_writer *writer)
{
    enum { BITS_A_BYTE = 8 };
    int64_t width = run->domain.axes > 1 ? run->domain.n[run->domain.axes - 1] : 1;
    const halo_png_header header = {.width = width, .kind = (halo_png_kind)writer->kind};
    return writer->what == APP_ARRAYS     ? (size_t)width * halo_sample_types[writer->kind].stored
           : header.kind == HALO_PNG_BITS ? (size_t)(width + BITS_A_BYTE - 1) / BITS_A_BYTE
                                          : halo_png_row_bytes(&header);
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const app_writer *writer = run->writing->writer;
    size_t bytes = row_bytes(run, writer);
    for (int64_t i = 0; i < rows; i++) {
        char *row = (char *)out + (size_t)i * pitch;
        if (writer->row != NULL) {
            memcpy(row, writer->row(run, first + i), bytes);
        } else {
            writer->fill_row(run, first + i, row);
        }
    }
    return HALO_OK;
}

static halo_status write_rows(app_run *run, const app_output *output, const char *path)
{
    const app_writer *writer = app_writer_of(output, path);
    halo_rows_fill *fill = writer->fill != NULL ? writer->fill : fill_rows;
    run->writing->writer = writer;
    return writer->write != NULL ? writer->write(run, path)
           : writer->what == APP_ARRAYS
               ? app_write_pixels(run, path, (halo_sample_type)writer->kind, writer->pixel, fill)
           : writer->kind == HALO_PNG_PALETTE
               ? write_colours(run, path, fill)
               : app_write_png(run, path, (halo_png_kind)writer->kind, fill);
}

static halo_status paint_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    app_run *run = context;
    const halo_canvas canvas = {
        .first_row = first, .rows = rows, .width = run->domain.n[1], .pixels = out, .pitch = pitch};
    app_background_paint(&run->writing->background, &canvas);
    return run->writing->output->paint(run, &canvas);
}

static halo_status prepare(app_run *run, const app_output *output)
{
    if (output->colours || output->paint != NULL) {
        HALO_TRY(app_background_open(run, output->colours));
        progress_phase(&run->progress, output->phase);
    }
    return output->prepare != NULL ? output->prepare(run) : HALO_OK;
}

static halo_status write_text(app_run *run, const app_output *output, const char *path)
{
    halo_buffer text = {0};
    halo_status made = app_is_root(run) ? output->text(run, path, &text) : HALO_OK;
    halo_status status = report_save_text(run->world, path, made, &text);
    halo_buffer_free(&text);
    return status;
}

static halo_status write_file(app_run *run, const app_output *output, const char *path)
{
    bool is_text = output->text != NULL && app_writer_of(output, path)->what == APP_NO_FILES;
    return output->write != NULL   ? output->write(run, path)
           : is_text               ? write_text(run, output, path)
           : output->paint != NULL ? app_write_png(run, path, HALO_PNG_RGB8, paint_rows)
                                   : write_rows(run, output, path);
}

halo_status app_output_write(app_run *run, const app_output *output, const char *path)
{
    run->writing->output = output;
    progress_phase(&run->progress, output->phase);
    halo_status status = prepare(run, output);
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(run->world);
        status = write_file(run, output, path);
        halo_clock_end(&run->clock, HALO_PHASE_ENCODE, stretch, run->world);
    }
    if (output->finish != NULL) {
        output->finish(run);
    }
    uint64_t bit = UINT64_C(1) << (output - run->command->outputs);
    bool first = (run->writing->lost_outputs & bit) == 0;
    run->writing->lost_outputs |= status == HALO_FILE ? bit : 0;
    return app_survive(run, status, first ? "the run goes on with what is left" : NULL);
}

const char *app_output_path(const app_run *run, const app_output *output)
{
    const void *options =
        output->service != NULL ? app_service_options(run, output->service) : run->options;
    const char *path;
    memcpy(&path, (const char *)options + output->option, sizeof path);
    return path;
}

bool app_output_is_of(const app_output *output, const app_place *at)
{
    return at->row->type == HALO_OPTION_OUTPUT && at->service == output->service &&
           at->row->offset == output->option;
}

bool app_output_has_labels(const app_run *run, const app_output *output)
{
    app_place at = {0};
    bool labels = false;
    for (const halo_option *row; (row = app_next_row(run->command->syntax, &at)) != NULL;) {
        labels = labels || (app_output_is_of(output, &at) && (row->flags & APP_LABELS) != 0);
    }
    return labels;
}

halo_status app_outputs_write(app_run *run, app_when now)
{
    const app_output *output = run->command->outputs;
    for (; output != NULL && output->phase != NULL; output++) {
        const char *path = app_output_path(run, output);
        if (path != NULL && output->when == now) {
            HALO_TRY(app_output_write(run, output, path));
        }
    }
    return HALO_OK;
}
