#include "app/image/image.h"
#include "cli/label/job.h"
#include "core/move/redistribute.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Images whose samples are signed, wide or real: they stay what they are, and are held against the
 * threshold where they lie in the file or on their way from it. What else is wanted of them, their
 * extremes and Otsu's histogram before, and what regions tell of them after labelling, takes
 * further readings of the file, or samples that are kept. */

/* ---- what can be had ------------------------------------------------------------------------- */

static bool is_wide(const app_run *run)
{
    return label_sample_type(run) != HALO_LABEL_ALIKE;
}

halo_status label_check_samples(const app_run *run)
{
    return run->arguments->range.given && !label_makes_greys(run)
               ? halo_fail(HALO_ARGUMENT,
                           "%s has samples of type %s, which -t local compares as they are; leave "
                           "out --range",
                           run->image->path, halo_sample_types[run->image->info.type].name)
               : HALO_OK;
}

bool label_makes_greys(const app_run *run)
{
    const label_options *asked = run->options;
    halo_sample_type type = run->image->info.type;
    return asked->threshold.kind == THRESHOLD_LOCAL && type != HALO_SAMPLE_U8 &&
           type != HALO_SAMPLE_U16;
}

/* Does the threshold depend on the extremes of the image? */
static bool needs_extremes(const app_run *run)
{
    const label_options *asked = run->options;
    const cli_threshold *threshold = &asked->threshold;
    return threshold->kind == THRESHOLD_LOCAL ? is_wide(run) && !run->arguments->range.given
                                              : cli_threshold_needs_extremes(threshold);
}

bool label_keeps_samples(const app_run *run)
{
    const label_options *asked = run->options;
    bool pipe = run->image->info.file_bytes < 0, often = needs_extremes(run);
    return pipe ? often || asked->regions != NULL : often && !run->image->info.in_place;
}

/* ---- rows, as often as they are wanted ------------------------------------------------------- */

/* Local. Those that are kept. */
static halo_status take_kept(const app_run *run, halo_rows_take *take, void *context)
{
    const label_job *job = run->job;
    const halo_view *kept = halo_field_view(job->wide.kept);
    bool solid = kept->axes == HALO_AXES;
    int64_t planes = solid ? kept->owned.n[0] : 1, rows = kept->owned.n[solid ? 1 : 0];
    size_t pitch = (size_t)kept->stride[solid ? 1 : 0];
    for (int64_t z = 0; z < planes && rows > 0; z++) {
        int64_t first = solid ? (kept->owned.lo[0] + z) * rows : kept->owned.lo[0];
        HALO_TRY(take(context, first, rows, solid ? halo_row(kept, z) : kept->origin, pitch));
    }
    return HALO_OK;
}

static halo_status go_through(app_run *run, halo_rows_take *take)
{
    const label_job *job = run->job;
    return job->wide.kept != NULL ? halo_agree(run->world, take_kept(run, take, run))
                                  : app_image_stream(run->image, job->strips.cuts[0],
                                                     &run->progress, take, run, &run->clock);
}

static void add_extremes(void *context, const halo_view *rows)
{
    const app_run *run = context;
    label_job *job = run->job;
    halo_value_extremes_add(&job->wide.of, rows, run->arguments->common.instructions);
}

static halo_status take_extremes(void *context, int64_t first, int64_t rows, const void *data,
                                 size_t pitch)
{
    const app_run *run = context;
    (void)first;
    return app_image_each_present(run->image, rows, data, pitch, add_extremes, context);
}

static void add_histogram(void *context, const halo_view *rows)
{
    label_job *job = ((const app_run *)context)->job;
    const halo_value_bins bins = halo_value_bins_of(&job->wide.of);
    int64_t count = rows->owned.n[0];
    halo_value_histogram_add(&bins, rows, job->histogram);
    halo_label_signs_add(&job->signs, rows, 0, count, job->next_row);
    job->next_row += count;
}

static halo_status take_histogram(void *context, int64_t first, int64_t rows, const void *data,
                                  size_t pitch)
{
    const app_run *run = context;
    ((label_job *)run->job)->next_row = first;
    return app_image_each_present(run->image, rows, data, pitch, add_histogram, context);
}

static void divide_samples(const app_run *run, const halo_view *from, const halo_view *bits)
{
    const label_job *job = run->job;
    halo_foreground_within(from, job->wide.type, &job->wide.within, bits,
                           run->arguments->common.instructions);
}

static void divide_peaks(const app_run *run, const halo_view *from, const halo_view *bits)
{
    const label_job *job = run->job;
    const halo_value_range peaks = {job->wide.peak, halo_sample_key_last(job->wide.type), false};
    halo_foreground_within(from, job->wide.type, &peaks, bits, run->arguments->common.instructions);
}

static halo_status take_foreground(void *context, int64_t first, int64_t rows, const void *data,
                                   size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    label_divide_rows(run, job->foreground, first, rows, data, pitch, divide_samples);
    if (job->wide.peaks != NULL) {
        label_divide_rows(run, job->wide.peaks, first, rows, data, pitch, divide_peaks);
    }
    label_find_present(run, first, rows, data, pitch);
    return HALO_OK;
}

/* ---- greys for a local threshold ------------------------------------------------------------- */

static void *grey_row(const halo_view *to, int64_t height, int64_t row)
{
    int64_t lo = to->owned.lo[0];
    return to->axes == HALO_AXES ? halo_row_of_plane(to, row / height - lo, row % height)
                                 : halo_row(to, row - lo);
}

static halo_status transpose_greys(const app_run *run, int64_t first, int64_t rows,
                                   const void *data, size_t pitch)
{
    const label_job *job = run->job;
    int64_t width = run->image->info.width;
    uint16_t *greys;
    HALO_TRY(HALO_ALLOCATE(greys, rows * width, "rows of greys"));
    for (int64_t y = 0; y < rows; y++) {
        halo_sample_greys_row(&job->wide.greys, (const char *)data + (size_t)y * pitch, width,
                              greys + y * width);
    }
    halo_view band = app_image_band(run->image, greys, (size_t)width * sizeof *greys, rows);
    band.cell_bits = CHAR_BIT * (int)sizeof *greys;
    band.stride[1] = sizeof *greys;
    halo_label_transpose(job->label, first, &band, halo_field_view(job->grey));
    free(greys);
    return HALO_OK;
}

static halo_status take_greys(void *context, int64_t first, int64_t rows, const void *data,
                              size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    const halo_view *to = halo_field_view(job->grey);
    int64_t width = run->image->info.width, height = run->image->info.height;
    label_find_present(run, first, rows, data, pitch);
    if (halo_label_is_transposed(job->label)) {
        return transpose_greys(run, first, rows, data, pitch);
    }
    for (int64_t y = 0; y < rows; y++) {
        halo_sample_greys_row(&job->wide.greys, (const char *)data + (size_t)y * pitch, width,
                              grey_row(to, height, first + y));
    }
    return HALO_OK;
}

/* Whole numbers that are close enough keep their distances, so that means are exact. */
static halo_status make_greys(app_run *run)
{
    label_job *job = run->job;
    const halo_sample_range asked = run->arguments->range;
    halo_sample_range range = asked.given    ? asked
                              : is_wide(run) ? app_range_of(&job->wide.of)
                                             : (halo_sample_range){.high = halo_number_of(1)};
    range.steps = true;
    range.low = range.given ? range.low : halo_number_of(0);
    bool can_miss = run->image->info.nodata.missing != HALO_MISSING_NEVER;
    return halo_sample_greys_prepare(&job->wide.greys, run->image->info.type, &range, can_miss)
               ? go_through(run, take_greys)
               : halo_fail(HALO_ARGUMENT,
                           "--range is none of the samples of %s, which have the type %s; give two "
                           "whole numbers, the lower one first",
                           run->image->path, halo_sample_types[run->image->info.type].name);
}

/* ---- the threshold --------------------------------------------------------------------------- */

static halo_status find_threshold(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    job->wide.of = (halo_sample_extremes){.type = job->wide.type};
    if (needs_extremes(run)) {
        HALO_TRY(go_through(run, take_extremes));
        HALO_TRY(halo_value_extremes_share(run->world, &job->wide.of));
    }
    if (asked->threshold.kind == THRESHOLD_LOCAL) {
        return make_greys(run);
    }
    if (asked->threshold.kind == THRESHOLD_OTSU) {
        HALO_TRY(go_through(run, take_histogram));
        HALO_TRY(halo_allreduce_sum(run->world, job->histogram, HALO_VALUE_BINS));
        const halo_label_histogram counts = cli_histogram_of_samples(&job->wide.of, job->histogram);
        HALO_TRY(label_check_labels(run, &counts));
    }
    return cli_threshold_of_samples(run->image, &asked->threshold, &job->wide.of, job->histogram,
                                    &job->wide.within, &job->wide.peak);
}

halo_status label_read_samples(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    if (job->wide.kept != NULL) {
        HALO_TRY(
            app_read_image(run, job->strips.cuts[0], halo_field_view(job->wide.kept), NULL, job));
    }
    HALO_TRY(find_threshold(run));
    if (label_makes_greys(run)) {
        return HALO_OK;
    }
    job->wide.within.invert = asked->invert && asked->threshold.kind != THRESHOLD_HYSTERESIS;
    return go_through(run, take_foreground);
}

/* ---- what regions tell of them --------------------------------------------------------------- */

/* Kept samples go to where regions are painted, which is elsewhere if strips have been balanced. */
static halo_status move_kept(app_run *run, const int64_t *cuts)
{
    label_job *job = run->job;
    halo_partition to = {0};
    halo_status status =
        halo_agree(run->world,
                   halo_partition_with_cuts(&to, &run->domain, halo_world_ranks(run->world), cuts));
    if (status == HALO_OK && !halo_partition_equal(&to, &job->strips)) {
        status = halo_field_replace(run->world, &job->wide.kept, &job->strips, &to, 0,
                                    &(halo_field_options){0}, &run->clock);
    }
    job->wide.moved = status == HALO_OK;
    halo_partition_free(&to);
    return status;
}

halo_status label_take_samples(app_run *run, const int64_t *cuts, halo_rows_take *take,
                               void *context)
{
    const label_job *job = run->job;
    if (job->wide.kept == NULL) {
        return app_image_stream(run->image, cuts, &run->progress, take, context, &run->clock);
    }
    HALO_TRY(job->wide.moved ? HALO_OK : move_kept(run, cuts));
    return halo_agree(run->world, take_kept(run, take, context));
}
