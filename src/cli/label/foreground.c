#include "app/services/balance.h"
#include "cli/label/job.h"
#include "core/world/collect.h"
#include "kernels/label/threshold/refine.h"

/* From samples that were read to foreground pixels, by what was asked. */

/* ---- pixels that are missing ------------------------------------------------------------------
 */

/* Pixels that are missing, as the image says (info.nodata), are no foreground, whatever the
 * threshold, --invert and --fill-holes make of them, and no part of thresholds. */

bool label_needs_present(const app_run *run)
{
    const label_options *options = run->options;
    bool inverts = options->invert && options->threshold.kind == THRESHOLD_HYSTERESIS;
    bool local = options->threshold.kind == THRESHOLD_LOCAL; /* of greys, which are never NaN */
    halo_missing_mark missing = run->image->info.nodata.missing;
    bool can = missing != HALO_MISSING_NEVER;
    return missing == HALO_MISSING_CELL || (can && (inverts || local || options->fill_holes));
}

static void binarise_present(const app_run *run, const halo_view *from, const halo_view *bits)
{
    halo_image_info info = run->image->info;
    info.width = from->owned.n[1]; /* several rows of the image may be one */
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        halo_image_find_missing(&info, halo_row(from, y), halo_row(bits, y));
    }
    halo_foreground_invert(bits, bits);
}

void label_find_present(const app_run *run, int64_t first, int64_t rows, const void *data,
                        size_t pitch)
{
    const label_job *job = run->job;
    if (job->present != NULL) {
        label_binarise_rows(run, job->present, first, rows, data, pitch, binarise_present);
    }
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

/* Samples that nobody keeps have become foreground while they were read. */
static halo_status divide(app_run *run)
{
    const label_options *options = run->options;
    label_job *job = run->job;
    const char *instructions = run->arguments->common.instructions;
    const halo_view *bits = halo_field_view(job->foreground);
    if (options->threshold.kind == THRESHOLD_LOCAL) {
        return find_local_foreground(run);
    }
    if (job->grey == NULL) {
        return job->kept != NULL ? app_samples_each(&job->source, label_take_foreground, run)
                                 : HALO_OK;
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

bool label_sets_foreground(const app_run *run)
{
    return label_value_type(run) != HALO_LABEL_NONE && app_balancing_of(run) == NULL &&
           !label_needs_present(run);
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
    HALO_TRY(divide(run));
    limit(run);
    HALO_TRY(refine(run));
    halo_field_destroy(&job->present);
    bool tells = options->regions != NULL;
    if ((!tells && !options->values) || label_sample_type(run) != HALO_LABEL_NONE) {
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
