#include "cli/label/job.h"

#include <limits.h>

/* What measures need of pixels that are passed once more, after labelling. */

/* Those of greys are found by labelling. */
static unsigned measures_of(const app_run *run)
{
    bool wide = label_sample_type(run) != HALO_LABEL_ALIKE;
    return (wide && label_needs(run, LABEL_ONLY_GREYS) ? HALO_MEASURE_INTENSITIES : 0U) |
           (label_needs(run, LABEL_BY_MOMENTS) ? HALO_MEASURE_MOMENTS : 0U) |
           (label_needs(run, LABEL_BY_MEDIANS) ? HALO_MEASURE_MEDIANS : 0U);
}

int64_t label_measured_bytes(const app_run *run)
{
    return halo_label_measure_bytes(measures_of(run), app_image_type(run->image));
}

halo_status label_measure_samples(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    bool wide = label_sample_type(run) != HALO_LABEL_ALIKE;
    const halo_region_samples samples = {
        .type = app_image_type(run->image),
        .view = wide || job->grey == NULL ? NULL : halo_field_view(job->grey),
        .pass = label_pass_samples,
        .context = run};
    return halo_label_measure(job->label, measures_of(run), &samples, out);
}

/* A halo_label_pass of an image. */
static halo_status pass_colours(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    app_image *colours = context;
    app_run *run = colours->run;
    return app_image_stream(colours, cuts, &run->progress, take, taken_by, &run->clock);
}

halo_status label_measure_colours(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    app_image colours;
    halo_region_samples samples = {.pass = pass_colours, .context = &colours};
    halo_status status = app_image_open_colours(&colours, run->image);
    if (status == HALO_OK) {
        status = app_image_check_unchanged(&colours.info, run->image);
    }
    if (status == HALO_OK) {
        bool bytes = colours.cell_bits == CHAR_BIT * HALO_CHANNELS;
        samples.type = bytes ? HALO_SAMPLE_U8 : HALO_SAMPLE_U16;
        status = halo_label_measure(job->label, HALO_MEASURE_CHANNELS, &samples, out);
    }
    app_image_close(&colours);
    return status;
}
