#include "app/paths/planes.h"
#include "cli/measure/job.h"

/* The edges of regions drawn over a picture. */

/* The image under the edges. */
static const app_image *picture_of(const app_run *run)
{
    const measure_options *options = run->options;
    return options->intensity.count > 0 ? ((const measure_job *)run->job)->intensity.images
                                        : run->image;
}

halo_status measure_check_outline(const app_run *run)
{
    const measure_options *options = run->options;
    bool planes = app_planes_are_named(options->outline);
    if (options->outline == NULL) {
        return HALO_OK;
    }
    HALO_FAIL_IF(run->domain.axes == HALO_AXES && !planes, HALO_ARGUMENT,
                 "%s is a volume, which is no picture; use a name such as --outline o%%04d.png for "
                 "a file a plane",
                 run->image->path);
    HALO_FAIL_IF(run->domain.axes < HALO_AXES && planes, HALO_ARGUMENT,
                 "%s is an image of one plane, and \"%s\" stands for a file a plane; leave out the "
                 "place for a number",
                 run->image->path, options->outline);
    return cli_outline_check(picture_of(run));
}

/* Rows of outputs are cut as the labels are. */
halo_status measure_prepare_outline(app_run *run)
{
    measure_job *job = run->job;
    run->cuts = job->found.image.cuts;
    return cli_outline_create(&job->outline, run, picture_of(run), &job->found.image);
}

static halo_status fill_outline(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    cli_outline_rows(&((const measure_job *)run->job)->outline, first, rows, out, pitch);
    return HALO_OK;
}

void measure_finish_outline(app_run *run)
{
    measure_job *job = run->job;
    cli_outline_free(&job->outline);
    run->cuts = job->strips.cuts[0];
}

const app_writer measure_outline_writers[] = {{APP_PICTURES, HALO_PNG_RGB8, .fill = fill_outline},
                                              {0}};
