#include "cli/motion/output.h"

#include "app/paths.h"
#include "app/values.h"
#include "base/minmax.h"
#include "cli/motion/arrows.h"
#include "core/world/collect.h"
#include "io/flow/flo.h"
#include "io/flow/flow_colours.h"
#include "io/npy/npy.h"
#include "io/png/png_parallel.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- before ---------------------------------------------------------------------------------- */

static halo_status check_common(cli_motion_job *job)
{
    const motion_arguments *arguments = job->arguments;
    const char *const outputs[] = {arguments->common.json, arguments->saving.checkpoint};
    const char *const inputs[] = {arguments->common.balance.trace, arguments->saving.restore};
    HALO_TRY(paths_check(job->world, outputs, 2, inputs, 1));
    /* A checkpoint may go where the last one came from. */
    return paths_check_distinct(job->world, outputs, 1, inputs + 1, 1);
}

/* The files of a pair, and what none of them may be. */
static halo_status check_pair(cli_motion_job *job, int64_t index, bool can_be_made)
{
    char names[MOTION_FILES + 2][NUMBERED_SIZE];
    const motion_arguments *arguments = job->arguments;
    const char *outputs[MOTION_FILES];
    for (int f = 0; f < MOTION_FILES; f++) {
        outputs[f] = motion_frames_file(&job->frames, &arguments->files[f], index, names[f]);
    }
    const char *const inputs[] = {
        motion_frames_name(&job->frames, index, names[MOTION_FILES]),
        motion_frames_name(&job->frames, index + 1, names[MOTION_FILES + 1]),
        arguments->common.balance.trace,
        arguments->saving.restore,
        arguments->common.json,
        arguments->saving.checkpoint};
    const int count = sizeof inputs / sizeof inputs[0];
    return can_be_made ? paths_check(job->world, outputs, MOTION_FILES, inputs, count)
                       : paths_check_distinct(job->world, outputs, MOTION_FILES, inputs, count);
}

halo_status motion_output_check(cli_motion_job *job, int64_t begin)
{
    static const char *const options[MOTION_FILES] = {"-o", "--vectors", "--arrows"};
    for (int f = 0; f < MOTION_FILES; f++) {
        const numbered_name *file = &job->arguments->files[f];
        if (job->frames.count > 2 && file->text != NULL && !file->numbered) {
            return halo_fail(HALO_ARGUMENT,
                             "%s %s is one file, and %" PRId64 " frames need %" PRId64
                             ": put a place for a number into its name, such as %%04d",
                             options[f], file->text, job->frames.count, job->frames.count - 1);
        }
    }
    HALO_TRY(check_common(job));
    for (int64_t i = begin; i < job->frames.count - 1; i++) {
        HALO_TRY(check_pair(job, i, i == begin));
    }
    return HALO_OK;
}

halo_status motion_output_fits(const cli_motion_job *job)
{
    const motion_arguments *arguments = job->arguments;
    const char *flow = arguments->files[MOTION_FLOW].text;
    if (flow == NULL || !app_ends_with(flow, ".flo")) {
        return HALO_OK;
    }
    halo_buffer head = {0};
    halo_status status = halo_flo_begin(&head, job->image.info.width, job->image.info.height);
    halo_buffer_free(&head);
    return status;
}

/* ---- flow -------------------------------------------------------------------------------------
 */

/* Rows for a writer. */
typedef struct {
    cli_motion_job *job;
    int64_t first_row; /* of this rank's strip */
    float *row;        /* of flow */
    int64_t largest;   /* square of the largest vector's length, for colours */
} flow_rows;

static halo_status fill_flow(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const flow_rows *flow = context;
    halo_motion_flow(flow->job->motion, first - flow->first_row, rows, out, pitch);
    return HALO_OK;
}

/* NumPy's rows are pixels here: what is asked for may begin and end within rows of the picture. */
static halo_status fill_pixels(void *context, int64_t first, int64_t pixels, void *out,
                               size_t pitch)
{
    const flow_rows *flow = context;
    int64_t width = flow->job->image.info.width, step;
    for (int64_t done = 0; done < pixels; done += step) {
        int64_t row = (first + done) / width, column = (first + done) % width;
        step = halo_min(width - column, pixels - done);
        halo_motion_flow(flow->job->motion, row - flow->first_row, 1, flow->row, 0);
        memcpy((char *)out + (size_t)done * pitch, flow->row + 2 * column, (size_t)step * pitch);
    }
    return HALO_OK;
}

static halo_status fill_colours(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const flow_rows *flow = context;
    int64_t width = flow->job->image.info.width;
    for (int64_t i = 0; i < rows; i++) {
        halo_motion_flow(flow->job->motion, first + i - flow->first_row, 1, flow->row, 0);
        halo_flow_colours(flow->row, width, flow->largest,
                          (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    const flow_rows *flow = context;
    progress_update(flow->job->sequence ? &flow->job->hidden : &flow->job->progress, done, total);
}

static halo_status write_npy(flow_rows *flow, const char *path, const int64_t *cuts)
{
    halo_world *world = flow->job->world;
    int64_t width = flow->job->image.info.width, height = flow->job->image.info.height;
    int ranks = halo_world_ranks(world);
    int64_t *pixels = calloc((size_t)ranks + 1, sizeof *pixels);
    HALO_TRY(halo_agree(
        world, pixels != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: cuts of pixels")));
    for (int r = 0; r <= ranks; r++) {
        pixels[r] = cuts[r] * width;
    }
    const halo_npy_header header = {
        .width = 2, .height = width * height, .type = HALO_NPY_F32, .axes = 3, .planes = height};
    const halo_rows rows = {fill_pixels, show_rows, flow};
    halo_status status = halo_npy_write(world, path, &header, pixels, &rows);
    free(pixels);
    return status;
}

static halo_status write_colours(flow_rows *flow, const char *path, const int64_t *cuts)
{
    halo_world *world = flow->job->world;
    int rank = halo_world_rank(world);
    const halo_png_info *frame = &flow->job->image.info;
    for (int64_t i = 0; i < cuts[rank + 1] - cuts[rank]; i++) {
        halo_motion_flow(flow->job->motion, i, 1, flow->row, 0);
        flow->largest = halo_max(flow->largest, halo_flow_largest(flow->row, frame->width));
    }
    HALO_TRY(halo_allreduce_max(world, &flow->largest, 1));
    const halo_png_header header = {
        .width = frame->width, .height = frame->height, .kind = HALO_PNG_RGB8};
    const halo_rows rows = {fill_colours, show_rows, flow};
    return halo_png_write(world, path, &header, cuts, &rows);
}

static halo_status write_as(flow_rows *flow, const char *path)
{
    const halo_png_info *frame = &flow->job->image.info;
    const int64_t *cuts = halo_motion_cuts(flow->job->motion);
    const halo_rows rows = {fill_flow, show_rows, flow};
    if (app_ends_with(path, ".flo")) {
        return halo_flo_write(flow->job->world, path, frame->width, frame->height, cuts, &rows);
    }
    if (app_ends_with(path, ".npy")) {
        return write_npy(flow, path, cuts);
    }
    return write_colours(flow, path, cuts);
}

static halo_status write_flow(cli_motion_job *job, const char *path)
{
    flow_rows flow = {.job = job,
                      .first_row = halo_motion_cuts(job->motion)[halo_world_rank(job->world)]};
    flow.row = malloc(2 * sizeof *flow.row * (size_t)job->image.info.width);
    halo_status status =
        flow.row != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a row of flow");
    status = halo_agree(job->world, status);
    if (status == HALO_OK) {
        status = write_as(&flow, path);
    }
    free(flow.row);
    return status;
}

/* ---- vectors ----------------------------------------------------------------------------------
 */

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

static halo_status write_vectors(cli_motion_job *job, const char *path)
{
    const halo_table table = {
        .columns = columns,
        .column_count = sizeof columns / sizeof columns[0],
        .rows = halo_world_rank(job->world) == 0 ? halo_motion_clusters(job->motion) : 0,
        .row = vector_row,
        .context = halo_motion_vectors(job->motion)};
    return halo_table_write(job->world, path, &table);
}

halo_status motion_output_write(cli_motion_job *job, int64_t index)
{
    static const struct {
        const char *phase;
        halo_status (*write)(cli_motion_job *job, const char *path);
    } writers[MOTION_FILES] = {{"writing flow", write_flow},
                               {"writing vectors", write_vectors},
                               {"writing arrows", motion_arrows_write}};
    char name[NUMBERED_SIZE];
    for (int f = 0; f < MOTION_FILES; f++) {
        const char *path = motion_frames_file(&job->frames, &job->arguments->files[f], index, name);
        if (path != NULL) {
            progress_phase(job->sequence ? &job->hidden : &job->progress, writers[f].phase);
            HALO_TRY(writers[f].write(job, path));
        }
    }
    return HALO_OK;
}
