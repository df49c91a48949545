#include "app/report/progress.h"
#include "base/minmax.h"
#include "cli/distance/job.h"
#include "kernels/distance/convert.h"

#include <math.h>
#include <string.h>

/* Distances of a rank's strip, and where they are kept until they are written. */

/* The largest square of a distance within the domain. */
static double largest_square(const app_run *run)
{
    double sum = 0;
    for (int axis = 0; axis < run->domain.axes; axis++) {
        sum += (double)(run->domain.n[axis] + 1) * (double)(run->domain.n[axis] + 1);
    }
    return sum;
}

halo_sample_type distance_type(const app_run *run)
{
    const distance_options *options = run->options;
    bool spaced = app_pixel_of(run->image, &options->spacing).spaced;
    bool small = largest_square(run) < (options->with_sign ? INT32_MAX : UINT32_MAX);
    if (options->samples == DISTANCE_SAMPLES_FLOAT64) {
        return HALO_SAMPLE_F64;
    }
    if (!options->squared || options->samples == DISTANCE_SAMPLES_FLOAT32 || spaced) {
        return HALO_SAMPLE_F32;
    }
    return options->with_sign ? (small ? HALO_SAMPLE_I32 : HALO_SAMPLE_I64)
                              : (small ? HALO_SAMPLE_U32 : HALO_SAMPLE_U64);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Returns the address of a row, numbered through all planes, in a field. */
static void *place_of(const app_run *run, const halo_field *field, int64_t row)
{
    const halo_view *view = halo_field_view(field);
    int64_t unit = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    return halo_view_row(view, row - view->owned.lo[0] * unit);
}

/* The numbers of pixels in raster order; -1: there is no background. */
static void put_indices(const app_run *run, const halo_distance_row *row)
{
    const distance_job *job = run->job;
    void *out = place_of(run, job->indices, row->row);
    int axes = run->domain.axes;
    for (int64_t i = 0; i < row->count; i++) {
        int64_t number = 0;
        for (int axis = 0; axis < axes; axis++) {
            number = number * run->domain.n[axis] + row->nearest[axis][i];
        }
        number = row->nearest[0][i] < 0 ? -1 : number;
        if (job->wide) {
            ((int64_t *)out)[i] = number;
        } else {
            ((int32_t *)out)[i] = (int32_t)number;
        }
    }
}

static halo_status take(void *context, const halo_distance_row *row)
{
    const app_run *run = context;
    const distance_options *options = run->options;
    const distance_job *job = run->job;
    const distance_form form = {.squared = options->squared, .subtract = job->subtracts};
    if (job->indices != NULL && !job->subtracts) {
        put_indices(run, row);
    }
    return job->distances != NULL
               ? distance_convert(row, job->type, &form, place_of(run, job->distances, row->row))
               : HALO_OK;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static halo_distance_options options_of(const app_run *run)
{
    const distance_options *options = run->options;
    const distance_job *job = run->job;
    const app_pixel pixel = app_pixel_of(run->image, &options->spacing);
    halo_distance_options kernel = {.inverted = job->subtracts,
                                    .indices = job->indices != NULL && !job->subtracts,
                                    .instructions = run->arguments->common.instructions};
    for (int axis = 0; axis < run->domain.axes; axis++) {
        kernel.spacing[axis] = pixel.spaced ? pixel.size[HALO_AXES - run->domain.axes + axis] : 0;
        kernel.edge[axis] = options->edge != NULL;
    }
    return kernel;
}

static halo_status run_once(app_run *run, halo_distance_report *report)
{
    const distance_job *job = run->job;
    const halo_distance_options options = options_of(run);
    return halo_distance_run(run->world, &run->domain, halo_field_view(job->bits), &options, take,
                             run, report);
}

static halo_status take_thickness(void *context, const halo_distance_row *row)
{
    const app_run *run = context;
    memcpy(place_of(run, ((const distance_job *)run->job)->thickness, row->row), row->squares,
           (size_t)row->count * sizeof(uint32_t));
    return HALO_OK;
}

static halo_status find_thickness(app_run *run)
{
    const distance_options *options = run->options;
    distance_job *job = run->job;
    halo_thickness_options kernel = {.instructions = run->arguments->common.instructions};
    for (int axis = 0; axis < run->domain.axes; axis++) {
        kernel.edge[axis] = options->edge != NULL;
    }
    return halo_thickness_run(run->world, &run->domain, halo_field_view(job->bits), &kernel,
                              take_thickness, run, &job->thick);
}

static halo_status run_all(app_run *run)
{
    const distance_options *options = run->options;
    distance_job *job = run->job;
    HALO_TRY(run_once(run, &job->report));
    if (job->thickness != NULL) {
        HALO_TRY(find_thickness(run));
    }
    if (options->with_sign && job->distances != NULL) {
        job->subtracts = true;
        HALO_TRY(run_once(run, NULL));
    }
    return HALO_OK;
}

halo_status distance_compute(app_run *run)
{
    distance_job *job = run->job;
    progress_phase(&run->progress, "computing");
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = run_all(run);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    halo_field_destroy(&job->bits);
    if (status == HALO_OK && job->report.infinite) {
        app_warn(run, "no pixel is background, so that distances are infinite; another threshold "
                      "(-t), or --edge 0, which takes what is beyond the image as background, "
                      "gives finite ones");
    }
    return status;
}
