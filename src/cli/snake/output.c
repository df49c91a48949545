#include "cli/snake/output.h"

#include "app/paths.h"
#include "app/values.h"
#include "cli/snake/overlay.h"
#include "core/world/collect.h"
#include "io/contour/contours_write.h"
#include "io/png/png_parallel.h"

enum { OUTPUTS = 6, INPUTS = SNAKE_INITS + 3 };

halo_status snake_output_check(snake_job *job)
{
    const snake_arguments *arguments = job->arguments;
    /* The checkpoint, the last of them, may go where the last one came from. */
    const char *const outputs[OUTPUTS] = {arguments->output,      arguments->overlay,
                                          arguments->gradient,    arguments->movie.path,
                                          arguments->common.json, arguments->saving.checkpoint};
    const char *inputs[INPUTS] = {arguments->image, arguments->common.balance.trace};
    int count = 2;
    for (int i = 0; i < arguments->inits.count; i++) {
        if (arguments->inits.list[i].kind == SNAKE_INIT_POLYGON) {
            inputs[count++] = arguments->inits.list[i].path;
        }
    }
    HALO_TRY(paths_check(job->world, outputs, OUTPUTS, inputs, count));
    HALO_TRY(paths_check_distinct(job->world, outputs, OUTPUTS - 1, &arguments->saving.restore, 1));
    inputs[count++] = arguments->saving.restore;
    HALO_TRY(cli_balance_check_log(job->balance, outputs, OUTPUTS));
    return cli_balance_check_log(job->balance, inputs, count);
}

/* ---- the gradient -------------------------------------------------------------------------------
 */

typedef struct {
    snake_job *job;
    const halo_view *gradient;
    int64_t largest;
} slopes;

static int64_t largest_of(const halo_view *gradient)
{
    int64_t largest = 1;
    for (int64_t i = 0; i < gradient->owned.n[0]; i++) {
        const uint16_t *row = halo_row(gradient, i);
        for (int64_t x = 0; x < gradient->owned.n[1]; x++) {
            largest = row[x] > largest ? row[x] : largest;
        }
    }
    return largest;
}

static halo_status fill_slopes(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    enum { WHITE = 255 };
    const slopes *s = context;
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *row = halo_row(s->gradient, first + i - s->gradient->owned.lo[0]);
        unsigned char *greys = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < s->gradient->owned.n[1]; x++) {
            greys[x] = (unsigned char)(row[x] * WHITE / s->largest);
        }
    }
    return HALO_OK;
}

static void show_slopes(void *context, int64_t done, int64_t total)
{
    progress_update(&((slopes *)context)->job->progress, done, total);
}

halo_status snake_output_gradient(snake_job *job, const halo_view *gradient)
{
    if (job->arguments->gradient == NULL) {
        return HALO_OK;
    }
    slopes s = {.job = job, .gradient = gradient, .largest = largest_of(gradient)};
    const halo_png_header header = {
        .width = job->image.domain.n[1], .height = job->image.domain.n[0], .kind = HALO_PNG_GREY8};
    const halo_rows rows = {.fill = fill_slopes, .progress = show_slopes, .context = &s};
    progress_phase(&job->progress, "writing edges");
    HALO_TRY(halo_allreduce_max(job->world, &s.largest, 1));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status =
        halo_png_write(job->world, job->arguments->gradient, &header, job->strips.cuts[0], &rows);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

/* ---- the contours -------------------------------------------------------------------------------
 */

static halo_status write_contours(snake_job *job)
{
    const snake_arguments *arguments = job->arguments;
    const halo_contours_scene scene = {.contours = &job->contours,
                                       .points = job->places,
                                       .width = job->image.domain.n[1],
                                       .height = job->image.domain.n[0],
                                       .picture = arguments->image};
    progress_phase(&job->progress, "writing contours");
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = halo_contours_write(job->world, arguments->output, &scene);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

halo_status snake_output_write(snake_job *job)
{
    if (job->arguments->output != NULL) {
        HALO_TRY(write_contours(job));
    }
    return job->arguments->overlay != NULL ? snake_overlay_write(job) : HALO_OK;
}
