#include "app/image/filter.h"
#include "app/services/balance.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/label/job.h"
#include "core/world/collect.h"
#include "kernels/label/threshold/refine.h"

#include <limits.h>

/* From the file to foreground pixels. Samples of any type are compared with the threshold where
 * they lie in the file, or on their way from it. Their extremes and histogram before, and measures
 * of regions after labelling, take further readings of the file, or samples that are kept.
 * Labelling itself takes values, greys that it measures, and those of a local threshold. */

/* ---- where samples go ------------------------------------------------------------------------ */

halo_sample_type label_value_type(const app_run *run)
{
    const label_options *options = run->options;
    return options->values ? run->image->info.type : HALO_LABEL_NONE;
}

halo_sample_type label_sample_type(const app_run *run)
{
    const label_options *options = run->options;
    halo_sample_type type = app_image_type(run->image);
    bool others = options->split.given || !halo_sample_types[type].grey;
    return !options->values && others ? type : HALO_LABEL_NONE;
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
    bool measures =
        label_has_table(options) && options->measured.count == 0 && !options->split.given;
    bool greys = measures || options->threshold.kind == THRESHOLD_LOCAL;
    return options->values ||
           (greys && halo_sample_types[run->image->info.type].grey && !label_makes_greys(run));
}

bool label_keeps_samples(const app_run *run)
{
    const label_options *options = run->options;
    bool measures = label_has_table(options) && options->measured.count == 0 &&
                    label_sample_type(run) != HALO_LABEL_NONE;
    bool pipe = run->image->info.file_bytes < 0;
    bool splits = options->split.given && options->split.by == HALO_SPLIT_INTENSITY;
    return !label_takes_samples(run) &&
           (cli_threshold_keeps(run, &options->threshold) || (pipe && (measures || splits)));
}

/* Pixels that are missing, as the image says (info.nodata), are no foreground, whatever the
 * threshold, --invert and --fill-holes make of them, and no part of thresholds. */
bool label_needs_present(const app_run *run)
{
    const label_options *options = run->options;
    bool inverts = options->invert && options->threshold.kind == THRESHOLD_HYSTERESIS;
    bool local = options->threshold.kind == THRESHOLD_LOCAL; /* of greys, which are never NaN */
    halo_missing_mark missing = run->image->info.nodata.missing;
    bool can = missing != HALO_MISSING_NEVER;
    return missing == HALO_MISSING_CELL ||
           (can && (inverts || local || options->fill_holes || options->mask_filter != NULL));
}

bool label_sets_foreground(const app_run *run)
{
    return label_value_type(run) != HALO_LABEL_NONE && app_balancing_of(run) == NULL &&
           !label_needs_present(run);
}

/* ---- rows as they come ----------------------------------------------------------------------- */

/* Rows are short, and converted as one: where there are no gaps between them, and of bits where
 * each is a word, what is behind its pixels included. */
static void convert_transposed(app_run *run, const halo_view *to, int64_t first, int64_t rows,
                               const void *data, size_t pitch, app_rows_convert *convert)
{
    enum { WORD = 64, PIECE = 1 << 14, WORDS = 1 << 11 };
    uint64_t words[WORDS];
    int64_t width = run->image->info.width, cell_bits = run->image->cell_bits;
    bool bits = to->cell_bits == HALO_BIT;
    bool together = pitch * 8 == (size_t)(width * cell_bits);
    bool single = bits && cell_bits == HALO_BIT && pitch == sizeof words[0];
    int64_t row_bits = bits ? WORD : width * to->cell_bits;
    int64_t cells = halo_min(PIECE, WORDS * WORD / to->cell_bits);
    int64_t step = cells / (together || !bits ? width : WORD);
    for (int64_t done = 0; done < rows; done += step) {
        int64_t now = halo_min(rows - done, step);
        const void *at = (const char *)data + (size_t)done * pitch;
        halo_view from = app_image_band(run->image, at, pitch, now);
        if (together || single) {
            from.owned.n[1] = single ? WORD * now : width * now;
            from.owned.n[0] = 1;
        }
        halo_view piece = from;
        piece.cell_bits = to->cell_bits;
        piece.origin = words;
        piece.stride[0] = row_bits / CHAR_BIT;
        piece.stride[1] = to->cell_bits / CHAR_BIT;
        convert(run, &from, &piece);
        if (single) {
            piece.owned.n[0] = now;
            piece.owned.n[1] = width;
        }
        halo_label_transpose(((const label_job *)run->job)->label, first + done, &piece, to);
    }
}

/* Local. Rows that have come become pixels of the field `into`, whose rows may be columns of the
 * image. */
static void convert_rows(app_run *run, const halo_field *into, int64_t first, int64_t rows,
                         const void *data, size_t pitch, app_rows_convert *convert)
{
    const halo_view *to = halo_field_view(into);
    if (halo_label_is_transposed(((const label_job *)run->job)->label)) {
        convert_transposed(run, to, first, rows, data, pitch, convert);
    } else {
        app_image_convert(run->image, to, first, rows, data, pitch, convert, run);
    }
}

static void binarise_samples(void *context, const halo_view *from, const halo_view *bits)
{
    const app_run *run = context;
    const label_job *job = run->job;
    halo_threshold(from, job->threshold.of.type, &job->threshold.within, bits,
                   run->arguments->common.instructions);
}

static void binarise_peaks(void *context, const halo_view *from, const halo_view *bits)
{
    const app_run *run = context;
    const label_job *job = run->job;
    const halo_key_range peaks = {.min = job->threshold.peak, .max = INT64_MAX};
    halo_threshold(from, job->threshold.of.type, &peaks, bits, run->arguments->common.instructions);
}

static void binarise_present(void *context, const halo_view *from, const halo_view *bits)
{
    const app_run *run = context;
    halo_image_info info = run->image->info;
    info.width = from->owned.n[1]; /* several rows of the image may be one */
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        halo_image_find_missing(&info, halo_row(from, y), halo_row(bits, y));
    }
    halo_foreground_invert(bits, bits);
}

static void make_greys(void *context, const halo_view *from, const halo_view *greys)
{
    const label_job *job = ((const app_run *)context)->job;
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        halo_sample_greys_row(&job->greys, halo_row(from, y), from->owned.n[1], halo_row(greys, y));
    }
}

static halo_status take_present(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    app_run *run = context;
    const label_job *job = run->job;
    if (job->present != NULL) {
        convert_rows(run, job->present, first, rows, data, pitch, binarise_present);
    }
    return HALO_OK;
}

static halo_status take_foreground(void *context, int64_t first, int64_t rows, const void *data,
                                   size_t pitch)
{
    app_run *run = context;
    const label_job *job = run->job;
    convert_rows(run, job->foreground, first, rows, data, pitch, binarise_samples);
    if (job->peaks != NULL) {
        convert_rows(run, job->peaks, first, rows, data, pitch, binarise_peaks);
    }
    return take_present(run, first, rows, data, pitch);
}

static halo_status take_greys(void *context, int64_t first, int64_t rows, const void *data,
                              size_t pitch)
{
    app_run *run = context;
    const label_job *job = run->job;
    convert_rows(run, job->grey, first, rows, data, pitch, make_greys);
    return take_present(run, first, rows, data, pitch);
}

static halo_status store_transposed(void *context, int64_t first, int64_t rows, const void *data,
                                    size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    const halo_view band = app_image_band(run->image, data, pitch, rows);
    halo_label_transpose(job->label, first, &band, halo_field_view(job->grey));
    return take_present(context, first, rows, data, pitch);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Collective. Makes greys for a local threshold. Whole numbers that are close enough keep their
 * distances, so that means are exact. */
static halo_status read_greys(app_run *run)
{
    label_job *job = run->job;
    const halo_sample_range requested = run->arguments->range;
    halo_sample_range range =
        requested.given ? requested : halo_sample_range_of(&job->threshold.of);
    range.steps = true;
    bool can_miss = run->image->info.nodata.missing != HALO_MISSING_NEVER;
    return halo_sample_greys_prepare(&job->greys, run->image->info.type, &range, can_miss)
               ? app_samples_each(&job->source, take_greys, run)
               : halo_fail(HALO_ARGUMENT,
                           "--range is none of the samples of %s, which have the type %s; give two "
                           "whole numbers, the lower one first",
                           run->image->path, halo_sample_types[run->image->info.type].name);
}

/* Collective. Takes samples from the file, or from what is kept of it, as far as it goes before
 * labelling. */
static halo_status take_samples(app_run *run)
{
    label_job *job = run->job;
    HALO_TRY(app_samples_read(&job->source));
    if (label_makes_greys(run)) {
        return read_greys(run);
    }
    if (job->source.kept == NULL && job->grey == NULL) {
        return app_samples_each(&job->source, take_foreground, run);
    }
    return job->source.kept == job->grey && job->present != NULL
               ? app_samples_of_field(job->grey, take_present, run)
               : HALO_OK;
}

halo_status label_read_image(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    bool takes = label_takes_samples(run);
    bool transposed = takes && halo_label_is_transposed(job->label);
    job->source = (app_samples){.image = run->image,
                                .cuts = job->strips.cuts[0],
                                .kept = !takes       ? job->kept
                                        : transposed ? NULL
                                                     : job->grey,
                                .store = transposed ? store_transposed : NULL,
                                .context = run};
    job->threshold.single = -1;
    if (!options->values) {
        HALO_TRY(cli_threshold_find(run, &options->threshold, &job->source,
                                    "-t 1 takes all but 0 as foreground, --values makes regions of "
                                    "equal samples",
                                    &job->threshold));
        bool invert = options->invert && options->threshold.kind != THRESHOLD_HYSTERESIS;
        job->threshold.within.invert = job->threshold.within.invert != invert;
    }
    return take_samples(run);
}

/* ---- foreground ------------------------------------------------------------------------------ */

static halo_status find_local_foreground(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    halo_local_threshold local = options->threshold.local;
    local.invert = options->invert;
    local.skips = run->image->info.nodata.missing != HALO_MISSING_NEVER;
    local.skipped = (int64_t)run->image->info.nodata.cell;
    if (label_makes_greys(run)) {
        local.offset *= job->greys.step;
        local.skipped = job->greys.missing;
    }
    local.transposed = halo_label_is_transposed(job->label);
    return halo_threshold_local(run->world, &run->domain, &job->strips, job->grey, &local,
                                halo_field_view(job->foreground));
}

static void limit(const app_run *run)
{
    const label_job *job = run->job;
    if (job->present != NULL) {
        halo_foreground_limit(halo_field_view(job->foreground), halo_field_view(job->present));
    }
}

/* The domain, partition and connectivity of the fields. */
typedef struct {
    halo_domain domain;
    halo_partition partition;
    int connectivity;
} refined_fields;

/* Volumes that are transposed have images of two axes as fields. */
static halo_status find_fields(const app_run *run, refined_fields *fields)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    halo_box mine;
    int connectivity = options->label.connectivity;
    halo_label_fields(job->label, &fields->domain, &mine);
    bool flat = fields->domain.axes < run->domain.axes && connectivity != 0;
    fields->connectivity = !flat ? connectivity : connectivity == 6 ? 4 : 8;
    return halo_label_fields_partition(job->label, &fields->partition);
}

/* --invert applies to the pixels that hysteresis has found, not to its values. */
static halo_status apply_hysteresis(app_run *run, const refined_fields *fields)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    const halo_view *bits = halo_field_view(job->foreground);
    bool of_peaks = job->peaks != NULL; /* bits, of which 1 is the peak */
    const halo_view *greys = halo_field_view(of_peaks ? job->peaks : job->grey);
    HALO_TRY(halo_hysteresis(run->world, &fields->domain, &fields->partition, greys,
                             of_peaks ? 1 : job->threshold.peak, fields->connectivity, bits,
                             run->arguments->common.instructions));
    halo_field_destroy(&job->peaks);
    if (options->invert) {
        halo_foreground_invert(bits, bits);
        limit(run);
    }
    return HALO_OK;
}

halo_status label_read_mask_filter(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    return app_mask_filter_read(&job->mask_filter, options->mask_filter, &run->domain);
}

static halo_status filter_mask(app_run *run)
{
    label_job *job = run->job;
    const filter_pipeline_options how = {.instructions = run->arguments->common.instructions};
    HALO_TRY(halo_filter_run_bits(run->world, job->mask_filter, &job->strips,
                                  halo_field_view(job->foreground), &how));
    limit(run);
    return HALO_OK;
}

/* Applies hysteresis and hole filling, which label the image. */
static halo_status refine(app_run *run)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    bool hysteresis = options->threshold.kind == THRESHOLD_HYSTERESIS;
    if (!hysteresis && !options->fill_holes) {
        return HALO_OK;
    }
    refined_fields fields = {.connectivity = 0};
    halo_status status = halo_agree(run->world, find_fields(run, &fields));
    if (status == HALO_OK && hysteresis) {
        status = apply_hysteresis(run, &fields);
    }
    if (status == HALO_OK && options->fill_holes) {
        status =
            halo_fill_holes(run->world, &fields.domain, &fields.partition,
                            halo_field_view(job->foreground), run->arguments->common.instructions);
        limit(run);
    }
    halo_partition_free(&fields.partition);
    return status;
}

/* Compares samples with the threshold, unless that was done while they were read. */
static halo_status apply_threshold(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    const char *instructions = run->arguments->common.instructions;
    const halo_view *bits = halo_field_view(job->foreground);
    if (options->threshold.kind == THRESHOLD_LOCAL) {
        return find_local_foreground(run);
    }
    if (job->grey == NULL) {
        return job->kept != NULL ? app_samples_each(&job->source, take_foreground, run) : HALO_OK;
    }
    if (!options->values || label_value_type(run) == HALO_LABEL_NONE) {
        const halo_key_range ones = {.min = 1, .max = 1};
        halo_threshold(halo_field_view(job->grey), app_image_type(run->image),
                       options->values ? &ones : &job->threshold.within, bits, instructions);
    } else if (!label_sets_foreground(run)) {
        const label_background *background = &options->background;
        halo_foreground_of_values(halo_field_view(job->grey), label_value_type(run),
                                  background->none ? NULL : &background->value, bits, instructions);
    }
    return HALO_OK;
}

halo_status label_count_foreground(app_run *run)
{
    label_job *job = run->job;
    job->foreground_pixels = halo_foreground_count(halo_field_view(job->foreground));
    return halo_allreduce_sum(run->world, &job->foreground_pixels, 1);
}

halo_status label_find_foreground(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    HALO_TRY(apply_threshold(run));
    limit(run);
    HALO_TRY(refine(run));
    HALO_TRY(options->mask_filter != NULL ? filter_mask(run) : HALO_OK);
    halo_field_destroy(&job->present);
    bool tells = label_has_table(options);
    if (options->split.given) {
        HALO_TRY(label_split(run));
    } else if ((!tells && !options->values) || label_sample_type(run) != HALO_LABEL_NONE) {
        halo_field_destroy(&job->grey); /* only what regions tell of it needs it still */
    }
    if (!tells) {
        halo_field_destroy(&job->kept);
    }
    job->clear_pixels = run->image->clear_pixels;
    halo_status status = halo_allreduce_sum(run->world, &job->clear_pixels, 1);
    if (status == HALO_OK && !label_sets_foreground(run)) {
        status = label_count_foreground(run);
    }
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}
