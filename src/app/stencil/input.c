#include "app/image/image.h"
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "io/image/bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A grid from the file of an image, a volume or an array. */

/* Cells of floating point take the nearest numbers; others need samples that they can be. */
static bool are_real(const halo_kernel *kernel)
{
    const halo_sample_type cells = stencil_cells_type(kernel, 0);
    return cells != STENCIL_BYTES && halo_sample_types[cells].real;
}

static halo_status check_cells(const halo_kernel *kernel)
{
    return stencil_cells_type(kernel, 0) != STENCIL_BYTES
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "cells of kernel \"%s\" have %d bits, and no array holds such; "
                           "leave --input out",
                           kernel->name, kernel->cell_bits[0]);
}

static halo_status check_axes(const app_image *image, const halo_kernel *kernel)
{
    int axes = image->domain.axes;
    return kernel->axes == 0 || kernel->axes == axes
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "kernel \"%s\" computes grids of %d axes, and \"%s\" has %d; %s",
                           kernel->name, kernel->axes, image->path, axes,
                           axes == HALO_AXES ? "choose one of its planes, as FILE:z=0"
                                             : "name a file with as many");
}

/* Numbers of 32 bits need not become those of 64, unless that is asked for. */
static halo_status follow_type(app_run *run)
{
    stencil_job *job = run->job;
    char *text;
    HALO_TRY(stencil_params_follow(&text, job->kernel, job->options,
                                   halo_sample_types[job->input.info.type].name));
    if (text == NULL) {
        return HALO_OK;
    }
    free(job->text);
    job->text = text;
    job->requested = job->options = text;
    return stencil_suit_kernel(job);
}

halo_status stencil_input_open(app_run *run, const char *path)
{
    stencil_job *job = run->job;
    app_image_options options = app_image_options_of_files(run);
    options.want = are_real(job->kernel) ? HALO_IMAGE_REALS : HALO_IMAGE_SAMPLES;
    options.lines = true;
    options.volumes = true;
    options.narrow = true;
    options.solid = true;
    HALO_TRY(check_cells(job->kernel));
    HALO_TRY(app_image_open(&job->input, run, path, &options));
    HALO_TRY(halo_agree(run->world, follow_type(run)));
    HALO_TRY(check_axes(&job->input, job->kernel));
    run->domain = job->input.domain;
    return HALO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void floats_of_reals(const double *reals, int64_t count, float *out)
{
    for (int64_t i = 0; i < count; i++) {
        out[i] = (float)reals[i];
    }
}

/* Fails for the first sample of a row that cells cannot be. */
static halo_status fail_sample(const stencil_job *job, int64_t row, int64_t column,
                               const halo_number *is)
{
    const halo_image_info *info = &job->input.info;
    const halo_sample_type cells = stencil_cells_type(job->kernel, 0);
    const halo_sample_type_entry *of = &halo_sample_types[cells];
    const halo_number min = halo_sample_number(cells, of->key_min),
                      max = halo_sample_number(cells, of->key_max);
    char text[HALO_NUMBER_TEXT], low[HALO_NUMBER_TEXT], high[HALO_NUMBER_TEXT], plane[32] = "";
    halo_number_print(is, text);
    halo_number_print(&min, low);
    halo_number_print(&max, high);
    if (info->axes == HALO_AXES) {
        snprintf(plane, sizeof plane, "plane %" PRId64 ", ", row / info->height);
    }
    return halo_fail(HALO_FORMAT,
                     "%s: the sample in %srow %" PRId64 ", column %" PRId64 " (from 0) is %s, and "
                     "cells of kernel \"%s\" are %s: whole numbers from %s to %s; save such",
                     job->input.path, plane, row % info->height, column, text, job->kernel->name,
                     of->name, low, high);
}

/* A row as the reader hands it out becomes a line of cells. */
static halo_status take_row(const stencil_job *job, int64_t row, const void *samples, void *line)
{
    const int64_t count = job->input.info.width;
    const halo_sample_type to = stencil_cells_type(job->kernel, 0);
    const halo_sample_type is = are_real(job->kernel) ? HALO_SAMPLE_F64 : job->input.info.type;
    int64_t good = count;
    if (is == HALO_SAMPLE_BIT && to == HALO_SAMPLE_U8) {
        halo_bits_unpack(count, samples, 1, line);
    } else if (is == HALO_SAMPLE_U8 && to == HALO_SAMPLE_BIT) {
        halo_bits_pack_bytes(count, samples, line);
    } else if (is == to) {
        memcpy(line, samples, halo_image_row_bytes(&job->input.info));
    } else if (are_real(job->kernel)) {
        floats_of_reals(samples, count, line);
    } else {
        good = halo_sample_to_whole(is, samples, count, to, line);
    }
    if (good == count) {
        return HALO_OK;
    }
    const halo_number found = halo_sample_number(is, halo_sample_key_of(is, samples, good));
    return fail_sample(job, row, good, &found);
}

/* `context` is the run. */
static halo_status take_rows(void *context, int64_t first, int64_t count, const void *data,
                             size_t pitch)
{
    const stencil_job *job = ((const app_run *)context)->job;
    for (int64_t i = 0; i < count; i++) {
        HALO_TRY(take_row(job, first + i, (const char *)data + (size_t)i * pitch,
                          stencil_lines_at(&job->lines, 0, first + i)));
    }
    return HALO_OK;
}

halo_status stencil_input_read(app_run *run)
{
    stencil_job *job = run->job;
    stencil_lines *lines = &job->lines;
    halo_status status =
        stencil_lines_begin(lines, run->world, job->kernel, &run->domain, run->beat, 0, 1);
    if (status == HALO_OK) {
        status = app_image_stream(&job->input, stencil_lines_layers(lines), &run->progress,
                                  take_rows, run, &run->clock);
    }
    if (status == HALO_OK && !are_real(job->kernel)) { /* others have NaN */
        status = app_image_check_missing(&job->input, job->kernel->name);
    }
    if (status == HALO_OK) {
        status = stencil_lines_scatter(lines, &run->clock);
    }
    stencil_lines_end(lines);
    return status;
}
