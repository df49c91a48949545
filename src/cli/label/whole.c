#include "cli/label/job.h"

/* Facts of all regions together, and tables of them, from the numbers that regions are painted
 * with.
 */

/* A function that takes an image of numbers. */
typedef halo_status take_numbers(app_run *run, const char *path, const label_numbered *image);

/* Collective. Calls `take` with the regions' numbers from 1 on, whatever their labels are. */
static halo_status with_numbers(app_run *run, take_numbers *take, const char *path)
{
    const label_job *job = run->job;
    halo_label_painting *painting = NULL;
    HALO_TRY(halo_label_paint_scan(job->label, true));
    halo_status status = halo_label_painting_create(&painting, job->label, HALO_LABEL_I64);
    if (status == HALO_OK) {
        const label_numbered image = label_numbered_of(job->label, painting);
        status = take(run, path, &image);
    }
    halo_label_painting_destroy(&painting);
    return status == HALO_OK ? halo_label_paint_scan(job->label, false) : status;
}

static halo_status find_whole(app_run *run, const char *path, const label_numbered *image)
{
    label_job *job = run->job;
    const app_pixel pixel = label_pixel_of(run);
    int64_t count;
    const halo_region *regions = halo_label_regions(job->label, &count);
    (void)path;
    return cli_whole_find(&job->whole, run, regions, count, image, &pixel);
}

halo_status label_find_whole(app_run *run)
{
    const label_options *options = run->options;
    return options->facts ? with_numbers(run, find_whole, NULL) : HALO_OK;
}

halo_status label_write_chords(app_run *run, const char *path)
{
    return with_numbers(run, cli_whole_write_chords, path);
}

halo_status label_write_correlation(app_run *run, const char *path)
{
    return with_numbers(run, cli_whole_write_correlation, path);
}
