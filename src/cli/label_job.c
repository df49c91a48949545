#include "cli/label_job.h"

#include "cli/label_output.h"
#include "core/collect.h"
#include "core/stream.h"
#include "kernels/label/threshold.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What rank 0 learns from the file's header and tells the others. */
static halo_status open_image(cli_label_job *job)
{
    halo_status status = HALO_OK;
    if (halo_world_rank(job->world) == 0) {
        status = halo_png_reader_open(&job->reader, job->arguments->image, NULL);
        if (status == HALO_OK) {
            job->image = *halo_png_reader_info(job->reader);
            snprintf(job->kind, sizeof job->kind, "%s", job->image.kind);
            snprintf(job->decoder, sizeof job->decoder, "%s", job->image.decoder);
        }
    }
    HALO_TRY(halo_agree(job->world, status));
    HALO_TRY(halo_share(job->world, &job->image, sizeof job->image, 0));
    job->domain = (halo_domain){.axes = 2,
                                .n = {job->image.height, job->image.width, 1},
                                .periodic = {job->arguments->periodic, job->arguments->periodic}};
    return HALO_OK;
}

static int64_t grey_levels(const cli_label_job *job)
{
    return INT64_C(1) << job->image.grey_bits;
}

static halo_status create_fields(cli_label_job *job)
{
    HALO_TRY(halo_partition_strips(&job->strips, &job->domain, halo_world_ranks(job->world)));
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(job->world));
    HALO_TRY(halo_field_create(&job->grey, &job->domain, &mine, job->image.grey_bits, 0));
    HALO_TRY(halo_field_create(&job->lit, &job->domain, &mine, HALO_BIT, 0));
    job->histogram = calloc((size_t)grey_levels(job), sizeof *job->histogram);
    return job->histogram != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a histogram");
}

static halo_status read_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    (void)first; /* rows come in order */
    cli_label_job *job = context;
    HALO_TRY(halo_png_reader_rows(job->reader, rows, out, pitch));
    job->rows_read += rows;
    progress_update(&job->progress, job->rows_read, job->image.height);
    return job->rows_read < job->image.height ? HALO_OK : halo_png_reader_finish(job->reader);
}

static void count_rows(void *context, int64_t first, int64_t rows)
{
    cli_label_job *job = context;
    halo_histogram_add(halo_field_view(job->grey), first, rows, job->histogram);
}

static halo_status read_image(cli_label_job *job)
{
    progress_phase(&job->progress, "reading");
    bool needs_histogram = job->arguments->threshold == THRESHOLD_OTSU;
    halo_stream stream = {
        .source = read_rows, .sink = needs_histogram ? count_rows : NULL, .context = job};
    HALO_TRY(halo_stream_rows(job->world, job->strips.cuts[0], halo_field_view(job->grey), &stream,
                              &job->clock));
    halo_png_reader_close(&job->reader);
    return HALO_OK;
}

static halo_status find_threshold(cli_label_job *job)
{
    const label_arguments *arguments = job->arguments;
    double maximum = (double)job->image.maximum;
    switch (arguments->threshold) {
    case THRESHOLD_OTSU:
        HALO_TRY(halo_sum(job->world, job->histogram, (int)grey_levels(job)));
        job->threshold = halo_otsu(job->histogram, grey_levels(job));
        return HALO_OK;
    case THRESHOLD_PERCENT:
        job->threshold = (int64_t)ceil(arguments->threshold_value * maximum / 100);
        return HALO_OK;
    case THRESHOLD_VALUE:
        break;
    }
    if (arguments->threshold_value > maximum) {
        return halo_fail(HALO_ARGUMENT,
                         "the threshold %g is beyond this image's samples, which go from 0 to "
                         "%" PRId64 "; use a smaller one or a percentage",
                         arguments->threshold_value, job->image.maximum);
    }
    job->threshold = (int64_t)ceil(arguments->threshold_value);
    return HALO_OK;
}

static halo_status light_image(cli_label_job *job)
{
    halo_stretch stretch = halo_clock_begin(job->world);
    HALO_TRY(find_threshold(job));
    const halo_view *grey = halo_field_view(job->grey), *lit = halo_field_view(job->lit);
    halo_light(grey, job->threshold, job->arguments->invert, 0, grey->owned.n[0], lit,
               job->arguments->label.instructions);
    job->lit_pixels = halo_lit_count(lit);
    if (job->arguments->regions == NULL) {
        halo_field_destroy(&job->grey); /* only the regions' mean needs it still */
    }
    halo_status status = halo_sum(job->world, &job->lit_pixels, 1);
    halo_clock_end(&job->clock, HALO_PHASE_COMPUTE, stretch, job->world);
    return status;
}

static halo_status label_image(cli_label_job *job)
{
    progress_phase(&job->progress, "labelling");
    halo_label_options options = job->arguments->label;
    options.measure = job->arguments->regions != NULL;
    HALO_TRY(
        halo_label_create(&job->label, job->world, &job->domain, job->strips.cuts[0], &options));
    const halo_view *grey = job->grey != NULL ? halo_field_view(job->grey) : NULL;
    return halo_label_run(job->label, halo_field_view(job->lit), grey);
}

static halo_status run_steps(cli_label_job *job)
{
    HALO_TRY(label_output_check(job));
    HALO_TRY(open_image(job));
    HALO_TRY(halo_agree(job->world, create_fields(job)));
    HALO_TRY(read_image(job));
    HALO_TRY(light_image(job));
    HALO_TRY(label_image(job));
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = label_output_write(job);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

halo_status cli_label_run(cli_label_job *job, halo_world *world, const label_arguments *arguments)
{
    *job = (cli_label_job){.world = world,
                           .arguments = arguments,
                           .progress =
                               progress_create(arguments->common.progress, halo_world_rank(world))};
    double begun = halo_seconds();
    halo_status status = run_steps(job);
    job->seconds = halo_seconds() - begun;
    progress_end(&job->progress);
    return status;
}

void cli_label_free(cli_label_job *job)
{
    halo_png_reader_close(&job->reader);
    halo_label_destroy(&job->label);
    halo_field_destroy(&job->grey);
    halo_field_destroy(&job->lit);
    halo_partition_free(&job->strips);
    free(job->histogram);
}
