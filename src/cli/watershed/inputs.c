#include "app/image/image.h"
#include "app/options/values.h"
#include "base/memory.h"
#include "base/scan.h"
#include "base/standard.h"
#include "cli/watershed/job.h"
#include "io/image/bits.h"

#include <math.h>
#include <string.h>

/* These are the inputs of a watershed: image, markers and mask. */

halo_status watershed_parse_markers(const char *text, void *into)
{
    static const char minima[] = "minima";
    watershed_markers *markers = into;
    const char *height = app_behind_name(text, minima);
    *markers = (watershed_markers){.path = NULL};
    if (height != NULL) {
        double *least = &markers->minima.value;
        markers->minima.given = true;
        bool all = strcmp(text, minima) == 0;
        return all || (halo_scan_number(&height, 0, HUGE_VAL, least) && *height == '\0' &&
                       isfinite(*least))
                   ? HALO_OK
                   : HALO_ARGUMENT;
    }
    markers->path = text;
    HALO_TRY(strcmp(text, "-") == 0 ? halo_standard_input_check() : HALO_OK);
    return app_is_file_name(text) ? HALO_OK : HALO_ARGUMENT;
}

/* The number of a row in this rank's strip. */
static int64_t own_row(const app_run *run, int64_t row)
{
    const watershed_job *job = run->job;
    return row - job->row_cuts[halo_world_rank(run->world)];
}

static bool has_threshold(const app_run *run)
{
    return app_was_given(run, &((const watershed_options *)run->options)->threshold);
}

/* ---- missing pixels, which are outside ------------------------------------------------------- */

static bool can_miss(const app_run *run)
{
    return run->image->info.nodata.missing != HALO_MISSING_NEVER;
}

/* The bits of a row that are set where pixels are missing; NULL: none can be. */
static uint64_t *missing_of(const app_run *run, int64_t row)
{
    const watershed_job *job = run->job;
    int64_t words = halo_bits_words(run->domain.n[run->domain.axes - 1]);
    return job->missing != NULL ? job->missing + own_row(run, row) * words : NULL;
}

static bool is_missing(const uint64_t *missing, int64_t x)
{
    enum { WORD = 64 };
    return missing != NULL && (missing[x / WORD] >> (x % WORD) & 1) != 0;
}

/* Allocates these bits, and a row whose missing pixels are replaced. */
static halo_status create_missing(app_run *run)
{
    watershed_job *job = run->job;
    int rank = halo_world_rank(run->world);
    int64_t rows = job->row_cuts[rank + 1] - job->row_cuts[rank];
    int64_t words = halo_bits_words(run->domain.n[run->domain.axes - 1]);
    if (!can_miss(run)) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(job->missing, (size_t)(rows * words + 1) * sizeof *job->missing,
                                 "missing pixels"));
    return HALO_ALLOCATE(job->row, (int64_t)halo_image_row_bytes(&run->image->info), "a row");
}

/* Finds the missing pixels of a row, and returns it with 0 in their place: NaN has no height. */
static const void *clear_missing(const app_run *run, int64_t row, const void *samples)
{
    const watershed_job *job = run->job;
    const halo_image_info *info = &run->image->info;
    uint64_t *missing = missing_of(run, row);
    size_t bytes = (size_t)info->pixel_bits / 8;
    if (missing == NULL || halo_image_find_missing(info, samples, missing) == 0 || bytes == 0) {
        return samples;
    }
    memcpy(job->row, samples, halo_image_row_bytes(info));
    for (int64_t x = 0; x < info->width; x++) {
        if (is_missing(missing, x)) {
            memset(job->row + (size_t)x * bytes, 0, bytes);
        }
    }
    return job->row;
}

/* Puts job->bytes, in which pixels of the mask are not 0, without those that are missing. */
static void put_mask(const app_run *run, int64_t row)
{
    const watershed_job *job = run->job;
    const uint64_t *missing = missing_of(run, row);
    for (int64_t x = 0; missing != NULL && x < run->domain.n[run->domain.axes - 1]; x++) {
        job->bytes[x] = job->bytes[x] != 0 && !is_missing(missing, x);
    }
    halo_watershed_put_mask(job->watershed, own_row(run, row), HALO_SAMPLE_U8, job->bytes);
}

/* ---- the image ------------------------------------------------------------------------------- */

/* Pixels of the mask, of one row. */
static void mask_row(const app_run *run, int64_t row, const void *data)
{
    const watershed_job *job = run->job;
    int64_t width = run->domain.n[run->domain.axes - 1];
    if (!has_threshold(run)) {
        memset(job->bytes, 1, (size_t)width);
        put_mask(run, row);
        return;
    }
    halo_view from = app_image_band(run->image, data, 0, 1), to = from;
    to.cell_bits = HALO_BIT;
    to.origin = job->bits;
    halo_threshold(&from, job->threshold.of.type, &job->threshold.within, &to,
                   run->arguments->common.instructions);
    halo_bits_unpack(width, job->bits, 1, job->bytes);
    put_mask(run, row);
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    const watershed_job *job = run->job;
    bool bits = app_image_type(run->image) == HALO_SAMPLE_BIT,
         masks = has_threshold(run) || can_miss(run);
    for (int64_t i = 0; i < rows; i++) {
        const char *samples = clear_missing(run, first + i, (const char *)data + (size_t)i * pitch);
        if (masks) {
            mask_row(run, first + i, samples);
        }
        if (bits) {
            halo_bits_unpack(run->domain.n[run->domain.axes - 1],
                             (const uint64_t *)(const void *)samples, 1, job->bytes);
            samples = (const char *)job->bytes;
        }
        HALO_TRY(halo_watershed_put_image(job->watershed, own_row(run, first + i), samples));
    }
    return HALO_OK;
}

static halo_status read_image(app_run *run)
{
    const watershed_options *options = run->options;
    watershed_job *job = run->job;
    job->samples =
        (app_samples){.image = run->image, .cuts = job->strips.cuts[0], .kept = job->kept};
    if (has_threshold(run)) {
        HALO_TRY(cli_threshold_find(run, &options->threshold, &job->samples,
                                    "-t 1 takes all but 0 as the mask", &job->threshold));
        job->threshold.within.invert = job->threshold.within.invert != options->invert;
    }
    halo_status status = halo_agree(run->world, create_missing(run));
    HALO_IF_OK(status, app_samples_each(&job->samples, take_rows, run));
    halo_field_destroy(&job->kept);
    return status;
}

/* ---- other images ---------------------------------------------------------------------------- */

static halo_status take_markers(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    const app_run *run = context;
    const watershed_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        const char *samples = (const char *)data + (size_t)i * pitch;
        HALO_TRY(halo_watershed_put_markers(job->watershed, own_row(run, first + i),
                                            HALO_SAMPLE_F64, samples));
    }
    return HALO_OK;
}

static halo_status take_mask(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const app_run *run = context;
    const watershed_job *job = run->job;
    for (int64_t i = 0; i < rows; i++) {
        const double *samples = (const void *)((const char *)data + (size_t)i * pitch);
        for (int64_t x = 0; x < run->domain.n[run->domain.axes - 1]; x++) {
            job->bytes[x] = samples[x] < 0 || samples[x] > 0;
        }
        put_mask(run, first + i);
    }
    return HALO_OK;
}

/* Reads an image of markers or a mask, of the image's shape. */
static halo_status read_beside(app_run *run, const char *path, const char *option,
                               halo_rows_take *take)
{
    const watershed_job *job = run->job;
    return path == NULL
               ? HALO_OK
               : app_image_read_beside(run, &(app_image_beside){.path = path,
                                                                .option = option,
                                                                .of = "image",
                                                                .whole = "watershed",
                                                                .cuts = job->strips.cuts[0],
                                                                .take = take,
                                                                .context = run});
}

halo_status watershed_read(app_run *run)
{
    const watershed_options *options = run->options;
    HALO_TRY(read_image(run));
    HALO_TRY(read_beside(run, options->markers.path, "markers", take_markers));
    return read_beside(run, options->mask, "mask", take_mask);
}
