#include "app/image/image.h"
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "io/image/bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A grid from the file of an image, a volume or an array. */

/* Cells of floating point take numbers of any type; others what they are themselves. */
static bool takes_any(const halo_kernel *kernel)
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

static bool is_byte(halo_sample_type type)
{
    return halo_sample_types[type].stored == 1 && halo_sample_types[type].grey;
}

static halo_status check_type(const app_image *image, const halo_kernel *kernel)
{
    const halo_sample_type is = image->info.type, wanted = stencil_cells_type(kernel, 0);
    if (takes_any(kernel) || is == wanted || (is_byte(is) && is_byte(wanted))) {
        return HALO_OK;
    }
    int samples;
    const halo_sample_type saved = stencil_cells_npy(kernel, 0, &samples);
    return halo_fail(HALO_FORMAT,
                     "%s: samples are of type %s, and cells of kernel \"%s\" of type %s; save "
                     "array.astype(\"%s\")",
                     image->path, halo_sample_types[is].name, kernel->name,
                     halo_sample_types[saved].name, halo_sample_types[saved].numpy);
}

static halo_status check_axes(const app_image *image, const halo_kernel *kernel)
{
    int axes = image->domain.axes;
    return kernel->axes == 0 || kernel->axes == axes
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "kernel \"%s\" computes grids of %d axes, and \"%s\" has %d",
                           kernel->name, kernel->axes, image->path, axes);
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
    job->asked = job->options = text;
    return stencil_suit_kernel(job);
}

halo_status stencil_input_open(app_run *run, const char *path)
{
    stencil_job *job = run->job;
    app_image_options options = app_image_options_of_files(run);
    options.want = takes_any(job->kernel) ? HALO_IMAGE_REALS : HALO_IMAGE_SAMPLES;
    options.lines = true;
    options.volumes = true;
    options.narrow = true;
    options.solid = true;
    HALO_TRY(check_cells(job->kernel));
    HALO_TRY(app_image_open(&job->input, run, path, &options));
    HALO_TRY(halo_agree(run->world, follow_type(run)));
    HALO_TRY(check_type(&job->input, job->kernel));
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

/* A row as the reader hands it out becomes a line of cells. */
static void take_row(const stencil_job *job, const void *row, int64_t count, void *line)
{
    int cell_bits = job->kernel->cell_bits[0];
    size_t bytes = ((size_t)count * (size_t)cell_bits + 7) / 8;
    if (job->input.cell_bits == cell_bits) {
        memcpy(line, row, bytes);
    } else if (job->input.cell_bits == 1) {
        halo_bits_unpack(count, row, 1, line);
    } else if (cell_bits == HALO_BIT) {
        halo_bits_pack_bytes(count, row, line);
    } else {
        floats_of_reals(row, count, line);
    }
}

/* `context` is the run. */
static halo_status take_rows(void *context, int64_t first, int64_t count, const void *data,
                             size_t pitch)
{
    const stencil_job *job = ((const app_run *)context)->job;
    for (int64_t i = 0; i < count; i++) {
        take_row(job, (const char *)data + (size_t)i * pitch, job->input.info.width,
                 stencil_lines_at(&job->lines, 0, first + i));
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
    if (status == HALO_OK && !takes_any(job->kernel)) { /* others have NaN */
        status = app_image_check_missing(&job->input, job->kernel->name);
    }
    if (status == HALO_OK) {
        status = stencil_lines_scatter(lines, &run->clock);
    }
    stencil_lines_end(lines);
    return status;
}
