#define _POSIX_C_SOURCE 200809L /* access */
#include "app/image/image.h"
#include "app/outputs.h"
#include "app/paths/paths.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "base/standard.h"
#include "cli/motion/job.h"
#include "core/world/collect.h"
#include "io/array/npy_write.h"
#include "io/canvas/canvas.h"
#include "io/flow/flo.h"
#include "io/flow/flow_colours.h"
#include "io/png/png_write.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of a row within this rank's strip. */
static int64_t local_row(const app_run *run, int64_t row)
{
    return row - run->cuts[halo_world_rank(run->world)];
}

/* ---- flow ------------------------------------------------------------------------------------ */

static halo_status fill_flow(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const motion_job *job = run->job;
    halo_motion_flow(job->motion, local_row(run, first), rows, out, pitch);
    return HALO_OK;
}

static halo_status fill_colours(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const motion_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        halo_motion_flow(job->motion, local_row(run, first) + i, 1, job->row, 0);
        halo_flow_colours(job->row, run->domain.n[1], job->max_square,
                          (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* The longest vector of all ranks. */
static halo_status find_max(app_run *run)
{
    motion_job *job = run->job;
    job->max_square = 0;
    for (int64_t i = 0; i < halo_motion_view(job->motion)->owned.n[0]; i++) {
        halo_motion_flow(job->motion, i, 1, job->row, 0);
        job->max_square =
            halo_max(job->max_square, halo_flow_max_square(job->row, run->domain.n[1]));
    }
    return halo_allreduce_max(run->world, &job->max_square, 1);
}

static halo_status write_colours(app_run *run, const char *path)
{
    motion_job *job = run->job;
    halo_status status = HALO_ALLOCATE(job->row, 2 * run->domain.n[1], "a row of flow");
    HALO_TRY_OR(done, halo_agree(run->world, status));
    HALO_TRY_OR(done, find_max(run));
    status = app_write_png(run, path, HALO_PNG_RGB8, fill_colours);
done:
    free(job->row);
    job->row = NULL;
    return status;
}

static halo_status write_flow(app_run *run, const char *path)
{
    const int64_t *n = run->domain.n;
    const halo_rows rows = {.fill = fill_flow, .progress = app_show_rows, .context = run};
    if (halo_name_ends(path, ".flo")) {
        return halo_flo_write(run->world, path, n[1], n[0], run->cuts, &rows);
    }
    if (halo_name_ends(path, ".npy")) {
        const halo_npy_header header = {
            .width = 2 * n[1], .height = n[0], .type = HALO_NPY_F32, .axes = 3, .pixel = 2};
        return halo_npy_write(run->world, path, &header, run->cuts, &rows);
    }
    return write_colours(run, path);
}

/* ---- vectors --------------------------------------------------------------------------------- */

static const halo_table_column columns[] = {
    {"cluster", HALO_TABLE_INTEGER},  {"pixels", HALO_TABLE_INTEGER},  {"x", HALO_TABLE_RATIO},
    {"y", HALO_TABLE_RATIO},          {"u", HALO_TABLE_RATIO},         {"v", HALO_TABLE_RATIO},
    {"difference", HALO_TABLE_RATIO}, {"compared", HALO_TABLE_INTEGER}};

static void vector_row(const void *context, int64_t row, halo_table_value *values)
{
    const halo_motion_vector *vector = (const halo_motion_vector *)context + row;
    const halo_table_value line[] = {{row, 1},
                                     {vector->pixels, 1},
                                     {vector->x, HALO_MOTION_ONE},
                                     {vector->y, HALO_MOTION_ONE},
                                     {vector->u, HALO_MOTION_ONE},
                                     {vector->v, HALO_MOTION_ONE},
                                     {vector->cost, halo_max(vector->compared, 1)},
                                     {vector->compared, 1}};
    memcpy(values, line, sizeof line);
}

static halo_status write_vectors(app_run *run, const char *path)
{
    const motion_job *job = run->job;
    const halo_table table = {.columns = columns,
                              .column_count = sizeof columns / sizeof columns[0],
                              .rows = halo_world_rank(run->world) == 0 ? job->options.clusters : 0,
                              .row = vector_row,
                              .context = halo_motion_vectors(job->motion)};
    return halo_table_write(run->world, path, &table);
}

/* ---- arrows ---------------------------------------------------------------------------------- */

enum {
    ONE = HALO_CANVAS_ONE,
    LINES_A_CLUSTER = 22, /* widths of lines from a cluster to the next */
    WIDEST = 6 * ONE,
    SHARE_OF_WHITE = 70 /* of 256: the frame becomes paler, so that arrows stand out */
};

halo_status motion_keep_earlier(app_run *run)
{
    const motion_job *job = run->job;
    if (((const motion_options *)run->options)->arrows.text == NULL) {
        return HALO_OK;
    }
    if (run->samples == NULL) {
        HALO_TRY(app_image_create_field(run->image, run->cuts, &run->samples));
    }
    const halo_view *from = halo_motion_view(job->motion), *to = halo_field_view(run->samples);
    size_t bytes = (size_t)from->owned.n[1] * (size_t)from->cell_bits / 8;
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        memcpy(halo_row(to, y), halo_row(from, y), bytes);
    }
    return HALO_OK;
}

/* So thin that arrows of neighbouring clusters leave the picture visible. In 256ths of a pixel. */
static int64_t line_width(const app_run *run)
{
    const motion_job *job = run->job;
    double pixels = (double)run->domain.n[0] * (double)run->domain.n[1];
    double apart = sqrt(pixels / job->options.clusters);
    return halo_max(ONE, halo_min((int64_t)rint(apart * ONE / LINES_A_CLUSTER), WIDEST));
}

/* The hue says where to; a vector counts as the largest, so that slow ones are seen as well. */
static void choose_colour(const halo_motion_vector *vector, unsigned char colour[3])
{
    const float pair[] = {(float)vector->u / HALO_MOTION_ONE, (float)vector->v / HALO_MOTION_ONE};
    halo_flow_colours(pair, 1, halo_flow_max_square(pair, 1), colour);
}

static void draw_vector(const halo_canvas *canvas, const halo_motion_vector *vector, double scale,
                        int64_t width)
{
    halo_canvas_pen pen = {.width = width, .rim = ONE / 2 + width / 4};
    const halo_canvas_point from = {vector->x, vector->y};
    const halo_canvas_point to = {vector->x + (int64_t)rint(scale * vector->u),
                                  vector->y + (int64_t)rint(scale * vector->v)};
    choose_colour(vector, pen.colour);
    halo_canvas_arrow(canvas, from, to, &pen);
}

static halo_status paint_arrows(app_run *run, const halo_canvas *canvas)
{
    static const unsigned char white[3] = {255, 255, 255};
    const motion_job *job = run->job;
    const halo_motion_vector *vectors = halo_motion_vectors(job->motion);
    double scale = ((const motion_options *)run->options)->arrow_scale;
    int64_t width = line_width(run);
    halo_canvas_mix(canvas, white, SHARE_OF_WHITE);
    for (int i = 0; i < job->options.clusters; i++) {
        if (vectors[i].pixels > 0) {
            draw_vector(canvas, &vectors[i], scale, width);
        }
    }
    return HALO_OK;
}

/* ---- the files of a pair --------------------------------------------------------------------- */

enum { FILES = 3 };

const app_output motion_outputs[] = {{.option = offsetof(motion_options, output),
                                      .phase = "writing flow",
                                      .when = APP_BY_COMMAND,
                                      .write = write_flow},
                                     {.option = offsetof(motion_options, vectors),
                                      .phase = "writing vectors",
                                      .when = APP_BY_COMMAND,
                                      .write = write_vectors},
                                     {.option = offsetof(motion_options, arrows),
                                      .phase = "writing arrows",
                                      .when = APP_BY_COMMAND,
                                      .paint = paint_arrows},
                                     {0}};

static const char *const options[FILES] = {"-o", "--vectors", "--arrows"};

static const filename_pattern *asked_name(const app_run *run, int file)
{
    return (const void *)((const char *)run->options + motion_outputs[file].option);
}

/* The name of a file of the pair that begins with a frame, in `out`; NULL if there is none. */
static const char *file_name(const app_run *run, int file, int64_t index, char out[FILENAME_SIZE])
{
    const motion_job *job = run->job;
    const filename_pattern *name = asked_name(run, file);
    return name->text != NULL ? halo_filename_print(name, job->frames.first + index, out) : NULL;
}

static halo_status check_name(const app_run *run, int file)
{
    const motion_job *job = run->job;
    const filename_pattern *name = asked_name(run, file);
    return job->frames.count <= 2 || name->text == NULL || name->numbered
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "%s %s is one file, and %" PRId64 " frames need %" PRId64
                           ": put a place for a number into its name, such as %%04d",
                           options[file], name->text, job->frames.count, job->frames.count - 1);
}

halo_status motion_add_files(const app_run *run, app_files *files)
{
    const motion_job *job = run->job;
    char name[FILENAME_SIZE];
    for (int f = 0; f < FILES; f++) {
        HALO_TRY(check_name(run, f));
        /* Files of earlier runs belong to the job, too. */
        for (int64_t i = 0; i < run->last_beat; i++) {
            app_file_use use = i < run->first_beat ? APP_BESIDE : APP_WRITTEN;
            HALO_TRY(app_files_add(files, use, file_name(run, f, i, name)));
        }
    }
    for (int64_t i = 0; i <= run->last_beat; i++) {
        HALO_TRY(app_files_add(files, APP_READ, motion_frame_name(&job->frames, i, name)));
    }
    return HALO_OK;
}

halo_status motion_check_earlier(const app_run *run)
{
    const char *checkpoint = run->arguments->state.checkpoint;
    char name[FILENAME_SIZE];
    for (int f = 0; f < FILES; f++) {
        for (int64_t i = 0; i < run->first_beat && asked_name(run, f)->text != NULL; i++) {
            const char *path = file_name(run, f, i, name);
            if (!halo_is_standard(path) && access(path, F_OK) != 0) {
                return halo_fail(HALO_FILE,
                                 "\"%.1000s\" of %s is missing, and the checkpoint \"%.1000s\" is "
                                 "behind its pair of frames; remove the checkpoint to begin again, "
                                 "or give it to --restore to go on without that file",
                                 path, options[f], checkpoint);
            }
        }
    }
    return HALO_OK;
}

halo_status motion_check_flow(const app_run *run)
{
    const char *flow = ((const motion_options *)run->options)->output.text;
    if (flow == NULL || !halo_name_ends(flow, ".flo")) {
        return HALO_OK;
    }
    halo_buffer head = {0};
    halo_status status = halo_flo_begin(&head, run->domain.n[1], run->domain.n[0]);
    halo_buffer_free(&head);
    return status;
}

halo_status motion_write_files(app_run *run, int64_t index)
{
    char name[FILENAME_SIZE];
    for (int f = 0; f < FILES; f++) {
        const char *path = file_name(run, f, index, name);
        if (path != NULL) {
            HALO_TRY(app_output_write(run, &motion_outputs[f], path));
        }
    }
    return HALO_OK;
}
