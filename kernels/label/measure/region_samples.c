#include "kernels/label/measure/region_samples.h"

#include "base/memory.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"
#include "kernels/label/measure/sample_measures.h"

#include <stddef.h>
#include <string.h>

/* ---- measures -------------------------------------------------------------------------------- */

static const struct {
    unsigned bit;
    const label_sample_measure *measure;
    size_t result; /* in halo_region_measures */
} once[] = {
    {HALO_MEASURE_INTENSITIES, &label_intensity_measure,
     offsetof(halo_region_measures, intensities)},
    {HALO_MEASURE_MOMENTS, &label_moment_measure, offsetof(halo_region_measures, moments)},
    {HALO_MEASURE_CHANNELS, &label_channel_measure, offsetof(halo_region_measures, channels)}};

enum { ONCE = sizeof once / sizeof *once, MOST_MEDIANS = HALO_REGION_QUANTILES + 1 };

/* Samples times positions below 2^31 have a word more than samples. */
static label_sample_format format_of(halo_sample_type type)
{
    label_sample_format of = {type, halo_sum_of_whole, halo_sum_of_whole_squares, {0, 0}};
    if (type == HALO_SAMPLE_BIT) {
        of.type = HALO_SAMPLE_U8;
    } else if (type == HALO_SAMPLE_F32) {
        of = (label_sample_format){type, halo_sum_of_floats, halo_sum_of_float_squares, {0, 0}};
    } else if (type == HALO_SAMPLE_F64) {
        of = (label_sample_format){type, halo_sum_of_doubles, halo_sum_of_double_squares, {0, 0}};
    }
    of.place = (halo_sum_format){of.sum.words + 1, of.sum.low};
    return of;
}

int64_t halo_label_measure_bytes(unsigned measures, halo_sample_type type)
{
    const label_sample_format format = format_of(type);
    size_t bytes = 0;
    for (int i = 0; i < ONCE; i++) {
        const label_sample_measure *measure = once[i].measure;
        bytes += (measures & once[i].bit) != 0
                     ? measure->entry_bytes(&format) + measure->result_bytes
                     : 0;
    }
    int64_t medians = ((measures & HALO_MEASURE_MEDIANS) != 0) +
                      ((measures & HALO_MEASURE_QUANTILES) != 0 ? HALO_REGION_QUANTILES : 0);
    return (int64_t)bytes + medians * label_medians_bytes();
}

void halo_region_measures_free_sized(halo_region_measures *measures, size_t measures_bytes)
{
    halo_region_measures own = {0};
    halo_options_take_known(&own, sizeof own, measures, measures_bytes);
    halo_memory_free(own.intensities);
    halo_memory_free(own.moments);
    halo_memory_free(own.medians);
    halo_memory_free(own.channels);
    for (int i = 0; i < HALO_REGION_QUANTILES; i++) {
        halo_memory_free(own.quantiles[i]);
    }
    memset(measures, 0, measures_bytes);
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct {
    const label_numbered *image; /* without rows: they are those of this rank's part of `label` */
    halo_label *label;
    unsigned measures;
    const halo_region_samples *samples;
    label_sample_format format;
    int64_t *row; /* labels of a row */
    int64_t width;
    label_region_run run; /* of the row that is being taken, none yet */
    label_sample_taker takers[ONCE];
    label_medians medians[MOST_MEDIANS];
    halo_median **found[MOST_MEDIANS]; /* where their results go */
    int median_count, quantile_count;  /* of all, and of those that are quantiles, the last ones */
    label_sample_taker *active[ONCE + MOST_MEDIANS]; /* [count] */
    int count;
} sample_pass;

/* Paints row `r` of the strip or part. */
static halo_status paint_row(sample_pass *pass, int64_t r)
{
    const label_numbered *image = pass->image;
    if (image->rows != NULL) {
        pass->run.plane = r / image->n[1];
        pass->run.line = r % image->n[1];
        return label_numbered_row(image, r, pass->row);
    }
    const label_input *input = &pass->label->job.strip.input;
    pass->run.plane = r / input->rows + input->front;
    pass->run.line = r % input->rows + input->top;
    return halo_label_paint_rows(pass->label, HALO_LABEL_I64, r, 1, pass->row, 0);
}

static halo_status take_row(sample_pass *pass, label_sample_taker *to)
{
    label_region_run run = pass->run;
    int64_t number;
    while ((number = label_next_run(pass->row, pass->width, &run.begin, &run.end)) != 0) {
        void *entry = label_by_number_find(&to->table, number);
        if (entry == NULL) {
            return to->table.failure;
        }
        to->add(to->context, entry, &run);
    }
    return HALO_OK;
}

static halo_status take_rows(void *context, int64_t first_row, int64_t rows, const void *data,
                             size_t pitch)
{
    sample_pass *pass = context;
    for (int64_t y = 0; y < rows && pass->width > 0; y++) {
        HALO_TRY(paint_row(pass, first_row + y));
        pass->run.row = (const char *)data + (size_t)y * pitch;
        for (int i = 0; i < pass->count; i++) {
            HALO_TRY(take_row(pass, pass->active[i]));
        }
    }
    return HALO_OK;
}

static void unpack(const uint64_t *bits, int64_t width, uint8_t *out)
{
    enum { WORD_BITS = 64 };
    for (int64_t x = 0; x < width; x++) {
        out[x] = (uint8_t)(bits[x / WORD_BITS] >> x % WORD_BITS & 1);
    }
}

/* Rows of bits are taken as bytes. */
static halo_status take_view(sample_pass *pass, const halo_view *view)
{
    bool deep = view->axes == HALO_AXES, bits = pass->samples->type == HALO_SAMPLE_BIT;
    int64_t lines = view->owned.n[deep ? 1 : 0], planes = deep ? view->owned.n[0] : 1;
    uint8_t *bytes = NULL;
    if (bits) {
        HALO_TRY(HALO_ALLOCATE_LARGE(bytes, pass->width + 1, "a row of an image"));
    }
    halo_status status = HALO_OK;
    for (int64_t r = 0; r < planes * lines && pass->width > 0 && status == HALO_OK; r++) {
        const void *row = deep ? halo_row_of_plane(view, r / lines, r % lines) : halo_row(view, r);
        if (bits) {
            unpack(row, pass->width, bytes);
        }
        status = take_rows(pass, r, 1, bits ? bytes : row, 0);
    }
    halo_memory_free(bytes);
    return status;
}

/* Collective. */
static halo_status take_all(sample_pass *pass)
{
    const halo_region_samples *samples = pass->samples;
    return samples->view != NULL
               ? halo_agree(pass->image->world, take_view(pass, samples->view))
               : samples->pass(samples->context, pass->image->layers, take_rows, pass);
}

/* ---------------------------------------------------------------------------------------------- */

/* Collective. */
static halo_status create_rows(sample_pass *pass)
{
    bool part = pass->image->rows == NULL;
    pass->width = part ? pass->label->job.strip.input.width : pass->image->n[2];
    pass->run.left = part ? pass->label->job.strip.input.left : 0;
    return halo_agree(pass->image->world,
                      HALO_ALLOCATE_LARGE(pass->row, pass->width + 1, "rows of labels"));
}

/* Collective. */
static halo_status create_takers(sample_pass *pass)
{
    for (int i = 0; i < ONCE; i++) {
        if ((pass->measures & once[i].bit) != 0) {
            label_sample_taker *taker = &pass->takers[i];
            taker->add = once[i].measure->add;
            taker->context = &pass->format;
            pass->active[pass->count++] = taker;
            HALO_TRY(label_by_number_create(&taker->table, pass->image,
                                            once[i].measure->entry_bytes(&pass->format)));
        }
    }
    for (int i = 0; i < pass->median_count; i++) {
        int quantile = i - (pass->median_count - pass->quantile_count);
        double share = quantile < 0 ? .5 : pass->samples->quantiles[quantile];
        pass->active[pass->count++] = &pass->medians[i].taker;
        HALO_TRY(label_medians_create(&pass->medians[i], pass->image, pass->format.type, share));
    }
    return HALO_OK;
}

/* Collective. Sets *out to the results of a measure, whose table is then free. Adds the regions
 * with numbers that do not fit in 64 bits to *misfits. */
static halo_status finish_taker(label_sample_taker *taker, const label_sample_measure *measure,
                                void **out, int64_t *misfits)
{
    label_by_number *table = &taker->table;
    HALO_TRY(label_by_number_share(table, measure->join, taker->context));
    *out = halo_memory_large((size_t)table->count + 1, measure->result_bytes, "%s", measure->what);
    HALO_TRY(halo_agree(table->world, *out != NULL ? HALO_OK : HALO_MEMORY));
    for (int64_t i = 0; i < table->count; i++) {
        *misfits += !measure->finish(taker->context, label_by_number_own(table, i),
                                     (char *)*out + (size_t)i * measure->result_bytes);
    }
    label_by_number_free(table);
    return HALO_OK;
}

/* Collective, after the first pass. */
static halo_status finish_takers(sample_pass *pass, halo_region_measures *out)
{
    int64_t misfits = 0;
    for (int i = 0; i < ONCE; i++) {
        if ((pass->measures & once[i].bit) != 0) {
            void *found = NULL;
            halo_status status = finish_taker(&pass->takers[i], once[i].measure, &found, &misfits);
            memcpy((char *)out + once[i].result, &found, sizeof found);
            HALO_TRY(status);
        }
    }
    if ((pass->measures & HALO_MEASURE_INTENSITIES) != 0) {
        HALO_TRY(halo_allreduce_sum(pass->image->world, &misfits, 1));
        out->fits = misfits == 0;
    }
    return HALO_OK;
}

/* Collective, after a pass. Only medians and quantiles that are not found yet take samples in the
 * next one, which there is if *again. */
static halo_status advance(sample_pass *pass, bool *again)
{
    pass->count = 0;
    for (int i = 0; i < pass->median_count; i++) {
        label_medians *medians = &pass->medians[i];
        bool more = false;
        if (!medians->done) {
            HALO_TRY(label_medians_next(medians, &more));
            medians->done = !more;
        }
        if (more) {
            pass->active[pass->count++] = &medians->taker;
        }
    }
    *again = pass->count > 0;
    return HALO_OK;
}

/* Sets what medians there are, and where their results go. */
static void choose_medians(sample_pass *pass, halo_region_measures *out)
{
    if ((pass->measures & HALO_MEASURE_MEDIANS) != 0) {
        pass->found[pass->median_count++] = &out->medians;
    }
    if ((pass->measures & HALO_MEASURE_QUANTILES) != 0) {
        pass->quantile_count = pass->samples->quantile_count;
        for (int i = 0; i < pass->quantile_count; i++) {
            pass->found[pass->median_count++] = &out->quantiles[i];
        }
    }
}

/* Collective. */
static halo_status measure_all(sample_pass *pass, halo_region_measures *out)
{
    bool again = true;
    choose_medians(pass, out);
    HALO_TRY(create_rows(pass));
    HALO_TRY(create_takers(pass));
    HALO_TRY(take_all(pass));
    HALO_TRY(finish_takers(pass, out));
    while (again) {
        HALO_TRY(advance(pass, &again));
        HALO_TRY(again ? take_all(pass) : HALO_OK);
    }
    for (int i = 0; i < pass->median_count; i++) {
        HALO_TRY(label_medians_finish(&pass->medians[i], pass->found[i]));
    }
    return HALO_OK;
}

/* Collective. `pass` has the image, the measures and the samples. */
static halo_status measure_image(sample_pass *pass, halo_region_measures *out)
{
    unsigned measures = pass->measures;
    halo_sample_type type = pass->samples->type;
    pass->format = format_of(type);
    if ((measures & HALO_MEASURE_CHANNELS) != 0 && type != HALO_SAMPLE_U8 &&
        type != HALO_SAMPLE_U16) {
        return halo_fail(HALO_ARGUMENT, "channels are samples of 8 or 16 bits");
    }
    halo_status status = measures != 0 ? measure_all(pass, out) : HALO_OK;
    for (int i = 0; i < ONCE; i++) {
        label_by_number_free(&pass->takers[i].table);
    }
    for (int i = 0; i < pass->median_count; i++) {
        label_medians_free(&pass->medians[i]);
    }
    halo_memory_free(pass->row);
    return status;
}

halo_status label_measure_samples(const label_numbered *image, unsigned measures,
                                  const halo_region_samples *samples, halo_region_measures *out)
{
    sample_pass pass = {.image = image, .measures = measures, .samples = samples};
    *out = (halo_region_measures){0};
    return measure_image(&pass, out);
}

static halo_status measure(halo_label *label, unsigned measures, const halo_region_samples *samples,
                           halo_region_measures *out)
{
    halo_label_painting *painting = NULL;
    if (measures != 0 && !label_has_numbers(label)) {
        return halo_fail(HALO_ARGUMENT, "what pixels tell of regions needs regions that are "
                                        "measured, and numbered from 1");
    }
    halo_status status = samples->view != NULL || measures == 0
                             ? HALO_OK
                             : halo_label_painting_create(&painting, label, HALO_LABEL_I64);
    if (status == HALO_OK) {
        const label_numbered image = label_numbered_of(label, painting);
        sample_pass pass = {
            .image = &image, .label = label, .measures = measures, .samples = samples};
        status = measure_image(&pass, out);
    }
    halo_label_painting_destroy(&painting);
    return status;
}

halo_status halo_label_measure_sized(halo_label *label, unsigned measures,
                                     const halo_region_samples *given, halo_region_measures *out,
                                     size_t samples_bytes, size_t out_bytes)
{
    halo_region_samples samples;
    halo_region_measures found = {0};
    halo_status status =
        halo_agree(label->job.world, halo_options_take(&samples, sizeof samples, given,
                                                       samples_bytes, "halo_region_samples"));
    HALO_IF_OK(status, measure(label, measures, &samples, &found));
    halo_report_give(out, out_bytes, &found, sizeof found);
    return status;
}

/* ---- programs that were built with 1.0 ------------------------------------------------------- */

/* Their structures end where quantiles begin, and they call functions that get no sizes. */
halo_status(halo_label_measure)(halo_label *label, unsigned measures,
                                const halo_region_samples *samples, halo_region_measures *out);
void(halo_region_measures_free)(halo_region_measures *measures);

halo_status(halo_label_measure)(halo_label *label, unsigned measures,
                                const halo_region_samples *samples, halo_region_measures *out)
{
    return halo_label_measure_sized(label, measures, samples, out,
                                    offsetof(halo_region_samples, quantiles),
                                    offsetof(halo_region_measures, quantiles));
}

void(halo_region_measures_free)(halo_region_measures *measures)
{
    halo_region_measures_free_sized(measures, offsetof(halo_region_measures, quantiles));
}
