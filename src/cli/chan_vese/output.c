#include "cli/chan_vese/output.h"

#include "app/paths.h"
#include "app/stencil/cells.h"
#include "app/values.h"
#include "cli/chan_vese/overlay.h"
#include "io/npy/npy.h"
#include "io/png/png_parallel.h"

#include <string.h>

halo_status chan_vese_output_check(const chan_vese_job *job)
{
    enum { OUTPUTS = 5, INPUTS = 4 };
    const chan_vese_arguments *arguments = job->arguments;
    const char *const outputs[OUTPUTS] = {arguments->output, arguments->overlay,
                                          arguments->movie.path, arguments->common.json,
                                          arguments->saving.checkpoint};
    const char *const inputs[INPUTS] = {arguments->image, arguments->init.path,
                                        arguments->common.balance.trace, arguments->saving.restore};
    HALO_TRY(paths_check(job->world, outputs, OUTPUTS, inputs, INPUTS - 1));
    /* A checkpoint may go where the last one came from. */
    HALO_TRY(paths_check_distinct(job->world, outputs, OUTPUTS - 1, inputs + INPUTS - 1, 1));
    HALO_TRY(cli_balance_check_log(job->balance, outputs, OUTPUTS));
    return cli_balance_check_log(job->balance, inputs, INPUTS);
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(&((chan_vese_job *)context)->progress, done, total);
}

static const void *cells_at(const chan_vese_job *job, int64_t row)
{
    const halo_view *view = halo_beat_view(job->beat, 0);
    return halo_row(view, row - view->owned.lo[0]);
}

static halo_status fill_bits(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const chan_vese_job *job = context;
    const halo_png_header header = {.width = job->image.domain.n[1], .kind = HALO_PNG_BITS};
    size_t bytes = halo_png_row_bytes(&header);
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, cells_at(job, first + i), bytes);
    }
    return HALO_OK;
}

static halo_status fill_bytes(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const chan_vese_job *job = context;
    for (int64_t i = 0; i < rows; i++) {
        run_cells_spread(cells_at(job, first + i), job->image.domain.n[1],
                         (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_status write_inside(chan_vese_job *job, const char *path)
{
    int64_t height = job->image.domain.n[0], width = job->image.domain.n[1];
    const int64_t *cuts = halo_beat_cuts(job->beat);
    progress_phase(&job->progress, "writing");
    if (app_ends_with(path, ".npy")) {
        /* The type of array that scikit-image returns. */
        halo_npy_header header = {.width = width, .height = height, .type = HALO_NPY_I8};
        halo_rows rows = {.fill = fill_bytes, .progress = show_rows, .context = job};
        return halo_npy_write(job->world, path, &header, cuts, &rows);
    }
    halo_png_header header = {.width = width, .height = height, .kind = HALO_PNG_BITS};
    halo_rows rows = {.fill = fill_bits, .progress = show_rows, .context = job};
    return halo_png_write(job->world, path, &header, cuts, &rows);
}

halo_status chan_vese_output_write(chan_vese_job *job)
{
    const chan_vese_arguments *arguments = job->arguments;
    if (arguments->output != NULL) {
        halo_stretch stretch = halo_clock_begin(job->world);
        halo_status status = write_inside(job, arguments->output);
        halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
        HALO_TRY(status);
    }
    return arguments->overlay != NULL ? chan_vese_overlay_write(job) : HALO_OK;
}
