#include "cli/label/job.h"

#include "app/job.h"
#include "cli/label/output.h"
#include "core/world/collect.h"
#include "kernels/label/threshold.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int64_t grey_levels(const cli_label_job *job)
{
    return INT64_C(1) << job->image.cell_bits;
}

static halo_status create_label(cli_label_job *job)
{
    halo_label_options options = job->arguments->label;
    options.balancing = job->balance->balancing;
    options.measure = job->arguments->regions != NULL;
    HALO_TRY(halo_agree(job->world, halo_partition_strips(&job->strips, &job->image.domain,
                                                          halo_world_ranks(job->world))));
    return halo_label_create(&job->label, job->world, &job->image.domain, &job->strips, &options);
}

/* Ones that can move where boundaries may. */
static halo_status create_field(const cli_label_job *job, halo_field **out, int cell_bits)
{
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(job->world));
    halo_field_wishes wishes = {.movable = job->balance->balancing != NULL &&
                                           halo_label_partition(job->label)->parts[1] == 1};
    return halo_field_create_with(out, &job->image.domain, &mine, cell_bits, 0, &wishes);
}

static halo_status create_fields(cli_label_job *job)
{
    HALO_TRY(create_field(job, &job->grey, job->image.cell_bits));
    HALO_TRY(create_field(job, &job->foreground, HALO_BIT));
    job->histogram = calloc((size_t)grey_levels(job), sizeof *job->histogram);
    return job->histogram != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a histogram");
}

static void count_rows(void *context, int64_t first, int64_t rows)
{
    cli_label_job *job = context;
    halo_histogram_add(halo_field_view(job->grey), first, rows, job->histogram);
}

static halo_status read_image(cli_label_job *job)
{
    bool needs_histogram = job->arguments->threshold.kind == THRESHOLD_OTSU;
    return cli_image_read(&job->image, job->strips.cuts[0], halo_field_view(job->grey),
                          &job->progress, needs_histogram ? count_rows : NULL, job, &job->clock);
}

static halo_status find_threshold(cli_label_job *job)
{
    const label_arguments *arguments = job->arguments;
    double maximum = (double)job->image.maximum;
    switch (arguments->threshold.kind) {
    case THRESHOLD_OTSU:
        HALO_TRY(halo_allreduce_sum(job->world, job->histogram, (int)grey_levels(job)));
        job->threshold = halo_otsu(job->histogram, grey_levels(job));
        return HALO_OK;
    case THRESHOLD_PERCENT:
        job->threshold = (int64_t)ceil(arguments->threshold.value * maximum / 100);
        return HALO_OK;
    case THRESHOLD_VALUE:
        break;
    }
    if (arguments->threshold.value > maximum) {
        return halo_fail(HALO_ARGUMENT,
                         "the threshold %g is beyond this image's samples, which go from 0 to "
                         "%" PRId64 "; use a smaller one or a percentage",
                         arguments->threshold.value, job->image.maximum);
    }
    job->threshold = (int64_t)ceil(arguments->threshold.value);
    return HALO_OK;
}

static halo_status light_image(cli_label_job *job)
{
    halo_stretch stretch = halo_clock_begin(job->world);
    HALO_TRY(find_threshold(job));
    const halo_view *grey = halo_field_view(job->grey),
                    *foreground = halo_field_view(job->foreground);
    halo_threshold(grey, job->threshold, job->arguments->invert, 0, grey->owned.n[0], foreground,
                   job->arguments->label.instructions);
    job->foreground_pixels = halo_foreground_count(foreground);
    if (job->arguments->regions == NULL) {
        halo_field_destroy(&job->grey); /* only the regions' mean needs it still */
    }
    halo_status status = halo_allreduce_sum(job->world, &job->foreground_pixels, 1);
    halo_clock_end(&job->clock, HALO_PHASE_COMPUTE, stretch, job->world);
    return status;
}

static halo_status label_image(cli_label_job *job)
{
    double begun = halo_seconds();
    progress_phase(&job->progress, "labelling");
    HALO_TRY(halo_label_distribute(job->label, &job->foreground, &job->grey));
    const halo_view *grey = job->grey != NULL ? halo_field_view(job->grey) : NULL;
    halo_status status = halo_label_run(job->label, halo_field_view(job->foreground), grey);
    job->label_seconds = halo_seconds() - begun;
    return status;
}

static halo_status run_steps(void *context)
{
    cli_label_job *job = context;
    HALO_TRY(label_output_check(job));
    const cli_image_options as_it_is = {.native = true, .periodic = job->arguments->periodic};
    HALO_TRY(cli_image_open(&job->image, job->world, job->arguments->image, &as_it_is));
    HALO_TRY(cli_balance_open_log(job->balance));
    HALO_TRY(create_label(job));
    HALO_TRY(halo_agree(job->world, create_fields(job)));
    HALO_TRY(read_image(job));
    HALO_TRY(light_image(job));
    HALO_TRY(label_image(job));
    return label_output_write(job);
}

halo_status cli_label_run(cli_label_job *job, halo_world *world, cli_balance *balance,
                          const label_arguments *arguments)
{
    *job = (cli_label_job){.world = world,
                           .balance = balance,
                           .arguments = arguments,
                           .progress =
                               progress_create(arguments->common.progress, halo_world_rank(world))};
    return work_run(run_steps, job, &job->progress, &job->seconds);
}

void cli_label_free(cli_label_job *job)
{
    cli_image_close(&job->image);
    halo_label_destroy(&job->label);
    halo_field_destroy(&job->grey);
    halo_field_destroy(&job->foreground);
    halo_partition_free(&job->strips);
    free(job->histogram);
}
