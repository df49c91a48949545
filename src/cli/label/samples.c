#include "cli/label/job.h"
#include "core/move/redistribute.h"
#include "core/move/scatter_gather.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/* Samples of any type are compared with the threshold where they lie in the file, or on their way
 * from it. What else is wanted of them, their extremes and histogram before, and what regions tell
 * of them after labelling, takes further readings of the file, or samples that are kept. Labelling
 * itself takes values, greys that it measures, and those of a local threshold. */

/* ---- where samples go ------------------------------------------------------------------------ */

halo_sample_type label_value_type(const app_run *run)
{
    const label_options *options = run->options;
    return options->values ? run->image->info.type : HALO_LABEL_NONE;
}

halo_sample_type label_sample_type(const app_run *run)
{
    const label_options *options = run->options;
    halo_sample_type type = run->image->info.type;
    return !options->values && !halo_sample_types[type].grey ? type : HALO_LABEL_NONE;
}

bool label_makes_greys(const app_run *run)
{
    const label_options *options = run->options;
    halo_sample_type type = run->image->info.type;
    return options->threshold.kind == THRESHOLD_LOCAL && type != HALO_SAMPLE_U8 &&
           type != HALO_SAMPLE_U16;
}

bool label_takes_samples(const app_run *run)
{
    const label_options *options = run->options;
    bool greys = options->regions != NULL || options->threshold.kind == THRESHOLD_LOCAL;
    return options->values ||
           (greys && label_sample_type(run) == HALO_LABEL_NONE && !label_makes_greys(run));
}

bool label_keeps_samples(const app_run *run)
{
    const label_options *options = run->options;
    bool measures = options->regions != NULL && label_sample_type(run) != HALO_LABEL_NONE;
    bool pipe = run->image->info.file_bytes < 0;
    return !label_takes_samples(run) &&
           (cli_threshold_keeps(run, &options->threshold) || (pipe && measures));
}

/* --background for an image without transparent pixels is refused as a mistake; among many images
 * some may be transparent. */
static halo_status check_ground(const app_run *run)
{
    const label_options *options = run->options;
    const halo_image_ground *ground = &options->background.ground;
    HALO_FAIL_IF(!run->image->info.alpha && !app_is_one_of_many(run), HALO_ARGUMENT,
                 "%s has no transparent pixels for --background; leave it out, or add --values if "
                 "pixels of that value are to be no region",
                 run->image->path);
    if (ground->percent) {
        return HALO_OK;
    }
    HALO_TRY(cli_threshold_check_share("--background", ground->value, run->image->maximum));
    return HALO_REQUIRE(
        ground->value <= (double)run->image->maximum, HALO_ARGUMENT,
        "--background %g is beyond this image's samples, which go from 0 to %" PRId64,
        ground->value, run->image->maximum);
}

halo_status label_check_background(const app_run *run)
{
    const label_background *requested = &((const label_options *)run->options)->background;
    bool values = ((const label_options *)run->options)->values;
    bool is_zero = !requested->none && requested->value.value >= 0 && requested->value.value <= 0;
    if (!values) {
        return app_was_given(run, requested) ? check_ground(run) : HALO_OK;
    }
    return HALO_REQUIRE(is_zero || label_value_type(run) != HALO_LABEL_NONE, HALO_ARGUMENT,
                        "%s has pixels of one bit, whose background is 0; leave out --background, "
                        "or save them as uint8",
                        run->image->path);
}

halo_status label_check_samples(const app_run *run)
{
    HALO_FAIL_IF(
        run->arguments->range.given && !label_makes_greys(run), HALO_ARGUMENT,
        "%s has samples of type %s, which -t local compares as they are; leave out --range",
        run->image->path, halo_sample_types[run->image->info.type].name);
    return HALO_OK;
}

/* ---- foreground ------------------------------------------------------------------------------ */

/* Rows are short, and divided as one: where there are no gaps between them, and of bits where each
 * is a word, what is behind its pixels included. */
static void divide_transposed(const app_run *run, const halo_view *to, int64_t first, int64_t rows,
                              const void *data, size_t pitch, label_binarise *binarise)
{
    enum { WORD = 64, PIECE = 1 << 14, WORDS = PIECE / WORD };
    uint64_t words[WORDS];
    int64_t width = run->image->info.width, cell_bits = run->image->cell_bits;
    bool together = pitch * 8 == (size_t)(width * cell_bits);
    bool single = cell_bits == HALO_BIT && pitch == sizeof words[0];
    int64_t step = together ? PIECE / width : WORDS;
    for (int64_t done = 0; done < rows; done += step) {
        int64_t now = rows - done < step ? rows - done : step;
        const void *at = (const char *)data + (size_t)done * pitch;
        halo_view from = app_image_band(run->image, at, pitch, now);
        if (together || single) {
            from.owned.n[1] = single ? WORD * now : width * now;
            from.owned.n[0] = 1;
        }
        halo_view bits = from;
        bits.cell_bits = HALO_BIT;
        bits.origin = words;
        bits.stride[0] = sizeof words[0];
        binarise(run, &from, &bits);
        if (single) {
            bits.owned.n[0] = now;
            bits.owned.n[1] = width;
        }
        halo_label_transpose(((const label_job *)run->job)->label, first + done, &bits, to);
    }
}

void label_binarise_rows(const app_run *run, const halo_field *into, int64_t first, int64_t rows,
                         const void *data, size_t pitch, label_binarise *binarise)
{
    const halo_view *to = halo_field_view(into);
    if (halo_label_is_transposed(((const label_job *)run->job)->label)) {
        divide_transposed(run, to, first, rows, data, pitch, binarise);
        return;
    }
    bool solid = to->axes == HALO_AXES;
    int64_t height = solid ? run->domain.n[1] : run->domain.n[0];
    for (int64_t done = 0; done < rows;) {
        int64_t plane = (first + done) / height, y = (first + done) % height;
        int64_t now = rows - done < height - y ? rows - done : height - y;
        const void *at = (const char *)data + (size_t)done * pitch;
        halo_view from = app_image_band(run->image, at, pitch, now);
        halo_view bits = from;
        bits.cell_bits = HALO_BIT;
        bits.origin =
            solid ? halo_row_of_plane(to, plane - to->owned.lo[0], y) : halo_row_of_domain(to, y);
        bits.stride[0] = to->stride[solid ? 1 : 0];
        binarise(run, &from, &bits);
        done += now;
    }
}

static void binarise_samples(const app_run *run, const halo_view *from, const halo_view *bits)
{
    const label_job *job = run->job;
    halo_threshold(from, job->threshold.of.type, &job->threshold.within, bits,
                   run->arguments->common.instructions);
}

static void binarise_peaks(const app_run *run, const halo_view *from, const halo_view *bits)
{
    const label_job *job = run->job;
    const halo_key_range peaks = {.min = job->threshold.peak, .max = INT64_MAX};
    halo_threshold(from, job->threshold.of.type, &peaks, bits, run->arguments->common.instructions);
}

halo_status label_take_foreground(void *context, int64_t first, int64_t rows, const void *data,
                                  size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    label_binarise_rows(run, job->foreground, first, rows, data, pitch, binarise_samples);
    if (job->peaks != NULL) {
        label_binarise_rows(run, job->peaks, first, rows, data, pitch, binarise_peaks);
    }
    label_find_present(run, first, rows, data, pitch);
    return HALO_OK;
}

/* ---- greys for a local threshold ------------------------------------------------------------- */

static halo_status transpose_greys(const app_run *run, int64_t first, int64_t rows,
                                   const void *data, size_t pitch)
{
    const label_job *job = run->job;
    int64_t width = run->image->info.width;
    uint16_t *greys;
    HALO_TRY(HALO_ALLOCATE(greys, rows * width, "rows of greys"));
    for (int64_t y = 0; y < rows; y++) {
        halo_sample_greys_row(&job->greys, (const char *)data + (size_t)y * pitch, width,
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
    int64_t width = run->image->info.width;
    label_find_present(run, first, rows, data, pitch);
    if (halo_label_is_transposed(job->label)) {
        return transpose_greys(run, first, rows, data, pitch);
    }
    for (int64_t y = 0; y < rows; y++) {
        halo_sample_greys_row(&job->greys, (const char *)data + (size_t)y * pitch, width,
                              app_image_place(run->image, to, first + y));
    }
    return HALO_OK;
}

/* Whole numbers that are close enough keep their distances, so that means are exact. */
static halo_status make_greys(app_run *run)
{
    label_job *job = run->job;
    const halo_sample_range requested = run->arguments->range;
    halo_sample_range range = requested.given ? requested : app_range_of(&job->threshold.of);
    range.steps = true;
    bool can_miss = run->image->info.nodata.missing != HALO_MISSING_NEVER;
    return halo_sample_greys_prepare(&job->greys, run->image->info.type, &range, can_miss)
               ? app_samples_each(&job->source, take_greys, run)
               : halo_fail(HALO_ARGUMENT,
                           "--range is none of the samples of %s, which have the type %s; give two "
                           "whole numbers, the lower one first",
                           run->image->path, halo_sample_types[run->image->info.type].name);
}

/* ---- reading --------------------------------------------------------------------------------- */

static halo_status store_transposed(void *context, int64_t first, int64_t rows, const void *data,
                                    size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    const halo_view band = app_image_band(run->image, data, pitch, rows);
    halo_label_transpose(job->label, first, &band, halo_field_view(job->grey));
    label_find_present(run, first, rows, data, pitch);
    return HALO_OK;
}

static halo_status take_present(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    label_find_present(context, first, rows, data, pitch);
    return HALO_OK;
}

/* Collective. From the file, or from what is kept of it, as far as it goes before labelling. */
static halo_status take_samples(app_run *run)
{
    label_job *job = run->job;
    HALO_TRY(app_samples_read(&job->source));
    if (label_makes_greys(run)) {
        return make_greys(run);
    }
    if (job->source.kept == NULL && job->grey == NULL) {
        return app_samples_each(&job->source, label_take_foreground, run);
    }
    return job->source.kept == job->grey && job->present != NULL
               ? app_samples_of_field(job->grey, take_present, run)
               : HALO_OK;
}

halo_status label_read_image(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    bool transposed = label_takes_samples(run) && halo_label_is_transposed(job->label);
    job->source = (app_samples){.image = run->image,
                                .cuts = job->strips.cuts[0],
                                .kept = transposed                 ? NULL
                                        : label_takes_samples(run) ? job->grey
                                                                   : job->kept,
                                .store = transposed ? store_transposed : NULL,
                                .context = run};
    job->threshold.single = -1;
    if (!options->values) {
        HALO_TRY(cli_threshold_find(run, &options->threshold, &job->source,
                                    "-t 1 takes all but 0 as foreground, --values makes regions of "
                                    "equal samples",
                                    &job->threshold));
        job->threshold.within.invert =
            options->invert && options->threshold.kind != THRESHOLD_HYSTERESIS;
    }
    return take_samples(run);
}

/* ---- measures of regions --------------------------------------------------------------------- */

/* Kept samples go to where regions are painted, which is elsewhere if strips have been balanced. */
static halo_status move_kept(app_run *run, const int64_t *cuts)
{
    label_job *job = run->job;
    halo_partition to = {0};
    halo_status status =
        halo_agree(run->world,
                   halo_partition_with_cuts(&to, &run->domain, halo_world_ranks(run->world), cuts));
    if (status == HALO_OK && !halo_partition_equal(&to, &job->strips)) {
        status = halo_field_replace(run->world, &job->kept, &job->strips, &to, 0,
                                    &(halo_field_options){0}, &run->clock);
    }
    job->moved = status == HALO_OK;
    halo_partition_free(&to);
    return status;
}

/* A halo_label_pass of the run. */
static halo_status pass_samples(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    app_run *run = context;
    const label_job *job = run->job;
    if (job->kept == NULL) {
        return app_image_stream(run->image, cuts, &run->progress, take, taken_by, &run->clock);
    }
    HALO_TRY(job->moved ? HALO_OK : move_kept(run, cuts));
    return halo_agree(run->world, app_samples_of_field(job->kept, take, taken_by));
}

/* Those of greys are found by labelling. */
static unsigned measures_of(const app_run *run)
{
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    return (wide && label_needs(run, LABEL_ONLY_GREYS) ? HALO_MEASURE_INTENSITIES : 0U) |
           (label_needs(run, LABEL_BY_MOMENTS) ? HALO_MEASURE_MOMENTS : 0U) |
           (label_needs(run, LABEL_BY_MEDIANS) ? HALO_MEASURE_MEDIANS : 0U);
}

/* A local threshold makes greys of 16 bits of bits, too. */
halo_sample_type label_measured_type(const app_run *run)
{
    bool made = label_makes_greys(run) && label_sample_type(run) == HALO_LABEL_NONE;
    return made ? HALO_SAMPLE_U16 : app_image_type(run->image);
}

int64_t label_measured_bytes(const app_run *run)
{
    return halo_label_measure_bytes(measures_of(run), label_measured_type(run));
}

halo_status label_measure_samples(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    const halo_region_samples samples = {
        .type = label_measured_type(run),
        .view = wide || job->grey == NULL ? NULL : halo_field_view(job->grey),
        .pass = pass_samples,
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
    HALO_IF_OK(status, app_image_check_unchanged(&colours.info, run->image));
    if (status == HALO_OK) {
        bool bytes = colours.cell_bits == CHAR_BIT * HALO_CHANNELS;
        samples.type = bytes ? HALO_SAMPLE_U8 : HALO_SAMPLE_U16;
        status = halo_label_measure(job->label, HALO_MEASURE_CHANNELS, &samples, out);
    }
    app_image_close(&colours);
    return status;
}
