#include "app/image/image.h"
#include "base/memory.h"
#include "cli/label_image.h"
#include "cli/walk/job.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "kernels/label/threshold/threshold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* ---- before the image is read ---------------------------------------------------------------- */

static bool is_wide(const app_run *run)
{
    return ((const walk_job *)run->job)->type != HALO_SAMPLE_BIT;
}

static bool counts(const app_run *run)
{
    return ((const walk_options *)run->options)->threshold.kind == THRESHOLD_OTSU;
}

static bool needs_extremes(const app_run *run)
{
    const walk_options *asked = run->options;
    return is_wide(run) && cli_threshold_needs_extremes(&asked->threshold);
}

/* Rank 0 has all rows: they become bits, which all ranks need whole. Samples are kept only where
 * the threshold needs all of them, and reading the file again would take long, or is impossible. */
static bool keeps_samples(const app_run *run)
{
    return (counts(run) || needs_extremes(run)) && !run->image->info.in_place;
}

static halo_status make_rows(app_run *run)
{
    walk_job *job = run->job;
    const int64_t *n = job->options.n;
    job->row_words = (n[0] + 63) / 64;
    HALO_TRY(HALO_ALLOCATE(job->fluid, n[1] * n[2] * job->row_words, "a medium"));
    HALO_TRY(HALO_ALLOCATE(job->missing, job->row_words, "a row of a medium"));
    job->options.fluid = job->fluid;
    return keeps_samples(run) ? app_image_create_field(run->image, run->cuts, &run->samples)
                              : HALO_OK;
}

static halo_status check_edges(const app_run *run)
{
    const walk_options *asked = run->options;
    int axes = run->domain.axes;
    return asked->edges.count <= axes
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "--edges has %d words, and the medium %d axes; give one for each, or "
                           "one for all",
                           asked->edges.count, axes);
}

halo_status walk_medium_create(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    int axes = run->domain.axes;
    halo_sample_type type = run->image->info.type;
    job->type = halo_sample_is_grey(type) ? HALO_SAMPLE_BIT : type;
    job->options = (halo_walk_options){.axes = axes,
                                       .n = {1, 1, 1},
                                       .conductivity = asked->conductivity,
                                       .flow = asked->flow,
                                       .seed = (uint64_t)asked->seed,
                                       .instructions = asked->all.common.instructions};
    for (int axis = 0; axis < axes; axis++) { /* x is the last one of a domain */
        job->options.n[axis] = run->domain.n[axes - 1 - axis];
        job->options.edges[axis] = asked->edges.along[axis];
    }
    HALO_TRY(halo_agree(run->world, check_edges(run)));
    HALO_TRY(halo_agree(run->world, halo_walk_check(&job->options)));
    return halo_agree(run->world, make_rows(run));
}

/* ---- from greys to bits, on rank 0 ----------------------------------------------------------- */

static void add_extremes(void *context, const halo_view *rows)
{
    const app_run *run = context;
    halo_value_extremes_add(&((walk_job *)run->job)->of, rows, run->arguments->common.instructions);
}

static halo_status look_band(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    (void)first;
    return app_image_each_present(run->image, rows, data, pitch, add_extremes, context);
}

static void add_samples(void *context, const halo_view *rows)
{
    walk_job *job = ((const app_run *)context)->job;
    const halo_value_bins bins = halo_value_bins_of(&job->of);
    halo_value_histogram_add(&bins, rows, job->histogram);
}

static halo_status count_band(void *context, int64_t first, int64_t rows, const void *data,
                              size_t pitch)
{
    const app_run *run = context;
    const halo_view band = app_image_band(run->image, data, pitch, rows);
    walk_job *job = run->job;
    halo_label_signs_add(&job->signs, &band, 0, rows, first);
    if (is_wide(run)) {
        return app_image_each_present(run->image, rows, data, pitch, add_samples, context);
    }
    halo_histogram_add(&band, 0, rows, job->histogram);
    return HALO_OK;
}

/* Pixels that are missing are solid. */
static void clear_missing(const app_run *run, const void *row, uint64_t *bits)
{
    const walk_job *job = run->job;
    if (run->image->info.nodata.missing == HALO_MISSING_NEVER) {
        return;
    }
    halo_image_find_missing(&run->image->info, row, job->missing);
    for (int64_t i = 0; i < job->row_words; i++) {
        bits[i] &= ~job->missing[i];
    }
}

static halo_status divide_band(void *context, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    const app_run *run = context;
    walk_job *job = run->job;
    const halo_view from = app_image_band(run->image, data, pitch, rows);
    size_t bytes = halo_image_row_bytes(&run->image->info);
    halo_view to = from;
    to.cell_bits = HALO_BIT;
    to.origin = job->fluid + first * job->row_words;
    to.stride[0] = job->row_words * (ptrdiff_t)sizeof *job->fluid;
    const char *instructions = run->arguments->common.instructions;
    if (is_wide(run)) {
        halo_foreground_within(&from, job->type, &job->fluid_samples, &to, instructions);
    } else {
        halo_threshold(&from, &job->fluid_greys, 0, rows, &to, instructions);
    }
    for (int64_t i = 0; i < rows; i++) {
        const char *row = (const char *)data + (size_t)i * pitch;
        job->signature = XXH3_64bits_withSeed(row, bytes, job->signature);
        clear_missing(run, row, job->fluid + (first + i) * job->row_words);
    }
    return HALO_OK;
}

static int64_t levels_of(const app_run *run)
{
    return is_wide(run) ? HALO_VALUE_BINS : INT64_C(1) << run->image->cell_bits;
}

static void warn_of_labels(app_run *run, const halo_label_histogram *histogram)
{
    const walk_options *asked = run->options;
    const walk_job *job = run->job;
    if (counts(run)) {
        cli_warn_of_labels(run, &asked->threshold, &job->signs, histogram,
                           "-t 1 takes all but 0 as fluid");
    }
}

static halo_status find_greys(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    const halo_label_histogram histogram = {.counts = job->histogram, .levels = levels_of(run)};
    if (nodata->missing == HALO_MISSING_CELL) {
        job->histogram[nodata->cell] = 0;
    }
    warn_of_labels(run, &histogram);
    HALO_TRY(cli_threshold_find(&asked->threshold, run->image->maximum, job->histogram,
                                histogram.levels, &job->fluid_greys));
    job->fluid_greys.invert = asked->invert;
    return HALO_OK;
}

static halo_status find_samples(app_run *run)
{
    const walk_options *asked = run->options;
    walk_job *job = run->job;
    int64_t peak;
    const halo_label_histogram histogram = cli_histogram_of_samples(&job->of, job->histogram);
    warn_of_labels(run, &histogram);
    HALO_TRY(cli_threshold_of_samples(run->image, &asked->threshold, &job->of, job->histogram,
                                      &job->fluid_samples, &peak));
    job->fluid_samples.invert = asked->invert;
    return HALO_OK;
}

static halo_status find_threshold(app_run *run)
{
    const halo_image_nodata *nodata = &run->image->info.nodata;
    if (nodata->missing == HALO_MISSING_CELL) {
        ((walk_job *)run->job)->signature = XXH3_64bits(&nodata->cell, sizeof nodata->cell);
    }
    return is_wide(run) ? find_samples(run) : find_greys(run);
}

/* Local, on rank 0. Rows that were kept. */
static halo_status each_row(app_run *run, halo_rows_take *take)
{
    const halo_view *kept = halo_field_view(run->samples);
    int64_t height = run->image->info.height;
    for (int64_t r = 0; r < run->image->info.rows; r++) {
        const void *row = kept->axes == HALO_AXES ? halo_row_of_plane(kept, r / height, r % height)
                                                  : halo_row(kept, r);
        HALO_TRY(take(run, r, 1, row, 0));
    }
    return HALO_OK;
}

/* Collective. All rows, on rank 0: kept ones, or those of the file. */
static halo_status go_through(app_run *run, halo_rows_take *take)
{
    bool first = halo_world_rank(run->world) == 0;
    return keeps_samples(run)
               ? halo_agree(run->world, first ? each_row(run, take) : HALO_OK)
               : app_image_stream(run->image, run->cuts, &run->progress, take, run, &run->clock);
}

/* Collective. */
static halo_status make_fluid(app_run *run)
{
    bool first = halo_world_rank(run->world) == 0;
    if (keeps_samples(run)) {
        HALO_TRY(app_read_image(run, run->cuts, halo_field_view(run->samples), NULL, NULL));
    }
    HALO_TRY(needs_extremes(run) ? go_through(run, look_band) : HALO_OK);
    HALO_TRY(counts(run) ? go_through(run, count_band) : HALO_OK);
    HALO_TRY(halo_agree(run->world, first ? find_threshold(run) : HALO_OK));
    HALO_TRY(go_through(run, divide_band));
    halo_field_destroy(&run->samples);
    return HALO_OK;
}

/* ---- on all ranks ---------------------------------------------------------------------------- */

static halo_status share_medium(app_run *run)
{
    walk_job *job = run->job;
    const int64_t *n = job->options.n;
    size_t words = (size_t)(n[1] * n[2] * job->row_words);
    HALO_TRY(halo_bcast(run->world, job->fluid, words * sizeof *job->fluid, 0));
    HALO_TRY(halo_bcast(run->world, job->digest, sizeof job->digest, 0));
    progress_phase(&run->progress, "preparing");
    HALO_TRY(halo_agree(run->world, halo_walk_create(&job->walk, &job->options)));
    job->facts = halo_walk_describe(job->walk);
    return HALO_OK;
}

halo_status walk_medium_read(app_run *run)
{
    walk_job *job = run->job;
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(job->histogram, levels_of(run), "a histogram")));
    const halo_image_nodata *nodata = &run->image->info.nodata;
    job->signs = (halo_label_signs){.height = run->image->info.rows};
    job->signs.background = nodata->missing == HALO_MISSING_CELL ? nodata->cell : 0;
    job->of.type = job->type;
    HALO_TRY(make_fluid(run));
    free(job->histogram);
    job->histogram = NULL;
    snprintf(job->digest, sizeof job->digest, "%016" PRIx64, job->signature);
    return share_medium(run);
}
