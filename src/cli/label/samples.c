#include "cli/label/job.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"

#include <inttypes.h>
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
    const label_options *asked = run->options;
    return is_wide(run) && asked->regions != NULL && asked->label.numbering == HALO_LABEL_SEED
               ? halo_fail(HALO_ARGUMENT,
                           "%s has samples of type %s, and --regions of such needs --numbering "
                           "scan; leave out --numbering, or save them as uint8 or uint16",
                           run->image.path, halo_sample_types[run->image.info.type].name)
               : HALO_OK;
}

/* Does the threshold depend on the extremes of the image? */
static bool needs_extremes(const cli_threshold *threshold)
{
    return threshold->kind == THRESHOLD_OTSU || threshold->low.percent || threshold->high.percent;
}

bool label_keeps_samples(const app_run *run)
{
    const label_options *asked = run->options;
    bool pipe = run->image.info.file_bytes < 0, often = needs_extremes(&asked->threshold);
    return pipe ? often || asked->regions != NULL : often && !run->image.info.in_place;
}

json_t *label_sample_json(halo_sample_type type, int64_t key)
{
    int64_t whole = halo_sample_whole(type, key);
    if (halo_sample_is_real(type)) {
        return json_real(halo_sample_real(type, key));
    }
    return type != HALO_SAMPLE_U64 || whole >= 0 ? json_integer(whole)
                                                 : json_sprintf("%" PRIu64, (uint64_t)whole);
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
                                  : app_image_stream(&run->image, job->strips.cuts[0],
                                                     &run->progress, take, run, &run->clock);
}

static void add_extremes(const app_run *run, const halo_view *rows)
{
    label_job *job = run->job;
    halo_value_extremes_add(&job->wide.of, rows, run->arguments->common.instructions);
}

static halo_status take_extremes(void *context, int64_t first, int64_t rows, const void *data,
                                 size_t pitch)
{
    (void)first;
    return label_each_present(context, rows, data, pitch, add_extremes);
}

static void add_histogram(const app_run *run, const halo_view *rows)
{
    label_job *job = run->job;
    const halo_value_bins bins = halo_value_bins_of(&job->wide.of);
    int64_t count = rows->owned.n[0];
    halo_value_histogram_add(&bins, rows, job->histogram);
    halo_label_signs_add(&job->signs, rows, 0, count, job->next_row);
    job->next_row += count;
}

static halo_status take_histogram(void *context, int64_t first, int64_t rows, const void *data,
                                  size_t pitch)
{
    label_job *job = ((const app_run *)context)->job;
    job->next_row = first;
    return label_each_present(context, rows, data, pitch, add_histogram);
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

/* ---- the threshold --------------------------------------------------------------------------- */

/* A percentage is one of the way from the least finite sample to the largest. */
static halo_status find_bound(const app_run *run, const threshold_bound *bound, bool down,
                              int64_t *key)
{
    const label_job *job = run->job;
    const halo_sample_extremes *of = &job->wide.of;
    if (bound->percent && of->finite > 0) {
        *key = halo_sample_key_at(of, bound->number.value, down);
        return HALO_OK;
    }
    const halo_number value = bound->percent ? halo_number_of(0) : bound->number;
    char text[HALO_NUMBER_TEXT];
    halo_number_print(&value, text);
    return (down ? halo_sample_key_to : halo_sample_key_from)(of->type, &value, key)
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "the threshold %s is beyond the samples of %s, which have the type %s; "
                           "use a value that these have, or a percentage",
                           text, run->image.path, halo_sample_types[run->image.info.type].name);
}

static halo_status find_range(const app_run *run)
{
    const cli_threshold *asked = &((const label_options *)run->options)->threshold;
    label_job *job = run->job;
    halo_value_range *within = &job->wide.within;
    bool two = asked->kind == THRESHOLD_RANGE || asked->kind == THRESHOLD_HYSTERESIS;
    int64_t high = halo_sample_key_last(job->wide.type);
    HALO_TRY(find_bound(run, &asked->low, false, &within->min));
    if (two) {
        HALO_TRY(find_bound(run, &asked->high, asked->kind == THRESHOLD_RANGE, &high));
    }
    within->max = asked->kind == THRESHOLD_RANGE ? high : halo_sample_key_last(job->wide.type);
    job->wide.peak = high;
    return within->min <= high
               ? HALO_OK
               : halo_fail(HALO_ARGUMENT,
                           "no sample of type %s is from %g%s to %g%s, as the thresholds have it; "
                           "%s",
                           halo_sample_types[run->image.info.type].name, asked->low.number.value,
                           asked->low.percent ? "%" : "", asked->high.number.value,
                           asked->high.percent ? "%" : "",
                           cli_threshold_remedy(asked->low.number.value, asked->high.number.value));
}

/* Whole numbers of 8 and 16 bits that are signed count as greys. */
static halo_status check_labels(app_run *run, const halo_value_bins *bins)
{
    enum { WIDE = 32 };
    const label_job *job = run->job;
    const halo_sample_extremes *of = &bins->of;
    bool whole = of->finite > 0 && !halo_sample_is_real(of->type);
    int64_t least = whole ? halo_sample_whole(of->type, of->min) : -1;
    return label_check_labels(
        run, &(halo_label_histogram){.counts = job->histogram,
                                     .levels = HALO_VALUE_BINS,
                                     .first = least,
                                     .wide = whole && run->image.cell_bits >= WIDE});
}

static halo_status find_threshold(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    job->wide.of = (halo_sample_extremes){.type = job->wide.type};
    if (needs_extremes(&asked->threshold)) {
        HALO_TRY(go_through(run, take_extremes));
        HALO_TRY(halo_value_extremes_share(run->world, &job->wide.of));
    }
    if (asked->threshold.kind != THRESHOLD_OTSU) {
        return find_range(run);
    }
    HALO_TRY(go_through(run, take_histogram));
    HALO_TRY(halo_allreduce_sum(run->world, job->histogram, HALO_VALUE_BINS));
    const halo_value_bins bins = halo_value_bins_of(&job->wide.of);
    HALO_TRY(check_labels(run, &bins));
    job->wide.within = (halo_value_range){.min = halo_value_otsu(&bins, job->histogram),
                                          .max = halo_sample_key_last(job->wide.type)};
    return HALO_OK;
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
        return app_image_stream(&run->image, cuts, &run->progress, take, context, &run->clock);
    }
    HALO_TRY(job->wide.moved ? HALO_OK : move_kept(run, cuts));
    return halo_agree(run->world, take_kept(run, take, context));
}
