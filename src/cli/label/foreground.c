#include "app/image/image.h"
#include "app/services/balance.h"
#include "cli/label/job.h"
#include "cli/label_image.h"
#include "core/world/collect.h"
#include "kernels/label/threshold/refine.h"
#include "kernels/label/threshold/threshold.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* The only grey of an image, or -1. Where greys are not counted all counts are 0. */
static int64_t find_single(const int64_t *histogram, int64_t levels)
{
    int64_t single = -1, used = 0;
    for (int64_t grey = 0; grey < levels; grey++) {
        single = histogram[grey] > 0 ? grey : single;
        used += histogram[grey] > 0;
    }
    return used == 1 ? single : -1;
}

halo_status label_check_labels(app_run *run, const halo_label_histogram *counts)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    int64_t sums[] = {job->signs.pairs, job->signs.equal};
    HALO_TRY(halo_allreduce_sum(run->world, sums, 2));
    const halo_label_signs signs = {.pairs = sums[0], .equal = sums[1]};
    cli_warn_of_labels(run, &asked->threshold, &signs, counts,
                       "-t 1 takes all but 0 as foreground, --values makes regions of "
                       "equal samples");
    return HALO_OK;
}

static halo_status find_threshold(app_run *run)
{
    const cli_threshold *asked = &((const label_options *)run->options)->threshold;
    label_job *job = run->job;
    int64_t levels = INT64_C(1) << run->image->cell_bits;
    if (asked->kind == THRESHOLD_OTSU) {
        HALO_TRY(halo_allreduce_sum(run->world, job->histogram, (int)levels));
    }
    const halo_image_nodata *nodata = &run->image->info.nodata;
    if (nodata->missing == HALO_MISSING_CELL) {
        job->histogram[nodata->cell] = 0;
    }
    if (asked->kind == THRESHOLD_OTSU) {
        HALO_TRY(
            label_check_labels(run, &(halo_label_histogram){job->histogram, levels, 0, false}));
    }
    job->single = find_single(job->histogram, levels);
    job->peak = cli_threshold_peak(asked, run->image->maximum);
    return cli_threshold_find(asked, run->image->maximum, job->histogram, levels, &job->greys);
}

static void count_rows(void *context, int64_t first, int64_t rows)
{
    label_job *job = context;
    const halo_view *grey = halo_field_view(job->grey);
    int64_t unit = grey->axes == HALO_AXES ? grey->owned.n[1] : 1; /* planes come whole */
    halo_histogram_add(grey, first * unit, rows * unit, job->histogram);
    halo_label_signs_add(&job->signs, grey, first * unit, rows * unit,
                         (grey->owned.lo[0] + first) * unit);
}

static halo_status count_band(void *context, int64_t first, int64_t rows, const void *data,
                              size_t pitch)
{
    const app_run *run = context;
    const halo_view band = app_image_band(run->image, data, pitch, rows);
    label_job *job = run->job;
    halo_histogram_add(&band, 0, rows, job->histogram);
    halo_label_signs_add(&job->signs, &band, 0, rows, first);
    return HALO_OK;
}

/* Rows are short, and divided as one: where there are no gaps between them, and of bits where each
 * is a word, what is behind its pixels included. */
static void divide_transposed(const app_run *run, const halo_view *to, int64_t first, int64_t rows,
                              const void *data, size_t pitch, label_divide *divide)
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
        divide(run, &from, &bits);
        if (single) {
            bits.owned.n[0] = now;
            bits.owned.n[1] = width;
        }
        halo_label_transpose(((const label_job *)run->job)->label, first + done, &bits, to);
    }
}

void label_divide_rows(const app_run *run, const halo_field *into, int64_t first, int64_t rows,
                       const void *data, size_t pitch, label_divide *divide)
{
    const halo_view *to = halo_field_view(into);
    if (halo_label_is_transposed(((const label_job *)run->job)->label)) {
        divide_transposed(run, to, first, rows, data, pitch, divide);
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
        bits.origin = solid ? halo_row_of_plane(to, plane - to->owned.lo[0], y)
                            : halo_row(to, y - to->owned.lo[0]);
        bits.stride[0] = to->stride[solid ? 1 : 0];
        divide(run, &from, &bits);
        done += now;
    }
}

static void divide_greys(const app_run *run, const halo_view *from, const halo_view *bits)
{
    const label_job *job = run->job;
    halo_threshold(from, &job->greys, 0, from->owned.n[0], bits,
                   run->arguments->common.instructions);
}

static halo_status divide_band(void *context, int64_t first, int64_t rows, const void *data,
                               size_t pitch)
{
    const app_run *run = context;
    label_divide_rows(run, ((const label_job *)run->job)->foreground, first, rows, data, pitch,
                      divide_greys);
    label_find_present(run, first, rows, data, pitch);
    return HALO_OK;
}

static halo_status take_transposed(void *context, int64_t first, int64_t rows, const void *data,
                                   size_t pitch)
{
    const app_run *run = context;
    const label_options *asked = run->options;
    const label_job *job = run->job;
    const halo_view band = app_image_band(run->image, data, pitch, rows);
    halo_label_transpose(job->label, first, &band, halo_field_view(job->grey));
    label_find_present(run, first, rows, data, pitch);
    return asked->values || asked->threshold.kind != THRESHOLD_OTSU
               ? HALO_OK
               : count_band(context, first, rows, data, pitch);
}

/* Greys that are kept, or values, and which of them are missing. `count`: their histogram as
 * well. */
static halo_status read_greys(app_run *run, bool count)
{
    label_job *job = run->job;
    const int64_t *cuts = job->strips.cuts[0];
    if (halo_label_is_transposed(job->label)) {
        return app_image_stream(run->image, cuts, &run->progress, take_transposed, run,
                                &run->clock);
    }
    HALO_TRY(app_read_image(run, cuts, halo_field_view(job->grey), count ? count_rows : NULL, job));
    label_find_present_greys(run);
    return HALO_OK;
}

/* The mean and the peak of regions, and local thresholds, need greys later. Otsu's threshold is
 * known only when all have been read: then they are read twice, if that costs next to nothing. */
bool label_streams(const app_run *run)
{
    const label_options *asked = run->options;
    threshold_kind kind = asked->threshold.kind;
    return asked->regions == NULL && !asked->values && kind != THRESHOLD_LOCAL &&
           kind != THRESHOLD_HYSTERESIS && (kind != THRESHOLD_OTSU || run->image->info.in_place);
}

halo_status label_read_image(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    const int64_t *cuts = job->strips.cuts[0];
    bool otsu = asked->threshold.kind == THRESHOLD_OTSU;
    job->single = -1;
    const halo_image_nodata *nodata = &run->image->info.nodata;
    bool marked = nodata->missing == HALO_MISSING_CELL && job->wide.type == HALO_LABEL_ALIKE;
    job->signs = (halo_label_signs){.height = run->image->info.rows,
                                    .background = marked ? nodata->cell : 0};
    if (job->wide.type != HALO_LABEL_ALIKE || label_makes_greys(run)) {
        return label_read_samples(run);
    }
    if (asked->values) {
        job->greys = (halo_grey_range){1, INT64_MAX, false}; /* of bits, which are all alike */
        return read_greys(run, false);
    }
    if (!job->streams) {
        HALO_TRY(read_greys(run, otsu));
    } else if (otsu) {
        HALO_TRY(app_image_stream(run->image, cuts, &run->progress, count_band, run, &run->clock));
    }
    HALO_TRY(find_threshold(run));
    job->greys.invert = asked->invert && asked->threshold.kind != THRESHOLD_HYSTERESIS;
    return job->streams
               ? app_image_stream(run->image, cuts, &run->progress, divide_band, run, &run->clock)
               : HALO_OK;
}

halo_sample_type label_value_type(const app_run *run)
{
    const label_options *asked = run->options;
    return asked->values ? run->image->info.type : HALO_LABEL_ALIKE;
}

halo_sample_type label_sample_type(const app_run *run)
{
    const label_options *asked = run->options;
    halo_sample_type type = run->image->info.type;
    return !asked->values && !halo_sample_is_grey(type) ? type : HALO_LABEL_ALIKE;
}

/* ---- foreground ------------------------------------------------------------------------------ */

static halo_status find_local_foreground(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    halo_local_threshold local = asked->threshold.local;
    local.invert = asked->invert;
    local.skips = run->image->info.nodata.missing != HALO_MISSING_NEVER;
    local.skipped = (int64_t)run->image->info.nodata.cell;
    if (label_makes_greys(run)) {
        local.offset *= job->wide.greys.step;
        local.skipped = job->wide.greys.missing;
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

/* Where the fields are, and neighbours in them. */
typedef struct {
    halo_domain domain;
    halo_partition partition;
    int connectivity;
} refined_fields;

/* Volumes that are transposed have images of two axes as fields. */
static halo_status find_fields(const app_run *run, refined_fields *fields)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    halo_box mine;
    int connectivity = asked->label.connectivity;
    halo_label_fields(job->label, &fields->domain, &mine);
    bool flat = fields->domain.axes < run->domain.axes && connectivity != 0;
    fields->connectivity = !flat ? connectivity : connectivity == 6 ? 4 : 8;
    return halo_label_fields_partition(job->label, &fields->partition);
}

/* What --invert says holds for the pixels of hysteresis, not for its values. */
static halo_status apply_hysteresis(app_run *run, const refined_fields *fields)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    const halo_view *bits = halo_field_view(job->foreground);
    bool wide = job->wide.peaks != NULL; /* bits, of which 1 is the peak */
    const halo_view *greys = halo_field_view(wide ? job->wide.peaks : job->grey);
    HALO_TRY(halo_hysteresis(run->world, &fields->domain, &fields->partition, greys,
                             wide ? 1 : job->peak, fields->connectivity, bits,
                             run->arguments->common.instructions));
    halo_field_destroy(&job->wide.peaks);
    if (asked->invert) {
        halo_foreground_invert(bits, bits);
        limit(run);
    }
    return HALO_OK;
}

/* By labelling first. */
static halo_status refine(app_run *run)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    bool hysteresis = asked->threshold.kind == THRESHOLD_HYSTERESIS;
    if (!hysteresis && !asked->fill_holes) {
        return HALO_OK;
    }
    refined_fields fields = {.connectivity = 0};
    halo_status status = halo_agree(run->world, find_fields(run, &fields));
    if (status == HALO_OK && hysteresis) {
        status = apply_hysteresis(run, &fields);
    }
    if (status == HALO_OK && asked->fill_holes) {
        status =
            halo_fill_holes(run->world, &fields.domain, &fields.partition,
                            halo_field_view(job->foreground), run->arguments->common.instructions);
        limit(run);
    }
    halo_partition_free(&fields.partition);
    return status;
}

static halo_status divide(app_run *run)
{
    const label_options *asked = run->options;
    label_job *job = run->job;
    if (asked->threshold.kind == THRESHOLD_LOCAL) {
        return find_local_foreground(run);
    }
    if (job->streams) {
        return HALO_OK;
    }
    const halo_view *grey = halo_field_view(job->grey);
    halo_sample_type type = label_value_type(run);
    if (label_marks(run)) {
        return HALO_OK;
    }
    if (type != HALO_LABEL_ALIKE) {
        const label_background *background = &asked->background;
        halo_foreground_of_values(grey, type, background->none ? NULL : &background->value,
                                  halo_field_view(job->foreground),
                                  run->arguments->common.instructions);
        return HALO_OK;
    }
    int64_t rows = grey->owned.n[0] * (grey->axes == HALO_AXES ? grey->owned.n[1] : 1);
    halo_threshold(grey, &job->greys, 0, rows, halo_field_view(job->foreground),
                   run->arguments->common.instructions);
    return HALO_OK;
}

bool label_marks(const app_run *run)
{
    return label_value_type(run) != HALO_LABEL_ALIKE && app_balancing_of(run) == NULL &&
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
    const label_options *asked = run->options;
    label_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    HALO_TRY(divide(run));
    limit(run);
    HALO_TRY(refine(run));
    halo_field_destroy(&job->present);
    bool tells = asked->regions != NULL;
    if ((!tells && !asked->values) || job->wide.type != HALO_LABEL_ALIKE) {
        halo_field_destroy(&job->grey); /* only what regions tell of it needs it still */
    }
    if (!tells) {
        halo_field_destroy(&job->wide.kept);
    }
    job->clear_pixels = run->image->clear_pixels;
    halo_status status = halo_allreduce_sum(run->world, &job->clear_pixels, 1);
    if (status == HALO_OK && !label_marks(run)) {
        status = label_count_foreground(run);
    }
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}
